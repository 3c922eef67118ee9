/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines go under the topic of the configuration; states and pictures below the base topic, as
 * Frigate has them: BASE/available, BASE/CAMERA/available, BASE/CAMERA/EVENT,
 * BASE/CAMERA/snapshot, BASE/CAMERA/zones/ZONE/STATE. */
#include "publisher.h"

#include "analysis.h"
#include "discovery.h"
#include "topics.h"

#include <string.h>

#include <json-glib/json-glib.h>

#define DRAIN_MS 3000
#define SPOOL_MS 1000 /* shorter where there is a spool, because it keeps what is not sent */
/* shorter still while there is no connection, over which nothing could be sent */
#define AWAY_MS 300

struct _WatchPublisher {
  gatomicrefcount count;
  WatchConfig *owner;
  const WatchPublishConfig *config; /* of owner */
  Publisher *publisher;
  gboolean has_spool;
  GHashTable *cameras; /* a set of names: the cameras that were announced */
};

/* Returns whether the publisher announces states: files and descriptors have no topics. */
static gboolean
has_states (const WatchPublisher *self)
{
  return self->config->method == WATCH_METHOD_MQTT && self->config->states;
}

/* Sets the state of the topic BASE/CAMERA/LEVEL. Does nothing for a camera that was not announced:
 * one that a reload removed may still have events on their way, and must not leave topics behind.
 */
static void
set_state (
    WatchPublisher *self, const gchar *camera, const gchar *level, gconstpointer data, gsize size)
{
  g_autofree gchar *topic = watch_topic_camera (self->config, camera, level);

  if (has_states (self) && g_hash_table_contains (self->cameras, camera))
    publisher_set_state (self->publisher, topic, data, size);
}

static void
set_text (WatchPublisher *self, const gchar *camera, const gchar *level, const gchar *text)
{
  set_state (self, camera, level, text, strlen (text));
}

/* ---- events ---- */

/* Returns what replaces {@name} in the topic of the notice @user_data: (transfer full) (nullable).
 */
static gchar *
look_up (const gchar *name, gpointer user_data)
{
  const WatchNotice *notice = user_data;

  if (g_str_equal (name, "event"))
    return g_strdup (notice->event);
  if (g_str_equal (name, "phase"))
    return g_strdup (notice->phase);
  if (g_str_equal (name, "id"))
    return g_strdup (notice->id);
  return topic_tags_find (json_object_get_member (notice->line, "tags"), name + strlen ("tags."));
}

void
watch_publisher_add (
    WatchPublisher *self, const WatchNotice *notice, const gchar *line, GBytes *jpeg)
{
  g_autofree gchar *topic =
      publisher_expand_topic (self->config->topic, look_up, (gpointer) notice);

  if (jpeg != NULL && self->config->snapshots)
    set_state (
        self, notice->camera, "snapshot", g_bytes_get_data (jpeg, NULL), g_bytes_get_size (jpeg));
  publisher_add (self->publisher, topic, line, strlen (line), self->config->retain);
  if (!watch_analysis_lasts (notice->event))
    return;
  if (g_str_equal (notice->phase, "start"))
    set_text (self, notice->camera, notice->event, "ON");
  else if (g_str_equal (notice->phase, "end"))
    set_text (self, notice->camera, notice->event, "OFF");
}

/* ---- states ---- */

void
watch_publisher_set_zone (
    WatchPublisher *self, const gchar *camera, const gchar *level, const gchar *value)
{
  set_text (self, camera, level, value);
}

void
watch_publisher_set_available (WatchPublisher *self, const gchar *camera, gboolean available)
{
  set_text (self, camera, "available", available ? "online" : "offline");
}

static void
on_discovery (const gchar *topic, const gchar *payload, gpointer user_data)
{
  const WatchPublisher *self = user_data;

  publisher_set_state (self->publisher, topic, payload, strlen (payload));
}

/* A WatchZoneFunc. */
static void
on_zone (const gchar *camera, const gchar *level, const gchar *value, gpointer user_data)
{
  watch_publisher_set_zone (user_data, camera, level, value);
}

