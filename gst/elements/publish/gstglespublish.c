/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glespublish
 * @title: glespublish
 * @short_description: Publishes the results of the analysers as lines of JSON
 *
 * Writes the lines of glesjson to a file, a descriptor or an MQTT broker, and passes buffers
 * through. It waits for results, as glesjson does, and never for what it publishes to: lines wait
 * in memory and, with a spool-directory, on the disk, until a broker takes them.
 *
 * ## Example
 * |[
 * gst-launch-1.0 -q videotestsrc num-buffers=90 pattern=black ! video/x-raw,format=I420 ! \
 *     gleshistogram device=cpu ! glesevents events=black ! glespublish method=fd ! fakesink
 * ]|
 *
 * Since: 0.1
 */
#include "config.h"

#if HAVE_JSON_GLIB
#include <json-glib/json-glib.h>
#endif
#include "../../publish/publish.h"
#include "../base/settings.h"
#include "../base/element-name.h"
#include "../elements.h"
#include "../json/json-lines.h"

#include <string.h>

GST_DEBUG_CATEGORY_STATIC (gst_gles_publish_element_debug);
#define GST_CAT_DEFAULT gst_gles_publish_element_debug

#define GST_TYPE_GLES_PUBLISH_ELEMENT (gst_gles_publish_element_get_type ())
G_DECLARE_FINAL_TYPE (
    GstGlesPublishElement, gst_gles_publish_element, GST, GLES_PUBLISH_ELEMENT, GstElement)

typedef enum {
  WHAT_EVENTS,
  WHAT_FRAMES,
  WHAT_BOTH,
} What;

/* Texts are interned. */
typedef struct {
  guint method, what, qos, drain_timeout;
  gboolean retain;
  guint spool_bytes, queue_bytes;
  gchar *address, *topic, *availability_topic, *client_id, *user, *password_file, *ca_file,
      *cert_file, *key_file, *spool_directory;
} Settings;

struct _GstGlesPublishElement {
  GstElement parent;

  GstPad *sink_pad, *src_pad;
  JsonLines lines;
  Settings settings; /* with the object lock; read at the start but for topic, what and retain */
#if HAVE_JSON_GLIB
  /* of the streaming thread */
  JsonNode *tags;   /* nullable */
  gchar *tags_text; /* that they are of; nullable */
#endif

  Publisher *publisher;      /* with the object lock: NULL while stopped */
  PublisherStats last_stats; /* with the object lock: of the publisher that was stopped */
};

enum {
  PROP_0,
  PROP_TAGS,
  PROP_LISTS, /* a member of JsonOptions */
  PROP_STATS,
  PROP_SETTINGS, /* another member of Settings */
};

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

