/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whatever happens in the pipeline of one camera stays in its thread: a state change that takes
 * long, an error, an element that hangs. Data is looked for with the monotonic clock, which no
 * change of the time of day moves. */
#include "analysis.h"
#include "camera-private.h"
#include "contexts.h"

#include <string.h>

#define CHECK_MS 250
#define CONNECT_US (2 * G_USEC_PER_SEC)  /* added to the stall timeout before the first data */
#define PICTURE_US (30 * G_USEC_PER_SEC) /* from the first data to the first picture */
#define STEADY_US (10 * G_USEC_PER_SEC)  /* after which a failure is a new one */
#define RECORD_US (300 * G_USEC_PER_SEC) /* after which a recording that failed begins again */
#define FIRST_WAIT_MS 250
#define MAX_WAIT_MS 5000

const gchar *
watch_state_get_name (WatchState state)
{
  static const gchar *const names[] = { "connecting", "up", "stalled", "lost", "ended" };

  return names[state];
}

/* ---- frames ---- */

/* Notes where the analysis runs. */
static void
take_device (WatchCamera *self)
{
  static const gchar *const analysers[] = { "gleshistogram0", "glescompact0" };

  for (guint i = 0; i < G_N_ELEMENTS (analysers); i++) {
    g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (self->pipeline), analysers[i]);

    if (element == NULL)
      continue;
    g_mutex_lock (&self->lock);
    g_clear_pointer (&self->device, g_free);
    g_object_get (element, "device-description", &self->device, NULL);
    gst_object_replace ((GstObject **) &self->analyser, GST_OBJECT (element));
    g_mutex_unlock (&self->lock);
  }
}

static gboolean
on_first_frame (gpointer user_data)
{
  WatchCamera *self = user_data;

  if (self->pipeline != NULL && watch_get (&self->last_frame) != 0 && self->up_since == 0) {
    self->up_since = g_get_monotonic_time ();
    take_device (self);
    watch_camera_end_outage (self);
  }
  return G_SOURCE_REMOVE;
}

static GstPadProbeReturn
on_frame (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  WatchCamera *self = user_data;
  const gboolean first = watch_get (&self->last_frame) == 0;

  watch_add (&self->n_frames, 1);
  __atomic_store_n (&self->last_frame, g_get_monotonic_time (), __ATOMIC_RELAXED);
  if (first) {
    GSource *source = g_idle_source_new ();

    watch_gate_leave (&self->facts.gate);
    g_source_set_callback (source, on_first_frame, self, NULL);
    g_source_attach (source, self->context);
    g_source_unref (source);
  }
  return GST_PAD_PROBE_OK;
}

static void
take_caps (WatchCamera *self, GstCaps *caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const GstCapsFeatures *features = gst_caps_get_features (caps, 0);
  gint width = 0, height = 0;

  gst_structure_get_int (structure, "width", &width);
  gst_structure_get_int (structure, "height", &height);
  g_mutex_lock (&self->lock);
  self->width = (guint) width;
  self->height = (guint) height;
  g_free (self->format);
  self->format = g_strdup (gst_structure_get_string (structure, "format"));
  g_free (self->memory);
  self->memory = gst_caps_features_to_string (features);
  g_mutex_unlock (&self->lock);
}

static void
take_buffer (WatchCamera *self, GstBuffer *buffer)
{
  const GstClockTime time =
      gst_segment_to_running_time (&self->segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  const GstClockTime now = gst_element_get_current_running_time (self->pipeline);

  gst_buffer_replace (&self->current, buffer);
  watch_add (&self->n_analysed, 1);
  if (GST_CLOCK_TIME_IS_VALID (time) && GST_CLOCK_TIME_IS_VALID (now))
    __atomic_store_n (&self->lag_us, ((gint64) now - (gint64) time) / 1000, __ATOMIC_RELAXED);
}

static GstPadProbeReturn
on_analysed (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  WatchCamera *self = user_data;
  GstCaps *caps;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    take_buffer (self, GST_PAD_PROBE_INFO_BUFFER (info));
  } else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_SEGMENT) {
    gst_event_copy_segment (GST_PAD_PROBE_INFO_EVENT (info), &self->segment);
  } else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_CAPS) {
    gst_event_parse_caps (GST_PAD_PROBE_INFO_EVENT (info), &caps);
    take_caps (self, caps);
  }
  return GST_PAD_PROBE_OK;
}

