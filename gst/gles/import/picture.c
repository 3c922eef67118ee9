/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the image lies in the picture of a buffer, and whether the memory holds all of it. */
#include "config.h"

#include <gst/allocators/allocators.h>

#include <gst/gles/import/format.h>
#include <gst/gles/import/source-private.h>

/* Computes which part of plane @p an image of @width x @height covers: from its origin, at most
 * what is stored. */
static void
open_window (GstGlesFrameSource *source, guint p, guint width, guint height)
{
  const GstVideoFrame *frame = &source->frame;
  GstGlesPlaneWindow *window = &source->windows[p];
  guint columns = MIN (width, GST_VIDEO_FRAME_WIDTH (frame) - source->origin_x);
  guint rows = MIN (height, GST_VIDEO_INFO_FIELD_HEIGHT (&frame->info) - source->origin_y);
  gint stride = GST_VIDEO_FRAME_PLANE_STRIDE (frame, p);

  *window = (GstGlesPlaneWindow){ GST_VIDEO_FRAME_PLANE_DATA (frame, p), MAX (stride, 0), 0, 0 };
  for (guint i = 0; i < source->described.n_components; i++) {
    const GstGlesComponent *c = &source->described.components[i];
    guint n_columns = (columns + (1u << c->sub_x) - 1) >> c->sub_x;
    guint n_rows = (rows + (1u << c->sub_y) - 1) >> c->sub_y;

    if (c->plane != p)
      continue;
    window->row_bytes =
        MAX (window->row_bytes, c->offset + (gsize) (n_columns - 1) * c->step + c->word_bytes);
    window->rows = MAX (window->rows, n_rows);
    /* all components of a plane have the same offset, because the origin is aligned */
    window->data = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, p) +
        (gsize) (source->origin_y >> c->sub_y) * window->stride +
        (gsize) (source->origin_x >> c->sub_x) * c->step;
  }
}

static gboolean
check_plane (GstGlesFrameSource *source, guint p, GError **error)
{
  const GstVideoFrame *frame = &source->frame;
  const GstGlesPlaneWindow *window = &source->windows[p];
  gint stride = GST_VIDEO_FRAME_PLANE_STRIDE (frame, p);
  const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (frame, p);
  /* with a GstVideoMeta, each plane is mapped separately */
  const GstMapInfo *map = &frame->map[frame->meta != NULL ? p : 0];
  const guint8 *end = map->data + map->size;
  gsize before = (gsize) (window->data - data);

  if (stride < 0 || before % MAX (window->stride, 1) + window->row_bytes > window->stride) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME,
        "plane %u has a stride of %d bytes, a row of %d pixels in %s needs %" G_GSIZE_FORMAT
        "; the buffer's GstVideoMeta is wrong",
        p, stride, GST_VIDEO_FRAME_WIDTH (frame), GST_VIDEO_INFO_NAME (&source->info),
        window->row_bytes);
    return FALSE;
  }
  if (data < map->data || data > end || before > (gsize) (end - data) ||
      window->row_bytes > (gsize) (end - window->data) ||
      window->stride * (window->rows - 1) > (gsize) (end - window->data) - window->row_bytes) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME,
        "plane %u is truncated: %u rows of %d bytes end outside its memory of %" G_GSIZE_FORMAT
        " bytes",
        p, window->rows, stride, map->size);
    return FALSE;
  }
  return TRUE;
}

static const gchar *
format_name (GstVideoFormat format)
{
  const gchar *name = gst_gles_format_name (format);

  return name != NULL ? name : "no known format";
}

static gboolean
is_same_format (GstGlesFrameSource *source, const GstVideoMeta *meta)
{
#if GST_CHECK_VERSION(1, 24, 0)
  if (meta->format == GST_VIDEO_FORMAT_DMA_DRM)
    return TRUE;
#endif
  return meta->format == GST_VIDEO_INFO_FORMAT (&source->info);
}

/* Checks @buffer before it is mapped, because gst_video_frame_map() logs a critical warning for
 * contradictory metas. */