G_DEFINE_TYPE (GstGlesPublishElement, gst_gles_publish_element, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DEFINE (
    glespublish, "glespublish", GST_RANK_NONE, GST_TYPE_GLES_PUBLISH_ELEMENT)

static const gchar *const topic_names[] = { "event", "phase", "element", "id", "tags.", NULL };

static GType
method_get_type (void)
{
  static const GEnumValue values[] = {
    { PUBLISH_FILE, "Append to a file", "file" },
    { PUBLISH_FD, "Write to a descriptor", "fd" },
    { PUBLISH_MQTT, "Send to an MQTT broker", "mqtt" },
    { 0, NULL, NULL },
  };

  return enum_type ("GstGlesPublishMethod", values);
}

static GType
what_get_type (void)
{
  static const GEnumValue values[] = {
    { WHAT_EVENTS, "Events of glesevents", "events" },
    { WHAT_FRAMES, "Results of frames", "frames" },
    { WHAT_BOTH, "Both", "both" },
    { 0, NULL, NULL },
  };

  return enum_type ("GstGlesPublishWhat", values);
}

/* ---- topics ---- */

typedef struct {
  GstGlesPublishElement *self;
  const GstStructure *event; /* nullable */
} TopicContext;

#if HAVE_JSON_GLIB

static gchar *
get_tag (GstGlesPublishElement *self, const gchar *path)
{
  return topic_tags_find (self->tags, path);
}

/* Keeps the tags parsed as long as they are the same. */
static void
update_tags (GstGlesPublishElement *self)
{
  g_autofree gchar *text = json_lines_get_tags (&self->lines);

  if (g_strcmp0 (text, self->tags_text) == 0)
    return;
  g_clear_pointer (&self->tags, json_node_unref);
  g_free (self->tags_text);
  self->tags = text[0] != '\0' ? json_from_string (text, NULL) : NULL;
  self->tags_text = g_steal_pointer (&text);
}

static void
clear_tags (GstGlesPublishElement *self)
{
  g_clear_pointer (&self->tags, json_node_unref);
  g_clear_pointer (&self->tags_text, g_free);
}

#else /* there are no tags */

static gchar *
get_tag (GstGlesPublishElement *self, const gchar *path)
{
  return NULL;
}

static void
update_tags (GstGlesPublishElement *self)
{
}

static void
clear_tags (GstGlesPublishElement *self)
{
}

#endif

static gchar *
look_up (const gchar *name, gpointer user_data)
{
  const TopicContext *context = user_data;

  if (g_str_has_prefix (name, "tags."))
    return get_tag (context->self, name + strlen ("tags."));
  if (context->event != NULL)
    return g_strdup (gst_structure_get_string (context->event, name));
  return g_strdup (g_str_equal (name, "event") ? "frame" : NULL);
}

static GstFlowReturn
publish_line (GstElement *element, JsonLine *line)
{
  GstGlesPublishElement *self = GST_GLES_PUBLISH_ELEMENT (element);
  const TopicContext context = { self, line->event };
  g_autofree gchar *text = line->text, *topic = NULL;
  const gchar *pattern;
  gboolean retain;

  GST_OBJECT_LOCK (self);
  pattern = self->settings.topic;
  retain = self->settings.retain;
  GST_OBJECT_UNLOCK (self);
  update_tags (self);
  topic = publisher_expand_topic (pattern, look_up, (gpointer) &context);
  publisher_add (self->publisher, topic, text, line->size - 1, retain);
  return GST_FLOW_OK;
}

/* ---- streaming ---- */

static GstFlowReturn
gst_gles_publish_element_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstGlesPublishElement *self = GST_GLES_PUBLISH_ELEMENT (parent);
  gboolean silent;
  const GstFlowReturn flow = self->publisher == NULL
      ? GST_FLOW_ERROR
      : json_lines_take_buffer (&self->lines, pad, buffer, &silent);

  if (flow != GST_FLOW_OK) {
    gst_buffer_unref (buffer);
    return flow;
  }
  return gst_pad_push (self->src_pad, buffer);
}

static gboolean
gst_gles_publish_element_sink_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  GstGlesPublishElement *self = GST_GLES_PUBLISH_ELEMENT (parent);

  if (self->publisher != NULL &&
      (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_DOWNSTREAM ||
          GST_EVENT_TYPE (event) == GST_EVENT_EOS))
    json_lines_take_event (&self->lines, event);
  return gst_pad_event_default (pad, parent, event);
}

static gboolean
gst_gles_publish_element_sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  json_lines_answer (&GST_GLES_PUBLISH_ELEMENT (parent)->lines, query);
  return gst_pad_query_default (pad, parent, query);
}

/* ---- starting and stopping ---- */

static void
on_notify (gboolean is_warning, const gchar *text, gpointer user_data)
{
  GstGlesPublishElement *self = user_data;

  if (is_warning)
    GST_ELEMENT_WARNING (self, RESOURCE, WRITE, ("%s", text), (NULL));
  else
    GST_INFO_OBJECT (self, "%s", text);
}

