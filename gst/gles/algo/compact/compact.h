/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_COMPACT_H
#define GST_GLES_COMPACT_H

#include <gst/gles/algo/map/map.h>
#include <gst/gles/core/types.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_COMPACT (gst_gles_compact_get_type ())
GST_GLES_API GType gst_gles_compact_get_type (void);

/**
 * GstGlesCompact:
 *
 * A plan for stream compaction: the values that pass a predicate, and their indices, in input
 * order. It belongs to a queue, owns the scratch memory, and can be used for any number of calls on
 * arrays up to its capacity; a call allocates nothing, but the first one of a kind (by range or
 * flags, with values or indices or both) compiles its kernels. Calls queue work and do not wait; on
 * a cpu device the work is done when they return.
 *
 * On devices where workgroups make progress in practice, compaction takes one pass with decoupled
 * look-back, which ends without that progress too. Otherwise it takes two passes, one that counts
 * and one that writes. `GST_GLES_COMPACT_VARIANT` forces either.
 *
 * Arguments are checked when a call is made: an error leaves every buffer as it was. Conditions
 * that only the device can detect are reported in #GstGlesResult.status.
 *
 * Thread: any, one at a time per plan.
 *
 * Since: 0.1
 */
typedef struct _GstGlesCompact GstGlesCompact;

/**
 * gst_gles_compact_new:
 * @queue: the queue of the plan; kept
 * @capacity: the most values per call, up to %GST_GLES_MAX_VALUES
 * @error: set when %NULL is returned
 *
 * Makes a plan. Thread: any.
 *
 * Returns: (transfer full) (nullable): a plan. Errors: %GST_GLES_ERROR_TOO_LARGE,
 *     %GST_GLES_ERROR_NO_MEMORY, %GST_GLES_ERROR_COMPILE, %GST_GLES_ERROR_SETTINGS
 *     (`GST_GLES_COMPACT_VARIANT`), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesCompact *gst_gles_compact_new (
    GstGlesQueue *queue, guint capacity, GError **error);

/**
 * gst_gles_compact_ref:
 * @compact: a plan
 *
 * Returns: (transfer full): @compact
 * Since: 0.1
 */
GST_GLES_API GstGlesCompact *gst_gles_compact_ref (GstGlesCompact *compact);

