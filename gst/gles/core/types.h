/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The value types that every layer shares. */
#ifndef GST_GLES_TYPES_H
#define GST_GLES_TYPES_H

#include <gst/gles/core/prelude.h>

G_BEGIN_DECLS

/**
 * GST_GLES_MAX_VALUES:
 *
 * The most values of an array that a plan can process, memory permitting.
 *
 * Plans that process arrays in windows, as docs/arrays.md says, are limited further by memory
 * alone. The others require that each of their arrays fits one storage block of the device
 * (limits.storage_block_bytes, at least 128 MiB), and fail with %GST_GLES_ERROR_TOO_LARGE for
 * more.
 *
 * Since: 0.1
 */
#define GST_GLES_MAX_VALUES (1u << 30)

/**
 * GstGlesValueType:
 * @GST_GLES_VALUE_U32: unsigned 32-bit integers
 * @GST_GLES_VALUE_I32: signed 32-bit integers
 * @GST_GLES_VALUE_F32: 32-bit floats, ordered by their bits: NaNs with the sign bit, -inf, ..., -0,
 *     +0, ..., +inf, NaNs without it
 * @GST_GLES_VALUE_U64: unsigned 64-bit integers, the low word first; keys of sort,
 *     segments and unique only
 *
 * The type of the values of an array.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_VALUE_U32,
  GST_GLES_VALUE_I32,
  GST_GLES_VALUE_F32,
  GST_GLES_VALUE_U64
} GstGlesValueType;

/**
 * GstGlesTilesSortBy:
 * @GST_GLES_TILES_SORT_BY_DEPTH: the depth of records and splats, as an f32 in the order of
 *     #GstGlesValueType; the area in pixels of boxes
 * @GST_GLES_TILES_SORT_BY_VALUE: the value of points, the id of boxes, the depth word of records
 *     and splats as a u32
 * @GST_GLES_TILES_SORT_BY_INDEX: the index in the input
 * @GST_GLES_TILES_SORT_BY_AUTO: depth of splats, else index: for the property of glestiles alone
 *
 * What the entries of a tile are sorted by. Equal entries keep their input order. Keys by depth are
 * the bits of an f32 made to sort as a u32: with the highest bit set, clear it to have the float's
 * bits; without, invert all 32.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_TILES_SORT_BY_DEPTH,
  GST_GLES_TILES_SORT_BY_VALUE,
  GST_GLES_TILES_SORT_BY_INDEX,
  GST_GLES_TILES_SORT_BY_AUTO
} GstGlesTilesSortBy;

/**
 * GstGlesPointsPredicate:
 * @GST_GLES_POINTS_THRESHOLD: lower <= v <= upper
 * @GST_GLES_POINTS_MOTION: the same of |v - v of the reference|, which is the frame analysed before
 *     or the background; nothing passes in the first frame
 * @GST_GLES_POINTS_EDGE: the same of |Gx| + |Gy| of the 3x3 Sobel operator, borders replicated
 * @GST_GLES_POINTS_EXPRESSION: an expression whose value is not 0
 *
 * What a pixel has to fulfil.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_POINTS_THRESHOLD,
  GST_GLES_POINTS_MOTION,
  GST_GLES_POINTS_EDGE,
  GST_GLES_POINTS_EXPRESSION
} GstGlesPointsPredicate;

/**
 * GstGlesStatus:
 * @GST_GLES_STATUS_OK: nothing to report
 * @GST_GLES_STATUS_COUNT_CLAMPED: the count on the device was over the plan's capacity or over what
 *     the buffers hold; only as many values as fit were processed
 * @GST_GLES_STATUS_TOTAL_WRAPPED: the total is 2^32 or more, so 32-bit prefixes wrapped
 * @GST_GLES_STATUS_TRUNCATED: the output was full; the total is the size that it needed
 *
 * Conditions that were not known when the work was queued: bits of #GstGlesResult.status.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_STATUS_OK = 0,
  GST_GLES_STATUS_COUNT_CLAMPED = 1 << 0,
  GST_GLES_STATUS_TOTAL_WRAPPED = 1 << 1,
  GST_GLES_STATUS_TRUNCATED = 1 << 2
} GstGlesStatus;

/**
 * GstGlesResult:
 * @total: the sum, or the number of items; see the algorithm
 * @count: the number of values that were read or written; see the algorithm
 * @status: bits of #GstGlesStatus
 *
 * The start of a plan's result buffer: 16 bytes, little-endian words.
 *
 * Since: 0.1
 */
typedef struct {
  guint64 total;
  guint32 count;
  guint32 status;
} GstGlesResult;

/**
 * GST_GLES_RESULT_COUNT_OFFSET:
 *
 * The byte offset of #GstGlesResult.count in a result buffer, for an `_indirect` call that
 * processes the output of another call.
 *
 * Since: 0.1
 */
#define GST_GLES_RESULT_COUNT_OFFSET 8

G_END_DECLS

#endif
