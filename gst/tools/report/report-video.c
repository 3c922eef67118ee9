/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One pipeline decodes and analyses the video. A second one encodes small JPEGs of single
 * frames. */
#include "report.h"

#include <string.h>
#include <unistd.h>

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/gles/meta/histogram.h>

#define THUMB_WIDTH 160
#define THUMB_TIMEOUT (5 * GST_SECOND)
#define WAIT_SLICE (GST_SECOND / 4)

/* formats whose first component is luma; videoconvert converts all others */
#define FORMATS                                                                                    \
  "video/x-raw,format=(string){ I420, NV12, Y42B, Y444, NV21, NV16, YV12, GRAY8, I420_10LE, "      \
  "I422_10LE, Y444_10LE, P010_10LE, I420_12LE, I422_12LE, Y444_12LE, GRAY16_LE }"

typedef struct {
  Report *report;
  GstElement *pipeline, *thumbs;
  GstElement *thumb_src, *thumb_sink; /* of thumbs */
  GstCaps *thumb_caps;                /* that thumbs is set up for */
  gboolean asked_duration;
  gboolean no_thumbs; /* encoding failed once: the report goes on without pictures */
  gint failed;        /* atomic: a result could not be read, see error */
  GError *error;
  gint64 position_ns; /* object lock of pipeline */
} Analysis;

/* ---- pictures ---- */

static void
stop_thumbs (Analysis *analysis)
{
  if (analysis->thumbs != NULL)
    gst_element_set_state (analysis->thumbs, GST_STATE_NULL);
  gst_clear_object (&analysis->thumb_src);
  gst_clear_object (&analysis->thumb_sink);
  gst_clear_object (&analysis->thumbs);
  gst_clear_caps (&analysis->thumb_caps);
}

static gboolean
start_thumbs (Analysis *analysis, GstCaps *caps)
{
  g_autofree gchar *line = NULL;
  GstVideoInfo info;

  stop_thumbs (analysis);
  if (!gst_video_info_from_caps (&info, caps) || info.width < 1 || info.height < 1)
    return FALSE;
  line =
      g_strdup_printf ("appsrc name=src format=time ! videoscale method=nearest-neighbour ! "
                       "videoconvert n-threads=1 ! video/x-raw,format=I420,width=%d,height=%d,"
                       "pixel-aspect-ratio=1/1 ! jpegenc quality=60 ! appsink name=sink sync=false",
          THUMB_WIDTH,
          (gint) CLAMP (gst_util_uint64_scale (THUMB_WIDTH, (guint64) info.height * info.par_d,
                            (guint64) info.width * info.par_n),
              2, 4 * THUMB_WIDTH));
  analysis->thumbs = gst_parse_launch (line, NULL);
  if (analysis->thumbs == NULL)
    return FALSE;
  analysis->thumb_src = gst_bin_get_by_name (GST_BIN (analysis->thumbs), "src");
  analysis->thumb_sink = gst_bin_get_by_name (GST_BIN (analysis->thumbs), "sink");
  analysis->thumb_caps = gst_caps_ref (caps);
  gst_app_src_set_caps (GST_APP_SRC (analysis->thumb_src), caps);
  gst_element_set_state (analysis->thumbs, GST_STATE_PLAYING);
  return TRUE;
}

/* Returns (transfer full) (nullable): a JPEG of @buffer, NULL on failure. */
static GBytes *
encode_thumb (Analysis *analysis, GstBuffer *buffer, GstCaps *caps)
{
  g_autoptr (GstSample) sample = NULL;
  GstMapInfo map;
  GBytes *jpeg;

  if (analysis->thumb_caps == NULL || !gst_caps_is_equal (analysis->thumb_caps, caps)) {
    if (!start_thumbs (analysis, caps))
      return NULL;
  }
  if (gst_app_src_push_buffer (GST_APP_SRC (analysis->thumb_src), gst_buffer_ref (buffer)) !=
      GST_FLOW_OK)
    return NULL;
  sample = gst_app_sink_try_pull_sample (GST_APP_SINK (analysis->thumb_sink), THUMB_TIMEOUT);
  if (sample == NULL || !gst_buffer_map (gst_sample_get_buffer (sample), &map, GST_MAP_READ))
    return NULL;
  jpeg = g_bytes_new (map.data, map.size);
  gst_buffer_unmap (gst_sample_get_buffer (sample), &map);
  return jpeg;
}

