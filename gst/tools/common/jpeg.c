/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "jpeg.h"

#include <string.h>

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/gles/import/caps.h>

#define TIMEOUT (5 * GST_SECOND)

struct _Jpeg {
  guint width, quality;
  GstElement *pipeline;
  GstElement *source, *sink; /* of pipeline */
  GstCaps *caps;             /* that pipeline is set up for, as is: */
  GstVideoOrientationMethod orientation;
  JpegBox box; /* width 0: none */

  GstCaps *large_caps; /* of what was shrunk last, as is: */
  GstVideoOrientationMethod large_orientation;
  GstCaps *small_caps; /* of the copy; NULL: such frames are not shrunk */
  GstVideoInfo large, small;
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
  gst_clear_caps (&self->large_caps);
  gst_clear_caps (&self->small_caps);
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

/* Fills in the size of the picture before it is turned upright. */
static gboolean
get_size (const Jpeg *self, const GstVideoInfo *info, GstVideoOrientationMethod orientation,
    gint *width, gint *height)
{
  const guint64 columns = (guint64) info->width * (guint64) info->par_n;
  const guint64 rows = (guint64) info->height * (guint64) info->par_d;
  const gboolean sideways = jpeg_is_sideways (orientation);
  const gint across = (gint) self->width;
  gint along;

  if (info->width < 1 || info->height < 1)
    return FALSE;
  along = (gint) (sideways ? gst_util_uint64_scale (self->width, columns, rows)
                           : gst_util_uint64_scale (self->width, rows, columns));
  along = CLAMP (along, 2, 4 * across);
  *width = sideways ? along : across;
  *height = sideways ? across : along;
  return TRUE;
}

/* ---- boxes ---- */

#define LINE 2 /* pixels */

void
jpeg_set_box (Jpeg *self, const JpegBox *box)
{
  self->box = box != NULL ? *box : (JpegBox){ 0 };
}

/* Makes columns @from to @to, without the latter, of the rows @first to @last red, as far as they
 * are in the picture. */
static void
fill (GstVideoFrame *frame, gint from, gint to, gint first, gint last)
{
  const gint right = MIN (to, GST_VIDEO_FRAME_WIDTH (frame));
  const gint bottom = MIN (last, GST_VIDEO_FRAME_HEIGHT (frame));

  for (gint y = MAX (first, 0); y < bottom; y++) {
    guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, 0) +
        (gssize) y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0);

    for (gint x = MAX (from, 0); x < right; x++)
      memcpy (row + 3 * x, "\xff\0\0", 3);
  }
}

/* Returns @value of @of as a position in @all pixels. */
static gint
scale (guint value, guint of, gint all)
{
  return (gint) gst_util_uint64_scale_round (value, (guint64) all, of);
}

/* @info: a buffer of RGB. */
static GstPadProbeReturn
on_rgb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  const JpegBox *box = &((Jpeg *) user_data)->box;
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  GstVideoFrame frame;
  GstVideoInfo video;
  gint left, right, top, bottom;

  if (box->width == 0 || !gst_video_info_from_caps (&video, caps))
    return GST_PAD_PROBE_OK;
  info->data = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  if (!gst_video_frame_map (&frame, &video, GST_PAD_PROBE_INFO_BUFFER (info), GST_MAP_READWRITE))
    return GST_PAD_PROBE_OK;
  left = scale (box->x, box->of_width, video.width);
  right = scale (box->x + box->width, box->of_width, video.width);
  top = scale (box->y, box->of_height, video.height);
  bottom = scale (box->y + box->height, box->of_height, video.height);
  fill (&frame, left, right, top, top + LINE);
  fill (&frame, left, right, bottom - LINE, bottom);
  fill (&frame, left, left + LINE, top, bottom);
  fill (&frame, right - LINE, right, top, bottom);
  gst_video_frame_unmap (&frame);
  return GST_PAD_PROBE_OK;
}

/* Has boxes drawn into the pictures of the pipeline before they are turned upright. */
static void
watch_rgb (Jpeg *self)
{
  g_autoptr (GstElement) rgb = gst_bin_get_by_name (GST_BIN (self->pipeline), "rgb");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (rgb, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_rgb, self, NULL);
}

/* ---- pictures ---- */

/* JPEG has BT.601 in full range, and the encoder takes the samples of a video for that.
 * videoconvert does not change the range where the matrix is the same, so the way is by RGB. */