/* ---- the pipeline ---- */

static void start (WatchCamera *self);

static void
clear_timer (WatchCamera *self)
{
  if (self->timer != NULL)
    g_source_destroy (self->timer);
  g_clear_pointer (&self->timer, g_source_unref);
}

static void
set_timer (WatchCamera *self, guint ms, GSourceFunc function)
{
  clear_timer (self);
  self->timer = g_timeout_source_new (ms);
  g_source_set_callback (self->timer, function, self, NULL);
  g_source_attach (self->timer, self->context);
}

static void
set_null (const GValue *item, gpointer user_data)
{
  gst_element_set_state (g_value_get_object (item), GST_STATE_NULL);
}

/* Also stops elements that did not follow the pipeline yet. */
static void
stop_elements (GstElement *pipeline)
{
  GstIterator *elements;

  gst_element_set_state (pipeline, GST_STATE_NULL);
  elements = gst_bin_iterate_elements (GST_BIN (pipeline));
  gst_iterator_foreach (elements, set_null, NULL);
  gst_iterator_free (elements);
}

static void
stop (WatchCamera *self)
{
  GstClockTime running;

  if (self->pipeline == NULL)
    return;
  running = gst_element_get_current_running_time (self->pipeline);
  g_mutex_lock (&self->lock);
  gst_clear_object (&self->analyser);
  g_mutex_unlock (&self->lock);
  watch_gate_leave (&self->facts.gate);
  stop_elements (self->pipeline);
  watch_contexts_unshare (GST_ELEMENT_BUS (self->pipeline));
  if (self->bus != NULL)
    g_source_destroy (self->bus);
  g_clear_pointer (&self->bus, g_source_unref);
  watch_camera_end_open (self, running);
  gst_clear_buffer (&self->current);
  gst_clear_object (&self->pipeline);
}

static gboolean
restart (gpointer user_data)
{
  watch_add (&((WatchCamera *) user_data)->n_restarts, 1);
  start (user_data);
  return G_SOURCE_REMOVE;
}

/* Ends the pipeline, and starts it again after a while. @event: "lost" or "stalled". */
static void
fail (WatchCamera *self, const gchar *event, const gchar *cause, const gchar *text)
{
  guint wait;

  if (self->up_since != 0 && g_get_monotonic_time () - self->up_since > STEADY_US)
    self->n_failures = 0;
  stop (self);
  if (self->options.replay) {
    clear_timer (self);
    if (!g_str_equal (cause, "eos"))
      watch_camera_say (self, G_LOG_LEVEL_WARNING, text);
    watch_camera_set_state (self, g_str_equal (cause, "eos") ? WATCH_ENDED : WATCH_LOST);
    watch_outlet_set_available (self->outlet, self->config->section.name, FALSE);
    return;
  }
  watch_camera_begin_outage (self, event, cause, text);
  wait = MIN (FIRST_WAIT_MS << MIN (self->n_failures, 8), MAX_WAIT_MS);
  self->n_failures++;
  /* cameras behind one switch do not come back all at once */
  set_timer (self, (guint) g_random_int_range ((gint32) wait * 3 / 4, (gint32) wait + 1), restart);
}

static gboolean
check (gpointer user_data)
{
  WatchCamera *self = user_data;
  const gint64 now = g_get_monotonic_time (), frame = watch_get (&self->last_frame);
  const gint64 timeout = (gint64) self->config->stall_timeout * G_USEC_PER_SEC;
  const gint64 n_data = watch_get (&self->facts.n_data);
  const gboolean data = n_data != self->n_data;

  if (data)
    self->data_since = now;
  if (self->config->record != NULL && !self->facts.record && now >= self->record_again) {
    stop (self);
    set_timer (self, 0, restart);
    return G_SOURCE_REMOVE;
  }
  self->n_data = n_data;
  if (frame != 0 && now - frame > timeout)
    fail (self, "stalled", now - self->data_since > timeout ? "no-data" : "no-pictures",
        now - self->data_since > timeout ? "no data comes" : "data comes, but no pictures");
  else if (frame == 0 && n_data == 0 && now - self->started > timeout + CONNECT_US)
    fail (self, "stalled", "no-data", "no data comes");
  else if (frame == 0 && now - self->started > timeout + PICTURE_US)
    fail (self, "stalled", "no-pictures", "data comes, but no pictures");
  return G_SOURCE_CONTINUE;
}