static gboolean
start (GstGlesPublishElement *self)
{
  g_autoptr (GError) error = NULL;
  Publisher *publisher = NULL;
  Settings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  if (publisher_check_topic (settings.topic, topic_names, &error)) {
    const PublisherSettings values = { .method = settings.method,
      .address = settings.address,
      .client_id = settings.client_id,
      .user = settings.user,
      .password_file = settings.password_file,
      .ca_file = settings.ca_file,
      .cert_file = settings.cert_file,
      .key_file = settings.key_file,
      .qos = settings.qos,
      .availability_topic = settings.availability_topic,
      .spool_directory = settings.spool_directory,
      .spool_bytes = settings.spool_bytes,
      .queue_bytes = settings.queue_bytes };

    publisher = publisher_new (&values, on_notify, self, &error);
  }
  if (publisher == NULL) {
    GST_ELEMENT_ERROR (self, RESOURCE, OPEN_WRITE, ("%s", error->message), (NULL));
    /* as in the elements that start their threads while data flow */
    return error->domain == G_THREAD_ERROR;
  }
  GST_OBJECT_LOCK (self);
  self->publisher = publisher;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

static void
stop (GstGlesPublishElement *self)
{
  Publisher *publisher;
  guint timeout;

  GST_OBJECT_LOCK (self);
  publisher = self->publisher;
  timeout = self->settings.drain_timeout;
  GST_OBJECT_UNLOCK (self);
  if (publisher == NULL)
    return;
  publisher_drain (publisher, timeout);
  GST_OBJECT_LOCK (self);
  publisher_get_stats (publisher, &self->last_stats);
  self->publisher = NULL;
  GST_OBJECT_UNLOCK (self);
  publisher_free (publisher, 0);
}

static GstStateChangeReturn
gst_gles_publish_element_change_state (GstElement *element, GstStateChange transition)
{
  GstGlesPublishElement *self = GST_GLES_PUBLISH_ELEMENT (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED &&
      (!json_lines_start (&self->lines) || !start (self)))
    return GST_STATE_CHANGE_FAILURE;
  ret =
      GST_ELEMENT_CLASS (gst_gles_publish_element_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY ||
      (transition == GST_STATE_CHANGE_READY_TO_PAUSED && ret == GST_STATE_CHANGE_FAILURE))
    stop (self);
  return ret;
}

/* ---- object ---- */

/* Returns (transfer full). */
static GstStructure *
get_stats (GstGlesPublishElement *self)
{
  PublisherStats stats;

  GST_OBJECT_LOCK (self);
  stats = self->last_stats;
  if (self->publisher != NULL)
    publisher_get_stats (self->publisher, &stats);
  GST_OBJECT_UNLOCK (self);
  return gst_structure_new ("application/x-glespublish-stats", "added", G_TYPE_UINT64, stats.added,
      "sent", G_TYPE_UINT64, stats.sent, "spooled", G_TYPE_UINT64, stats.spooled, "dropped",
      G_TYPE_UINT64, stats.dropped, "waiting", G_TYPE_UINT64, stats.waiting, "reconnects",
      G_TYPE_UINT64, stats.reconnects, "connected", G_TYPE_BOOLEAN, stats.connected, NULL);
}

/* With what lines to make of what buffers. */
static void
update_options (GstGlesPublishElement *self)
{
  GST_OBJECT_LOCK (self);
  self->lines.options.events = self->settings.what != WHAT_FRAMES;
  self->lines.options.frames = self->settings.what != WHAT_EVENTS;
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gles_publish_element_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  GstGlesPublishElement *self = GST_GLES_PUBLISH_ELEMENT (object);

  if (id == PROP_TAGS)
    json_lines_set_tags (&self->lines, g_value_get_string (value));
  else if (id == PROP_LISTS)
    settings_set (object, &self->lines.options, value, spec);
  else
    settings_set (object, &self->settings, value, spec);
  update_options (self);
}

static void
gst_gles_publish_element_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  GstGlesPublishElement *self = GST_GLES_PUBLISH_ELEMENT (object);

  if (id == PROP_TAGS)
    g_value_take_string (value, json_lines_get_tags (&self->lines));
  else if (id == PROP_STATS)
    g_value_take_boxed (value, get_stats (self));
  else if (id == PROP_LISTS)
    settings_get (object, &self->lines.options, value, spec);
  else
    settings_get (object, &self->settings, value, spec);
}

static void
gst_gles_publish_element_finalize (GObject *object)
{
  GstGlesPublishElement *self = GST_GLES_PUBLISH_ELEMENT (object);

  json_lines_clear (&self->lines);
  clear_tags (self);
  G_OBJECT_CLASS (gst_gles_publish_element_parent_class)->finalize (object);
}

#define INSTALL(member, spec)                                                                      \
  settings_install (klass, PROP_SETTINGS, G_STRUCT_OFFSET (Settings, member), spec)

