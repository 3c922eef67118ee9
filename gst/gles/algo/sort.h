/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_SORT_H
#define GST_GLES_SORT_H

#include <gst/gles/algo/types.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_SORT (gst_gles_sort_get_type ())
GST_GLES_API GType gst_gles_sort_get_type (void);

/**
 * GstGlesSort:
 *
 * A plan for stable sorts of keys, with or without a word that each key carries. It belongs to a
 * queue, owns the scratch memory, and can be used for any number of calls on arrays up to its
 * capacity; a call allocates nothing. Calls queue work and do not wait; on a cpu device the work is
 * done when they return.
 *
 * Radix sort, least significant digit first (Satish, Harris and Garland, "Designing Efficient Sorting
 * Algorithms for Manycore GPUs", 2009): each pass counts the digits of tiles, sums the counts up and
 * scatters; or, where the device is known to make progress with every workgroup, does that in one go
 * with decoupled look-back (Adinets and Merrill, "Onesweep", 2022), which does not depend on that
 * progress for its end. No atomic operation decides an order: the same input gives the same output,
 * bit for bit, on every device. `GST_GLES_SORT_VARIANT` forces a way.
 *
 * Arguments are checked when a call is made: an error leaves every buffer as it was. What only the
 * device knows comes back as #GstGlesResult.status.
 *
 * Thread: any, one at a time per plan.
 *
 * Since: 0.1
 */
typedef struct _GstGlesSort GstGlesSort;

/**
 * GstGlesSortConfig:
 * @type: what keys are
 * @descending: largest first; equal keys keep the order of the input here too
 * @payload: each key carries a u32
 * @begin_bit: first bit that counts, of the u32 or u64 that keys are compared as (an f32 or i32 has
 *     its bits changed so that the order of u32 is its own)
 * @end_bit: bit behind the last one that counts, at most 32 (u64: 64); 0 is the end of the key. A range
 *     that is empty, as 1 to 1, leaves the order as it is
 * @digit_bits: bits sorted by in a pass: 4 or 8, 0 for what is best on the device
 *
 * What a plan sorts. gst_gles_sort_config_init() fills it in for whole keys; all zero it sorts whole u32.
 *
 * Since: 0.1
 */
typedef struct {
  GstGlesValueType type;
  gboolean descending;
  gboolean payload;
  guint begin_bit;
  guint end_bit;
  guint digit_bits;
  /*< private >*/
  gpointer reserved[4];
} GstGlesSortConfig;

/**
 * gst_gles_sort_config_init:
 * @config: (out caller-allocates): filled in
 * @type: what keys are
 *
 * Makes @config an ascending sort by all bits of keys alone. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_sort_config_init (GstGlesSortConfig *config, GstGlesValueType type);

/**
 * gst_gles_sort_new:
 * @queue: where the work is queued; kept
 * @config: what to sort
 * @capacity: how many keys a call can have at most, up to %GST_GLES_MAX_VALUES and to what one storage
 *     block of the device holds: limits.storage_block_bytes / 4 words, where a key takes one word or
 *     two; its payload takes one more on a device with fewer than five storage blocks
 * @error: set when %NULL is returned
 *
 * Makes a plan, with its kernels compiled. Thread: any.
 *
 * Returns: (transfer full) (nullable): a plan. Errors: %GST_GLES_ERROR_INVALID (a bit range that is
 *     reversed or goes beyond the key, other digits than 4 and 8 bits), %GST_GLES_ERROR_TOO_LARGE,
 *     %GST_GLES_ERROR_NO_MEMORY, %GST_GLES_ERROR_COMPILE, %GST_GLES_ERROR_SETTINGS
 *     (`GST_GLES_SORT_VARIANT`), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesSort *gst_gles_sort_new (
    GstGlesQueue *queue, const GstGlesSortConfig *config, guint capacity, GError **error);

/**
 * gst_gles_sort_ref:
 * @sort: a plan
 *
 * Returns: (transfer full): @sort
 * Since: 0.1
 */
GST_GLES_API GstGlesSort *gst_gles_sort_ref (GstGlesSort *sort);

/**
 * gst_gles_sort_free:
 * @sort: (transfer full) (nullable): a plan
 *
 * Drops a reference. What is queued still runs. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_sort_free (GstGlesSort *sort);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesSort, gst_gles_sort_free)

/**
 * gst_gles_sort_get_result:
 * @sort: a plan
 *
 * The device buffer that each call leaves a #GstGlesResult at the start of: how many keys there were,
 * how many of them were sorted, and the status. In the order of the plan's queue; the next call
 * overwrites it.
 *
 * Returns: (transfer none): the buffer; lives as long as @sort
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_sort_get_result (GstGlesSort *sort);

/**
 * gst_gles_sort_run:
 * @sort: a plan
 * @keys_in: (transfer none): @n keys, each a word, or two with the low one first
 * @payloads_in: (transfer none) (nullable): @n words; %NULL: a key carries its place in the input
 * @keys_out: (transfer none): @n keys; may be @keys_in
 * @payloads_out: (transfer none) (nullable): @n words; may be @payloads_in; %NULL if and only if the
 *     plan sorts keys alone
 * @n: number of keys, 0 allowed
 * @error: set when %FALSE is returned
 *
 * Queues a sort. Does not wait. Nothing behind the n-th entry of an output is written.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_TOO_LARGE (over the capacity),
 *     %GST_GLES_ERROR_INVALID (a buffer that is too small, another device's, or an output that is
 *     another output or the other input), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_sort_run (GstGlesSort *sort, GstGlesBuffer *keys_in,
    GstGlesBuffer *payloads_in, GstGlesBuffer *keys_out, GstGlesBuffer *payloads_out, guint n,
    GError **error);

/**
 * gst_gles_sort_run_indirect:
 * @sort: a plan
 * @keys_in: (transfer none): the keys
 * @payloads_in: (transfer none) (nullable): as many words; %NULL: a key carries its place
 * @keys_out: (transfer none): as many keys; may be @keys_in
 * @payloads_out: (transfer none) (nullable): as many words; may be @payloads_in
 * @count: (transfer none): where the number of keys is; none of the others
 * @count_offset_bytes: at which byte, a multiple of 4
 * @error: set when %FALSE is returned
 *
 * gst_gles_sort_run() of as many keys as a u32 on the device says when the work runs, at most the
 * capacity and what all the buffers hold: %GST_GLES_STATUS_COUNT_CLAMPED.
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_sort_run().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_sort_run_indirect (GstGlesSort *sort, GstGlesBuffer *keys_in,
    GstGlesBuffer *payloads_in, GstGlesBuffer *keys_out, GstGlesBuffer *payloads_out,
    GstGlesBuffer *count, gsize count_offset_bytes, GError **error);

G_END_DECLS

#endif
