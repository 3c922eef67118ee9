/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One frame: the description that its result carries, its times and its origin, and the submission
 * that analyses it. */
#include "config.h"

#include <gst/gles/import/caps.h>

#include "field-name.h"
#include "frame-utc.h"
#include "gstglesanalyzer-private.h"
#include "results.h"

gboolean
gst_gles_analyzer_differ_in_tags (GstCaps *a, GstCaps *b)
{
  static const gchar *const tags[] = { "colorimetry", "chroma-site", "mastering-display-info",
    "content-light-level", "pixel-aspect-ratio", "framerate", "max-framerate" };
  g_autoptr (GstCaps) x = NULL, y = NULL;

  if (a == NULL)
    return FALSE;
  x = gst_caps_copy (a);
  y = gst_caps_copy (b);
  for (guint i = 0; i < G_N_ELEMENTS (tags); i++) {
    gst_structure_remove_field (gst_caps_get_structure (x, 0), tags[i]);
    gst_structure_remove_field (gst_caps_get_structure (y, 0), tags[i]);
  }
  return gst_caps_is_equal (x, y);
}

void
gst_gles_analyzer_take_colorimetry (GstGlesAnalyzer *analyzer, GstCaps *caps)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const gchar *text = gst_structure_get_string (structure, "colorimetry");
  g_autoptr (GstCaps) system = NULL;
  GstVideoInfo info;

  priv->has_fields =
      g_strcmp0 (gst_structure_get_string (structure, "interlace-mode"), "alternate") == 0;
  memset (&priv->colorimetry, 0, sizeof (priv->colorimetry));
  /* raw video has defaults */
  if (gst_structure_has_name (structure, "video/x-raw"))
    system = gst_gles_frame_caps_to_system (caps, NULL, NULL);
  if (system != NULL && gst_gles_frame_caps_to_info (system, &info))
    priv->colorimetry = GST_VIDEO_INFO_COLORIMETRY (&info);
  else if (text != NULL)
    gst_video_colorimetry_from_string (&priv->colorimetry, text);
}

/* Returns how long @n frames last. */
static GstClockTime
count_time (const GstGlesFrameClock *clock, guint64 n)
{
  return gst_util_uint64_scale (n, GST_SECOND * (guint64) clock->rate_d, (guint64) clock->rate_n);
}

void
gst_gles_analyzer_take_framerate (GstGlesAnalyzer *analyzer, GstCaps *caps)
{
  GstGlesFrameClock *clock = &gst_gles_analyzer_get_private (analyzer)->clock;
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  if (GST_CLOCK_TIME_IS_VALID (clock->from))
    clock->from += count_time (clock, clock->n);
  clock->n = 0;
  /* 0/1 is a variable rate. */
  if (!gst_structure_get_fraction (structure, "framerate", &clock->rate_n, &clock->rate_d) ||
      clock->rate_n <= 0 || clock->rate_d <= 0) {
    clock->rate_n = 25;
    clock->rate_d = 1;
  }
}

/* Says once that times are counted. The first of several analysers speaks for all. */
static void
warn_of_counting (GstGlesAnalyzer *analyzer, GstBuffer *buffer)
{
  GstGlesFrameClock *clock = &gst_gles_analyzer_get_private (analyzer)->clock;
  Results earlier;

  if (clock->warned || !clock->counted)
    return;
  clock->warned = TRUE;
  if (!results_collect (&earlier, RESULTS_ALL, buffer))
    GST_ELEMENT_WARNING (analyzer, STREAM, FORMAT,
        ("Buffers have no timestamps; times are counted at %d/%d frames a second", clock->rate_n,
            clock->rate_d),
        ("the framerate of the caps, or 25 where they have none; this is said once"));
  results_clear (&earlier);
}

void
gst_gles_analyzer_take_times (GstGlesAnalyzer *analyzer, GstBuffer *buffer)
{
  GstGlesFrameClock *clock = &gst_gles_analyzer_get_private (analyzer)->clock;
  const GstSegment *segment = &GST_BASE_TRANSFORM (analyzer)->segment;
  const gboolean is_first = !GST_CLOCK_TIME_IS_VALID (clock->from);

  clock->pts = GST_BUFFER_PTS (buffer);
  clock->duration = GST_BUFFER_DURATION (buffer);
  /* a single picture needs no timestamp */
  clock->counted = !is_first && !GST_CLOCK_TIME_IS_VALID (clock->pts);
  if (GST_CLOCK_TIME_IS_VALID (clock->pts)) {
    clock->from = clock->pts;
    clock->n = 0;
  } else {
    if (is_first) {
      clock->from = segment->format == GST_FORMAT_TIME ? segment->start : 0;
      clock->n = 0;
    }
    clock->pts = clock->from + count_time (clock, clock->n);
    if (!GST_CLOCK_TIME_IS_VALID (clock->duration))
      clock->duration = count_time (clock, clock->n + 1) - count_time (clock, clock->n);
  }
  clock->n++;
  if (GST_BUFFER_DURATION_IS_VALID (buffer)) {
    clock->from = clock->pts + clock->duration;
    clock->n = 0;
  }
}