gboolean
gst_gles_frame_source_check (GstGlesFrameSource *source, GstBuffer *buffer, GError **error)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  if (meta == NULL ||
      (is_same_format (source, meta) && meta->n_planes == GST_VIDEO_INFO_N_PLANES (&source->info) &&
          meta->width >= (guint) GST_VIDEO_INFO_WIDTH (&source->info) &&
          meta->height >= (guint) GST_VIDEO_INFO_HEIGHT (&source->info)))
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME,
      "the buffer's GstVideoMeta describes %s of %ux%u in %u planes, the caps %s of %dx%d",
      format_name (meta->format), meta->width, meta->height, meta->n_planes,
      GST_VIDEO_INFO_NAME (&source->info), GST_VIDEO_INFO_WIDTH (&source->info),
      GST_VIDEO_INFO_HEIGHT (&source->info));
  return FALSE;
}

void
gst_gles_frame_source_get_visible_size (
    GstGlesFrameSource *source, GstBuffer *buffer, guint *width, guint *height)
{
  const GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);

  *width = crop != NULL ? crop->width : (guint) GST_VIDEO_INFO_WIDTH (&source->info);
  *height = crop != NULL ? crop->height : (guint) GST_VIDEO_INFO_HEIGHT (&source->info);
  if (gst_gles_frame_source_has_fields (source))
    *height -= *height / 2;
}

/* Finds the rectangle of the image in a stored picture: sets its origin and the crop of @image. */
static gboolean
locate (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesStoredSize stored,
    GstGlesImage *image, GError **error)
{
  const GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);
  const guint field_height = (guint) GST_VIDEO_INFO_FIELD_HEIGHT (&source->info);
  guint x = crop != NULL ? crop->x : 0, y = crop != NULL ? crop->y : 0;
  guint width, height;

  gst_gles_frame_source_get_visible_size (source, buffer, &width, &height);
  /* a crop counts the lines of the frame, like caps and GstVideoMeta */
  if (gst_gles_frame_source_has_fields (source))
    y /= 2;
  if (width == 0 || height == 0 || x >= stored.width || y >= stored.height ||
      width > stored.width - x || height > stored.height - y) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME,
        "the buffer's GstVideoCropMeta, %ux%u at %u,%u, is empty or leaves the picture of %ux%u",
        width, height, x, y, stored.width, stored.height);
    return FALSE;
  }
  source->origin_x = source->origin_y = 0;
  if (stored.width != (guint) GST_VIDEO_INFO_WIDTH (&source->info))
    source->origin_x = x - x % source->align_x;
  if (stored.height != field_height)
    source->origin_y = y - y % source->align_y;
  image->crop_x = x - source->origin_x;
  image->crop_y = y - source->origin_y;
  image->crop_width = width;
  image->crop_height = height;
  return TRUE;
}

/* Measures the size that the image must have. An odd crop of subsampled video needs one column or
 * row more than it shows. */
static void
measure_image (
    const GstGlesFrameSource *source, const GstGlesImage *image, guint *width, guint *height)
{
  *width = MAX (image->crop_x + image->crop_width, source->described.width);
  *height = MAX (image->crop_y + image->crop_height, source->described.height);
}

/* Fills the rest of @image, whose crop was located. */
static gboolean
fill_image (GstGlesFrameSource *source, GstGlesImage *image, GError **error)
{
  const GstGlesImage located = *image;
  guint width, height;

  measure_image (source, image, &width, &height);
  if ((width > source->described.width || height > source->described.height ||
          !source->is_laid_out) &&
      !gst_gles_frame_source_lay_out (source, width, height, error))
    return FALSE;
  gst_gles_frame_source_get_layout (source, image);
  image->crop_x = located.crop_x;
  image->crop_y = located.crop_y;
  image->crop_width = located.crop_width;
  image->crop_height = located.crop_height;
  return TRUE;
}

gboolean
gst_gles_frame_source_place (GstGlesFrameSource *source, GstBuffer *buffer,
    GstGlesStoredSize stored, GstGlesImage *image, GError **error)
{
  return locate (source, buffer, stored, image, error) && fill_image (source, image, error);
}

