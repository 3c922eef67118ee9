/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_HISTOGRAM_H
#define GST_GLES_HISTOGRAM_H

#include <gst/gles/core/types.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_HISTOGRAM (gst_gles_histogram_get_type ())
GST_GLES_API GType gst_gles_histogram_get_type (void);

/**
 * GstGlesKeyType:
 * @GST_GLES_KEY_U8: unsigned 8-bit integers
 * @GST_GLES_KEY_U16: unsigned 16-bit integers, little-endian
 * @GST_GLES_KEY_U32: unsigned 32-bit integers
 *
 * The type of the keys of a histogram. Keys lie in the buffer without gaps.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_KEY_U8,
  GST_GLES_KEY_U16,
  GST_GLES_KEY_U32
} GstGlesKeyType;

/**
 * GST_GLES_MAX_BINS:
 *
 * The largest number of bins of a histogram of an array.
 *
 * Since: 0.1
 */
#define GST_GLES_MAX_BINS 65536

/**
 * GstGlesHistogram:
 *
 * A plan for histograms of arrays: exact counts of integer keys in bins of equal width. A key k
 * with lower <= k < upper is counted in bin floor ((k - lower) * bins / (upper - lower)), in
 * exact integers; other keys are not counted. It belongs to a queue, owns the scratch memory,
 * and can be used for any number of calls on arrays up to its capacity; a call allocates
 * nothing. Kernels are compiled when the plan is made. Calls queue work and do not wait; on a
 * cpu device the work is done when they return.
 *
 * Arguments are checked when a call is made: an error leaves every buffer as it was. Conditions
 * that only the device can detect are reported in #GstGlesResult.status.
 *
 * Memory: a few bytes per bin. On GPUs, with more bins than twice the words of shared memory
 * (24576 on NVIDIA): some 6 MB, or per million keys of the capacity 42 KB (65536 bins) to 112 KB
 * (24577 bins) if that is more.
 *
 * Replicated counters in shared memory follow "Optimized GPU histograms" (Podlozhnyuk, 2007).
 * This library adds 16-bit counters in ranges, private counters, and narrow counters that are
 * corrected by recorded carries; docs/algorithms/histogram.md describes them.
 *
 * Thread: any, one at a time per plan.
 *
 * Since: 0.1
 */
typedef struct _GstGlesHistogram GstGlesHistogram;

/**
 * gst_gles_histogram_new:
 * @queue: the queue of the plan; kept
 * @type: the type of the keys
 * @bins: the number of bins, 1 to %GST_GLES_MAX_BINS
 * @lower: the smallest key that is counted
 * @upper: the smallest key above @lower that is not counted; at most 2^32
 * @capacity: the most keys per call, up to %GST_GLES_MAX_VALUES
 * @error: set when %NULL is returned
 *
 * Makes a plan. Thread: any.
 *
 * Returns: (transfer full) (nullable): a plan. Errors: %GST_GLES_ERROR_INVALID (no bins or too
 *     many, an empty range), %GST_GLES_ERROR_TOO_LARGE, %GST_GLES_ERROR_NO_MEMORY,
 *     %GST_GLES_ERROR_COMPILE, %GST_GLES_ERROR_SETTINGS (`GST_GLES_HISTOGRAM_VARIANT`),
 *     %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesHistogram *gst_gles_histogram_new (GstGlesQueue *queue, GstGlesKeyType type,
    guint bins, guint32 lower, guint64 upper, guint capacity, GError **error);

/**
 * gst_gles_histogram_ref:
 * @histogram: a plan
 *
 * Returns: (transfer full): @histogram
 * Since: 0.1
 */
GST_GLES_API GstGlesHistogram *gst_gles_histogram_ref (GstGlesHistogram *histogram);

/**
 * gst_gles_histogram_unref:
 * @histogram: (transfer full) (nullable): a plan
 *
 * Drops a reference. Queued work still runs. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_histogram_unref (GstGlesHistogram *histogram);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesHistogram, gst_gles_histogram_unref)

/**
 * gst_gles_histogram_get_result:
 * @histogram: a plan
 *
 * Gets the device buffer to which each call writes a #GstGlesResult, at offset 0. Its total and its
 * count are the number of keys that were read, including keys outside the range. It is written in
 * the order of the queue, and the next call overwrites it.
 *
 * Returns: (transfer none): the buffer; lives as long as @histogram
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_histogram_get_result (GstGlesHistogram *histogram);

/**
 * gst_gles_histogram_run:
 * @histogram: a plan
 * @keys: (transfer none): @n keys
 * @n: number of keys, 0 allowed
 * @counts: (transfer none): receives a u32 per bin, overwritten; not @keys
 * @error: set when %FALSE is returned
 *
 * Queues a histogram. Does not wait.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_TOO_LARGE (over the capacity),
 *     %GST_GLES_ERROR_INVALID (a buffer that is too small, of another device, or used
 *     twice), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_histogram_run (GstGlesHistogram *histogram, GstGlesBuffer *keys,
    guint n, GstGlesBuffer *counts, GError **error);

/**
 * gst_gles_histogram_run_indirect:
 * @histogram: a plan
 * @keys: (transfer none): the keys
 * @count: (transfer none): the buffer that holds the number of keys; not @counts
 * @count_offset_bytes: byte offset of the number in @count, a multiple of 4
 * @counts: (transfer none): receives a u32 per bin, overwritten; not @keys
 * @error: set when %FALSE is returned
 *
 * Like gst_gles_histogram_run(), but the number of keys is a u32 on the device, which is read
 * when the work runs. It is limited to the capacity and the size of @keys
 * (%GST_GLES_STATUS_COUNT_CLAMPED).
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_histogram_run().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_histogram_run_indirect (GstGlesHistogram *histogram,
    GstGlesBuffer *keys, GstGlesBuffer *count, gsize count_offset_bytes, GstGlesBuffer *counts,
    GError **error);

G_END_DECLS

#endif
