/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/frame/format.h>
#include <gst/gles/frame/source.h>
#include <gst/gles/gl/upload.h>

/* frames that the device may still be reading while the next one is written */
#define N_SLOTS 3

/* A plane's place in an upload slot. */
typedef struct {
  gsize offset;
  gsize row_bytes; /* from the plane's start to the end of the last sample of a row */
  gsize stride;
  guint rows;
} StagedPlane;

struct _GstGlesFrameSource {
  GstGlesQueue *queue;
  GstVideoInfo info;
  GstGlesImage described; /* as the caps say: strides and offsets in system memory */
  GstGlesImage staged;    /* as an upload slot holds it */
  StagedPlane planes[GST_VIDEO_MAX_PLANES];
  guint n_planes;
  gsize staged_bytes;
  GstGlesUploadRing *ring; /* NULL on a cpu device */

  /* between acquire and release */
  gboolean mapped;
  GstVideoFrame frame;
  GstGlesUpload upload;
};

/* What of each plane holds samples. */
static void
measure_planes (GstGlesFrameSource *source)
{
  for (guint i = 0; i < source->described.n_components; i++) {
    const GstGlesComponent *c = &source->described.components[i];
    StagedPlane *plane = &source->planes[c->plane];
    gsize end = c->offset + (gsize) (c->width - 1) * c->step + c->word_bytes;

    plane->row_bytes = MAX (plane->row_bytes, end);
    plane->rows = MAX (plane->rows, c->height);
    source->n_planes = MAX (source->n_planes, c->plane + 1);
  }
}

/* Rows of whole 16-byte units follow each other without a gap, so that kernels can take the plane as
 * one stream; others begin at a multiple of 16. */
static gboolean
stage_planes (GstGlesFrameSource *source, GError **error)
{
  gsize at = 0;

  for (guint p = 0; p < source->n_planes; p++) {
    StagedPlane *plane = &source->planes[p];
    gsize bytes;
    plane->stride = gst_gles_align_up (plane->row_bytes, 16);
    plane->offset = at;
    if (!gst_gles_size_mul (plane->stride, plane->rows, &bytes) || bytes > G_MAXUINT32 / 2 ||
        at + bytes > G_MAXUINT32 / 2) {
      g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
          "frames of %dx%d in %s are larger than kernels can address",
          GST_VIDEO_INFO_WIDTH (&source->info), GST_VIDEO_INFO_HEIGHT (&source->info),
          GST_VIDEO_INFO_NAME (&source->info));
      return FALSE;
    }
    at = gst_gles_align_up (at + bytes, 64);
  }
  source->staged_bytes = at;
  source->staged = source->described;
  for (guint i = 0; i < source->staged.n_components; i++) {
    GstGlesComponent *c = &source->staged.components[i];
    c->offset += source->planes[c->plane].offset;
    c->stride = source->planes[c->plane].stride;
  }
  return TRUE;
}

GstGlesFrameSource *
gst_gles_frame_source_new (GstGlesQueue *queue, const GstVideoInfo *info, GError **error)
{
  GstGlesFrameSource *source;
  GstGlesDevice *device;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && info != NULL, NULL);
  device = gst_gles_queue_get_device (queue);
  g_return_val_if_fail (device != NULL, NULL);
  source = g_new0 (GstGlesFrameSource, 1);
  source->queue = gst_object_ref (queue);
  source->info = *info;
  if (!gst_gles_format_describe (info, &source->described, error))
    goto failed;
  measure_planes (source);
  if (gst_gles_device_get_kind (device) != GST_GLES_DEVICE_CPU) {
    if (!stage_planes (source, error))
      goto failed;
    source->ring = gst_gles_upload_ring_new (queue, N_SLOTS, source->staged_bytes, error);
    if (source->ring == NULL)
      goto failed;
  }
  gst_object_unref (device);
  return source;
failed:
  gst_object_unref (device);
  gst_gles_frame_source_free (source);
  return NULL;
}

void
gst_gles_frame_source_free (GstGlesFrameSource *source)
{
  if (source == NULL)
    return;
  gst_gles_frame_source_release (source);
  gst_gles_upload_ring_free (source->ring);
  gst_object_unref (source->queue);
  g_free (source);
}

void
gst_gles_frame_source_get_layout (GstGlesFrameSource *source, GstGlesImage *image)
{
  *image = source->ring != NULL ? source->staged : source->described;
}

/* ---- one frame ---- */

static gboolean
check_plane (GstGlesFrameSource *source, guint p, GError **error)
{
  const GstVideoFrame *frame = &source->frame;
  const StagedPlane *plane = &source->planes[p];
  gint stride = GST_VIDEO_FRAME_PLANE_STRIDE (frame, p);
  const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (frame, p);
  /* with a GstVideoMeta every plane is mapped by itself */
  const GstMapInfo *map = &frame->map[frame->meta != NULL ? p : 0];
  gsize available = map->data + map->size - data;

  if (stride < 0 || (gsize) stride < plane->row_bytes) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "plane %u has a stride of %d bytes, a row of %d pixels in %s needs %" G_GSIZE_FORMAT
        "; the buffer's GstVideoMeta is wrong",
        p, stride, GST_VIDEO_INFO_WIDTH (&source->info), GST_VIDEO_INFO_NAME (&source->info),
        plane->row_bytes);
    return FALSE;
  }
  if (data < map->data || data > map->data + map->size || plane->row_bytes > available ||
      (gsize) stride * (plane->rows - 1) > available - plane->row_bytes) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "plane %u is truncated: %u rows of %d bytes end outside its memory of %" G_GSIZE_FORMAT
        " bytes",
        p, plane->rows, stride, map->size);
    return FALSE;
  }
  return TRUE;
}

