/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "run-private.h"

#include "detector.h"
#include "record.h"
#include "say.h"
#include "uri-text.h"

#include <string.h>

/* Names of messages on the bus. */
#define UP "watch-up"
#define STOP "watch-stop"

#define RECORDER_TICK (200 * GST_MSECOND)

/* ---- what is told ---- */

typedef struct {
  WatchRun *run;
  WatchRunNews news;
  gchar *text;
} News;

static gboolean
on_news (gpointer user_data)
{
  const News *news = user_data;

  if (!watch_run_is_cut (news->run))
    news->run->settings.tell (news->news, news->text, news->run->settings.user_data);
  return G_SOURCE_REMOVE;
}

static void
free_news (gpointer data)
{
  News *news = data;

  watch_run_unref (news->run);
  g_free (news->text);
  g_free (news);
}

static void
tell (WatchRun *self, WatchRunNews what, const gchar *text)
{
  GSource *source = g_idle_source_new ();
  News *news = g_new0 (News, 1);

  news->run = watch_run_ref (self);
  news->news = what;
  news->text = watch_uri_text_hide (text);
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, on_news, news, free_news);
  g_source_attach (source, self->settings.context);
  g_source_unref (source);
}

/* ---- messages ---- */

static GstBusSyncReply
on_sync_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  WatchRun *self = user_data;

  watch_sockets_on_message (self->sockets, message);
  watch_contexts_on_message (bus, message, &self->sharer);
  if (self->recorder == NULL || !watch_recorder_drops (self->recorder, message))
    return GST_BUS_PASS;
  gst_message_unref (message);
  return GST_BUS_DROP;
}

static gboolean
is_named (GstMessage *message, const gchar *name)
{
  return GST_MESSAGE_TYPE (message) == GST_MESSAGE_APPLICATION &&
      gst_message_has_name (message, name);
}

/* Returns what an element said: (transfer full). Elements say the reason behind the place in their
 * source. */
static gchar *
describe_error (GstMessage *message)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *details = NULL;
  g_autofree gchar *text = NULL;
  const gchar *reason;

  gst_message_parse_error (message, &error, &details);
  reason = details != NULL ? strchr (details, '\n') : NULL;
  text = g_strdup_printf ("%s%s (%s)", error->message, reason != NULL ? reason : "",
      GST_OBJECT_NAME (GST_MESSAGE_SRC (message)));
  return g_strdelimit (g_steal_pointer (&text), "\n", ' ');
}

static void
on_error (WatchRun *self, GstElement *pipeline, GstMessage *message)
{
  g_autofree gchar *text = describe_error (message);

  if (self->recorder == NULL || !watch_record_sent (message)) {
    tell (self, WATCH_RUN_FAILED, text);
    return;
  }
  watch_recorder_fail (self->recorder, pipeline);
  tell (self, WATCH_RUN_NO_RECORDING, text);
}

static void
on_message (WatchRun *self, GstElement *pipeline, GstMessage *message)
{
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    on_error (self, pipeline, message);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS) {
    tell (self, WATCH_RUN_EOS, NULL);
  } else if (watch_detector_sees_nothing (message)) {
    return;
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
    g_autoptr (GError) error = NULL;
    g_autofree gchar *text = NULL;

    gst_message_parse_warning (message, &error, NULL);
    text = watch_uri_text_hide (error->message);
    watch_say (self->name, G_LOG_LEVEL_WARNING, text);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_LATENCY) {
    gst_bin_recalculate_latency (GST_BIN (pipeline));
  } else if (is_named (message, UP)) {
    tell (self, WATCH_RUN_UP, NULL);
  }
}

static void
post (WatchRun *self, const gchar *name)
{
  g_mutex_lock (&self->lock);
  if (self->pipeline != NULL)
    gst_bus_post (GST_ELEMENT_BUS (self->pipeline),
        gst_message_new_application (NULL, gst_structure_new_empty (name)));
  g_mutex_unlock (&self->lock);
}

void
watch_run_tell_up (WatchRun *self)
{
  post (self, UP);
}

/* ---- the thread ---- */

static void
check_recorder (WatchRun *self, GstElement *pipeline)
{
  g_autofree gchar *text = NULL;
  const WatchRecorderNews news = watch_recorder_check (self->recorder, pipeline, &text);

  if (news == WATCH_RECORDER_FAILED)
    tell (self, WATCH_RUN_NO_RECORDING, text);
  else if (news == WATCH_RECORDER_WRITES)
    tell (self, WATCH_RUN_RECORDING, NULL);
}

/* Handles messages until the run is to stop. */
static void
follow (WatchRun *self, GstElement *pipeline)
{
  const GstClockTime wait = self->recorder != NULL ? RECORDER_TICK : GST_CLOCK_TIME_NONE;

  while (!g_atomic_int_get (&self->stop)) {
    g_autoptr (GstMessage) message = gst_bus_timed_pop (GST_ELEMENT_BUS (pipeline), wait);

    if (watch_run_is_cut (self))
      continue;
    if (message != NULL)
      on_message (self, pipeline, message);
    if (self->recorder != NULL)
      check_recorder (self, pipeline);
  }
}

static void
set_null (const GValue *item, gpointer user_data)
{
  gst_element_set_state (g_value_get_object (item), GST_STATE_NULL);
}