static gboolean
start (Jpeg *self, GstCaps *caps, GstVideoOrientationMethod orientation)
{
  g_autoptr (GstCaps) completed = NULL;
  g_autofree gchar *line = NULL;
  GstVideoInfo info;
  gint width, height;

  stop (self);
  if (!gst_gles_frame_caps_to_info (caps, &info) ||
      !get_size (self, &info, orientation, &width, &height))
    return FALSE;
  completed = complete (caps, &info);
  if (completed == NULL)
    return FALSE;
  line = g_strdup_printf (
      "appsrc name=src format=time ! %svideoscale add-borders=false method=nearest-neighbour ! "
      "videoconvert n-threads=1 ! capsfilter name=rgb caps=video/x-raw,format=RGB,width=%d,"
      "height=%d,pixel-aspect-ratio=1/1 ! %s ! "
      "videoconvert n-threads=1 ! video/x-raw,format=I420,colorimetry=1:4:0:0 ! "
      "jpegenc quality=%u ! appsink name=sink sync=false",
      get_download (caps), width, height,
      orientation == GST_VIDEO_ORIENTATION_IDENTITY ? "identity" : "videoflip name=flip",
      self->quality);
  self->pipeline = gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_FATAL_ERRORS, NULL);
  if (self->pipeline == NULL)
    return FALSE;
  if (orientation != GST_VIDEO_ORIENTATION_IDENTITY)
    gst_child_proxy_set (
        GST_CHILD_PROXY (self->pipeline), "flip::video-direction", orientation, NULL);
  watch_rgb (self);
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

/* ---- small copies ---- */

/* Prepares for frames of @caps. */
static void
take_caps (Jpeg *self, GstCaps *caps, GstVideoOrientationMethod orientation)
{
  gint width, height;

  gst_caps_replace (&self->large_caps, caps);
  self->large_orientation = orientation;
  gst_clear_caps (&self->small_caps);
  gst_video_info_init (&self->large);
  if (!gst_caps_features_is_equal (
          gst_caps_get_features (caps, 0), GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY) ||
      !gst_video_info_from_caps (&self->large, caps) ||
      !get_size (self, &self->large, orientation, &width, &height) ||
      !gst_video_info_set_format (
          &self->small, GST_VIDEO_INFO_FORMAT (&self->large), (guint) width, (guint) height))
    return;
  self->small.colorimetry = self->large.colorimetry;
  self->small.chroma_site = self->large.chroma_site;
  self->small_caps = gst_video_info_to_caps (&self->small);
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&self->large); c++) {
    /* samples share bytes, or have more than two */
    if (GST_VIDEO_INFO_COMP_PSTRIDE (&self->large, c) == 0 ||
        GST_VIDEO_INFO_COMP_DEPTH (&self->large, c) > 16)
      gst_clear_caps (&self->small_caps);
  }
}

/* Copies the nearest samples of component @c: 0.1 ms for 1280x720. A GstVideoConverter takes as
 * long with 8 bits, and 0.4 ms with 10. */
static void
shrink_component (const GstVideoFrame *from, GstVideoFrame *to, guint c)
{
  const GstVideoFormatInfo *format = from->info.finfo;
  const guint width = (guint) GST_VIDEO_FRAME_COMP_WIDTH (to, c);
  const guint height = (guint) GST_VIDEO_FRAME_COMP_HEIGHT (to, c);
  const guint columns = (guint) GST_VIDEO_FRAME_COMP_WIDTH (from, c);
  const guint rows = (guint) GST_VIDEO_FRAME_COMP_HEIGHT (from, c);
  const gsize step = (gsize) GST_VIDEO_FRAME_COMP_PSTRIDE (from, c);
  const gboolean wide = format->shift[c] + format->depth[c] > 8;
  g_autofree gsize *offsets = g_new (gsize, width);

  for (guint x = 0; x < width; x++)
    offsets[x] = (2 * x + 1) * columns / (2 * width) * step;
  for (guint y = 0; y < height; y++) {
    const guint8 *source = (const guint8 *) GST_VIDEO_FRAME_COMP_DATA (from, c) +
        (gssize) ((2 * y + 1) * rows / (2 * height)) * GST_VIDEO_FRAME_COMP_STRIDE (from, c);
    guint8 *target = (guint8 *) GST_VIDEO_FRAME_COMP_DATA (to, c) +
        (gssize) y * GST_VIDEO_FRAME_COMP_STRIDE (to, c);

    for (guint x = 0; x < width; x++) {
      target[x * step] = source[offsets[x]];
      if (wide)
        target[x * step + 1] = source[offsets[x] + 1];
    }
  }
}

GstSample *
jpeg_shrink (Jpeg *self, GstBuffer *buffer, GstCaps *caps, GstVideoOrientationMethod orientation)
{
  g_autoptr (GstBuffer) copy = NULL;
  GstVideoFrame from, to;

  if (self->large_caps != caps || self->large_orientation != orientation)
    take_caps (self, caps, orientation);
  if (self->small_caps == NULL || !gst_video_frame_map (&from, &self->large, buffer, GST_MAP_READ))
    return NULL;
  copy = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&self->small), NULL);
  if (!gst_video_frame_map (&to, &self->small, copy, GST_MAP_WRITE)) {
    gst_video_frame_unmap (&from);
    return NULL;
  }
  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (&from); c++)
    shrink_component (&from, &to, c);
  gst_video_frame_unmap (&to);
  gst_video_frame_unmap (&from);
  return gst_sample_new (copy, self->small_caps, NULL, NULL);
}
