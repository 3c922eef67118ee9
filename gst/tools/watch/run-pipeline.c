/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The elements of a run, and what passes through them. */
#include "analysis.h"
#include "clock.h"
#include "run-private.h"

/* ---- frames ---- */

/* Notes where the analysis with the element of @pad runs, which the first frame decides. */
static void
take_device (WatchRun *self, GstPad *pad)
{
  static const gchar *const analysers[] = { "gleshistogram0", "glescompact0" };
  g_autoptr (GstElement) parent = gst_pad_get_parent_element (pad);
  g_autoptr (GstObject) bin = gst_object_get_parent (GST_OBJECT (parent));

  for (guint i = 0; i < G_N_ELEMENTS (analysers); i++) {
    g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (bin), analysers[i]);
    g_autofree gchar *device = NULL;

    if (element == NULL)
      continue;
    g_object_get (element, "device-description", &device, NULL);
    watch_tally_set (self->settings.tally, &self->settings.tally->device, device);
    g_mutex_lock (&self->lock);
    gst_object_replace ((GstObject **) &self->analyser, GST_OBJECT (element));
    g_mutex_unlock (&self->lock);
  }
}

static GstPadProbeReturn
on_frame (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  WatchRun *self = user_data;
  const gboolean first = watch_get (&self->last_frame) == 0;

  if (watch_run_is_cut (self))
    return GST_PAD_PROBE_DROP;
  watch_add (&self->settings.tally->n_frames, 1);
  watch_set (&self->last_frame, g_get_monotonic_time ());
  if (first) {
    watch_gate_leave (&self->facts.gate);
    watch_run_tell_up (self);
  }
  return GST_PAD_PROBE_OK;
}

static void
take_caps (WatchTally *tally, GstCaps *caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const GstCapsFeatures *features = gst_caps_get_features (caps, 0);
  gint width = 0, height = 0;

  gst_structure_get_int (structure, "width", &width);
  gst_structure_get_int (structure, "height", &height);
  g_mutex_lock (&tally->lock);
  tally->width = (guint) width;
  tally->height = (guint) height;
  g_free (tally->format);
  tally->format = g_strdup (gst_structure_get_string (structure, "format"));
  g_free (tally->memory);
  tally->memory = gst_caps_features_to_string (features);
  g_mutex_unlock (&tally->lock);
}

static void
take_buffer (WatchRun *self, GstBuffer *buffer)
{
  const GstClockTime time =
      gst_segment_to_running_time (&self->segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  gint64 lag_us;

  gst_buffer_replace (&self->current, buffer);
  watch_add (&self->n_analysed, 1);
  watch_add (&self->settings.tally->n_analysed, 1);
  if (!watch_run_get_lag (self, time, &lag_us))
    return;
  watch_set (&self->settings.tally->lag_us, lag_us);
  watch_clock_take (
      self->settings.tally, self->settings.config, buffer, g_get_real_time () - lag_us);
}

static GstPadProbeReturn
on_analysed (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  WatchRun *self = user_data;
  GstCaps *caps;

  if (watch_run_is_cut (self))
    return (info->type & GST_PAD_PROBE_TYPE_BUFFER) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    if (watch_get (&self->n_analysed) == 0)
      take_device (self, pad);
    take_buffer (self, GST_PAD_PROBE_INFO_BUFFER (info));
  } else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_SEGMENT) {
    gst_event_copy_segment (GST_PAD_PROBE_INFO_EVENT (info), &self->segment);
  } else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_CAPS) {
    gst_event_parse_caps (GST_PAD_PROBE_INFO_EVENT (info), &caps);
    take_caps (self->settings.tally, caps);
  }
  return GST_PAD_PROBE_OK;
}

/* ---- the pipeline ---- */

static void
connect (WatchRun *self, GstElement *analysis)
{
  static const GstAppSinkCallbacks callbacks = { .new_sample = watch_run_on_line,
    .new_event = watch_run_on_event };
  g_autoptr (GstElement) events = gst_bin_get_by_name (GST_BIN (analysis), WATCH_ANALYSIS_EVENTS);
  g_autoptr (GstElement) lines = gst_bin_get_by_name (GST_BIN (analysis), WATCH_ANALYSIS_LINES);
  g_autoptr (GstPad) sink = gst_element_get_static_pad (analysis, "sink");
  g_autoptr (GstPad) analysed = gst_element_get_static_pad (events, "sink");
  g_autoptr (GstPad) judged = gst_element_get_static_pad (events, "src");

  gst_app_sink_set_callbacks (GST_APP_SINK (lines), (GstAppSinkCallbacks *) &callbacks, self, NULL);
  gst_pad_add_probe (sink, GST_PAD_PROBE_TYPE_BUFFER, on_frame, self, NULL);
  gst_pad_add_probe (analysed, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      on_analysed, self, NULL);
  gst_pad_add_probe (judged, GST_PAD_PROBE_TYPE_BUFFER, watch_run_on_regions, self, NULL);
}

gboolean
watch_run_build (WatchRun *self, GstElement *pipeline, GError **error)
{
  const WatchRunSettings *settings = &self->settings;
  const gboolean file = watch_source_is_file (settings->config);
  g_autofree gchar *session = settings->replay
      ? g_strdup (self->name)
      : g_strdup_printf ("%s %" G_GINT64_FORMAT, self->name, g_get_real_time ());
  const WatchAnalysisOptions options = {
    .paced = file && !settings->fast, .lossless = settings->replay, .session = session
  };
  GstElement *analysis = watch_analysis_new (settings->config, &options, error);
  g_autoptr (GstPad) sink = NULL;

  if (analysis == NULL)
    return FALSE;
  gst_bin_add (GST_BIN (pipeline), analysis);
  connect (self, analysis);
  sink = gst_element_get_static_pad (analysis, "sink");
  return watch_source_add (GST_PIPELINE (pipeline), sink, &self->facts, error);
}
