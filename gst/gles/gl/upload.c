/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/core/log.h>
#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/upload.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

typedef struct {
  guint8 *heap;            /* without mapped memory: where the caller writes */
  GstGlesBuffer *mapped;   /* where the caller writes, else NULL */
  GstGlesBuffer *readable; /* what kernels read: mapped itself on software, else device memory */
  GstGlesSync *sync;       /* behind the last work that read the slot */
  gboolean open;           /* committed in a submission that has not ended */
} Slot;

struct _GstGlesUploadRing {
  GstGlesQueue *queue;
  Slot *slots;
  guint n_slots;
  guint next;
  gsize slot_bytes;
};

static gboolean
slot_init (Slot *slot, GstGlesUploadRing *ring, GstGlesDevice *device, GError **error)
{
  GstGlesShare *share = ring->queue->share;
  gsize size = ring->slot_bytes;

  if (share->limits.buffer_storage) {
    slot->mapped = gst_gles_buffer_new_storage (device, GST_GLES_STORAGE_UPLOAD, size, error);
    if (slot->mapped == NULL)
      return FALSE;
    /* the software renderer's memory is the host's: a copy would only cost */
    if (share->kind == GST_GLES_DEVICE_SOFTWARE) {
      slot->readable = gst_gles_buffer_ref (slot->mapped);
      return TRUE;
    }
  } else {
    slot->heap = g_aligned_alloc0 (1, MAX (size, 1), 64);
  }
  slot->readable = gst_gles_buffer_new (device, size, error);
  return slot->readable != NULL;
}

GstGlesUploadRing *
gst_gles_upload_ring_new (GstGlesQueue *queue, guint n_slots, gsize slot_bytes, GError **error)
{
  g_autoptr (GstGlesDevice) device = NULL;
  GstGlesUploadRing *ring;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && n_slots > 0, NULL);
  g_return_val_if_fail (queue->context != EGL_NO_CONTEXT, NULL);
  if (slot_bytes > queue->share->limits.storage_block_bytes) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "%s: a frame of %" G_GSIZE_FORMAT " bytes is over the device's limit of %" G_GUINT64_FORMAT
        " bytes a storage block; scale it down or use device=cpu",
        queue->share->id, slot_bytes, queue->share->limits.storage_block_bytes);
    return NULL;
  }
  device = gst_gles_queue_get_device (queue);
  ring = g_new0 (GstGlesUploadRing, 1);
  ring->queue = gst_object_ref (queue);
  ring->n_slots = n_slots;
  ring->slot_bytes = slot_bytes;
  ring->slots = g_new0 (Slot, n_slots);
  for (guint i = 0; i < n_slots; i++) {
    if (!slot_init (&ring->slots[i], ring, device, error)) {
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
    gst_gles_sync_unref (slot->sync);
    gst_gles_buffer_unref (slot->readable);
    gst_gles_buffer_unref (slot->mapped);
    g_aligned_free (slot->heap);
  }
  g_free (ring->slots);
  gst_object_unref (ring->queue);
  g_free (ring);
}

gboolean
gst_gles_upload_ring_acquire (
    GstGlesUploadRing *ring, GstGlesUpload *upload, gboolean *waited, GError **error)
{
  Slot *slot = &ring->slots[ring->next];

  if (waited != NULL)
    *waited = FALSE;
  g_assert (!slot->open);
  if (!gst_gles_sync_is_done (slot->sync)) {
    if (waited != NULL)
      *waited = TRUE;
    if (!gst_gles_sync_wait (slot->sync, GST_GLES_WAIT_FOREVER, error))
      return FALSE;
  }
  g_clear_pointer (&slot->sync, gst_gles_sync_unref);
  upload->data = slot->mapped != NULL ? slot->mapped->memory : slot->heap;
  upload->buffer = slot->readable;
  upload->index = ring->next;
  ring->next = (ring->next + 1) % ring->n_slots;
  return TRUE;
}

static void
on_submitted (GstGlesSync *sync, gpointer user_data)
{
  Slot *slot = user_data;

  slot->open = FALSE;
  gst_gles_sync_unref (slot->sync);
  slot->sync = sync != NULL ? gst_gles_sync_ref (sync) : NULL;
}

gboolean
gst_gles_upload_ring_commit (
    GstGlesUploadRing *ring, const GstGlesUpload *upload, gsize size_bytes, GError **error)
{
  Slot *slot = &ring->slots[upload->index];
  gsize padded = gst_gles_align_up (size_bytes, 16);

  g_return_val_if_fail (ring->queue->depth > 0, FALSE);
  g_return_val_if_fail (size_bytes <= ring->slot_bytes, FALSE);

  slot->open = TRUE;
  gst_gles_queue_at_end (ring->queue, on_submitted, slot);
  if (slot->mapped == NULL)
    return gst_gles_buffer_upload (slot->readable, ring->queue, 0, slot->heap, size_bytes, error);
  memset (slot->mapped->memory + size_bytes, 0, padded - size_bytes);
  if (slot->readable == slot->mapped)
    return TRUE;
  return gst_gles_queue_copy (ring->queue, slot->mapped, 0, slot->readable, 0, padded, error);
}
