/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_SCAN_H
#define GST_GLES_SCAN_H

#include <gst/gles/core/types.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_SCAN (gst_gles_scan_get_type ())
GST_GLES_API GType gst_gles_scan_get_type (void);

/**
 * GstGlesScan:
 *
 * A plan for prefix sums of u32 values, modulo 2^32. It belongs to a queue, owns the scratch
 * memory, and can be used for any number of calls on arrays up to its capacity; a call allocates
 * nothing, but the first one of a kind (plain, segmented, by blocks) compiles its kernels. Calls
 * queue work and do not wait; on a cpu device the work is done when they return.
 *
 * On devices where workgroups make progress in practice, and if the output is not the input, a scan
 * takes one pass with decoupled look-back (Merrill and Garland, "Single-pass Parallel Prefix Scan
 * with Decoupled Look-back", 2016). It ends without that progress too. Otherwise a scan takes two
 * passes, reduce-then-scan. `GST_GLES_SCAN_VARIANT` forces either.
 *
 * Arguments are checked when a call is made: an error leaves every buffer as it was. Conditions
 * that only the device can detect are reported in #GstGlesResult.status.
 *
 * Thread: any, one at a time per plan.
 *
 * Since: 0.1
 */
typedef struct _GstGlesScan GstGlesScan;

/**
 * gst_gles_scan_new:
 * @queue: the queue of the plan; kept
 * @capacity: the most values per call, up to %GST_GLES_MAX_VALUES
 * @error: set when %NULL is returned
 *
 * Makes a plan. Thread: any.
 *
 * Returns: (transfer full) (nullable): a plan. Errors: %GST_GLES_ERROR_TOO_LARGE,
 *     %GST_GLES_ERROR_NO_MEMORY, %GST_GLES_ERROR_COMPILE, %GST_GLES_ERROR_SETTINGS
 *     (`GST_GLES_SCAN_VARIANT`), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesScan *gst_gles_scan_new (GstGlesQueue *queue, guint capacity, GError **error);

/**
 * gst_gles_scan_ref:
 * @scan: a plan
 *
 * Returns: (transfer full): @scan
 * Since: 0.1
 */
GST_GLES_API GstGlesScan *gst_gles_scan_ref (GstGlesScan *scan);