static GstGlesField
get_field (const GstGlesAnalyzerPrivate *priv, GstBuffer *buffer)
{
  if (!priv->has_fields || !GST_BUFFER_FLAG_IS_SET (buffer, GST_VIDEO_BUFFER_FLAG_ONEFIELD))
    return GST_GLES_FIELD_NONE;
  return GST_VIDEO_BUFFER_IS_TOP_FIELD (buffer) ? GST_GLES_FIELD_TOP : GST_GLES_FIELD_BOTTOM;
}

/* Frames share one origin until the stream changes. (transfer none) */
static GstGlesOrigin *
get_origin (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  if (priv->origin == NULL) {
    g_autofree gchar *element = gst_object_get_name (GST_OBJECT (analyzer));
    g_autofree gchar *stream_id =
        gst_pad_get_stream_id (GST_BASE_TRANSFORM_SINK_PAD (GST_BASE_TRANSFORM (analyzer)));

    priv->origin = gst_gles_origin_new (element, stream_id);
  }
  return priv->origin;
}

void
gst_gles_analyzer_describe_field (GstGlesField field, GstStructure *structure)
{
  if (field != GST_GLES_FIELD_NONE)
    gst_structure_set (structure, "field", G_TYPE_STRING, field_get_name (field), NULL);
}

gboolean
gst_gles_analyzer_parse_picture (
    GstGlesAnalyzer *analyzer, const GstCaps *caps, GstGlesFrameInfo *picture, GError **error)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const gchar *name = gst_structure_get_string (structure, "format");
  gint w = 0, h = 0;

  if (!gst_structure_get_int (structure, "width", &w) ||
      !gst_structure_get_int (structure, "height", &h) || w <= 0 || h <= 0) {
    g_autofree gchar *text = gst_caps_to_string (caps);
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
        "caps %s have no width and height, which cells and tiles are laid over", text);
    return FALSE;
  }
  *picture = (GstGlesFrameInfo){ .width = (guint) w,
    .height = (guint) h,
    .format = name != NULL ? gst_video_format_from_string (name) : GST_VIDEO_FORMAT_UNKNOWN };
  if (gst_gles_analyzer_get_private (analyzer)->has_fields)
    picture->height -= picture->height / 2;
  return TRUE;
}

void
gst_gles_analyzer_describe_frame (GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstGlesFrame *frame)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  const GstSegment *segment = &GST_BASE_TRANSFORM (analyzer)->segment;

  warn_of_counting (analyzer, buffer);
  frame->buffer = buffer;
  frame->info = (GstGlesFrameInfo){ .number = priv->n_analysed,
    .pts = priv->clock.pts,
    .duration = priv->clock.duration,
    .running_time = GST_CLOCK_TIME_NONE,
    .stream_time = GST_CLOCK_TIME_NONE,
    .utc = frame_get_utc (buffer),
    .range = priv->colorimetry.range,
    .matrix = priv->colorimetry.matrix,
    .field = get_field (priv, buffer),
    .origin = get_origin (analyzer) };
  if (GST_CLOCK_TIME_IS_VALID (frame->info.pts) && segment->format == GST_FORMAT_TIME) {
    frame->info.running_time =
        gst_segment_to_running_time (segment, GST_FORMAT_TIME, frame->info.pts);
    frame->info.stream_time =
        gst_segment_to_stream_time (segment, GST_FORMAT_TIME, frame->info.pts);
  }
  frame->readback = gst_gles_analyzer_reads_ahead (analyzer);
  frame->late = priv->current.readback && !frame->readback;
  frame->repeatable = priv->current.readback && priv->current.validate;
}

/* ---- analysis ---- */

GstMiniObject *
gst_gles_analyzer_submit (GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, gboolean profile,
    GstGlesTimer **timer, GError **error)
{
  GstGlesAnalyzerClass *klass = GST_GLES_ANALYZER_GET_CLASS (analyzer);
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  GstMiniObject *result = NULL;

  if (!klass->take_input (analyzer, frame, error))
    return NULL;
  if (gst_gles_queue_begin (priv->queue, error)) {
    if (profile)
      *timer = gst_gles_queue_start_timer (priv->queue);
    result = klass->analyze (analyzer, frame, error);
    if (!gst_gles_queue_end (priv->queue, result != NULL ? error : NULL))
      g_clear_pointer (&result, gst_mini_object_unref);
  }
  if (result != NULL)
    gst_gles_analyzer_leave_on_device (analyzer, frame, result);
  if (klass->release_input != NULL)
    klass->release_input (analyzer);

  GST_OBJECT_LOCK (analyzer);
  priv->stats.frames += result != NULL ? 1 : 0;
  GST_OBJECT_UNLOCK (analyzer);
  return result;
}