static void
install_texts (GObjectClass *klass)
{
  static const struct {
    gsize offset;
    const gchar *name, *nick, *blurb;
  } texts[] = {
    { G_STRUCT_OFFSET (Settings, address), "address", "Address",
        "Where to: the path of a file, the number of a descriptor (1 if unset), or "
        "[mqtt://|mqtts://]HOST[:PORT] (localhost if unset)" },
    { G_STRUCT_OFFSET (Settings, availability_topic), "availability-topic", "Availability topic",
        "mqtt: a topic that says online, retained, while the element is connected, and offline "
        "otherwise, by the last will" },
    { G_STRUCT_OFFSET (Settings, client_id), "client-id", "Client ID",
        "mqtt: the name of the client; unset: a random one" },
    { G_STRUCT_OFFSET (Settings, user), "user", "User", "mqtt: the name of the user" },
    { G_STRUCT_OFFSET (Settings, password_file), "password-file", "Password file",
        "mqtt: a file whose first line is the password of the user" },
    { G_STRUCT_OFFSET (Settings, ca_file), "ca-file", "CA file",
        "mqtt: certificates of authorities, for TLS; unset: those of the system" },
    { G_STRUCT_OFFSET (Settings, cert_file), "cert-file", "Certificate file",
        "mqtt: the certificate of the client, for TLS" },
    { G_STRUCT_OFFSET (Settings, key_file), "key-file", "Key file",
        "mqtt: the key of the client's certificate" },
    { G_STRUCT_OFFSET (Settings, spool_directory), "spool-directory", "Spool directory",
        "A folder in which lines wait that are not sent yet, also for the next start; each element "
        "needs its own" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    settings_install (klass, PROP_SETTINGS, texts[i].offset,
        g_param_spec_string (
            texts[i].name, texts[i].nick, texts[i].blurb, "", SETTING_FLAGS_READY));
  INSTALL (topic,
      g_param_spec_string ("topic", "Topic",
          "mqtt: the topic, with {event}, {phase}, {id}, {element} and members of the tags, such "
          "as {tags.camera}",
          "gles/{event}", SETTING_FLAGS));
}

static void
install_properties (GObjectClass *klass)
{
  INSTALL (method,
      g_param_spec_enum ("method", "Method", "How to publish", method_get_type (), PUBLISH_FILE,
          SETTING_FLAGS_READY));
  install_texts (klass);
  INSTALL (what,
      g_param_spec_enum (
          "what", "What", "Which lines to publish", what_get_type (), WHAT_EVENTS, SETTING_FLAGS));
  INSTALL (qos,
      g_param_spec_uint ("qos", "QoS", "mqtt: 0: at most once, 1: at least once, 2: exactly once",
          0, 2, 1, SETTING_FLAGS_READY));
  INSTALL (retain,
      g_param_spec_boolean ("retain", "Retain",
          "mqtt: let the broker keep the last line of each topic for new subscribers", FALSE,
          SETTING_FLAGS));
  INSTALL (spool_bytes,
      g_param_spec_uint ("spool-bytes", "Spool bytes",
          "The most bytes in the spool; the oldest lines go", 16384, G_MAXUINT, 1 << 26,
          SETTING_FLAGS_READY));
  INSTALL (queue_bytes,
      g_param_spec_uint ("queue-bytes", "Queue bytes",
          "The most bytes of lines in memory; the oldest go", 16384, G_MAXUINT, 1 << 23,
          SETTING_FLAGS_READY));
  INSTALL (drain_timeout,
      g_param_spec_uint ("drain-timeout", "Drain timeout",
          "The most milliseconds to wait at the end until all lines are sent", 0, 600000, 2000,
          SETTING_FLAGS));
  json_lines_install (klass, PROP_TAGS, PROP_LISTS, FALSE);
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Lines added, sent, spooled, dropped and waiting, reconnects, and whether the broker is "
          "connected",
          GST_TYPE_STRUCTURE, (GParamFlags) (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)));
}

static void
gst_gles_publish_element_class_init (GstGlesPublishElementClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  element_class_name_instances (G_OBJECT_CLASS (klass));
  GST_DEBUG_CATEGORY_INIT (
      gst_gles_publish_element_debug, "glespublish", 0, "GLES results to a broker");
  object_class->set_property = gst_gles_publish_element_set_property;
  object_class->get_property = gst_gles_publish_element_get_property;
  object_class->finalize = gst_gles_publish_element_finalize;
  element_class->change_state = gst_gles_publish_element_change_state;
  install_properties (object_class);
  gst_element_class_set_static_metadata (element_class, "GLES results to a broker",
      "Filter/Metadata",
      "Publishes the results of gleshistogram and the other analysers to a file, a descriptor or "
      "an MQTT broker",
      "The gst-gles-compute developers");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
}

static void
gst_gles_publish_element_init (GstGlesPublishElement *self)
{
  self->lines.element = GST_ELEMENT (self);
  self->lines.func = publish_line;
  settings_init (G_OBJECT (self), PROP_SETTINGS, &self->settings);
  settings_init (G_OBJECT (self), PROP_LISTS, &self->lines.options);
  update_options (self);

  self->sink_pad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sink_pad, gst_gles_publish_element_chain);
  gst_pad_set_event_function (self->sink_pad, gst_gles_publish_element_sink_event);
  gst_pad_set_query_function (self->sink_pad, gst_gles_publish_element_sink_query);
  GST_PAD_SET_PROXY_CAPS (self->sink_pad);
  GST_PAD_SET_PROXY_ALLOCATION (self->sink_pad);
  GST_PAD_SET_PROXY_SCHEDULING (self->sink_pad);
  gst_element_add_pad (GST_ELEMENT (self), self->sink_pad);

  self->src_pad = gst_pad_new_from_static_template (&src_template, "src");
  GST_PAD_SET_PROXY_CAPS (self->src_pad);
  gst_element_add_pad (GST_ELEMENT (self), self->src_pad);
}
