/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in the memory of GstGlesAllocator: kernels read them where they lie, or from a copy that
 * the device makes. */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/frame/allocator-private.h>
#include <gst/gles/frame/source-private.h>

/* Describes the mapped frame as a layout of the whole block. Returns FALSE if the memory does not
 * hold all samples of the image. */
static gboolean
describe_block (GstGlesFrameSource *source, GstGlesBlock *block, GstGlesImage *layout,
    GstGlesStagedPlane *planes, gsize *size_bytes)
{
  const guint8 *base = gst_gles_block_get_data (block);
  gsize end = 0;

  *layout = source->described;
  memset (planes, 0, sizeof (source->planes));
  for (guint p = 0; p < source->n_planes; p++) {
    const GstGlesPlaneWindow *window = &source->windows[p];
    const GstGlesStagedPlane *plane = &source->planes[p];

    if (window->rows != plane->rows || window->row_bytes != plane->row_bytes ||
        (gsize) (window->data - base) > G_MAXUINT32 / 2 || window->stride > G_MAXUINT32 / 2)
      return FALSE;
    planes[p] = (GstGlesStagedPlane){ .offset = (gsize) (window->data - base),
      .row_bytes = window->row_bytes,
      .stride = window->stride,
      .rows = window->rows };
    end = MAX (end, planes[p].offset + window->stride * (window->rows - 1) + window->row_bytes);
  }
  for (guint i = 0; i < layout->n_components; i++) {
    GstGlesComponent *c = &layout->components[i];

    c->offset += (guint32) planes[c->plane].offset;
    c->stride = (guint32) planes[c->plane].stride;
  }
  *size_bytes = gst_gles_align_up (end, 64);
  return TRUE;
}

/* Whether kernels can read the whole of @block. */
static gboolean
is_readable (GstGlesFrameSource *source, GstGlesBlock *block)
{
  g_autoptr (GstGlesDevice) device = gst_gles_queue_get_device (source->queue);
  const GstGlesLimits *limits = gst_gles_device_get_limits (device);
  const gsize size_bytes = gst_gles_block_get_size (block);

  return size_bytes <= limits->storage_block_bytes &&
      (limits->texel_buffer_texels == 0 || size_bytes / 16 + 1 <= limits->texel_buffer_texels);
}

static GstGlesBlock *
find_block (GstGlesFrameSource *source, GstBuffer *buffer)
{
  GstGlesBlock *block;

  /* Planes in several memories would be several buffers. */
  if (!source->on_device || gst_buffer_n_memory (buffer) != 1)
    return NULL;
  block = gst_gles_allocator_peek_block (gst_buffer_peek_memory (buffer, 0));
  if (block == NULL || !gst_gles_block_is_on (block, source->queue) || !is_readable (source, block))
    return NULL;
  return block;
}

/* Brings the layout of the mapped frame and that of the source together. */
static gboolean
match_layout (GstGlesFrameSource *source, GstGlesBlock *block, GstGlesImage *image)
{
  GstGlesStagedPlane planes[GST_VIDEO_MAX_PLANES];
  GstGlesImage layout;
  gsize size_bytes;

  if (!describe_block (source, block, &layout, planes, &size_bytes))
    return FALSE;
  if (memcmp (layout.components, source->staged.components, sizeof (layout.components)) == 0)
    return TRUE;
  if (!source->adopts_layout)
    return FALSE;
  gst_gles_frame_source_adopt (source, &layout, planes, size_bytes);
  memcpy (image->components, layout.components, sizeof (layout.components));
  return TRUE;
}

static GstGlesCarry
memory_acquire (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image,
    GstGlesFrameCost *cost, GError **error)
{
  GstGlesBlock *block = find_block (source, buffer);

  if (block == NULL)
    return GST_GLES_CARRY_DECLINED;
  if (!gst_gles_frame_source_map (source, buffer, image, error))
    return GST_GLES_CARRY_FAILED;
  if (!match_layout (source, block, image)) {
    gst_gles_frame_source_unmap (source);
    return GST_GLES_CARRY_DECLINED;
  }
  image->buffer = gst_gles_block_get_buffer (block, source->in_place, error);
  if (image->buffer == NULL) {
    gst_gles_frame_source_unmap (source);
    return GST_GLES_CARRY_FAILED;
  }
  /* The frame stays mapped until the submission has ended: it cannot be written before that. */
  cost->kind = GST_GLES_FRAME_RESIDENT;
  source->block = block;
  return GST_GLES_CARRY_TAKEN;
}

static gboolean
memory_commit (GstGlesFrameSource *source, GError **error)
{
  return gst_gles_block_commit (source->block, source->queue, source->in_place, NULL, error);
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