/* Sets the topic of @event to ON if the event has started and not ended, and to OFF otherwise. */
static void
announce_event (WatchPublisher *self, const gchar *camera, const gchar *event, GHashTable *on)
{
  g_autofree gchar *key = g_strjoin ("\n", camera, event, NULL);

  if (watch_analysis_lasts (event))
    set_text (self, camera, event, g_hash_table_contains (on, key) ? "ON" : "OFF");
}

static void
announce_camera (
    WatchPublisher *self, const WatchCameraConfig *camera, const WatchPublisherStates *states)
{
  const gchar *name = camera->section.name;
  g_autofree gchar *snapshot = watch_topic_camera (self->config, name, "snapshot");
  g_auto (GStrv) events = watch_analysis_list_events (camera, NULL);

  g_hash_table_add (self->cameras, g_strdup (name));

  for (guint i = 0; events != NULL && events[i] != NULL; i++)
    announce_event (self, name, events[i], states->on);
  announce_event (self, name, "lost", states->on);
  announce_event (self, name, "stalled", states->on);
  if (camera->record != NULL)
    announce_event (self, name, WATCH_EVENT_UNRECORDED, states->on);
  watch_zones_list (states->zones, name, on_zone, self);
  watch_publisher_set_available (self, name, g_hash_table_contains (states->up, name));
  if (self->config->snapshots && has_states (self))
    publisher_keep_state (self->publisher, snapshot);
  if (self->config->home_assistant && has_states (self))
    watch_discovery_list (self->config, camera, on_discovery, self);
}

void
watch_publisher_announce (
    WatchPublisher *self, GPtrArray *cameras, const WatchPublisherStates *states)
{
  g_autofree gchar *available = watch_topic_available (self->config);

  g_hash_table_remove_all (self->cameras);
  publisher_begin_states (self->publisher);
  if (has_states (self))
    publisher_keep_state (self->publisher, available);
  for (guint i = 0; i < cameras->len; i++)
    announce_camera (self, cameras->pdata[i], states);
  publisher_sweep_states (self->publisher);
}

void
watch_publisher_retire (WatchPublisher *self)
{
  g_hash_table_remove_all (self->cameras);
  publisher_retire (self->publisher);
}

gboolean
watch_publisher_is_safe (WatchPublisher *self)
{
  return publisher_is_safe (self->publisher);
}

/* ---- metrics ---- */

typedef struct {
  const gchar *name, *type, *help;
  gsize offset; /* of a guint64 in PublisherStats */
} Metric;

#define O(member) G_STRUCT_OFFSET (PublisherStats, member)

static const Metric metrics[] = {
  { "publish_sent_total", "counter", "Messages that arrived", O (sent) },
  { "publish_spooled_total", "counter", "Messages that were written to the spool", O (spooled) },
  { "publish_dropped_total", "counter", "Messages that were dropped", O (dropped) },
  { "publish_waiting", "gauge", "Messages that wait", O (waiting) },
  { "publish_reconnects_total", "counter", "Connections after the first", O (reconnects) },
  { "publish_silence_seconds", "gauge",
      "Since when the target has not acknowledged a message on a connection that stands",
      O (silence_s) },
};

void
watch_publishers_append_metrics (GPtrArray *publishers, GString *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (metrics) && publishers->len > 0; i++) {
    g_string_append_printf (text, "# HELP gst_gles_watch_%s %s.\n# TYPE gst_gles_watch_%s %s\n",
        metrics[i].name, metrics[i].help, metrics[i].name, metrics[i].type);
    for (guint k = 0; k < publishers->len; k++) {
      const WatchPublisher *self = publishers->pdata[k];
      PublisherStats stats;

      publisher_get_stats (self->publisher, &stats);
      g_string_append_printf (text, "gst_gles_watch_%s{publish=\"%s\"} %" G_GUINT64_FORMAT "\n",
          metrics[i].name, self->config->section.name,
          G_STRUCT_MEMBER (guint64, &stats, metrics[i].offset));
    }
  }
}

/* ---- object ---- */