/* Whether @message is of what writes files. */
static gboolean
is_of_record (WatchCamera *self, GstMessage *message)
{
  g_autoptr (GstElement) record =
      gst_bin_get_by_name (GST_BIN (self->pipeline), WATCH_SOURCE_RECORD);

  return record != NULL &&
      gst_object_has_as_ancestor (GST_MESSAGE_SRC (message), GST_OBJECT (record));
}

/* A full disk must not stop the analysis: it begins again without the recording. */
static void
give_up_recording (WatchCamera *self, const gchar *text)
{
  g_autofree gchar *line =
      g_strdup_printf ("no recording for %d s: %s", (gint) (RECORD_US / G_USEC_PER_SEC), text);

  watch_camera_say (self, G_LOG_LEVEL_WARNING, line);
  self->record_again = g_get_monotonic_time () + RECORD_US;
  stop (self);
  set_timer (self, 0, restart);
}

/* Returns what an element said: (transfer full). Elements say the reason behind the place in their
 * source. */
static gchar *
describe_error (GstMessage *message)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *details = NULL;
  const gchar *reason;

  gst_message_parse_error (message, &error, &details);
  reason = details != NULL ? strchr (details, '\n') : NULL;
  return g_strdup_printf ("%s%s (%s)", error->message, reason != NULL ? reason : "",
      GST_OBJECT_NAME (GST_MESSAGE_SRC (message)));
}

static void
on_error (WatchCamera *self, GstMessage *message)
{
  g_autofree gchar *text = g_strdelimit (describe_error (message), "\n", ' ');

  if (is_of_record (self, message))
    give_up_recording (self, text);
  else
    fail (self, "lost", "error", text);
}

static gboolean
on_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  WatchCamera *self = user_data;

  if (self->pipeline == NULL)
    return G_SOURCE_CONTINUE;
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    on_error (self, message);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS) {
    fail (self, "lost", "eos", "the stream has ended");
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
    g_autoptr (GError) error = NULL;

    gst_message_parse_warning (message, &error, NULL);
    watch_camera_say (self, G_LOG_LEVEL_WARNING, error->message);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_LATENCY) {
    gst_bin_recalculate_latency (GST_BIN (self->pipeline));
  }
  return G_SOURCE_CONTINUE;
}

static void
connect (WatchCamera *self, GstElement *analysis)
{
  static const GstAppSinkCallbacks callbacks = { .new_sample = watch_camera_on_line };
  g_autoptr (GstElement) events = gst_bin_get_by_name (GST_BIN (analysis), WATCH_ANALYSIS_EVENTS);
  g_autoptr (GstElement) lines = gst_bin_get_by_name (GST_BIN (analysis), WATCH_ANALYSIS_LINES);
  g_autoptr (GstPad) sink = gst_element_get_static_pad (analysis, "sink");
  g_autoptr (GstPad) analysed = gst_element_get_static_pad (events, "sink");
  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);

  gst_app_sink_set_callbacks (GST_APP_SINK (lines), (GstAppSinkCallbacks *) &callbacks, self, NULL);
  gst_pad_add_probe (sink, GST_PAD_PROBE_TYPE_BUFFER, on_frame, self, NULL);
  gst_pad_add_probe (analysed, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      on_analysed, self, NULL);
  watch_contexts_share (bus, self->config->device);
  self->bus = gst_bus_create_watch (bus);
  g_source_set_callback (self->bus, G_SOURCE_FUNC (on_message), self, NULL);
  g_source_attach (self->bus, self->context);
}

static gboolean
build (WatchCamera *self, GError **error)
{
  const gboolean file = watch_source_is_file (self->config);
  g_autofree gchar *session = self->options.replay
      ? g_strdup (self->config->section.name)
      : g_strdup_printf ("%s %" G_GINT64_FORMAT, self->config->section.name, g_get_real_time ());
  const WatchAnalysisOptions options = {
    .paced = file && !self->options.fast, .lossless = self->options.replay, .session = session
  };
  GstElement *analysis = watch_analysis_new (self->config, &options, error);
  g_autoptr (GstPad) sink = NULL;

  if (analysis == NULL)
    return FALSE;
  self->pipeline = gst_pipeline_new (NULL);
  gst_bin_add (GST_BIN (self->pipeline), analysis);
  self->facts.record =
      self->config->record != NULL && g_get_monotonic_time () >= self->record_again;
  connect (self, analysis);
  sink = gst_element_get_static_pad (analysis, "sink");
  return watch_source_add (GST_PIPELINE (self->pipeline), sink, &self->facts, error);
}

