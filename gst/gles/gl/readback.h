/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bytes that are copied from a device to the host, through a ring of persistently mapped slots. The
 * first reader moves the bytes to heap memory of their exact size, and the slot returns to the
 * ring. When all slots are in use, the streaming thread does this for the oldest readback, so
 * results that are kept never block the ring. A result that is dropped unread is never copied. */
#ifndef GST_GLES_READBACK_H
#define GST_GLES_READBACK_H

#include <gst/gles/core/types.h>
#include <gst/gles/gl/buffer.h>
#include <gst/gles/gl/queue.h>

G_BEGIN_DECLS

typedef struct _GstGlesReadback GstGlesReadback;
typedef struct _GstGlesReadbackRing GstGlesReadbackRing;

GST_GLES_API GstGlesReadback *gst_gles_readback_ref (GstGlesReadback *readback);
/* NULL is safe. Thread: any; needs no context. */
GST_GLES_API void gst_gles_readback_unref (GstGlesReadback *readback);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesReadback, gst_gles_readback_unref)

/* Makes a readback that is complete from the start, as cpu devices return.
 * @bytes: (transfer full) */
GST_GLES_API GstGlesReadback *gst_gles_readback_new_complete (GBytes *bytes);

/* Makes a complete readback of counted items. @bytes: (transfer full): counted->count items */
GST_GLES_API GstGlesReadback *gst_gles_readback_new_counted (
    const GstGlesResult *counted, GBytes *bytes);

/* Returns the counts. Call after gst_gles_readback_get() has succeeded. Thread: any. */
GST_GLES_API void gst_gles_readback_get_counted (GstGlesReadback *readback, GstGlesResult *counted);

/* Waits at most @timeout_ns (0 does not wait; GST_GLES_WAIT_FOREVER) and returns the bytes, which
 * live as long as @readback; *size_bytes is set. Returns NULL with @error: TIMEOUT, DEVICE_LOST,
 * CANCELLED. Thread: any, several at a time; needs no context. */
GST_GLES_API gconstpointer gst_gles_readback_get (
    GstGlesReadback *readback, guint64 timeout_ns, gsize *size_bytes, GError **error);

/* Whether gst_gles_readback_get() would return without waiting. Thread: any. */
GST_GLES_API gboolean gst_gles_readback_is_ready (GstGlesReadback *readback);

/* Makes later calls of gst_gles_readback_get() fail with CANCELLED, unless the readback is
 * complete. */
GST_GLES_API void gst_gles_readback_cancel (GstGlesReadback *readback);

/* Makes a ring of up to @n_slots slots of @slot_bytes on the device of @queue. Slots are allocated
 * when first needed. Holds a reference to @queue. */
GST_GLES_API GstGlesReadbackRing *gst_gles_readback_ring_new (
    GstGlesQueue *queue, guint n_slots, gsize slot_bytes, GError **error);
/* NULL is safe. Readbacks of the ring stay valid. */
GST_GLES_API void gst_gles_readback_ring_free (GstGlesReadbackRing *ring);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesReadbackRing, gst_gles_readback_ring_free)

/* The size of a slot for counted items. The counts take 256 bytes, so that the items begin at a
 * multiple of every storage alignment. */
#define GST_GLES_READBACK_COUNTED_HEAD 256
#define GST_GLES_READBACK_COUNTED_BYTES(max_items, item_bytes)                                     \
  (GST_GLES_READBACK_COUNTED_HEAD + (gsize) (max_items) * (item_bytes))

/* A copy to the host: bytes of a buffer, or counted items at its beginning. The device reads the
 * number of items from @counts, a GstGlesResult. Only these are copied, at most as many as
 * @size_bytes hold, and the heap memory has their exact size. */
typedef struct {
  GstGlesBuffer *source;
  gsize offset_bytes;    /* 0 for items */
  gsize size_bytes;      /* at most the slot size */
  GstGlesBuffer *counts; /* (nullable): bytes, not items */
  guint item_bytes;      /* a divisor or a multiple of 16 */
} GstGlesReadbackCopy;

/* Queues a copy to the host. Inside gst_gles_queue_begin() and _end() it is complete with that
 * submission. When every slot is in use, waits for the oldest readback and moves it to the heap;
 * *waited (nullable) is set to TRUE then. Thread: any, one at a time per ring. */
GST_GLES_API GstGlesReadback *gst_gles_readback_ring_copy (
    GstGlesReadbackRing *ring, const GstGlesReadbackCopy *copy, gboolean *waited, GError **error);

/* Returns the bytes that copies of counted items brought to the host since the last call. Their
 * number is known only when the copies are complete. Thread: as gst_gles_readback_ring_copy(). */
GST_GLES_API gsize gst_gles_readback_ring_take_bytes (GstGlesReadbackRing *ring);

G_END_DECLS

#endif