static void
on_notify (gboolean is_warning, const gchar *text, gpointer user_data)
{
  const WatchPublisher *self = user_data;

  g_log (G_LOG_DOMAIN, is_warning ? G_LOG_LEVEL_WARNING : G_LOG_LEVEL_MESSAGE, "publish %s: %s",
      self->config->section.name, text);
}

PublishMethod
watch_publisher_get_method (const WatchPublishConfig *config)
{
  static const PublishMethod methods[] = { PUBLISH_MQTT, PUBLISH_FILE, PUBLISH_FD };

  return methods[config->method];
}

const gchar *
watch_publisher_get_state_directory (const WatchConfig *config)
{
  if (config->general.no_state)
    return NULL;
  /* without a folder of the configuration, the one that the service manager made */
  return config->general.state_directory != NULL ? config->general.state_directory
                                                 : g_getenv ("STATE_DIRECTORY");
}

/* Returns the path of the file that keeps the topics of states for the next process: (transfer
 * full). An error of its folder is reported when the file is written. */
static gchar *
make_state_file (const gchar *folder, const WatchPublishConfig *config)
{
  g_autofree gchar *directory = g_build_filename (folder, "retained", NULL);

  g_mkdir_with_parents (directory, 0700);
  return g_build_filename (directory, config->section.name, NULL);
}

static gboolean
set_up (WatchPublisher *self, GError **error)
{
  const WatchPublishConfig *config = self->config;
  const gchar *folder = watch_publisher_get_state_directory (self->owner);
  const PublishMethod method = watch_publisher_get_method (config);
  const gboolean spool = method == PUBLISH_MQTT && config->spool_bytes > 0 && folder != NULL;
  g_autofree gchar *directory =
      spool ? g_build_filename (folder, "spool", config->section.name, NULL) : NULL;
  g_autofree gchar *states =
      method == PUBLISH_MQTT && folder != NULL ? make_state_file (folder, config) : NULL;
  g_autofree gchar *available = watch_topic_available (config);
  g_autofree gchar *refresh = config->home_assistant && config->states
      ? g_strconcat (config->discovery_prefix, "/status", NULL)
      : NULL;
  const PublisherSettings settings = { .method = method,
    .address = config->address,
    .client_id = config->client_id,
    .user = config->user,
    .password_file = config->password_file,
    .ca_file = config->ca_file,
    .cert_file = config->cert_file,
    .key_file = config->key_file,
    .qos = (guint) config->qos,
    .availability_topic = config->states ? available : NULL,
    .refresh_topic = refresh,
    .spool_directory = directory,
    .state_file = states,
    .spool_bytes = config->spool_bytes,
    .queue_bytes = config->queue_bytes };

  self->has_spool = spool;
  self->publisher = publisher_new (&settings, on_notify, self, error);
  return self->publisher != NULL;
}

WatchPublisher *
watch_publisher_new (WatchConfig *config, guint number, GError **error)
{
  WatchPublisher *self = g_new0 (WatchPublisher, 1);

  g_atomic_ref_count_init (&self->count);
  self->cameras = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->owner = watch_config_ref (config);
  self->config = config->publish->pdata[number];
  if (!set_up (self, error)) {
    g_prefix_error (error, "publish %s: ", self->config->section.name);
    g_clear_pointer (&self, watch_publisher_unref);
  }
  return self;
}

WatchPublisher *
watch_publisher_ref (WatchPublisher *self)
{
  g_atomic_ref_count_inc (&self->count);
  return self;
}

void
watch_publisher_unref (WatchPublisher *self)
{
  PublisherStats stats;
  guint drain_ms = DRAIN_MS;

  if (!g_atomic_ref_count_dec (&self->count))
    return;
  if (self->publisher != NULL) {
    publisher_get_stats (self->publisher, &stats);
    if (self->has_spool)
      drain_ms = stats.connected ? SPOOL_MS : AWAY_MS;
    publisher_free (self->publisher, drain_ms);
  }
  g_hash_table_unref (self->cameras);
  watch_config_unref (self->owner);
  g_free (self);
}

const WatchPublishConfig *
watch_publisher_get_config (const WatchPublisher *self)
{
  return self->config;
}
