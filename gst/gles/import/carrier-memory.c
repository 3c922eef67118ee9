/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in the memory of GstGlesAllocator: kernels read them where they lie, or from a copy that
 * the device makes. */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/import/allocator-private.h>
#include <gst/gles/import/source-private.h>
#include <gst/gles/gl/queue-share.h>

/* Returns the block of @buffer if kernels can read the whole of it, else NULL. */
static GstGlesBlock *
find_block (GstGlesFrameSource *source, GstBuffer *buffer)
{
  const GstGlesLimits *limits = &source->queue->share->limits;
  GstGlesBlock *block;
  gsize size_bytes;

  /* Planes in several memories would be several buffers. */
  if (!source->on_device || gst_buffer_n_memory (buffer) != 1)
    return NULL;
  block = gst_gles_allocator_peek_block (gst_buffer_peek_memory (buffer, 0));
  if (block == NULL || !gst_gles_block_is_on (block, source->queue))
    return NULL;
  size_bytes = gst_gles_block_get_size (block);
  return size_bytes <= limits->storage_block_bytes &&
          (limits->texel_buffer_texels == 0 || size_bytes / 16 + 1 <= limits->texel_buffer_texels)
      ? block
      : NULL;
}

/* Brings the layout of the mapped frame, as one of the whole block, and that of the source
 * together. Returns FALSE if they differ, or if the memory does not hold all samples. */
static gboolean
match_layout (GstGlesFrameSource *source, GstGlesBlock *block, GstGlesImage *image)
{
  const guint8 *base = gst_gles_block_get_data (block);
  GstGlesStagedPlane planes[GST_VIDEO_MAX_PLANES] = { { 0 } };
  gboolean same = TRUE;
  gsize end = 0;

  for (guint p = 0; p < source->n_planes; p++) {
    const GstGlesPlaneWindow *window = &source->windows[p];
    const GstGlesStagedPlane *plane = &source->planes[p];
    const gsize offset = (gsize) (window->data - base);

    if (window->rows != plane->rows || window->row_bytes != plane->row_bytes ||
        offset > G_MAXUINT32 / 2 || window->stride > G_MAXUINT32 / 2)
      return FALSE;
    same = same && offset == plane->offset && window->stride == plane->stride;
    planes[p] = (GstGlesStagedPlane){ offset, window->row_bytes, window->stride, window->rows };
    end = MAX (end, offset + window->stride * (window->rows - 1) + window->row_bytes);
  }
  if (same || !source->adopts_layout)
    return same;
  gst_gles_frame_source_adopt (source, planes, gst_gles_align_up (end, 64));
  memcpy (image->components, source->staged.components, sizeof (image->components));
  return TRUE;
}

static GstGlesCarry
memory_acquire (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image,
    GstGlesFrameCost *cost, GError **error)
{
  GstGlesBlock *block = find_block (source, buffer);

  if (block == NULL)
    return GST_GLES_CARRY_DECLINED;
  if (!gst_gles_frame_source_map (source, buffer, GST_MAP_READ, image, error))
    return GST_GLES_CARRY_FAILED;
  if (!match_layout (source, block, image))
    return GST_GLES_CARRY_DECLINED;
  image->buffer =
      gst_gles_block_get_buffer (block, gst_gles_frame_source_is_in_place (source), error);
  if (image->buffer == NULL)
    return GST_GLES_CARRY_FAILED;
  /* The frame stays mapped until the submission has ended: it cannot be written before that. */
  cost->kind = GST_GLES_FRAME_RESIDENT;
  source->block = block;
  return GST_GLES_CARRY_TAKEN;
}

static gboolean
memory_commit (GstGlesFrameSource *source, GError **error)
{
  return gst_gles_block_commit (source->block, source->queue,
      gst_gles_block_get_size (source->block), gst_gles_frame_source_is_in_place (source), error);
}

static void
memory_release (GstGlesFrameSource *source)
{
  source->block = NULL;
}

const GstGlesCarrier gst_gles_carrier_memory = { .name = "memory",
  .acquire = memory_acquire,
  .commit = memory_commit,
  .release = memory_release };
