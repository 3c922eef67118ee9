/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in DMABufs, imported plane by plane on devices that are hardware. On others, and where the
 * driver refuses, a DMABuf is mapped like other memory. */
#include "config.h"

#include <sys/stat.h>

#include <gst/allocators/allocators.h>

#include <gst/gles/core/error.h>
#include <gst/gles/gl/queue-private.h>
#include <gst/gles/frame/import.h>

/* Where a plane lies. */
typedef struct {
  GstMemory *memory; /* (transfer none) */
  GstGlesDmaBufPlane plane;
} Place;

/* Whether @buffer consists of DMABufs that the device can import. */
static gboolean
is_importable (GstGlesFrameSource *source, GstBuffer *buffer)
{
  const GstGlesShare *share = source->queue->share;
  const guint n = gst_buffer_n_memory (buffer);

  if (share->kind != GST_GLES_DEVICE_HARDWARE || !share->images.dmabufs ||
      source->refused != NULL || n == 0)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    if (!gst_is_dmabuf_memory (gst_buffer_peek_memory (buffer, i)))
      return FALSE;
  }
  return TRUE;
}

/* Finds plane @p and chooses its texels: the largest that divide its steps. */
static gboolean
find_plane (GstGlesFrameSource *source, GstBuffer *buffer, guint p, Place *place, GError **error)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  gsize offset = meta != NULL ? meta->offset[p] : GST_VIDEO_INFO_PLANE_OFFSET (&source->info, p);
  gint stride = meta != NULL ? meta->stride[p] : GST_VIDEO_INFO_PLANE_STRIDE (&source->info, p);
  GstGlesDmaBufPlane *plane = &place->plane;
  guint width, height, index, length;
  gsize skip;

  *plane = (GstGlesDmaBufPlane){ .format = GST_GLES_N_PLANE_FORMATS };
  gst_gles_import_get_stored_size (source, buffer, &width, &height);
  while (plane->format-- > 0 &&
      !gst_gles_import_measure_plane (
          source, p, 1u << plane->format, width, height, &plane->width, &plane->height))
    ;
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

/* Returns the texture of a plane: (transfer full). Descriptors are reused for other DMABufs, so the
 * inode belongs to the key. */
static GstGlesTexture *
get_texture (GstGlesFrameSource *source, guint p, const Place *place, GError **error)
{
  const GstGlesDmaBufPlane *plane = &place->plane;
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
  texture = gst_gles_import_lookup (place->memory, p, &key);
  if (texture != NULL)
    return texture;
  texture = gst_gles_texture_new_dmabuf (source->queue, plane, error);
  if (texture != NULL)
    gst_gles_import_store (place->memory, p, &key, texture);
  return texture;
}

static gboolean
import_planes (GstGlesFrameSource *source, GstBuffer *buffer, GError **error)
{
  GstGlesImport *import = source->import;

  for (guint p = 0; p < source->n_planes; p++) {
    Place place = { NULL };

    if ((source->used_planes & (1u << p)) == 0)
      continue;
    if (!find_plane (source, buffer, p, &place, error))
      return FALSE;
    import->texel_bytes[p] = 1u << place.plane.format;
    import->width[p] = place.plane.width;
    import->height[p] = place.plane.height;
    import->textures[p] = get_texture (source, p, &place, error);
    if (import->textures[p] == NULL)
      return FALSE;
  }
  return TRUE;
}

static GstGlesCarry
fall_back (GstGlesFrameSource *source, const GError *failure, GError **error)
{
  const gboolean bad = g_error_matches (failure, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME);

  if (source->modifier == GST_GLES_MODIFIER_LINEAR) {
    /* of a bad frame the next ones know nothing */
    if (!bad)
      gst_gles_import_refuse (source, failure->message);
    return GST_GLES_CARRY_DECLINED;
  }
  if (bad) {
    g_propagate_error (error, g_error_copy (failure));
    return GST_GLES_CARRY_FAILED;
  }
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "%s; a tiled picture cannot be mapped either: put vapostproc before this element, or the "
      "converter of the driver that made the frames",
      failure->message);
  return GST_GLES_CARRY_FAILED;
}

static GstGlesCarry
dmabuf_acquire (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image,
    GstGlesFrameCost *cost, GError **error)
{
  g_autoptr (GError) failure = NULL;
  GstGlesCarry carry;

  if (!is_importable (source, buffer))
    return GST_GLES_CARRY_DECLINED;
  carry = gst_gles_import_prepare (source, buffer, image, error);
  if (carry != GST_GLES_CARRY_TAKEN)
    return carry;
  if (!import_planes (source, buffer, &failure)) {
    gst_gles_import_release (source);
    return fall_back (source, failure, error);
  }
  return gst_gles_import_finish (source, buffer, image, cost, error);
}

const GstGlesCarrier gst_gles_carrier_dmabuf = { "dmabuf", dmabuf_acquire, gst_gles_import_commit,
  gst_gles_import_release, gst_gles_import_clear };
