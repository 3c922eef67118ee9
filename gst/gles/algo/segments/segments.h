/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_SEGMENTS_H
#define GST_GLES_SEGMENTS_H

#include <gst/gles/core/types.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_SEGMENTS (gst_gles_segments_get_type ())
GST_GLES_API GType gst_gles_segments_get_type (void);

/**
 * GstGlesSegments:
 *
 * A plan for runs of equal keys and statistics of the values of each run. In sorted keys the runs
 * are the groups, so a sort followed by this is a group-by. It belongs to a queue, owns the scratch
 * memory, and can be used for any number of calls on arrays up to its capacity; a call allocates
 * nothing, but the first one of a kind compiles its kernels. Calls queue work and do not wait; on a
 * cpu device the work is done when they return.
 *
 * Runs are found in two passes, count and write. Values are folded by a tree over the whole array,
 * of which each run uses the nodes that lie inside it. So the cost does not depend on the lengths
 * of runs, and f32 sums have the same bits on every device.
 *
 * Arguments are checked when a call is made: an error leaves every buffer as it was. Conditions
 * that only the device can detect are reported in #GstGlesResult.status.
 *
 * Thread: any, one at a time per plan.
 *
 * Since: 0.1
 */
typedef struct _GstGlesSegments GstGlesSegments;

/**
 * GstGlesSegmentsOutputs:
 * @keys: (nullable): the keys of the runs
 * @starts: (nullable): the index at which each begins
 * @counts: (nullable): the length of each
 * @sums: (nullable): the sum of its values: modulo 2^32, or an f32 by the tree of #GstGlesReduce
 *     with -0 in place of the values of other runs
 * @sums_high: (nullable): the high words of the sums in 64 bits, sign-extended for i32; not for f32
 * @mins: (nullable): the smallest value
 * @maxs: (nullable): the largest value
 *
 * The outputs, one entry per run in input order. The smallest of the buffers limits the number of
 * entries, which are those of the first runs. No buffer may be given twice or be an input. For
 * means see gst_gles_segments_get_mean().
 *
 * Since: 0.1
 */
typedef struct {
  GstGlesBuffer *keys;
  GstGlesBuffer *starts;
  GstGlesBuffer *counts;
  GstGlesBuffer *sums;
  GstGlesBuffer *sums_high;
  GstGlesBuffer *mins;
  GstGlesBuffer *maxs;
  /*< private >*/
  gpointer reserved[4];
} GstGlesSegmentsOutputs;

/**
 * GstGlesSegmentsField:
 * @GST_GLES_SEGMENTS_KEYS: the keys of the runs
 * @GST_GLES_SEGMENTS_STARTS: the index at which each begins
 * @GST_GLES_SEGMENTS_COUNTS: the length of each
 * @GST_GLES_SEGMENTS_SUMS: the sums
 * @GST_GLES_SEGMENTS_SUMS_HIGH: the high words of the sums
 * @GST_GLES_SEGMENTS_MINS: the smallest values
 * @GST_GLES_SEGMENTS_MAXS: the largest values
 *
 * The fields of #GstGlesSegmentsOutputs.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_SEGMENTS_KEYS,
  GST_GLES_SEGMENTS_STARTS,
  GST_GLES_SEGMENTS_COUNTS,
  GST_GLES_SEGMENTS_SUMS,
  GST_GLES_SEGMENTS_SUMS_HIGH,
  GST_GLES_SEGMENTS_MINS,
  GST_GLES_SEGMENTS_MAXS
} GstGlesSegmentsField;

/**
 * gst_gles_segments_outputs_set:
 * @outputs: the buffers that receive the results
 * @field: the field to set
 * @buffer: (transfer none) (nullable): its buffer, which must live as long as @outputs is used
 *
 * Sets a field, for languages that cannot assign a buffer to it. Thread: any, one at a time per
 * @outputs.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_segments_outputs_set (
    GstGlesSegmentsOutputs *outputs, GstGlesSegmentsField field, GstGlesBuffer *buffer);

/**
 * gst_gles_segments_new:
 * @queue: the queue of the plan; kept
 * @capacity: the most keys per call; about 1.5 words of scratch memory for each must fit one
 *     storage block of the device
 * @error: set when %NULL is returned
 *
 * Makes a plan. Thread: any.
 *
 * Returns: (transfer full) (nullable): a plan. Errors: %GST_GLES_ERROR_TOO_LARGE,
 *     %GST_GLES_ERROR_NO_MEMORY, %GST_GLES_ERROR_COMPILE, %GST_GLES_ERROR_SETTINGS
 *     (`GST_GLES_SEGMENTS_VARIANT`), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesSegments *gst_gles_segments_new (
    GstGlesQueue *queue, guint capacity, GError **error);

/**
 * gst_gles_segments_ref:
 * @segments: a plan
 *
 * Returns: (transfer full): @segments
 * Since: 0.1
 */
