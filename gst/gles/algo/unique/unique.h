/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_UNIQUE_H
#define GST_GLES_UNIQUE_H

#include <gst/gles/core/types.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_UNIQUE (gst_gles_unique_get_type ())
GST_GLES_API GType gst_gles_unique_get_type (void);

/**
 * GstGlesUnique:
 *
 * A plan that keeps the first key of every run of equal neighbouring keys, in input order. Of
 * sorted keys it keeps each one once. It belongs to a queue, owns the scratch memory, and can be
 * used for any number of calls on arrays up to its capacity; a call allocates nothing, but the
 * first one with 32-bit and with 64-bit keys compiles its kernels. Calls queue work and do not
 * wait; on a cpu device the work is done when they return.
 *
 * Arguments are checked when a call is made: an error leaves every buffer as it was. Conditions
 * that only the device can detect are reported in #GstGlesResult.status.
 *
 * #GstGlesSegments also finds where runs begin, how long they are, and sums over them.
 *
 * Thread: any, one at a time per plan.
 *
 * Since: 0.1
 */
typedef struct _GstGlesUnique GstGlesUnique;

/**
 * gst_gles_unique_new:
 * @queue: the queue of the plan; kept
 * @capacity: the most keys per call
 * @error: set when %NULL is returned
 *
 * Makes a plan. Thread: any.
 *
 * Returns: (transfer full) (nullable): a plan. Errors: %GST_GLES_ERROR_TOO_LARGE (32-bit keys that
 *     do not fit one storage block), %GST_GLES_ERROR_NO_MEMORY, %GST_GLES_ERROR_COMPILE,
 *     %GST_GLES_ERROR_SETTINGS (`GST_GLES_UNIQUE_VARIANT`), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesUnique *gst_gles_unique_new (
    GstGlesQueue *queue, guint capacity, GError **error);

/**
 * gst_gles_unique_ref:
 * @unique: a plan
 *
 * Returns: (transfer full): @unique
 * Since: 0.1
 */
GST_GLES_API GstGlesUnique *gst_gles_unique_ref (GstGlesUnique *unique);

/**
 * gst_gles_unique_unref:
 * @unique: (transfer full) (nullable): a plan
 *
 * Drops a reference. Queued work still runs. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_unique_unref (GstGlesUnique *unique);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesUnique, gst_gles_unique_unref)

/**
 * gst_gles_unique_get_result:
 * @unique: a plan
 *
 * Gets the device buffer to which each call writes a #GstGlesResult, at offset 0: the number of
 * runs, the number of keys that was written, and the status, with %GST_GLES_STATUS_TRUNCATED if
 * these differ. It is written in the order of the queue, and the next call overwrites it.
 *
 * Returns: (transfer none): the buffer; lives as long as @unique
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_unique_get_result (GstGlesUnique *unique);

/**
 * gst_gles_unique_run:
 * @unique: a plan
 * @type: the type of the keys; keys are equal if all their bits are
 * @keys: (transfer none): @n keys
 * @n: number of keys, 0 allowed
 * @output: (transfer none): receives the first key of every run; not @keys
 * @max_count: capacity of @output in keys: the first ones are written, and no later word is touched
 * @error: set when %FALSE is returned
 *
 * Queues the selection. Does not wait.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_TOO_LARGE (over the capacity, or 64-bit keys
 *     that do not fit one storage block), %GST_GLES_ERROR_INVALID (a buffer that is too small, of
 *     another device, or given twice; an unknown type), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_unique_run (GstGlesUnique *unique, GstGlesValueType type,
    GstGlesBuffer *keys, guint n, GstGlesBuffer *output, guint max_count, GError **error);

/**
 * gst_gles_unique_run_indirect:
 * @unique: a plan
 * @type: the type of the keys
 * @keys: (transfer none): the keys
 * @count: (transfer none): the buffer that holds the number of keys; not @output
 * @count_offset_bytes: byte offset of the number in @count, a multiple of 4
 * @output: (transfer none): as for gst_gles_unique_run()
 * @max_count: as for gst_gles_unique_run()
 * @error: set when %FALSE is returned
 *
 * Like gst_gles_unique_run(), but the number of keys is a u32 on the device, which is read when the
 * work runs. It is limited to the capacity and the size of @keys (%GST_GLES_STATUS_COUNT_CLAMPED).
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_unique_run().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_unique_run_indirect (GstGlesUnique *unique, GstGlesValueType type,
    GstGlesBuffer *keys, GstGlesBuffer *count, gsize count_offset_bytes, GstGlesBuffer *output,
    guint max_count, GError **error);

G_END_DECLS

#endif