/* Sets the state of all elements, also of those that did not follow the pipeline's state yet. */
static void
stop_elements (GstElement *pipeline)
{
  GstIterator *elements;

  gst_element_set_state (pipeline, GST_STATE_NULL);
  elements = gst_bin_iterate_elements (GST_BIN (pipeline));
  gst_iterator_foreach (elements, set_null, NULL);
  gst_iterator_free (elements);
}

static gpointer
run (gpointer user_data)
{
  WatchRun *self = user_data;
  GstElement *pipeline = self->pipeline;
  g_autoptr (GError) error = NULL;

  if (watch_run_build (self, pipeline, &error))
    /* an error is reported by a message on the bus */
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
  else
    tell (self, WATCH_RUN_FAILED, error->message);
  follow (self, pipeline);
  stop_elements (pipeline);
  watch_contexts_unshare (GST_ELEMENT_BUS (pipeline));
  g_mutex_lock (&self->lock);
  self->pipeline = NULL;
  gst_clear_object (&self->analyser);
  g_mutex_unlock (&self->lock);
  gst_clear_buffer (&self->current);
  gst_object_unref (pipeline);
  g_atomic_int_set (&self->ended, 1);
  watch_run_unref (self);
  return NULL;
}

void
watch_run_cut (WatchRun *self)
{
  g_mutex_lock (&self->lock);
  g_atomic_int_set (&self->cut, 1);
  watch_run_end_open (self);
  self->settings.outlet = NULL;
  self->settings.user_data = NULL;
  if (self->pipeline != NULL)
    watch_contexts_unshare (GST_ELEMENT_BUS (self->pipeline));
  g_mutex_unlock (&self->lock);
  watch_gate_leave (&self->facts.gate);
}

void
watch_run_stop (WatchRun *self)
{
  g_atomic_int_set (&self->stop, 1);
  post (self, STOP);
}

void
watch_run_shut (WatchRun *self)
{
  watch_sockets_shut (self->sockets);
}

/* ---- object ---- */

static void
unref_run (gpointer data)
{
  watch_run_unref (data);
}

WatchRun *
watch_run_new (const WatchRunSettings *settings, GError **error)
{
  WatchRun *self = g_new0 (WatchRun, 1);
  GThread *thread;

  g_atomic_ref_count_init (&self->count);
  self->settings = *settings;
  watch_config_ref (settings->owner);
  watch_tally_ref (settings->tally);
  g_main_context_ref (settings->context);
  self->name = settings->config->section.name;
  self->sharer = (WatchSharer){ settings->config->device, &self->cut };
  self->sockets = watch_sockets_new ();
  self->facts.config = settings->config;
  self->facts.tally = settings->tally;
  if (settings->config->record != NULL) {
    self->facts.tracks = watch_tracks_new ();
    self->recorder = watch_recorder_new (settings->config, self->facts.tracks);
  }
  g_mutex_init (&self->lock);
  gst_segment_init (&self->segment, GST_FORMAT_TIME);
  self->open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->pipeline = gst_object_ref_sink (gst_pipeline_new (NULL));
  gst_bus_set_sync_handler (
      GST_ELEMENT_BUS (self->pipeline), on_sync_message, watch_run_ref (self), unref_run);
  thread = g_thread_try_new ("camera", run, watch_run_ref (self), error);
  if (thread == NULL) {
    watch_run_unref (self);
    gst_clear_object (&self->pipeline);
    watch_run_unref (self);
    return NULL;
  }
  g_thread_unref (thread);
  return self;
}

WatchRun *
watch_run_ref (WatchRun *self)
{
  g_atomic_ref_count_inc (&self->count);
  return self;
}

void
watch_run_unref (WatchRun *self)
{
  if (!g_atomic_ref_count_dec (&self->count))
    return;
  g_hash_table_unref (self->open);
  gst_clear_buffer (&self->current);
  watch_frame_clear (&self->best);
  g_clear_pointer (&self->shrinker, jpeg_free);
  watch_recorder_free (self->recorder);
  watch_tracks_free (self->facts.tracks);
  watch_sockets_unref (self->sockets);
  watch_tally_unref (self->settings.tally);
  watch_config_unref (self->settings.owner);
  g_main_context_unref (self->settings.context);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
watch_run_get_facts (WatchRun *self, WatchRunFacts *facts)
{
  *facts =
      (WatchRunFacts){ watch_get (&self->facts.n_data), watch_get (&self->facts.decoding_since),
        watch_get (&self->last_frame), g_atomic_int_get (&self->ended) != 0 };
}

guint64
watch_run_get_received (WatchRun *self)
{
  return watch_sockets_get_received (self->sockets);
}

guint64
watch_run_get_device_bytes (WatchRun *self)
{
  g_autoptr (GstStructure) stats = NULL;
  g_autoptr (GstElement) element = NULL;
  guint64 bytes = 0;

  g_mutex_lock (&self->lock);
  element = self->analyser != NULL ? gst_object_ref (self->analyser) : NULL;
  g_mutex_unlock (&self->lock);
  if (element != NULL)
    g_object_get (element, "stats", &stats, NULL);
  if (stats != NULL)
    gst_structure_get_uint64 (stats, "device-bytes", &bytes);
  return bytes;
}

const gchar *
watch_run_get_camera (const WatchRun *self)
{
  return self->name;
}
