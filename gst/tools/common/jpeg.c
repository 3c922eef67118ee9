/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "jpeg.h"

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/gles/frame/caps.h>

#define TIMEOUT (5 * GST_SECOND)

struct _Jpeg {
  guint width, quality;
  GstElement *pipeline;
  GstElement *source, *sink; /* of pipeline */
  GstCaps *caps;             /* that pipeline is set up for, as is: */
  GstVideoOrientationMethod orientation;
};

Jpeg *
jpeg_new (guint width, guint quality)
{
  Jpeg *self = g_new0 (Jpeg, 1);

  self->width = width;
  self->quality = quality;
  return self;
}

static void
stop (Jpeg *self)
{
  if (self->pipeline != NULL)
    gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_clear_object (&self->source);
  gst_clear_object (&self->sink);
  gst_clear_object (&self->pipeline);
  gst_clear_caps (&self->caps);
}

void
jpeg_free (Jpeg *self)
{
  stop (self);
  g_free (self);
}

gboolean
jpeg_is_sideways (GstVideoOrientationMethod orientation)
{
  return orientation == GST_VIDEO_ORIENTATION_90R || orientation == GST_VIDEO_ORIENTATION_90L ||
      orientation == GST_VIDEO_ORIENTATION_UL_LR || orientation == GST_VIDEO_ORIENTATION_UR_LL;
}

/* Returns the caps that the pipeline begins with: (transfer full). NULL: DMABufs can be mapped only
 * where rows lie one after the other. */
static GstCaps *
complete (GstCaps *caps, const GstVideoInfo *info)
{
  g_autofree gchar *colorimetry = gst_video_colorimetry_to_string (&info->colorimetry);
  const GstCapsFeatures *features = gst_caps_get_features (caps, 0);
  guint64 modifier = 0;
  GstCaps *completed = gst_caps_features_contains (features, "memory:DMABuf")
      ? gst_gles_frame_caps_to_system (caps, &modifier, NULL)
      : gst_caps_copy (caps);

  if (modifier != 0)
    gst_clear_caps (&completed);
  if (completed != NULL && colorimetry != NULL)
    gst_caps_set_simple (completed, "colorimetry", G_TYPE_STRING, colorimetry, NULL);
  return completed;
}

/* Returns the elements that bring frames of @caps to memory of the host. */
static const gchar *
get_download (GstCaps *caps)
{
  const GstCapsFeatures *features = gst_caps_get_features (caps, 0);

  if (gst_caps_features_contains (features, "memory:CUDAMemory"))
    return "cudadownload ! ";
  return gst_caps_features_contains (features, "memory:GLMemory") ? "gldownload ! " : "";
}

/* JPEG has BT.601 in full range, and the encoder takes the samples of a video for that.
 * videoconvert does not change the range where the matrix is the same, so the way is by RGB. */
static gboolean
start (Jpeg *self, GstCaps *caps, GstVideoOrientationMethod orientation)
{
  const gboolean sideways = jpeg_is_sideways (orientation);
  g_autoptr (GstCaps) completed = NULL;
  g_autofree gchar *line = NULL;
  guint64 columns, rows;
  const gint width = (gint) self->width;
  GstVideoInfo info;
  gint height;

  stop (self);
  if (!gst_gles_frame_caps_to_info (caps, &info) || info.width < 1 || info.height < 1)
    return FALSE;
  completed = complete (caps, &info);
  if (completed == NULL)
    return FALSE;
  columns = (guint64) info.width * (guint64) info.par_n;
  rows = (guint64) info.height * (guint64) info.par_d;
  height = (gint) (sideways ? gst_util_uint64_scale (self->width, columns, rows)
                            : gst_util_uint64_scale (self->width, rows, columns));
  height = CLAMP (height, 2, 4 * width);
  line = g_strdup_printf (
      "appsrc name=src format=time ! %svideoscale add-borders=false method=nearest-neighbour ! "
      "videoconvert n-threads=1 ! video/x-raw,format=RGB,width=%d,height=%d,"
      "pixel-aspect-ratio=1/1 ! %s ! "
      "videoconvert n-threads=1 ! video/x-raw,format=I420,colorimetry=1:4:0:0 ! "
      "jpegenc quality=%u ! appsink name=sink sync=false",
      get_download (caps), sideways ? height : width, sideways ? width : height,
      orientation == GST_VIDEO_ORIENTATION_IDENTITY ? "identity" : "videoflip name=flip",
      self->quality);
  self->pipeline = gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_FATAL_ERRORS, NULL);
  if (self->pipeline == NULL)
    return FALSE;
  if (orientation != GST_VIDEO_ORIENTATION_IDENTITY)
    gst_child_proxy_set (
        GST_CHILD_PROXY (self->pipeline), "flip::video-direction", orientation, NULL);
  self->source = gst_bin_get_by_name (GST_BIN (self->pipeline), "src");
  self->sink = gst_bin_get_by_name (GST_BIN (self->pipeline), "sink");
  self->caps = gst_caps_ref (caps);
  self->orientation = orientation;
  gst_app_src_set_caps (GST_APP_SRC (self->source), completed);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  return TRUE;
}

GBytes *
jpeg_encode (Jpeg *self, GstBuffer *buffer, GstCaps *caps, GstVideoOrientationMethod orientation)
{
  g_autoptr (GstSample) sample = NULL;
  gpointer jpeg;
  gsize size;

  if ((self->caps == NULL || !gst_caps_is_equal (self->caps, caps) ||
          self->orientation != orientation) &&
      !start (self, caps, orientation))
    return NULL;
  if (gst_app_src_push_buffer (GST_APP_SRC (self->source), gst_buffer_ref (buffer)) == GST_FLOW_OK)
    sample = gst_app_sink_try_pull_sample (GST_APP_SINK (self->sink), TIMEOUT);
  if (sample == NULL) {
    /* what comes late is not the picture of the next frame */
    stop (self);
    return NULL;
  }
  gst_buffer_extract_dup (gst_sample_get_buffer (sample), 0, G_MAXSIZE, &jpeg, &size);
  return g_bytes_new_take (jpeg, size);
}
