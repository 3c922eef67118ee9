/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_TOP_K_H
#define GST_GLES_TOP_K_H

#include <gst/gles/core/types.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_TOP_K (gst_gles_top_k_get_type ())
GST_GLES_API GType gst_gles_top_k_get_type (void);

/**
 * GstGlesTopK:
 *
 * A plan for the largest or smallest keys of an array, in order, and their indices. It belongs to a
 * queue, owns the scratch memory, and can be used for any number of calls on arrays up to its
 * capacity; a call allocates nothing. Calls queue work and do not wait; on a cpu device the work is
 * done when they return.
 *
 * Radix select (Alabi and others, "Fast K-Selection Algorithms for Graphics Processing Units",
 * 2012): the k-th key is found digit by digit; the keys before it, and as many equal keys as are
 * needed, are selected in input order; and these are sorted, stably.
 *
 * Arguments are checked when a call is made: an error leaves every buffer as it was. Conditions
 * that only the device can detect are reported in #GstGlesResult.status.
 *
 * Thread: any, one at a time per plan.
 *
 * Since: 0.1
 */
typedef struct _GstGlesTopK GstGlesTopK;

/**
 * gst_gles_top_k_new:
 * @queue: the queue of the plan; kept
 * @type: the type of keys: u32, i32 or f32
 * @largest: the largest keys, the largest first; else the smallest, the smallest first
 * @capacity: the most keys per call, up to what one storage block of the device holds:
 *     limits.storage_block_bytes / 4
 * @max_k: the most keys that a call can select
 * @error: set when %NULL is returned
 *
 * Makes a plan, with its kernels compiled. Thread: any.
 *
 * Returns: (transfer full) (nullable): a plan. Errors: %GST_GLES_ERROR_INVALID (a @type that is not
 *     possible), %GST_GLES_ERROR_TOO_LARGE, %GST_GLES_ERROR_NO_MEMORY, %GST_GLES_ERROR_COMPILE,
 *     %GST_GLES_ERROR_SETTINGS (`GST_GLES_TOP_K_VARIANT`, `GST_GLES_SORT_VARIANT`),
 *     %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesTopK *gst_gles_top_k_new (GstGlesQueue *queue, GstGlesValueType type,
    gboolean largest, guint capacity, guint max_k, GError **error);

/**
 * gst_gles_top_k_ref:
 * @top_k: a plan
 *
 * Returns: (transfer full): @top_k
 * Since: 0.1
 */
GST_GLES_API GstGlesTopK *gst_gles_top_k_ref (GstGlesTopK *top_k);

/**
 * gst_gles_top_k_unref:
 * @top_k: (transfer full) (nullable): a plan
 *
 * Drops a reference. Queued work still runs. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_top_k_unref (GstGlesTopK *top_k);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesTopK, gst_gles_top_k_unref)

/**
 * gst_gles_top_k_get_result:
 * @top_k: a plan
 *
 * Gets the device buffer to which each call writes a #GstGlesResult, at offset 0: the number of
 * keys, the number that was written, and the status. It is written in the order of the queue, and
 * the next call overwrites it.
 *
 * Returns: (transfer none): the buffer; lives as long as @top_k
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_top_k_get_result (GstGlesTopK *top_k);

/**
 * gst_gles_top_k_run:
 * @top_k: a plan
 * @keys: (transfer none): @n keys
 * @n: number of keys, 0 allowed
 * @k: the number of keys to select, 0 allowed; all keys if there are fewer
 * @top_keys: (transfer none) (nullable): receives min (@k, @n) keys
 * @top_indices: (transfer none) (nullable): receives their indices in @keys
 * @error: set when %FALSE is returned
 *
 * Queues the search for the first @k entries of the stable sort of @keys, descending for the
 * largest and ascending for the smallest. Does not wait.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_TOO_LARGE (over the capacity or max_k),
 *     %GST_GLES_ERROR_INVALID (a buffer that is too small, of another device, or used twice),
 *     %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_top_k_run (GstGlesTopK *top_k, GstGlesBuffer *keys, guint n, guint k,
    GstGlesBuffer *top_keys, GstGlesBuffer *top_indices, GError **error);

/**
 * gst_gles_top_k_run_indirect:
 * @top_k: a plan
 * @keys: (transfer none): the keys
 * @count: (transfer none): the buffer that holds the number of keys; neither of the outputs
 * @count_offset_bytes: byte offset of the number in @count, a multiple of 4
 * @k: the number of keys to select
 * @top_keys: (transfer none) (nullable): receives up to @k keys
 * @top_indices: (transfer none) (nullable): receives their indices in @keys
 * @error: set when %FALSE is returned
 *
 * Like gst_gles_top_k_run(), but the number of keys is a u32 on the device, which is read when the
 * work runs. It is limited to the capacity and the size of @keys (%GST_GLES_STATUS_COUNT_CLAMPED).
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_top_k_run().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_top_k_run_indirect (GstGlesTopK *top_k, GstGlesBuffer *keys,
    GstGlesBuffer *count, gsize count_offset_bytes, guint k, GstGlesBuffer *top_keys,
    GstGlesBuffer *top_indices, GError **error);

G_END_DECLS

#endif