static gboolean
check_planes (GstGlesFrameSource *source, const GstGlesImage *image, GError **error)
{
  guint width, height;

  measure_image (source, image, &width, &height);
  for (guint p = 0; p < source->n_planes; p++) {
    open_window (source, p, width, height);
    if (!check_plane (source, p, error))
      return FALSE;
  }
  return TRUE;
}

/* Returns what the memory of @buffer is, for errors: (transfer full). */
static gchar *
describe_memory (GstBuffer *buffer)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);

    g_string_append_printf (text, "%s%s", i > 0 ? " and " : "",
        memory->allocator != NULL ? memory->allocator->mem_type : "memory of no allocator");
    if (gst_is_dmabuf_memory (memory))
      g_string_append_printf (text, " (descriptor %d)", gst_dmabuf_memory_get_fd (memory));
  }
  return g_string_free (text, FALSE);
}

static gboolean
check_linear (GstGlesFrameSource *source, GError **error)
{
  if (source->modifier == 0)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "%s in the tiled layout 0x%" G_GINT64_MODIFIER
      "x can be read by importing it only, which this device does not do; put vapostproc before "
      "this element, or the converter of the driver that made the frames",
      GST_VIDEO_INFO_NAME (&source->info), source->modifier);
  return FALSE;
}

/* Maps @buffer for reading. Under DRM formats, a GstVideoMeta may have the format DMA_DRM, which
 * gst_video_frame_map() refuses. */
static gboolean
map_frame (GstGlesFrameSource *source, GstBuffer *buffer, guint flags)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  g_autoptr (GstBuffer) plain = NULL;

  if (meta == NULL || meta->format == GST_VIDEO_INFO_FORMAT (&source->info))
    return gst_video_frame_map (&source->frame, &source->info, buffer,
        (GstMapFlags) (flags | GST_VIDEO_FRAME_MAP_FLAG_NO_REF));
  plain = gst_buffer_new ();
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++)
    gst_buffer_append_memory (plain, gst_buffer_get_memory (buffer, i));
  gst_buffer_add_video_meta_full (plain, meta->flags, GST_VIDEO_INFO_FORMAT (&source->info),
      meta->width, meta->height, meta->n_planes, meta->offset, meta->stride);
  /* the frame holds the only reference */
  return gst_video_frame_map (&source->frame, &source->info, plain, (GstMapFlags) flags);
}

gboolean
gst_gles_frame_source_map (
    GstGlesFrameSource *source, GstBuffer *buffer, guint flags, GstGlesImage *image, GError **error)
{
  GstGlesStoredSize stored;

  if (!gst_gles_frame_source_check (source, buffer, error) || !check_linear (source, error))
    return FALSE;
  if (!map_frame (source, buffer, flags)) {
    g_autofree gchar *memory = describe_memory (buffer);
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME,
        "a buffer of %" G_GSIZE_FORMAT " bytes in %s cannot be read as %s of %dx%d, which takes "
        "%" G_GSIZE_FORMAT ": it is truncated or its memory cannot be mapped",
        gst_buffer_get_size (buffer), memory, GST_VIDEO_INFO_NAME (&source->info),
        GST_VIDEO_INFO_WIDTH (&source->info), GST_VIDEO_INFO_HEIGHT (&source->info),
        GST_VIDEO_INFO_SIZE (&source->info));
    return FALSE;
  }
  source->mapped = TRUE;
  stored = (GstGlesStoredSize){ (guint) GST_VIDEO_FRAME_WIDTH (&source->frame),
    (guint) GST_VIDEO_INFO_FIELD_HEIGHT (&source->frame.info) };
  /* The layout changes last: later frames do not notice one that is refused. */
  return locate (source, buffer, stored, image, error) && check_planes (source, image, error) &&
      fill_image (source, image, error);
}

void
gst_gles_frame_source_unmap (GstGlesFrameSource *source)
{
  if (source->mapped)
    gst_video_frame_unmap (&source->frame);
  source->mapped = FALSE;
}
