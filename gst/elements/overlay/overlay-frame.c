/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks frames before they are drawn on. A GstVideoMeta comes with the buffer and may contradict
 * the caps or the memory; blending would then write outside the planes. */
#include "overlay-frame.h"

#include <gst/gles/core/error.h>

/* Checks that a GstVideoMeta agrees with the caps. gst_video_frame_map() would treat a
 * contradiction as a programming error. */
static gboolean
check_picture (const GstVideoInfo *info, GstBuffer *buffer, GError **error)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  if (meta == NULL ||
      (meta->format == GST_VIDEO_INFO_FORMAT (info) &&
          meta->n_planes == GST_VIDEO_INFO_N_PLANES (info) &&
          meta->width >= (guint) GST_VIDEO_INFO_WIDTH (info) &&
          meta->height >= (guint) GST_VIDEO_INFO_HEIGHT (info)))
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME,
      "the buffer's GstVideoMeta describes format %d of %ux%u in %u planes, the caps %s of %dx%d",
      (gint) meta->format, meta->width, meta->height, meta->n_planes, GST_VIDEO_INFO_NAME (info),
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
  return FALSE;
}

typedef struct {
  gsize row_bytes; /* from the start of the plane to the end of the last pixel of a row */
  gsize rows;
  gsize alignment; /* in bytes, of the rows that GStreamer's blending reads and writes */
} PlaneNeeds;

/* Formats whose pixels share bytes, such as v210, need rows in GStreamer's own layout. */
static PlaneNeeds
plane_needs (const GstVideoInfo *info, guint plane)
{
  const GstVideoFormatInfo *format = info->finfo;
  PlaneNeeds needs = { 0, 0, 4 };

  for (guint c = 0; c < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (format); c++) {
    const gsize step = (gsize) GST_VIDEO_FORMAT_INFO_PSTRIDE (format, c);
    const gsize columns = GST_VIDEO_INFO_COMP_WIDTH (info, c);

    if ((guint) GST_VIDEO_FORMAT_INFO_PLANE (format, c) != plane)
      continue;
    needs.rows = MAX (needs.rows, (gsize) GST_VIDEO_INFO_COMP_HEIGHT (info, c));
    needs.row_bytes = MAX (needs.row_bytes, columns * step);
    if (step == 0)
      needs.row_bytes = (gsize) GST_VIDEO_INFO_PLANE_STRIDE (info, plane);
    if (step == 8)
      needs.alignment = 8;
  }
  if (GST_VIDEO_FORMAT_INFO_IS_COMPLEX (format))
    needs.row_bytes = MAX (needs.row_bytes, (gsize) GST_VIDEO_INFO_PLANE_STRIDE (info, plane));
  return needs;
}

/* Returns the mapping of a plane. With a GstVideoMeta every plane is mapped separately. */
static const GstMapInfo *
get_map (const GstVideoFrame *frame, guint plane)
{
  return &frame->map[frame->meta != NULL ? plane : 0];
}

static gboolean
check_plane (const GstVideoFrame *frame, const GstVideoInfo *info, guint plane, GError **error)
{
  const PlaneNeeds needs = plane_needs (info, plane);
  const GstMapInfo *map = get_map (frame, plane);
  const gint stride = GST_VIDEO_FRAME_PLANE_STRIDE (frame, plane);
  const gsize start = (gsize) GST_VIDEO_FRAME_PLANE_DATA (frame, plane), memory = (gsize) map->data;

  if (stride <= 0 || (gsize) stride < needs.row_bytes) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME,
        "plane %u has a stride of %d bytes, a row of %d pixels in %s needs %" G_GSIZE_FORMAT
        "; the buffer's GstVideoMeta is wrong",
        plane, stride, GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_NAME (info), needs.row_bytes);
    return FALSE;
  }
  if (start < memory || start - memory > map->size ||
      (gsize) stride * (needs.rows - 1) + needs.row_bytes > map->size - (start - memory)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME,
        "plane %u is truncated: %" G_GSIZE_FORMAT
        " rows of %d bytes end outside its memory of %" G_GSIZE_FORMAT " bytes",
        plane, needs.rows, stride, map->size);
    return FALSE;
  }
  return TRUE;
}