/**
 * gst_gles_scan_unref:
 * @scan: (transfer full) (nullable): a plan
 *
 * Drops a reference. Queued work still runs. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_scan_unref (GstGlesScan *scan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesScan, gst_gles_scan_unref)

/**
 * gst_gles_scan_get_result:
 * @scan: a plan
 *
 * Gets the device buffer to which each call writes a #GstGlesResult, at offset 0: the 64-bit sum of
 * all values (0 for segmented scans and scans by blocks), the number of values that were scanned,
 * and the status. It is written in the order of the queue, and the next call overwrites it.
 *
 * Returns: (transfer none): the buffer; lives as long as @scan
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_scan_get_result (GstGlesScan *scan);

/**
 * gst_gles_scan_exclusive:
 * @scan: a plan
 * @input: (transfer none): @n u32 values
 * @output: (transfer none): @n u32 values; may be @input
 * @n: number of values, 0 allowed
 * @error: set when %FALSE is returned
 *
 * Queues an exclusive prefix sum: output[i] = input[0] + ... + input[i - 1]. Does not wait.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_TOO_LARGE (over the capacity),
 *     %GST_GLES_ERROR_INVALID (a buffer that is too small or of another device),
 *     %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_scan_exclusive (
    GstGlesScan *scan, GstGlesBuffer *input, GstGlesBuffer *output, guint n, GError **error);

/**
 * gst_gles_scan_inclusive:
 * @scan: a plan
 * @input: (transfer none): @n u32 values
 * @output: (transfer none): @n u32 values; may be @input
 * @n: number of values, 0 allowed
 * @error: set when %FALSE is returned
 *
 * Queues an inclusive prefix sum: output[i] = input[0] + ... + input[i]. Does not wait.
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_scan_exclusive().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_scan_inclusive (
    GstGlesScan *scan, GstGlesBuffer *input, GstGlesBuffer *output, guint n, GError **error);

/**
 * gst_gles_scan_exclusive_indirect:
 * @scan: a plan
 * @input: (transfer none): the values
 * @output: (transfer none): as many; may be @input
 * @count: (transfer none): the buffer that holds the number of values; neither @input nor @output
 * @count_offset_bytes: byte offset of the number in @count, a multiple of 4
 * @error: set when %FALSE is returned
 *
 * Like gst_gles_scan_exclusive(), but the number of values is a u32 on the device, which is read
 * when the work runs. It is limited to the capacity and the sizes of @input and @output
 * (%GST_GLES_STATUS_COUNT_CLAMPED).
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_scan_exclusive().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_scan_exclusive_indirect (GstGlesScan *scan, GstGlesBuffer *input,
    GstGlesBuffer *output, GstGlesBuffer *count, gsize count_offset_bytes, GError **error);

/**
 * gst_gles_scan_inclusive_indirect:
 * @scan: a plan
 * @input: (transfer none): the values
 * @output: (transfer none): as many; may be @input
 * @count: (transfer none): the buffer that holds the number of values; neither @input nor @output
 * @count_offset_bytes: byte offset of the number in @count, a multiple of 4
 * @error: set when %FALSE is returned
 *
 * Like gst_gles_scan_inclusive(), but the number of values is on the device; see
 * gst_gles_scan_exclusive_indirect().
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_scan_exclusive().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_scan_inclusive_indirect (GstGlesScan *scan, GstGlesBuffer *input,
    GstGlesBuffer *output, GstGlesBuffer *count, gsize count_offset_bytes, GError **error);

/**
 * gst_gles_scan_segmented:
 * @scan: a plan
 * @input: (transfer none): @n u32 values
 * @heads: (transfer none): @n u32 flags: a segment begins where one is not 0, and at 0
 * @output: (transfer none): @n u32 values; may be @input, but not @heads
 * @n: number of values, 0 allowed
 * @inclusive: whether a value is part of its own sum
 * @error: set when %FALSE is returned
 *
 * Queues prefix sums that restart at every segment. Does not wait.
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_scan_exclusive().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_scan_segmented (GstGlesScan *scan, GstGlesBuffer *input,
    GstGlesBuffer *heads, GstGlesBuffer *output, guint n, gboolean inclusive, GError **error);

/**
 * gst_gles_scan_segmented_indirect:
 * @scan: a plan
 * @input: (transfer none): the values
 * @heads: (transfer none): as many flags
 * @output: (transfer none): as many values; may be @input, but not @heads
 * @count: (transfer none): the buffer that holds the number of values; none of the others
 * @count_offset_bytes: byte offset of the number in @count, a multiple of 4
 * @inclusive: whether a value is part of its own sum
 * @error: set when %FALSE is returned
 *
 * Like gst_gles_scan_segmented(), but the number of values is on the device; see
 * gst_gles_scan_exclusive_indirect().
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_scan_exclusive().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_scan_segmented_indirect (GstGlesScan *scan, GstGlesBuffer *input,
    GstGlesBuffer *heads, GstGlesBuffer *output, GstGlesBuffer *count, gsize count_offset_bytes,
    gboolean inclusive, GError **error);

/**
 * GstGlesScanBlocks:
 * @block_size: values per block, at least 1; the last block may have less
 * @inclusive: whether a value is part of its own sum
 * @totals: (nullable): receives one u32 per block, its sum modulo 2^32; neither the input nor the
 *     output; what it holds limits the number of values, too
 *
 * How gst_gles_scan_blocks() and gst_gles_scan_blocks_indirect() divide the values.
 *
 * Since: 0.1
 */
typedef struct {
  guint block_size;
  gboolean inclusive;
  GstGlesBuffer *totals;
} GstGlesScanBlocks;

/**
 * gst_gles_scan_blocks_set_totals:
 * @blocks: how values are divided
 * @totals: (transfer none) (nullable): the buffer, which must live as long as @blocks is used
 *
 * Sets the field, for languages that cannot assign a buffer to it.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_scan_blocks_set_totals (
    GstGlesScanBlocks *blocks, GstGlesBuffer *totals);

/**
 * gst_gles_scan_blocks:
 * @scan: a plan
 * @input: (transfer none): @n u32 values
 * @output: (transfer none): @n u32 values; may be @input
 * @n: number of values, 0 allowed
 * @blocks: where the sums restart
 * @error: set when %FALSE is returned
 *
 * Queues prefix sums that restart at every block. Does not wait.
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_scan_exclusive(), %GST_GLES_ERROR_INVALID for
 *     blocks of 0 values.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_scan_blocks (GstGlesScan *scan, GstGlesBuffer *input,
    GstGlesBuffer *output, guint n, const GstGlesScanBlocks *blocks, GError **error);

/**
 * gst_gles_scan_blocks_indirect:
 * @scan: a plan
 * @input: (transfer none): the values
 * @output: (transfer none): as many; may be @input
 * @count: (transfer none): the buffer that holds the number of values; none of the others
 * @count_offset_bytes: byte offset of the number in @count, a multiple of 4
 * @blocks: where the sums restart
 * @error: set when %FALSE is returned
 *
 * Like gst_gles_scan_blocks(), but the number of values is on the device; see
 * gst_gles_scan_exclusive_indirect().
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_scan_blocks().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_scan_blocks_indirect (GstGlesScan *scan, GstGlesBuffer *input,
    GstGlesBuffer *output, GstGlesBuffer *count, gsize count_offset_bytes,
    const GstGlesScanBlocks *blocks, GError **error);

G_END_DECLS

#endif
