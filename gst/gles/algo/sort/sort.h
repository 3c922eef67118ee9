/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_SORT_H
#define GST_GLES_SORT_H

#include <gst/gles/core/types.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_SORT (gst_gles_sort_get_type ())
GST_GLES_API GType gst_gles_sort_get_type (void);

/**
 * GstGlesSort:
 *
 * A plan for stable sorts of keys, with an optional payload word per key. It belongs to a queue,
 * owns the scratch memory, and can be used for any number of calls on arrays up to its capacity; a
 * call allocates nothing. Calls queue work and do not wait; on a cpu device the work is done when
 * they return.
 *
 * Radix sort, least significant digit first (Satish, Harris and Garland, "Designing Efficient
 * Sorting Algorithms for Manycore GPUs", 2009): each pass counts the digits of tiles, makes prefix
 * sums of the counts, and scatters the keys. On devices where workgroups make progress in practice,
 * a pass does all three with decoupled look-back (Adinets and Merrill, "Onesweep", 2022), which
 * ends without that progress too. No atomic operation decides an order: the same input gives the
 * same output, bit for bit, on every device. `GST_GLES_SORT_VARIANT` forces a method.
 *
 * Arguments are checked when a call is made: an error leaves every buffer as it was. Conditions
 * that only the device can detect are reported in #GstGlesResult.status.
 *
 * Thread: any, one at a time per plan.
 *
 * Since: 0.1
 */
typedef struct _GstGlesSort GstGlesSort;

/**
 * GstGlesSortConfig:
 * @type: the type of keys
 * @descending: largest first; equal keys keep the order of the input here too
 * @payload: whether each key has a u32 payload
 * @begin_bit: first bit that is sorted by, of the key as u32 or u64 (an f32 or i32 is mapped to a
 *     u32 with the same order)
 * @end_bit: the bit after the last one that is sorted by, at most 32 (u64: 64); 0 is the end of the
 *     key. For an empty range, such as 1 to 1, the order stays
 * @digit_bits: bits per pass: 4 or 8; 0 for the best on the device
 *
 * The configuration of a plan. gst_gles_sort_config_init() sets it up for whole keys. A
 * configuration of zeros sorts whole u32 keys.
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
 * @type: the type of keys
 *
 * Makes @config an ascending sort by all bits of keys alone. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_sort_config_init (GstGlesSortConfig *config, GstGlesValueType type);

/**
 * gst_gles_sort_new:
 * @queue: the queue of the plan; kept
 * @config: the configuration
 * @capacity: the most keys per call, up to %GST_GLES_MAX_VALUES and to what one storage block of
 *     the device holds: limits.storage_block_bytes / 4 words, where a key takes one word or two;
 *     its payload takes one more on a device with fewer than five storage blocks
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
 * gst_gles_sort_unref:
 * @sort: (transfer full) (nullable): a plan
 *
 * Drops a reference. Queued work still runs. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_sort_unref (GstGlesSort *sort);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesSort, gst_gles_sort_unref)

/**
 * gst_gles_sort_get_result:
 * @sort: a plan
 *
 * Gets the device buffer to which each call writes a #GstGlesResult, at offset 0: the number of
 * keys, the number that was sorted, and the status. It is written in the order of the queue, and
 * the next call overwrites it.
 *
 * Returns: (transfer none): the buffer; lives as long as @sort
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_sort_get_result (GstGlesSort *sort);

/**
 * gst_gles_sort_run:
 * @sort: a plan
 * @keys_in: (transfer none): @n keys, each a word, or two with the low one first
 * @payloads_in: (transfer none) (nullable): @n words; %NULL: the payload of a key is its index in
 *     the input
 * @keys_out: (transfer none): @n keys; may be @keys_in
 * @payloads_out: (transfer none) (nullable): @n words; may be @payloads_in; %NULL if and only if
 *     the plan sorts keys alone
 * @n: number of keys, 0 allowed
 * @error: set when %FALSE is returned
 *
 * Queues a sort. Does not wait. No output is written after its n-th entry.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_TOO_LARGE (over the capacity),
 *     %GST_GLES_ERROR_INVALID (a buffer that is too small, of another device, or an output that is
 *     also another output or the other input), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_sort_run (GstGlesSort *sort, GstGlesBuffer *keys_in,
    GstGlesBuffer *payloads_in, GstGlesBuffer *keys_out, GstGlesBuffer *payloads_out, guint n,
    GError **error);

/**
 * gst_gles_sort_run_indirect:
 * @sort: a plan
 * @keys_in: (transfer none): the keys
 * @payloads_in: (transfer none) (nullable): as many words; %NULL: the payload of a key is its index
 * @keys_out: (transfer none): as many keys; may be @keys_in
 * @payloads_out: (transfer none) (nullable): as many words; may be @payloads_in
 * @count: (transfer none): the buffer that holds the number of keys; none of the others
 * @count_offset_bytes: byte offset of the number in @count, a multiple of 4
 * @error: set when %FALSE is returned
 *
 * Like gst_gles_sort_run(), but the number of keys is a u32 on the device, which is read when the
 * work runs. It is limited to the capacity and the sizes of all buffers
 * (%GST_GLES_STATUS_COUNT_CLAMPED).
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_sort_run().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_sort_run_indirect (GstGlesSort *sort, GstGlesBuffer *keys_in,
    GstGlesBuffer *payloads_in, GstGlesBuffer *keys_out, GstGlesBuffer *payloads_out,
    GstGlesBuffer *count, gsize count_offset_bytes, GError **error);

G_END_DECLS

#endif