/* Whether each row is at least as long as in GStreamer's own layout and begins at an aligned
 * address. The vector code of gst_video_overlay_composition_blend() requires both. */
static gboolean
is_layout_blendable (const GstVideoFrame *frame, const GstVideoInfo *info)
{
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++) {
    const PlaneNeeds needs = plane_needs (info, p);
    const GstMapInfo *map = get_map (frame, p);
    const gsize stride = (gsize) GST_VIDEO_FRAME_PLANE_STRIDE (frame, p);
    const gsize start = (gsize) GST_VIDEO_FRAME_PLANE_DATA (frame, p);

    if (stride < (gsize) GST_VIDEO_INFO_PLANE_STRIDE (info, p) ||
        (start | stride) % needs.alignment != 0 ||
        stride * (needs.rows - 1) + (gsize) GST_VIDEO_INFO_PLANE_STRIDE (info, p) >
            map->size - (start - (gsize) map->data))
      return FALSE;
  }
  return TRUE;
}

/* Limits @frame to the picture of the caps: what a meta has beyond that is padding. A field of its
 * own becomes a picture of its lines. */
static void
limit (GstVideoFrame *frame, const GstVideoInfo *info)
{
  frame->info.width = GST_VIDEO_INFO_WIDTH (info);
  frame->info.height = GST_VIDEO_INFO_FIELD_HEIGHT (info);
  if (GST_VIDEO_INFO_INTERLACE_MODE (info) == GST_VIDEO_INTERLACE_MODE_ALTERNATE)
    frame->info.interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;
}

/* Makes a copy of the frame in GStreamer's own layout. */
static gboolean
make_copy (OverlayFrame *frame, const GstVideoInfo *info, GError **error)
{
  const gsize size = GST_VIDEO_INFO_SIZE (info);
  gpointer data = g_try_malloc0 (size);
  g_autoptr (GstBuffer) buffer = NULL;

  if (data == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate %" G_GSIZE_FORMAT " bytes to draw on a frame", size);
    return FALSE;
  }
  buffer = gst_buffer_new_wrapped (data, size);
  if (!gst_video_frame_map (&frame->drawn, info, buffer, GST_MAP_READWRITE)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED, "a copy of the frame does not map");
    return FALSE;
  }
  limit (&frame->drawn, info);
  gst_video_frame_copy (&frame->drawn, &frame->mapped);
  return TRUE;
}

gboolean
overlay_frame_map (OverlayFrame *frame, const GstVideoInfo *info, GstBuffer *buffer, GError **error)
{
  if (!check_picture (info, buffer, error))
    return FALSE;
  if (!gst_video_frame_map (&frame->mapped, info, buffer, GST_MAP_READWRITE)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME,
        "a buffer of %" G_GSIZE_FORMAT
        " bytes cannot be drawn on as %s of %dx%d: it is truncated or "
        "its memory cannot be mapped for writing",
        gst_buffer_get_size (buffer), GST_VIDEO_INFO_NAME (info), GST_VIDEO_INFO_WIDTH (info),
        GST_VIDEO_INFO_HEIGHT (info));
    return FALSE;
  }
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++)
    if (!check_plane (&frame->mapped, info, p, error))
      goto failed;
  limit (&frame->mapped, info);
  frame->is_copy = !is_layout_blendable (&frame->mapped, info);
  if (frame->is_copy && !make_copy (frame, info, error))
    goto failed;
  return TRUE;
failed:
  gst_video_frame_unmap (&frame->mapped);
  return FALSE;
}

GstVideoFrame *
overlay_frame_get_target (OverlayFrame *frame)
{
  return frame->is_copy ? &frame->drawn : &frame->mapped;
}

void
overlay_frame_unmap (OverlayFrame *frame)
{
  if (frame->is_copy) {
    gst_video_frame_copy (&frame->mapped, &frame->drawn);
    gst_video_frame_unmap (&frame->drawn);
  }
  gst_video_frame_unmap (&frame->mapped);
}