static void
start (WatchCamera *self)
{
  g_autoptr (GError) error = NULL;

  self->started = self->data_since = g_get_monotonic_time ();
  self->up_since = self->n_data = 0;
  self->first_analysed = watch_get (&self->n_analysed);
  watch_gate_reset (&self->facts.gate);
  __atomic_store_n (&self->facts.n_data, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&self->last_frame, 0, __ATOMIC_RELAXED);
  gst_segment_init (&self->segment, GST_FORMAT_TIME);
  if (!build (self, &error)) {
    fail (self, "lost", "error", error->message);
    return;
  }
  set_timer (self, CHECK_MS, check);
  /* what is wrong comes as a message */
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

static gboolean
on_start (gpointer user_data)
{
  start (user_data);
  return G_SOURCE_REMOVE;
}

static gpointer
run (gpointer user_data)
{
  WatchCamera *self = user_data;

  g_main_context_push_thread_default (self->context);
  set_timer (self, 0, on_start);
  g_main_loop_run (self->loop);
  stop (self);
  watch_camera_stop_outage (self);
  clear_timer (self);
  g_main_context_pop_thread_default (self->context);
  return NULL;
}

/* ---- object ---- */

WatchCamera *
watch_camera_new (
    const WatchCameraConfig *config, const WatchCameraOptions *options, WatchOutlet *outlet)
{
  WatchCamera *self = g_new0 (WatchCamera, 1);

  self->config = config;
  self->options = *options;
  self->outlet = outlet;
  self->tags = watch_analysis_get_tags (config, NULL);
  self->facts.config = config;
  g_mutex_init (&self->facts.lock);
  g_mutex_init (&self->lock);
  self->open =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) json_object_unref);
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  self->thread = g_thread_new ("camera", run, self);
  return self;
}

static gboolean
on_quit (gpointer user_data)
{
  g_main_loop_quit (user_data);
  return G_SOURCE_REMOVE;
}

void
watch_camera_free (WatchCamera *self)
{
  GSource *source = g_idle_source_new ();

  /* also before the loop runs */
  g_source_set_callback (source, on_quit, self->loop, NULL);
  g_source_attach (source, self->context);
  g_source_unref (source);
  g_thread_join (self->thread);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_hash_table_unref (self->open);
  g_free (self->tags);
  g_free (self->facts.decoder);
  g_free (self->outage_id);
  g_free (self->outage_cause);
  g_free (self->outage_text);
  g_free (self->memory);
  g_free (self->format);
  g_free (self->device);
  g_free (self->error);
  g_mutex_clear (&self->facts.lock);
  g_mutex_clear (&self->lock);
  g_free (self);
}

const WatchCameraConfig *
watch_camera_get_config (const WatchCamera *self)
{
  return self->config;
}

/* Returns what the analysis has on its device. */
static guint64
get_device_bytes (WatchCamera *self)
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

void
watch_camera_get_stats (WatchCamera *self, WatchCameraStats *stats)
{
  *stats = (WatchCameraStats){ .frames = (guint64) watch_get (&self->n_frames),
    .analysed = (guint64) watch_get (&self->n_analysed),
    .events = (guint64) watch_get (&self->n_events),
    .restarts = (guint64) watch_get (&self->n_restarts),
    .device_bytes = get_device_bytes (self),
    .lag_us = watch_get (&self->lag_us) };
  g_mutex_lock (&self->facts.lock);
  stats->decoder = g_strdup (self->facts.decoder);
  g_mutex_unlock (&self->facts.lock);
  g_mutex_lock (&self->lock);
  stats->state = self->state;
  stats->width = self->width;
  stats->height = self->height;
  stats->memory = g_strdup (self->memory);
  stats->format = g_strdup (self->format);
  stats->device = g_strdup (self->device);
  stats->error = g_strdup (self->error);
  stats->sender_clock = self->sender_clock;
  g_mutex_unlock (&self->lock);
}

void
watch_camera_stats_clear (WatchCameraStats *stats)
{
  g_free (stats->decoder);
  g_free (stats->memory);
  g_free (stats->format);
  g_free (stats->device);
  g_free (stats->error);
}