GST_GLES_API GstGlesSegments *gst_gles_segments_ref (GstGlesSegments *segments);

/**
 * gst_gles_segments_unref:
 * @segments: (transfer full) (nullable): a plan
 *
 * Drops a reference. Queued work still runs. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_segments_unref (GstGlesSegments *segments);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesSegments, gst_gles_segments_unref)

/**
 * gst_gles_segments_get_result:
 * @segments: a plan
 *
 * Gets the device buffer to which each call writes a #GstGlesResult, at offset 0: the number of
 * runs, the number that was written, and the status (%GST_GLES_STATUS_TRUNCATED: the outputs were
 * full). It is written in the order of the queue, and the next call overwrites it.
 *
 * Returns: (transfer none): the buffer; lives as long as @segments
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_segments_get_result (GstGlesSegments *segments);

/**
 * gst_gles_segments_run:
 * @segments: a plan
 * @key_type: the type of keys, which determines their size. Keys are equal if their bits are, so -0
 *     is not +0 and a NaN equals itself
 * @keys: (transfer none): @n keys
 * @value_type: u32, i32 or f32
 * @values: (transfer none) (nullable): @n values; may be %NULL if no sums, mins or maxs are wanted
 * @n: number of keys, 0 allowed
 * @outputs: the buffers that receive the results
 * @error: set when %FALSE is returned
 *
 * Queues the search for runs of equal neighbours and the computation of the wanted outputs. Does
 * not wait.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_TOO_LARGE (over the capacity),
 *     %GST_GLES_ERROR_INVALID (a buffer that is too small, of another device, or used twice),
 *     %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_segments_run (GstGlesSegments *segments, GstGlesValueType key_type,
    GstGlesBuffer *keys, GstGlesValueType value_type, GstGlesBuffer *values, guint n,
    const GstGlesSegmentsOutputs *outputs, GError **error);

/**
 * gst_gles_segments_run_indirect:
 * @segments: a plan
 * @key_type: the type of keys
 * @keys: (transfer none): the keys
 * @value_type: u32, i32 or f32
 * @values: (transfer none) (nullable): as many values
 * @count: (transfer none): the buffer that holds the number of keys; none of the outputs
 * @count_offset_bytes: byte offset of the number in @count, a multiple of 4
 * @outputs: the buffers that receive the results
 * @error: set when %FALSE is returned
 *
 * Like gst_gles_segments_run(), but the number of keys is a u32 on the device, which is read when
 * the work runs. It is limited to the capacity and the sizes of @keys and @values
 * (%GST_GLES_STATUS_COUNT_CLAMPED).
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_segments_run().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_segments_run_indirect (GstGlesSegments *segments,
    GstGlesValueType key_type, GstGlesBuffer *keys, GstGlesValueType value_type,
    GstGlesBuffer *values, GstGlesBuffer *count, gsize count_offset_bytes,
    const GstGlesSegmentsOutputs *outputs, GError **error);

/**
 * gst_gles_segments_get_mean:
 * @value_type: u32, i32 or f32
 * @sum: the run's entry of the sums
 * @sum_high: its entry of the high sums; for i32 without them -1 if @sum is negative, else 0;
 *     ignored for f32
 * @count: its entry of the counts
 *
 * Computes the mean of the values of a run from outputs that were read back. Thread: any.
 *
 * Returns: the mean, a NaN when @count is 0
 * Since: 0.1
 */
GST_GLES_API gdouble gst_gles_segments_get_mean (
    GstGlesValueType value_type, guint32 sum, guint32 sum_high, guint32 count);

G_END_DECLS

#endif
