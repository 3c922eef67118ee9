/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/core/log.h>
#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/upload.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

typedef struct {
  guint8 *block;         /* without mapped memory: the allocation that contains heap */
  guint8 *heap;          /* without mapped memory: where the caller writes, 64-byte aligned */
  GstGlesBuffer *mapped; /* the mapped buffer that the caller writes to, else NULL */
  GstGlesBuffer *copy;   /* on the device; made when first needed */
  GstGlesSerial serial;  /* of the last submission that reads the slot */
  gboolean open;         /* committed in a submission that has not ended */
} Slot;

struct _GstGlesUploadRing {
  GstGlesQueue *queue;
  GstGlesDevice *device;
  Slot *slots;
  guint n_slots;
  guint next;
  gsize slot_bytes;
};

static gboolean
slot_init (Slot *slot, GstGlesUploadRing *ring, GError **error)
{
  GstGlesShare *share = ring->queue->share;
  gsize size = ring->slot_bytes;

  if (share->limits.buffer_storage) {
    slot->mapped = gst_gles_buffer_new_storage (ring->device, GST_GLES_STORAGE_UPLOAD, size, error);
    return slot->mapped != NULL;
  }
  slot->block = g_try_malloc0 (size + 64);
  if (slot->block == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate %" G_GSIZE_FORMAT " bytes to take in frames", size);
    return FALSE;
  }
  slot->heap = (guint8 *) gst_gles_align_up ((gsize) slot->block, 64);
  return TRUE;
}

GstGlesUploadRing *
gst_gles_upload_ring_new (GstGlesQueue *queue, guint n_slots, gsize slot_bytes, GError **error)
{
  GstGlesUploadRing *ring;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && n_slots > 0, NULL);
  g_return_val_if_fail (gst_gles_share_is_gl (queue->share), NULL);
  if (slot_bytes > queue->share->limits.storage_block_bytes) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "%s: a frame of %" G_GSIZE_FORMAT " bytes is over the device's limit of %" G_GUINT64_FORMAT
        " bytes a storage block; scale it down or use device=cpu",
        queue->share->id, slot_bytes, queue->share->limits.storage_block_bytes);
    return NULL;
  }
  ring = g_new0 (GstGlesUploadRing, 1);
  ring->queue = gst_object_ref (queue);
  ring->device = gst_gles_queue_get_device (queue);
  ring->n_slots = n_slots;
  ring->slot_bytes = slot_bytes;
  ring->slots = g_new0 (Slot, n_slots);
  for (guint i = 0; i < n_slots; i++) {
    if (!slot_init (&ring->slots[i], ring, error)) {
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
  for (guint i = 0; i < ring->n_slots; i++) {
    Slot *slot = &ring->slots[i];
    /* The device's thread reads the heap memory while it executes the submission. */
    if (slot->block != NULL)
      gst_gles_thread_wait_until_reported (ring->queue->share->thread, slot->serial);
    gst_gles_buffer_unref (slot->copy);
    gst_gles_buffer_unref (slot->mapped);
    g_free (slot->block);
  }
  g_free (ring->slots);
  gst_object_unref (ring->device);
  gst_object_unref (ring->queue);
  g_free (ring);
}

gboolean
gst_gles_upload_ring_acquire (GstGlesUploadRing *ring, gboolean in_place, GstGlesUpload *upload,
    gboolean *waited, GError **error)
{
  Slot *slot = &ring->slots[ring->next];

  if (waited != NULL)
    *waited = FALSE;
  g_assert (!slot->open);
  if (!gst_gles_queue_is_done (ring->queue, slot->serial)) {
    if (waited != NULL)
      *waited = TRUE;
    if (!gst_gles_queue_wait (ring->queue, slot->serial, GST_GLES_WAIT_FOREVER, error))
      return FALSE;
  }
  upload->in_place = in_place && slot->mapped != NULL;
  if (!upload->in_place && slot->copy == NULL) {
    slot->copy = gst_gles_buffer_new (ring->device, ring->slot_bytes, error);
    if (slot->copy == NULL)
      return FALSE;
  }
  upload->data = slot->mapped != NULL ? slot->mapped->memory : slot->heap;
  upload->buffer = upload->in_place ? slot->mapped : slot->copy;
  upload->index = ring->next;
  ring->next = (ring->next + 1) % ring->n_slots;
  return TRUE;
}

static void
on_queued (GstGlesSerial serial, gpointer user_data)
{
  Slot *slot = user_data;

  slot->open = FALSE;
  slot->serial = serial;
}

static const GstGlesHook slot_hook = { on_queued, NULL };

gboolean
gst_gles_upload_ring_commit (
    GstGlesUploadRing *ring, const GstGlesUpload *upload, gsize size_bytes, GError **error)
{
  Slot *slot = &ring->slots[upload->index];
  gsize padded = gst_gles_align_up (size_bytes, 16);

  g_return_val_if_fail (size_bytes <= ring->slot_bytes, FALSE);

  slot->open = TRUE;
  gst_gles_queue_add_hook (ring->queue, &slot_hook, slot);
  if (slot->mapped == NULL)
    return gst_gles_queue_write (ring->queue, slot->copy, 0, slot->heap, size_bytes, TRUE, error);
  memset (slot->mapped->memory + size_bytes, 0, padded - size_bytes);
  if (upload->in_place)
    return TRUE;
  return gst_gles_queue_copy (ring->queue, slot->mapped, 0, slot->copy, 0, padded, error);
}