static gboolean
check_picture (GstGlesFrameSource *source, GError **error)
{
  const GstVideoFrame *frame = &source->frame;

  if (GST_VIDEO_FRAME_WIDTH (frame) < GST_VIDEO_INFO_WIDTH (&source->info) ||
      GST_VIDEO_FRAME_HEIGHT (frame) < GST_VIDEO_INFO_HEIGHT (&source->info) ||
      GST_VIDEO_FRAME_FORMAT (frame) != GST_VIDEO_INFO_FORMAT (&source->info)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "the buffer's GstVideoMeta describes %s of %dx%d, the caps %s of %dx%d",
        gst_video_format_to_string (GST_VIDEO_FRAME_FORMAT (frame)), GST_VIDEO_FRAME_WIDTH (frame),
        GST_VIDEO_FRAME_HEIGHT (frame), GST_VIDEO_INFO_NAME (&source->info),
        GST_VIDEO_INFO_WIDTH (&source->info), GST_VIDEO_INFO_HEIGHT (&source->info));
    return FALSE;
  }
  for (guint p = 0; p < source->n_planes; p++) {
    if (!check_plane (source, p, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_crop (GstBuffer *buffer, GstGlesImage *image, GError **error)
{
  const GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);

  if (crop == NULL)
    return TRUE;
  if (crop->width == 0 || crop->height == 0 || crop->x >= image->width ||
      crop->y >= image->height || crop->width > image->width - crop->x ||
      crop->height > image->height - crop->y) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "the buffer's GstVideoCropMeta, %ux%u at %u,%u, is empty or leaves the picture of %ux%u",
        crop->width, crop->height, crop->x, crop->y, image->width, image->height);
    return FALSE;
  }
  image->crop_x = crop->x;
  image->crop_y = crop->y;
  image->crop_width = crop->width;
  image->crop_height = crop->height;
  return TRUE;
}

/* The planes where they are. */
static void
borrow_planes (GstGlesFrameSource *source, GstGlesImage *image)
{
  for (guint i = 0; i < image->n_components; i++) {
    GstGlesComponent *c = &image->components[i];
    c->stride = GST_VIDEO_FRAME_PLANE_STRIDE (&source->frame, c->plane);
  }
  for (guint p = 0; p < source->n_planes && p < GST_GLES_MAX_COMPONENTS; p++)
    image->planes[p] = GST_VIDEO_FRAME_PLANE_DATA (&source->frame, p);
}

static guint64
copy_planes (GstGlesFrameSource *source)
{
  guint64 copied = 0;

  for (guint p = 0; p < source->n_planes; p++) {
    const StagedPlane *plane = &source->planes[p];
    const guint8 *from = GST_VIDEO_FRAME_PLANE_DATA (&source->frame, p);
    gsize stride = GST_VIDEO_FRAME_PLANE_STRIDE (&source->frame, p);
    guint8 *to = source->upload.data + plane->offset;

    if (stride == plane->stride) {
      /* the last row may end with its last sample */
      memcpy (to, from, stride * (plane->rows - 1) + plane->row_bytes);
    } else {
      for (guint y = 0; y < plane->rows; y++)
        memcpy (to + y * plane->stride, from + y * stride, plane->row_bytes);
    }
    copied += (guint64) plane->row_bytes * plane->rows;
  }
  return copied;
}

static void
unmap (GstGlesFrameSource *source)
{
  if (source->mapped)
    gst_video_frame_unmap (&source->frame);
  source->mapped = FALSE;
}

gboolean
gst_gles_frame_source_acquire (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image,
    GstGlesFrameCost *cost, GError **error)
{
  gboolean ok;

  g_return_val_if_fail (source != NULL && !source->mapped, FALSE);
  *cost = (GstGlesFrameCost){ 0, FALSE };
  if (!gst_video_frame_map (
          &source->frame, &source->info, buffer, GST_MAP_READ | GST_VIDEO_FRAME_MAP_FLAG_NO_REF)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "a buffer of %" G_GSIZE_FORMAT
        " bytes cannot be read as %s of %dx%d, which takes %" G_GSIZE_FORMAT
        ": it is truncated or its memory cannot be mapped",
        gst_buffer_get_size (buffer), GST_VIDEO_INFO_NAME (&source->info),
        GST_VIDEO_INFO_WIDTH (&source->info), GST_VIDEO_INFO_HEIGHT (&source->info),
        GST_VIDEO_INFO_SIZE (&source->info));
    return FALSE;
  }
  source->mapped = TRUE;
  gst_gles_frame_source_get_layout (source, image);
  ok = check_picture (source, error) && read_crop (buffer, image, error);
  if (ok && source->ring == NULL) {
    borrow_planes (source, image);
    return TRUE;
  }
  if (ok)
    ok = gst_gles_upload_ring_acquire (source->ring, &source->upload, &cost->waited, error);
  if (ok) {
    cost->uploaded_bytes = copy_planes (source);
    image->buffer = source->upload.buffer;
  }
  unmap (source);
  return ok;
}

gboolean
gst_gles_frame_source_commit (GstGlesFrameSource *source, GError **error)
{
  g_return_val_if_fail (source != NULL, FALSE);
  if (source->ring == NULL)
    return TRUE;
  return gst_gles_upload_ring_commit (source->ring, &source->upload, source->staged_bytes, error);
}

void
gst_gles_frame_source_release (GstGlesFrameSource *source)
{
  g_return_if_fail (source != NULL);
  unmap (source);
}