static GBytes *
make_thumb (Analysis *analysis, GstBuffer *buffer, GstCaps *caps)
{
  GBytes *jpeg = analysis->no_thumbs || caps == NULL ? NULL : encode_thumb (analysis, buffer, caps);

  if (jpeg == NULL && !analysis->no_thumbs) {
    g_printerr ("gst-gles-report-1.0: no pictures: are videoscale and jpegenc installed?\n");
    analysis->no_thumbs = TRUE;
  }
  return jpeg;
}

static void
add_pictures (Analysis *analysis, GstPad *pad, GstBuffer *buffer, GstClockTime time)
{
  const gboolean of_strip = report_wants_picture (analysis->report, time);
  const gboolean of_event = report_wants_event_picture (analysis->report);
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GBytes) jpeg = NULL;
  gint64 duration;

  if (!of_strip && !of_event)
    return;
  if (!analysis->asked_duration &&
      gst_element_query_duration (analysis->pipeline, GST_FORMAT_TIME, &duration) && duration > 0)
    report_set_duration (analysis->report, (GstClockTime) duration);
  analysis->asked_duration = TRUE;
  caps = gst_pad_get_current_caps (pad);
  jpeg = make_thumb (analysis, buffer, caps);
  if (jpeg == NULL)
    return;
  if (of_strip)
    report_add_picture (analysis->report, time, jpeg);
  if (of_event)
    report_add_event_picture (analysis->report, jpeg);
}

/* ---- frames ---- */

static void
add_events (Analysis *analysis, const GstStructure *structure)
{
  const GValue *list = gst_structure_get_value (structure, "events");

  for (guint i = 0; list != NULL && i < gst_value_list_get_size (list); i++) {
    const GstStructure *event = gst_value_get_structure (gst_value_list_get_value (list, i));
    GstClockTime time = GST_CLOCK_TIME_NONE;
    guint64 frame = 0;
    gdouble score = 0.0;

    gst_structure_get (event, "stream-time", GST_TYPE_CLOCK_TIME, &time, "frame", G_TYPE_UINT64,
        &frame, "score", G_TYPE_DOUBLE, &score, NULL);
    if (GST_CLOCK_TIME_IS_VALID (time))
      report_add_event (analysis->report, gst_structure_get_string (event, "event"),
          gst_structure_get_string (event, "phase"), time, frame, score);
  }
}

static gboolean
add_frame (Analysis *analysis, GstGlesHistogramResult *result, GstClockTime *time, GError **error)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  const gdouble scale = (gdouble) (1u << info->channels[0].depth) / 256.0;
  GstGlesHistogramStatistics s;
  const guint32 *counts;
  ReportFrame frame;
  guint n;

  if (!gst_gles_histogram_result_get_statistics (result, 0, &s, error))
    return FALSE;
  frame = (ReportFrame){ .time = info->stream_time,
    .duration = info->duration,
    .levels = { s.p1 / scale, s.p5 / scale, s.p10 / scale, s.p50 / scale, s.p90 / scale,
        s.p95 / scale, s.p99 / scale, s.mean / scale },
    .emd = s.emd / scale,
    .mad = s.mad / scale,
    .has_emd = gst_gles_histogram_result_has_emd (result),
    .has_mad = gst_gles_histogram_result_has_mad (result) };
  if (!GST_CLOCK_TIME_IS_VALID (frame.time))
    frame.time = info->frame * (GST_SECOND / 25);
  if (report_get_n_frames (analysis->report) == 0)
    report_set_format (
        analysis->report, info->width, info->height, gst_video_format_to_string (info->format));
  counts = gst_gles_histogram_result_get_native_counts (result, 0, &n, error);
  report_add_frame (analysis->report, &frame, counts, n);
  *time = frame.time;
  return TRUE;
}

