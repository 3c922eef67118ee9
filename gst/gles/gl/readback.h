/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bytes that are copied from a device to the host, through a ring of persistently mapped slots. The
 * first reader moves the bytes to heap memory of their exact size, and the slot returns to the
 * ring. When all slots are in use, the streaming thread does this for the oldest readback, so
 * results that are kept never block the ring. A result that is dropped unread is never copied. */
#ifndef GST_GLES_READBACK_H
#define GST_GLES_READBACK_H

#include <gst/gles/core/types.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

/**
 * GstGlesReadback: (skip)
 *
 * Bytes on their way from a device to the host. Counted: gst_gles_readback_ref() and
 * gst_gles_readback_unref().
 *
 * Since: 0.1
 */
typedef struct _GstGlesReadback GstGlesReadback;

/**
 * GstGlesReadbackRing: (skip)
 *
 * The slots of one kind of results, which are mapped once and used again: a copy allocates nothing.
 *
 * Since: 0.1
 */
typedef struct _GstGlesReadbackRing GstGlesReadbackRing;

/**
 * gst_gles_readback_ref: (skip)
 * @readback: a readback
 *
 * Returns: (transfer full): @readback. Thread: any.
 * Since: 0.1
 */
GST_GLES_API GstGlesReadback *gst_gles_readback_ref (GstGlesReadback *readback);

/**
 * gst_gles_readback_unref: (skip)
 * @readback: (transfer full) (nullable): a readback
 *
 * Thread: any; needs no context and does not wait.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_readback_unref (GstGlesReadback *readback);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesReadback, gst_gles_readback_unref)

/**
 * gst_gles_readback_new_complete: (skip)
 * @bytes: (transfer full): the bytes
 *
 * Makes a readback that is complete from the start, for what native code has found on a cpu device.
 *
 * Returns: (transfer full): a readback. Thread: any.
 * Since: 0.1
 */
GST_GLES_API GstGlesReadback *gst_gles_readback_new_complete (GBytes *bytes);

/**
 * gst_gles_readback_get: (skip)
 * @readback: a readback
 * @timeout_ns: the longest to wait in nanoseconds; 0 does not wait, %GST_GLES_WAIT_FOREVER waits
 *     without limit
 * @size_bytes: (out) (optional): the number of bytes
 * @error: set when %NULL is returned
 *
 * Waits for the bytes. Thread: any, several at a time; needs no context.
 *
 * Returns: (transfer none) (nullable): the bytes, which live as long as @readback.
 *     Errors: %GST_GLES_ERROR_TIMEOUT, %GST_GLES_ERROR_DEVICE_LOST, %GST_GLES_ERROR_CANCELLED, and
 *     those of the submission that copies them.
 * Since: 0.1
 */
GST_GLES_API gconstpointer gst_gles_readback_get (
    GstGlesReadback *readback, guint64 timeout_ns, gsize *size_bytes, GError **error);

/**
 * gst_gles_readback_get_counted: (skip)
 * @readback: a readback of counted items that gst_gles_readback_get() has returned
 * @counted: (out caller-allocates): receives the counts
 *
 * Tells how many items there were and how many came. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_readback_get_counted (GstGlesReadback *readback, GstGlesResult *counted);

/**
 * gst_gles_readback_is_ready: (skip)
 * @readback: a readback
 *
 * Returns: whether gst_gles_readback_get() would not wait. Thread: any.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_readback_is_ready (GstGlesReadback *readback);

/**
 * gst_gles_readback_ring_new: (skip)
 * @queue: the queue of the copies; kept
 * @n_slots: the most slots; one is allocated when it is first needed
 * @slot_bytes: the most bytes of a copy
 * @error: set when %NULL is returned
 *
 * Makes a ring on the device of @queue. Thread: any.
 *
 * Returns: (transfer full) (nullable): a ring. Errors: %GST_GLES_ERROR_NO_MEMORY,
 *     %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesReadbackRing *gst_gles_readback_ring_new (
    GstGlesQueue *queue, guint n_slots, gsize slot_bytes, GError **error);

/**
 * gst_gles_readback_ring_free: (skip)
 * @ring: (transfer full) (nullable): a ring
 *
 * Readbacks of the ring stay valid. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_readback_ring_free (GstGlesReadbackRing *ring);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesReadbackRing, gst_gles_readback_ring_free)

/* The size of a slot for counted items. The counts take 256 bytes, so that the items begin at a
 * multiple of every storage alignment. */
#define GST_GLES_READBACK_COUNTED_HEAD 256
#define GST_GLES_READBACK_COUNTED_BYTES(max_items, item_bytes)                                     \
  (GST_GLES_READBACK_COUNTED_HEAD + (gsize) (max_items) * (item_bytes))

/**
 * GstGlesReadbackCopy: (skip)
 * @source: a buffer of the device
 * @offset_bytes: where the bytes begin; 0 for items
 * @size_bytes: how many there are, or at most for items; not more than a slot has
 * @counts: (nullable): a #GstGlesResult on the device, which has the number of items; %NULL: bytes
 * @item_bytes: size of an item, a divisor or a multiple of 16; not used for bytes
 *
 * A copy to the host: bytes of a buffer, or items at its beginning that the device has counted. Of
 * items only as many as there are come to the host. Members that are not set are 0.
 *
 * Since: 0.1
 */
typedef struct {
  GstGlesBuffer *source;
  gsize offset_bytes;
  gsize size_bytes;
  GstGlesBuffer *counts;
  guint item_bytes;
} GstGlesReadbackCopy;

/**
 * gst_gles_readback_ring_copy: (skip)
 * @ring: a ring
 * @copy: what to copy
 * @waited: (out) (optional): set to %TRUE if the call waited for a slot
 * @error: set when %NULL is returned
 *
 * Queues a copy to the host. Inside of gst_gles_queue_begin() and gst_gles_queue_end() it is
 * complete with that submission. When every slot is in use, waits for the oldest readback and moves
 * it to the heap.
 *
 * Thread: any, one at a time per ring.
 *
 * Returns: (transfer full) (nullable): the readback. Errors: %GST_GLES_ERROR_TOO_LARGE (more bytes
 *     than a slot has), %GST_GLES_ERROR_NO_MEMORY, %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesReadback *gst_gles_readback_ring_copy (
    GstGlesReadbackRing *ring, const GstGlesReadbackCopy *copy, gboolean *waited, GError **error);

G_END_DECLS

#endif