/**
 * gst_gles_compact_unref:
 * @compact: (transfer full) (nullable): a plan
 *
 * Drops a reference. Queued work still runs. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_compact_unref (GstGlesCompact *compact);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesCompact, gst_gles_compact_unref)

/**
 * gst_gles_compact_get_result:
 * @compact: a plan
 *
 * Gets the device buffer to which each call writes a #GstGlesResult, at offset 0: the number of
 * values that passed, the number that was written, and the status, with %GST_GLES_STATUS_TRUNCATED
 * if these differ. It is written in the order of the queue, and the next call overwrites it.
 *
 * Returns: (transfer none): the buffer; lives as long as @compact
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_compact_get_result (GstGlesCompact *compact);

/**
 * gst_gles_compact_range:
 * @compact: a plan
 * @type: u32, i32 or f32
 * @lower: the bits of the smallest value that passes
 * @upper: the bits of the largest value that passes; for a threshold, the largest of the type (f32:
 *     the bits of infinity, or 0x7fffffff to let positive NaNs pass too)
 * @input: (transfer none): @n values
 * @n: number of values, 0 allowed
 * @values: (transfer none) (nullable): receives the values that pass; not @input
 * @indices: (transfer none) (nullable): receives their indices in @input, u32; not @input, nor
 *     @values
 * @max_count: capacity of @values and @indices: the first entries are written, and no later word is
 *     touched
 * @error: set when %FALSE is returned
 *
 * Queues the compaction of the values from @lower to @upper, in the order of #GstGlesValueType;
 * @lower above @upper lets nothing pass. Does not wait.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_TOO_LARGE (over the capacity),
 *     %GST_GLES_ERROR_INVALID (a buffer that is too small, of another device, or given twice;
 *     64-bit values), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_compact_range (GstGlesCompact *compact, GstGlesValueType type,
    guint32 lower, guint32 upper, GstGlesBuffer *input, guint n, GstGlesBuffer *values,
    GstGlesBuffer *indices, guint max_count, GError **error);

/**
 * gst_gles_compact_range_indirect:
 * @compact: a plan
 * @type: u32, i32 or f32
 * @lower: the bits of the smallest value that passes
 * @upper: the bits of the largest value that passes
 * @input: (transfer none): the values
 * @count: (transfer none): the buffer that holds the number of values; neither @values nor @indices
 * @count_offset_bytes: byte offset of the number in @count, a multiple of 4
 * @values: (transfer none) (nullable): as for gst_gles_compact_range()
 * @indices: (transfer none) (nullable): as for gst_gles_compact_range()
 * @max_count: as for gst_gles_compact_range()
 * @error: set when %FALSE is returned
 *
 * Like gst_gles_compact_range(), but the number of values is a u32 on the device, which is read
 * when the work runs. It is limited to the capacity and the size of @input
 * (%GST_GLES_STATUS_COUNT_CLAMPED).
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_compact_range().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_compact_range_indirect (GstGlesCompact *compact,
    GstGlesValueType type, guint32 lower, guint32 upper, GstGlesBuffer *input, GstGlesBuffer *count,
    gsize count_offset_bytes, GstGlesBuffer *values, GstGlesBuffer *indices, guint max_count,
    GError **error);

/**
 * gst_gles_compact_flags:
 * @compact: a plan
 * @flags: (transfer none): @n u32: a value passes if its flag is not 0
 * @input: (transfer none) (nullable): @n values; not needed without @values
 * @n: number of values, 0 allowed
 * @values: (transfer none) (nullable): receives the values that pass; neither @input nor @flags
 * @indices: (transfer none) (nullable): receives their indices in @input, u32; none of the others
 * @max_count: as for gst_gles_compact_range()
 * @error: set when %FALSE is returned
 *
 * Queues the compaction of the values that are flagged. Does not wait.
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_compact_range().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_compact_flags (GstGlesCompact *compact, GstGlesBuffer *flags,
    GstGlesBuffer *input, guint n, GstGlesBuffer *values, GstGlesBuffer *indices, guint max_count,
    GError **error);

/**
 * gst_gles_compact_flags_indirect:
 * @compact: a plan
 * @flags: (transfer none): the flags
 * @input: (transfer none) (nullable): as many values; not needed without @values
 * @count: (transfer none): the buffer that holds the number of values; neither @values nor @indices
 * @count_offset_bytes: byte offset of the number in @count, a multiple of 4
 * @values: (transfer none) (nullable): as for gst_gles_compact_flags()
 * @indices: (transfer none) (nullable): as for gst_gles_compact_flags()
 * @max_count: as for gst_gles_compact_range()
 * @error: set when %FALSE is returned
 *
 * Like gst_gles_compact_flags(), but the number of values is on the device; see
 * gst_gles_compact_range_indirect().
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_compact_range().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_compact_flags_indirect (GstGlesCompact *compact,
    GstGlesBuffer *flags, GstGlesBuffer *input, GstGlesBuffer *count, gsize count_offset_bytes,
    GstGlesBuffer *values, GstGlesBuffer *indices, guint max_count, GError **error);

/**
 * gst_gles_compact_map:
 * @compact: a plan
 * @map: (transfer none): the predicate, an expression: a place passes if it is not 0
 * @inputs: (array length=n_inputs) (transfer none): the arrays of the expression, each of @n values
 * @n_inputs: their number
 * @parameters: (array length=n_parameters) (nullable): the parameters of the expression
 * @n_parameters: their number
 * @input: (transfer none) (nullable): @n words of 32 bits, such as one of @inputs; not needed
 *     without @values
 * @n: number of places, 0 allowed
 * @values: (transfer none) (nullable): receives the words of @input at the places that pass; none
 *     of the others
 * @indices: (transfer none) (nullable): receives the places that pass, u32; none of the others
 * @max_count: as for gst_gles_compact_range()
 * @error: set when %FALSE is returned
 *
 * Queues the compaction of the places where an expression is not 0. The first call allocates a word
 * for each value of the capacity. Where the number of places is on the device,
 * gst_gles_map_run() makes flags for gst_gles_compact_flags_indirect(). Does not wait.
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_map_run() and gst_gles_compact_range(), and
 *     %GST_GLES_ERROR_NO_MEMORY.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_compact_map (GstGlesCompact *compact, GstGlesMap *map,
    GstGlesBuffer *const *inputs, guint n_inputs, const gint32 *parameters, guint n_parameters,
    GstGlesBuffer *input, guint n, GstGlesBuffer *values, GstGlesBuffer *indices, guint max_count,
    GError **error);

G_END_DECLS

#endif
