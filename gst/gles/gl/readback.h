/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bytes on their way from a device to whoever asks for them, through a ring of persistently mapped slots.
 * Who asks first moves the bytes to heap memory of their exact size, and the slot returns to the ring.
 * When all slots are held, the streaming thread does it for the oldest: results that somebody keeps
 * never hold the ring. A result that is dropped unread costs no copy. */
#ifndef GST_GLES_READBACK_H
#define GST_GLES_READBACK_H

#include <gst/gles/gl/buffer.h>
#include <gst/gles/gl/queue.h>

G_BEGIN_DECLS

typedef struct _GstGlesReadback GstGlesReadback;
typedef struct _GstGlesReadbackRing GstGlesReadbackRing;

GST_GLES_API GstGlesReadback *gst_gles_readback_ref (GstGlesReadback *readback);
/* NULL is safe. Thread: any; needs no context. */
GST_GLES_API void gst_gles_readback_unref (GstGlesReadback *readback);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesReadback, gst_gles_readback_unref)

/* A readback that is complete from the start: what a cpu device returns.
 * @bytes: (transfer full) */
GST_GLES_API GstGlesReadback *gst_gles_readback_new_complete (GBytes *bytes);

/* What a device counted: a GstGlesResult as the array algorithms leave it. */
typedef struct {
  guint64 total;
  guint32 count; /* items that there are */
  guint32 status;
} GstGlesCounted;

/* The same of counted items. @bytes: (transfer full): counted->count of them */
GST_GLES_API GstGlesReadback *gst_gles_readback_new_counted (
    const GstGlesCounted *counted, GBytes *bytes);

/* What came with the items: after gst_gles_readback_get() has returned them. Thread: any. */
GST_GLES_API void gst_gles_readback_get_counted (
    GstGlesReadback *readback, GstGlesCounted *counted);

/* Waits, at most @timeout_ns (0 polls, GST_GLES_WAIT_FOREVER), and returns the bytes, which live as
 * long as @readback; *size_bytes is set. NULL with @error: TIMEOUT, DEVICE_LOST, CANCELLED.
 * Thread: any, several at a time; needs no context. */
GST_GLES_API gconstpointer gst_gles_readback_get (
    GstGlesReadback *readback, guint64 timeout_ns, gsize *size_bytes, GError **error);

/* Whether gst_gles_readback_get() would not wait. Thread: any. */
GST_GLES_API gboolean gst_gles_readback_is_ready (GstGlesReadback *readback);

/* Makes the readback fail with CANCELLED for whoever asks from now on, unless it is complete. */
GST_GLES_API void gst_gles_readback_cancel (GstGlesReadback *readback);

/* A ring of up to @n_slots slots of @slot_bytes on @queue's device, made when they are first needed.
 * Keeps @queue alive. */
GST_GLES_API GstGlesReadbackRing *gst_gles_readback_ring_new (
    GstGlesQueue *queue, guint n_slots, gsize slot_bytes, GError **error);
/* NULL is safe. Readbacks taken from the ring stay valid. */
GST_GLES_API void gst_gles_readback_ring_free (GstGlesReadbackRing *ring);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesReadbackRing, gst_gles_readback_ring_free)

/* Queues a copy of @size_bytes (at most the slot size) of @source to the host; inside
 * gst_gles_queue_begin() and _end() it is complete with that submission. When every slot is taken,
 * waits for the oldest and moves it to the heap; *waited (nullable) says so.
 * Thread: any, one at a time per ring. */
GST_GLES_API GstGlesReadback *gst_gles_readback_ring_copy (GstGlesReadbackRing *ring,
    GstGlesBuffer *source, gsize offset_bytes, gsize size_bytes, gboolean *waited, GError **error);

/* What a slot needs for counted items: they begin at a storage alignment. */
#define GST_GLES_READBACK_COUNTED_HEAD 256
#define GST_GLES_READBACK_COUNTED_BYTES(max_items, item_bytes)                                     \
  (GST_GLES_READBACK_COUNTED_HEAD + (gsize) (max_items) * (item_bytes))

/* Queues a copy of as many items of @item_bytes (a divisor or multiple of 16) at the start of @items
 * as @counts, a GstGlesCounted, says, at most @max_items: a kernel copies just those, and the heap
 * receives them at their exact size. Otherwise as gst_gles_readback_ring_copy(). */
GST_GLES_API GstGlesReadback *gst_gles_readback_ring_copy_counted (GstGlesReadbackRing *ring,
    GstGlesBuffer *counts, GstGlesBuffer *items, guint item_bytes, guint max_items,
    gboolean *waited, GError **error);

/* Bytes that counted copies have brought to the host since the last call: how many only the device knows
 * when they are queued. Thread: as gst_gles_readback_ring_copy(). */
GST_GLES_API gsize gst_gles_readback_ring_take_bytes (GstGlesReadbackRing *ring);

G_END_DECLS

#endif
