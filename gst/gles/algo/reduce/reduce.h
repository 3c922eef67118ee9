/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_REDUCE_H
#define GST_GLES_REDUCE_H

#include <gst/gles/core/types.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_REDUCE (gst_gles_reduce_get_type ())
GST_GLES_API GType gst_gles_reduce_get_type (void);

/**
 * GstGlesReduceOp:
 * @GST_GLES_REDUCE_SUM: the sum. u32 and i32: in 64 bits, unsigned or signed; modulo 2^32 it is the
 *     low word. f32: by a binary tree whose shape depends on the number of values alone, denormals
 *     taken for zeros, one NaN (0x7fc00000): the same bits on every run and every device
 * @GST_GLES_REDUCE_MIN: the smallest value, in the order of #GstGlesValueType
 * @GST_GLES_REDUCE_MAX: the largest value
 *
 * The operation of a reduction.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_REDUCE_SUM,
  GST_GLES_REDUCE_MIN,
  GST_GLES_REDUCE_MAX
} GstGlesReduceOp;

/**
 * GstGlesReduce:
 *
 * A plan for sums, minima and maxima of u32, i32 or f32 values. It belongs to a queue, owns the
 * scratch memory, and can be used for any number of calls on arrays up to its capacity; a call
 * allocates nothing, but the first one of a kind (integer sum, f32 sum, extremum) compiles its
 * kernels. Calls queue work and do not wait; on a cpu device the work is done when they return.
 *
 * Arguments are checked when a call is made: an error leaves every buffer as it was. Conditions
 * that only the device can detect are reported in #GstGlesResult.status.
 *
 * Thread: any, one at a time per plan.
 *
 * Since: 0.1
 */
typedef struct _GstGlesReduce GstGlesReduce;

/**
 * gst_gles_reduce_new:
 * @queue: the queue of the plan; kept
 * @capacity: the most values per call, up to %GST_GLES_MAX_VALUES
 * @error: set when %NULL is returned
 *
 * Makes a plan. Thread: any.
 *
 * Returns: (transfer full) (nullable): a plan. Errors: %GST_GLES_ERROR_TOO_LARGE,
 *     %GST_GLES_ERROR_NO_MEMORY, %GST_GLES_ERROR_COMPILE, %GST_GLES_ERROR_SETTINGS
 *     (`GST_GLES_REDUCE_VARIANT`), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesReduce *gst_gles_reduce_new (
    GstGlesQueue *queue, guint capacity, GError **error);

/**
 * gst_gles_reduce_ref:
 * @reduce: a plan
 *
 * Returns: (transfer full): @reduce
 * Since: 0.1
 */
GST_GLES_API GstGlesReduce *gst_gles_reduce_ref (GstGlesReduce *reduce);

/**
 * gst_gles_reduce_unref:
 * @reduce: (transfer full) (nullable): a plan
 *
 * Drops a reference. Queued work still runs. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_reduce_unref (GstGlesReduce *reduce);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesReduce, gst_gles_reduce_unref)

/**
 * gst_gles_reduce_get_result:
 * @reduce: a plan
 *
 * Gets the device buffer to which each call writes a #GstGlesResult, at offset 0. Its total is an
 * integer sum in 64 bits (%GST_GLES_STATUS_TOTAL_WRAPPED marks u32 sums that need them), or, in the
 * low word, the bits of an f32 sum or of the extreme value; its count is the number of values that
 * were read. For no values the sum is 0 (f32: -0), the minimum is the last and the maximum the
 * first value of the order. It is written in the order of the queue, and the next call overwrites
 * it.
 *
 * Returns: (transfer none): the buffer; lives as long as @reduce
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_reduce_get_result (GstGlesReduce *reduce);

/**
 * gst_gles_reduce_run:
 * @reduce: a plan
 * @op: the operation
 * @type: u32, i32 or f32
 * @input: (transfer none): @n values
 * @n: number of values, 0 allowed
 * @error: set when %FALSE is returned
 *
 * Queues a reduction. Does not wait.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_TOO_LARGE (over the capacity),
 *     %GST_GLES_ERROR_INVALID (a buffer that is too small or of another device; 64-bit values),
 *     %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_reduce_run (GstGlesReduce *reduce, GstGlesReduceOp op,
    GstGlesValueType type, GstGlesBuffer *input, guint n, GError **error);

/**
 * gst_gles_reduce_run_indirect:
 * @reduce: a plan
 * @op: the operation
 * @type: u32, i32 or f32
 * @input: (transfer none): the values
 * @count: (transfer none): the buffer that holds the number of values
 * @count_offset_bytes: byte offset of the number in @count, a multiple of 4
 * @error: set when %FALSE is returned
 *
 * Like gst_gles_reduce_run(), but the number of values is a u32 on the device, which is read when
 * the work runs. It is limited to the capacity and the size of @input
 * (%GST_GLES_STATUS_COUNT_CLAMPED).
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_reduce_run().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_reduce_run_indirect (GstGlesReduce *reduce, GstGlesReduceOp op,
    GstGlesValueType type, GstGlesBuffer *input, GstGlesBuffer *count, gsize count_offset_bytes,
    GError **error);

G_END_DECLS

#endif
