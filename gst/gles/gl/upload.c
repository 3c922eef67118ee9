/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/upload.h>

struct _GstGlesUploadRing {
  GstGlesQueue *queue;
  GstGlesDevice *device;
  GstGlesBlock **slots;
  guint n_slots;
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
  ring->n_slots = n_slots;
  ring->slot_bytes = slot_bytes;
  ring->slots = g_new0 (GstGlesBlock *, n_slots);
  for (guint i = 0; i < n_slots; i++) {
    ring->slots[i] = gst_gles_block_new (ring->device, slot_bytes, error);
    if (ring->slots[i] == NULL) {
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
  for (guint i = 0; i < ring->n_slots; i++)
    gst_gles_block_unref (ring->slots[i]);
  g_free (ring->slots);
  gst_object_unref (ring->device);
  gst_object_unref (ring->queue);
  g_free (ring);
}

gboolean
gst_gles_upload_ring_acquire (GstGlesUploadRing *ring, gboolean in_place, GstGlesUpload *upload,
    gboolean *waited, GError **error)
{
  GstGlesBlock **slot = &ring->slots[ring->next];

  /* Submissions hold the block until the device has finished. After that, others may. */
  if (!gst_gles_block_wait (*slot, waited, error))
    return FALSE;
  if (!gst_gles_block_is_unshared (*slot)) {
    GstGlesBlock *block = gst_gles_block_new (ring->device, ring->slot_bytes, error);

    if (block == NULL)
      return FALSE;
    gst_gles_block_unref (*slot);
    *slot = block;
  }
  if (!gst_gles_block_begin_write (*slot, NULL, error))
    return FALSE;
  upload->block = *slot;
  upload->in_place = in_place;
  upload->data = gst_gles_block_get_data (*slot);
  upload->buffer = gst_gles_block_get_buffer (*slot, in_place, error);
  ring->next = (ring->next + 1) % ring->n_slots;
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
  return gst_gles_block_commit (upload->block, ring->queue, upload->in_place, NULL, error);
}
