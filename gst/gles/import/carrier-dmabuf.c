/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in DMABufs, imported plane by plane on devices that are hardware. On others, and where the
 * driver refuses, a DMABuf is mapped like other memory. */
#include "config.h"

#include <sys/stat.h>

#include <gst/allocators/allocators.h>

#include <gst/gles/core/error.h>
#include <gst/gles/gl/queue-share.h>
#include <gst/gles/import/import.h>

/* Where a plane lies. */
typedef struct {
  GstMemory *memory; /* (transfer none) */
  GstGlesDmaBufPlane plane;
} Place;

/* Finds plane @p and chooses its texels: the largest that divide its steps. */
static gboolean
find_plane (GstGlesFrameSource *source, GstBuffer *buffer, guint p, Place *place, GError **error)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  gsize offset = meta != NULL ? meta->offset[p] : GST_VIDEO_INFO_PLANE_OFFSET (&source->info, p);
  gint stride = meta != NULL ? meta->stride[p] : GST_VIDEO_INFO_PLANE_STRIDE (&source->info, p);
  GstGlesDmaBufPlane *plane = &place->plane;
  guint index, length;
  gsize skip;

  *plane = (GstGlesDmaBufPlane){ .format = GST_GLES_N_PLANE_FORMATS };
  while (plane->format-- > 0 && !gst_gles_import_measure_plane (source, p, 1u << plane->format))
    ;
  plane->width = source->import->planes[p].width;
  plane->height = source->import->planes[p].height;
  if (stride <= 0 || !gst_buffer_find_memory (buffer, offset, 1, &index, &length, &skip))
    goto truncated;
  place->memory = gst_buffer_peek_memory (buffer, index);
  plane->fd = gst_dmabuf_memory_get_fd (place->memory);
  plane->offset_bytes = place->memory->offset + skip;
  plane->stride_bytes = (gsize) stride;
  plane->modifier = source->modifier;
  /* only linear layouts have rows in order */
  if (plane->modifier == GST_GLES_MODIFIER_LINEAR &&
      (plane->stride_bytes < (gsize) plane->width << plane->format ||
          plane->stride_bytes * (plane->height - 1) + ((gsize) plane->width << plane->format) >
              place->memory->size - skip))
    goto truncated;
  return TRUE;
truncated:
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME,
      "plane %u of a DMABuf is truncated: rows of %d bytes from byte %" G_GSIZE_FORMAT
      " on end outside of its %" G_GSIZE_FORMAT " bytes",
      p, stride, offset, gst_buffer_get_size (buffer));
  return FALSE;
}

/* Descriptors are reused for other DMABufs, so the inode belongs to the key. */
static gboolean
import_plane (GstGlesFrameSource *source, guint p, const Place *place, GError **error)
{
  const GstGlesDmaBufPlane *plane = &place->plane;
  const GstGlesTexels texels = { 1u << plane->format, 1, FALSE };
  GstGlesImportKey key = { .share = source->queue->share,
    .descriptor = (guint64) plane->fd,
    .offset = plane->offset_bytes,
    .stride = plane->stride_bytes,
    .modifier = plane->modifier,
    .width = plane->width,
    .height = plane->height,
    .format = plane->format };
  GstGlesTexture *texture;
  struct stat info;

  if (fstat (plane->fd, &info) == 0)
    key.object = (guint64) info.st_ino;
  if (gst_gles_import_find_texture (source, place->memory, p, &key))
    return TRUE;
  texture = gst_gles_texture_new (source->queue, EGL_NO_IMAGE_KHR, plane, &texels, error);
  if (texture != NULL)
    gst_gles_import_keep_texture (source, place->memory, p, &key, texture);
  return texture != NULL;
}

static gboolean
import_planes (GstGlesFrameSource *source, GstBuffer *buffer, GError **error)
{
  for (guint p = 0; p < source->n_planes; p++) {
    Place place = { NULL };

    if ((source->used_planes & (1u << p)) != 0 &&
        (!find_plane (source, buffer, p, &place, error) ||
            !import_plane (source, p, &place, error)))
      return FALSE;
  }
  return TRUE;
}

static GstGlesCarry
dmabuf_acquire (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image,
    GstGlesFrameCost *cost, GError **error)
{
  static const GstGlesImporter importer = { gst_is_dmabuf_memory, import_planes };
  const GstGlesShare *share = source->queue->share;
  GstGlesCarry carry;

  if (share->kind != GST_GLES_DEVICE_HARDWARE || !share->images.dmabufs)
    return GST_GLES_CARRY_DECLINED;
  carry = gst_gles_import_acquire (source, buffer, image, &importer, error);
  if (carry == GST_GLES_CARRY_TAKEN)
    cost->kind = GST_GLES_FRAME_IMPORTED;
  return carry;
}

const GstGlesCarrier gst_gles_carrier_dmabuf = { "dmabuf", dmabuf_acquire, gst_gles_import_commit,
  gst_gles_import_release, gst_gles_import_clear };