static GstPadProbeReturn
on_data (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Analysis *analysis = user_data;
  g_autoptr (GstGlesHistogramResult) result = NULL;
  GstCustomMeta *meta = NULL;
  GstClockTime time = 0;
  GstBuffer *buffer;

  if (info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) {
    if (gst_event_has_name (GST_PAD_PROBE_INFO_EVENT (info), "glesevents"))
      add_events (analysis, gst_event_get_structure (GST_PAD_PROBE_INFO_EVENT (info)));
    return GST_PAD_PROBE_OK;
  }
  buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  result = gst_gles_histogram_result_from_buffer (buffer);
  if (result == NULL || g_atomic_int_get (&analysis->failed))
    return GST_PAD_PROBE_OK;
  if (!add_frame (analysis, result, &time, &analysis->error)) {
    g_atomic_int_set (&analysis->failed, TRUE);
    return GST_PAD_PROBE_OK;
  }
  GST_OBJECT_LOCK (analysis->pipeline);
  analysis->position_ns = (gint64) time;
  GST_OBJECT_UNLOCK (analysis->pipeline);
  if (gst_meta_get_info ("glesevents") != NULL)
    meta = gst_buffer_get_custom_meta (buffer, "glesevents");
  if (meta != NULL)
    add_events (analysis, gst_custom_meta_get_structure (meta));
  add_pictures (analysis, pad, buffer, time);
  return GST_PAD_PROBE_OK;
}

/* ---- running ---- */

static void
show_progress (Analysis *analysis)
{
  gint64 duration = 0, position;

  GST_OBJECT_LOCK (analysis->pipeline);
  position = analysis->position_ns;
  GST_OBJECT_UNLOCK (analysis->pipeline);
  if (gst_element_query_duration (analysis->pipeline, GST_FORMAT_TIME, &duration) && duration > 0)
    g_printerr ("\r%3d %% of %d s ", (gint) MIN (100 * position / duration, 100),
        (gint) (duration / GST_SECOND));
  else
    g_printerr ("\r%d s ", (gint) (position / GST_SECOND));
}

static gboolean
run (Analysis *analysis, gboolean progress, gint *stop, GError **error)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (analysis->pipeline);
  gboolean ok = TRUE, done = FALSE;

  gst_element_set_state (analysis->pipeline, GST_STATE_PLAYING);
  while (!done && !g_atomic_int_get (stop) && !g_atomic_int_get (&analysis->failed)) {
    g_autoptr (GstMessage) message =
        gst_bus_timed_pop_filtered (bus, WAIT_SLICE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);

    if (progress)
      show_progress (analysis);
    if (message == NULL)
      continue;
    done = TRUE;
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
      gst_message_parse_error (message, error, NULL);
      ok = FALSE;
    }
  }
  if (progress)
    g_printerr ("\r                    \r");
  /* glesevents ends open events when it stops, but only on the bus: the page ends them with the
   * video */
  gst_element_set_state (analysis->pipeline, GST_STATE_NULL);
  if (analysis->error != NULL) {
    g_propagate_error (error, g_steal_pointer (&analysis->error));
    return FALSE;
  }
  return ok;
}

gboolean
report_analyse (Report *report, const gchar *path, const gchar *device, gboolean progress,
    gint *stop, GError **error)
{
  Analysis analysis = { .report = report };
  g_autoptr (GstElement) source = NULL, histogram = NULL, sink = NULL;
  g_autoptr (GstPad) pad = NULL;
  gboolean ok;

  analysis.pipeline = gst_parse_launch (
      "filesrc name=source ! decodebin ! videoconvert ! " FORMATS " ! queue ! "
      "gleshistogram name=histogram emd=true mad=true mad-noise=0.001 ! queue max-size-buffers=3 ! "
      "glesevents ! fakesink name=sink sync=false",
      error);
  if (analysis.pipeline == NULL)
    return FALSE;
  source = gst_bin_get_by_name (GST_BIN (analysis.pipeline), "source");
  histogram = gst_bin_get_by_name (GST_BIN (analysis.pipeline), "histogram");
  sink = gst_bin_get_by_name (GST_BIN (analysis.pipeline), "sink");
  pad = gst_element_get_static_pad (sink, "sink");
  g_object_set (source, "location", path, NULL);
  if (device != NULL)
    g_object_set (histogram, "device", device, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_data,
      &analysis, NULL);
  ok = run (&analysis, progress, stop, error);
  stop_thumbs (&analysis);
  gst_object_unref (analysis.pipeline);
  return ok;
}
