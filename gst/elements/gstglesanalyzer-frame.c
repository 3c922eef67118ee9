/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The description of a frame that every result carries: its times and its origin. */
#include "config.h"

#include <gst/gles/frame/caps.h>

#include "gstglesanalyzer-private.h"

/* NTP counts from 1900, Unix time from 1970. */
#define NTP_TO_UNIX (G_GUINT64_CONSTANT (2208988800) * GST_SECOND)

void
gst_gles_analyzer_take_colorimetry (GstGlesAnalyzer *analyzer, GstCaps *caps)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const gchar *text = gst_structure_get_string (structure, "colorimetry");
  g_autoptr (GstCaps) system = NULL;
  GstVideoInfo info;

  g_clear_pointer (&priv->origin, gst_gles_origin_unref);
  memset (&priv->colorimetry, 0, sizeof (priv->colorimetry));
  /* raw video has defaults */
  if (gst_structure_has_name (structure, "video/x-raw"))
    system = gst_gles_frame_caps_to_system (caps, NULL, NULL);
  if (system != NULL && gst_gles_frame_caps_to_info (system, &info))
    priv->colorimetry = GST_VIDEO_INFO_COLORIMETRY (&info);
  else if (text != NULL)
    gst_video_colorimetry_from_string (&priv->colorimetry, text);
}

/* The time of day of @buffer in nanoseconds since 1970; 0 if it has none. */
static GstClockTime
get_utc (GstBuffer *buffer)
{
  gpointer state = NULL;
  GstClockTime utc = 0;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_REFERENCE_TIMESTAMP_META_API_TYPE)) != NULL) {
    const GstReferenceTimestampMeta *reference = (const GstReferenceTimestampMeta *) meta;
    const GstStructure *structure = gst_caps_get_structure (reference->reference, 0);

    if (!GST_CLOCK_TIME_IS_VALID (reference->timestamp))
      continue;
    if (gst_structure_has_name (structure, "timestamp/x-unix"))
      return reference->timestamp;
    if (gst_structure_has_name (structure, "timestamp/x-ntp") && reference->timestamp > NTP_TO_UNIX)
      utc = reference->timestamp - NTP_TO_UNIX;
  }
  return utc;
}

/* Frames share one origin until stream or caps change. (transfer none) */
static GstGlesOrigin *
get_origin (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  if (priv->origin == NULL) {
    g_autofree gchar *element = gst_object_get_name (GST_OBJECT (analyzer));
    g_autofree gchar *stream_id =
        gst_pad_get_stream_id (GST_BASE_TRANSFORM_SINK_PAD (GST_BASE_TRANSFORM (analyzer)));

    priv->origin =
        gst_gles_origin_new (element, stream_id, priv->colorimetry.range, priv->colorimetry.matrix);
  }
  return priv->origin;
}

void
gst_gles_analyzer_describe_frame (GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstGlesFrame *frame)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  const GstSegment *segment = &GST_BASE_TRANSFORM (analyzer)->segment;

  frame->buffer = buffer;
  frame->number = priv->n_analysed;
  frame->pts = GST_BUFFER_PTS (buffer);
  frame->duration = GST_BUFFER_DURATION (buffer);
  frame->running_time = frame->stream_time = GST_CLOCK_TIME_NONE;
  if (GST_CLOCK_TIME_IS_VALID (frame->pts) && segment->format == GST_FORMAT_TIME) {
    frame->running_time = gst_segment_to_running_time (segment, GST_FORMAT_TIME, frame->pts);
    frame->stream_time = gst_segment_to_stream_time (segment, GST_FORMAT_TIME, frame->pts);
  }
  frame->utc = get_utc (buffer);
  frame->origin = get_origin (analyzer);
  frame->readback = priv->current.readback;
}
