/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames that an earlier element has copied to the same device. */
#include "config.h"

#include <gst/gles/frame/source-private.h>

static GstGlesCarry
reuse_acquire (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image,
    GstGlesFrameCost *cost, GError **error)
{
  if (!source->on_device || !gst_gles_uploads_has (buffer))
    return GST_GLES_CARRY_DECLINED;
  if (!gst_gles_frame_source_map (source, buffer, image, error))
    return GST_GLES_CARRY_FAILED;
  source->block = gst_gles_uploads_find (source, buffer);
  gst_gles_frame_source_unmap (source);
  if (source->block == NULL) {
    /* The next carrier copies the frame; the old record would make a writer copy it as well. */
    if (gst_buffer_is_writable (buffer))
      gst_gles_uploads_remove (buffer);
    return GST_GLES_CARRY_DECLINED;
  }
  image->buffer = gst_gles_block_get_buffer (source->block, source->in_place, error);
  if (image->buffer == NULL) {
    source->block = NULL;
    return GST_GLES_CARRY_FAILED;
  }
  cost->kind = GST_GLES_FRAME_REUSED;
  gst_gles_block_hold (source->block);
  return GST_GLES_CARRY_TAKEN;
}

static gboolean
reuse_commit (GstGlesFrameSource *source, GError **error)
{
  return gst_gles_block_commit (source->block, source->queue, source->in_place, NULL, error);
}

static void
reuse_release (GstGlesFrameSource *source)
{
  gst_gles_block_unhold (g_steal_pointer (&source->block));
  if (source->uploads == NULL && gst_buffer_is_writable (source->buffer))
    gst_gles_uploads_remove (source->buffer);
}

const GstGlesCarrier gst_gles_carrier_reuse = { .name = "reuse",
  .acquire = reuse_acquire,
  .commit = reuse_commit,
  .release = reuse_release };
