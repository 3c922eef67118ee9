/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/gl/engine.h>
#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/upload.h>

struct _GstGlesUploadRing {
  GstGlesQueue *queue;
  GstGlesDevice *device;
  GPtrArray *slots; /* of GstGlesBlock */
  guint next;
  gsize slot_bytes;
};

gboolean
gst_gles_upload_check_size (GstGlesQueue *queue, gsize size_bytes, GError **error)
{
  const GstGlesShare *share = queue->share;

  if (size_bytes <= share->limits.storage_block_bytes)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
      "%s: a frame of %" G_GSIZE_FORMAT " bytes is over the device's limit of %" G_GUINT64_FORMAT
      " bytes a storage block; scale it down or use device=cpu",
      share->id, size_bytes, share->limits.storage_block_bytes);
  return FALSE;
}

static gboolean
add_slot (GstGlesUploadRing *ring, GError **error)
{
  GstGlesBlock *block = gst_gles_block_new (ring->device, ring->slot_bytes, error);

  if (block != NULL)
    g_ptr_array_add (ring->slots, block);
  return block != NULL;
}

GstGlesUploadRing *
gst_gles_upload_ring_new (GstGlesQueue *queue, guint n_slots, gsize slot_bytes, GError **error)
{
  GstGlesUploadRing *ring;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && n_slots > 0, NULL);
  g_return_val_if_fail (gst_gles_share_is_gl (queue->share), NULL);
  if (!gst_gles_upload_check_size (queue, slot_bytes, error))
    return NULL;
  ring = g_new0 (GstGlesUploadRing, 1);
  ring->queue = gst_object_ref (queue);
  ring->device = gst_gles_queue_get_device (queue);
  ring->slot_bytes = slot_bytes;
  ring->slots = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_gles_block_unref);
  for (guint i = 0; i < n_slots; i++) {
    if (!add_slot (ring, error)) {
      gst_gles_upload_ring_free (ring);
      return NULL;
    }
  }
  return ring;
}

void
gst_gles_upload_ring_free (GstGlesUploadRing *ring)
{
  if (ring == NULL)
    return;
  gst_gles_engine_wait (ring->device);
  g_ptr_array_unref (ring->slots);
  gst_object_unref (ring->device);
  gst_object_unref (ring->queue);
  g_free (ring);
}

/* Returns the slot, which nobody holds, or one of the kind that is made now in its place. */
static GstGlesBlock *
renew_slot (GstGlesUploadRing *ring, guint index, GError **error)
{
  GstGlesBlock **slot = (GstGlesBlock **) &g_ptr_array_index (ring->slots, index);
  GstGlesBlock *block;

  if (!gst_gles_block_is_outdated (*slot))
    return *slot;
  block = gst_gles_block_new (ring->device, ring->slot_bytes, error);
  if (block == NULL)
    return NULL;
  gst_gles_block_unref (*slot);
  return *slot = block;
}

/* Returns the next slot that nobody holds; adds one if all are held. */
static GstGlesBlock *
next_slot (GstGlesUploadRing *ring, GError **error)
{
  for (guint i = 0; i < ring->slots->len; i++) {
    const guint index = ring->next;

    ring->next = (ring->next + 1) % ring->slots->len;
    if (!gst_gles_block_is_held (g_ptr_array_index (ring->slots, index)))
      return renew_slot (ring, index, error);
  }
  if (!add_slot (ring, error))
    return NULL;
  ring->next = 0;
  return g_ptr_array_index (ring->slots, ring->slots->len - 1);
}

gboolean
gst_gles_upload_ring_acquire (GstGlesUploadRing *ring, gboolean in_place, GstGlesUpload *upload,
    gboolean *waited, GError **error)
{
  GstGlesBlock *block;

  gst_gles_engine_pause (ring->device);
  block = next_slot (ring, error);
  if (block == NULL || !gst_gles_block_begin_write (block, waited, error))
    return FALSE;
  upload->block = block;
  upload->in_place = in_place;
  upload->data = gst_gles_block_get_data (block);
  upload->buffer = gst_gles_block_get_buffer (block, in_place, error);
  return upload->buffer != NULL;
}

gboolean
gst_gles_upload_ring_commit (
    GstGlesUploadRing *ring, const GstGlesUpload *upload, gsize size_bytes, GError **error)
{
  gsize padded = gst_gles_align_up (size_bytes, 16);

  g_return_val_if_fail (size_bytes <= ring->slot_bytes, FALSE);

  memset (upload->data + size_bytes, 0, padded - size_bytes);
  gst_gles_block_end_write (upload->block);
  gst_gles_engine_count (ring->device);
  return gst_gles_block_commit (upload->block, ring->queue, size_bytes, upload->in_place, error);
}
