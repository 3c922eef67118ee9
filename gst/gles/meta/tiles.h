/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_META_TILES_H
#define GST_GLES_META_TILES_H

#include <gst/video/video.h>
#include <gst/gles/gl/buffer.h>
#include <gst/gles/meta/box.h>
#include <gst/gles/meta/frame-info.h>
#include <gst/gles/meta/tiles-types.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_TILES_RESULT (gst_gles_tiles_result_get_type ())
GST_GLES_API GType gst_gles_tiles_result_get_type (void);

/**
 * GstGlesTilesResult:
 *
 * Which of the points, boxes or splats of one frame touch which tile of it, as lists: the list
 * of tile t, tiles in raster order, is that of the entries offsets[t] to offsets[t + 1] - 1 of
 * the indices, sorted by the keys. Made as soon as the work is queued: its description (size,
 * grid, source) is there from the start, its arrays arrive when the device is done. A getter
 * that returns arrays or totals waits for them on first use; gst_gles_tiles_result_wait() waits
 * with a limit, after which the getters do not wait.
 *
 * Never changes once made, so that it can be shared between buffers and threads. A
 * #GstMiniObject: gst_mini_object_ref() and gst_mini_object_unref() apply. All functions can be
 * called from any thread, several at a time, and none needs a GL context.
 *
 * Since: 0.1
 */
typedef struct _GstGlesTilesResult GstGlesTilesResult;
typedef struct _GstGlesTilesInfo GstGlesTilesInfo;

/**
 * GstGlesTilesInfo:
 * @frame: what all results tell of it
 * @tile_width: width of a tile, in pixels; those at the right may stick out of the frame
 * @tile_height: height of a tile, likewise
 * @columns: tiles side by side over the frame
 * @rows: tiles one below the other
 * @input: what was listed
 * @sort_by: what the entries of a tile are sorted by, and keys are
 * @descending: whether the largest key comes first
 * @max_items: the most entries that all lists together may have
 *
 * What was listed, and how.
 *
 * Since: 0.1
 */
struct _GstGlesTilesInfo {
  GstGlesFrameInfo frame;
  guint tile_width, tile_height;
  guint columns, rows;
  GstGlesTilesInput input;
  GstGlesTilesSortBy sort_by;
  gboolean descending;
  guint max_items;
};

/**
 * gst_gles_tiles_result_new:
 * @frame: what is known of the frame; copied
 * @tile_width: width of a tile in pixels
 * @tile_height: height of a tile
 * @offsets: columns * rows + 1 words of 32 bits, not descending, the first 0
 * @indices: as many words as the last offset says
 * @keys: as many words
 * @error: set when %NULL is returned
 *
 * Makes a result of lists of points that the caller has. Thread: any.
 *
 * Returns: (transfer full) (nullable): a result that is ready.
 *     Errors: %GST_GLES_ERROR_INVALID (the offsets are no lists).
 * Since: 0.1
 */
GST_GLES_API GstGlesTilesResult *gst_gles_tiles_result_new (const GstGlesFrameInfo *frame,
    guint tile_width, guint tile_height, GBytes *offsets, GBytes *indices, GBytes *keys,
    GError **error);

/* ---- reading a result ---- */

/**
 * gst_gles_tiles_result_ref: (skip)
 * @result: a result
 *
 * Returns: (transfer full): @result
 */
GST_GLES_API GstGlesTilesResult *gst_gles_tiles_result_ref (GstGlesTilesResult *result);

/**
 * gst_gles_tiles_result_unref: (skip)
 * @result: (transfer full) (nullable): a result
 *
 * Thread: any; needs no context and does not wait.
 */
GST_GLES_API void gst_gles_tiles_result_unref (GstGlesTilesResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesTilesResult, gst_gles_tiles_result_unref)

/**
 * gst_gles_tiles_result_from_buffer:
 * @buffer: a buffer
 *
 * The result of the #GstGlesTilesMeta that was added to @buffer last: of several glestiles
 * elements in a row, the one nearest to the caller. gst_buffer_iterate_meta_filtered() finds the
 * others.
 *
 * Returns: (transfer full) (nullable): the result, %NULL if @buffer has none
 * Since: 0.1
 */
GST_GLES_API GstGlesTilesResult *gst_gles_tiles_result_from_buffer (GstBuffer *buffer);

/**
 * gst_gles_tiles_result_is_ready:
 * @result: a result
 *
 * Begins to bring arrays that were not read ahead; waits for them only where the device has no
 * memory that stays mapped.
 *
 * Returns: whether the getters would not wait; %FALSE when the arrays stay on the device
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_tiles_result_is_ready (GstGlesTilesResult *result);

/**
 * gst_gles_tiles_result_wait:
 * @result: a result
 * @timeout_ns: the longest to wait in nanoseconds; 0 polls, %G_MAXUINT64 waits without limit
 * @error: set when %FALSE is returned
 *
 * Waits for the arrays. After %TRUE no getter waits or fails.
 *
 * Returns: %TRUE when they are there. Errors: %GST_GLES_ERROR_TIMEOUT,
 *     %GST_GLES_ERROR_DEVICE_LOST, %GST_GLES_ERROR_CANCELLED (a flush discarded the work),
 *     %GST_GLES_ERROR_INVALID (the element was told `readback=false`: the arrays are in the device
 *     buffers only).
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_tiles_result_wait (
    GstGlesTilesResult *result, guint64 timeout_ns, GError **error);

/**
 * gst_gles_tiles_result_get_total:
 * @result: a result
 *
 * Waits for the arrays.
 *
 * Returns: how many entries all lists together would have if `max-items` were no limit; 0 when
 *     gst_gles_tiles_result_wait() fails
 * Since: 0.1
 */
GST_GLES_API guint64 gst_gles_tiles_result_get_total (GstGlesTilesResult *result);

/**
 * gst_gles_tiles_result_get_count:
 * @result: a result
 *
 * Waits for the arrays.
 *
 * Returns: how many entries all lists together have: the length of the indices and of the keys;
 *     0 when gst_gles_tiles_result_wait() fails
 * Since: 0.1
 */
GST_GLES_API guint gst_gles_tiles_result_get_count (GstGlesTilesResult *result);

/**
 * gst_gles_tiles_result_is_truncated:
 * @result: a result
 *
 * Waits for the arrays.
 *
 * Returns: whether there are fewer entries than there would be without `max-items`. The first in
 *     key order are there, so that what is missing is the end of some tiles' lists
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_tiles_result_is_truncated (GstGlesTilesResult *result);

/**
 * gst_gles_tiles_result_get_offsets:
 * @result: a result
 * @n: (out): columns * rows + 1
 * @error: set when %NULL is returned
 *
 * Where the list of each tile begins, and behind the last tile where it ends. Waits for the arrays.
 *
 * Returns: (array length=n) (transfer none) (nullable): the offsets; they live as long as @result.
 *     Errors: as gst_gles_tiles_result_wait().
 * Since: 0.1
 */
GST_GLES_API const guint32 *gst_gles_tiles_result_get_offsets (
    GstGlesTilesResult *result, guint *n, GError **error);

/**
 * gst_gles_tiles_result_get_indices:
 * @result: a result
 * @n: (out): how many entries there are
 * @error: set when %NULL is returned
 *
 * The place in the input of each entry, list by list. Waits for the arrays.
 *
 * Returns: (array length=n) (transfer none) (nullable): the indices; they live as long as @result.
 *     Errors: as gst_gles_tiles_result_wait().
 * Since: 0.1
 */
GST_GLES_API const guint32 *gst_gles_tiles_result_get_indices (
    GstGlesTilesResult *result, guint *n, GError **error);

/**
 * gst_gles_tiles_result_get_keys:
 * @result: a result
 * @n: (out): how many entries there are
 * @error: set when %NULL is returned
 *
 * The key of each entry, list by list: see #GstGlesTilesSortBy. Waits for the arrays.
 *
 * Returns: (array length=n) (transfer none) (nullable): the keys; they live as long as @result.
 *     Errors: as gst_gles_tiles_result_wait().
 * Since: 0.1
 */
GST_GLES_API const guint32 *gst_gles_tiles_result_get_keys (
    GstGlesTilesResult *result, guint *n, GError **error);

/**
 * gst_gles_tiles_result_get_bytes:
 * @result: a result
 * @offsets: (out) (optional) (transfer full): what gst_gles_tiles_result_get_offsets() returns
 * @indices: (out) (optional) (transfer full): what gst_gles_tiles_result_get_indices() returns
 * @keys: (out) (optional) (transfer full): what gst_gles_tiles_result_get_keys() returns
 * @error: set when %FALSE is returned
 *
 * The arrays as they lie in memory, for languages that read arrays out of bytes: 32-bit words in
 * the host's byte order. Waits for the arrays; copies nothing: the bytes keep @result alive.
 *
 * Returns: %TRUE if the bytes are set. Errors: as gst_gles_tiles_result_wait().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_tiles_result_get_bytes (
    GstGlesTilesResult *result, GBytes **offsets, GBytes **indices, GBytes **keys, GError **error);

/**
 * gst_gles_tiles_result_get_tile:
 * @result: a result
 * @tile: a tile, from 0 in raster order: row * columns + column
 * @n: (out): how many entries its list has
 * @error: set when %NULL is returned
 *
 * The list of one tile. Waits for the arrays.
 *
 * Returns: (array length=n) (transfer none) (nullable): the places in the input, in key order;
 *     they live as long as @result. Errors: as gst_gles_tiles_result_wait().
 * Since: 0.1
 */
GST_GLES_API const guint32 *gst_gles_tiles_result_get_tile (
    GstGlesTilesResult *result, guint tile, guint *n, GError **error);

/**
 * gst_gles_tiles_result_get_occupancy:
 * @result: a result
 * @occupied: (out) (optional): tiles whose list is not empty
 * @largest: (out) (optional): the length of the longest list
 * @error: set when %FALSE is returned
 *
 * How full the tiles are. Waits for the arrays; computed on each call.
 *
 * Returns: %TRUE if the values are set. Errors: as gst_gles_tiles_result_wait().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_tiles_result_get_occupancy (
    GstGlesTilesResult *result, guint *occupied, guint *largest, GError **error);

/**
 * gst_gles_tiles_result_get_boxes:
 * @result: a result
 * @n: (out): the number of boxes; 0 where points or splats were listed
 *
 * The boxes that indices count, as they were on the buffer when glestiles listed them. Does not
 * wait.
 *
 * Returns: (array length=n) (transfer none) (nullable): the boxes; they live as long as @result
 * Since: 0.1
 */
GST_GLES_API const GstGlesBox *gst_gles_tiles_result_get_boxes (
    GstGlesTilesResult *result, guint *n);

/* ---- on the device: never waits ---- */

/**
 * gst_gles_tiles_result_get_device_offsets:
 * @result: a result
 *
 * The offsets on the device, columns * rows + 1 u32 words. Plans of the same device queue their
 * work behind. When the arrays come to the host too, the device's are there while the frame is
 * on its way through the elements behind; of frames that were kept for long they are not any
 * more.
 *
 * Returns: (transfer full) (nullable): the buffer, %NULL when there is none or it is gone: then
 *     the offsets are on the host
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_tiles_result_get_device_offsets (GstGlesTilesResult *result);

/**
 * gst_gles_tiles_result_get_device_indices:
 * @result: a result
 *
 * The indices on the device, u32 words; those behind the count are undefined.
 *
 * Returns: (transfer full) (nullable): the buffer, %NULL when that of the offsets is
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_tiles_result_get_device_indices (GstGlesTilesResult *result);

/**
 * gst_gles_tiles_result_get_device_keys:
 * @result: a result
 *
 * The keys on the device, u32 words; those behind the count are undefined.
 *
 * Returns: (transfer full) (nullable): the buffer, %NULL when that of the offsets is
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_tiles_result_get_device_keys (GstGlesTilesResult *result);

/**
 * gst_gles_tiles_result_get_device_counts:
 * @result: a result
 *
 * What the device buffers hold: a #GstGlesResult with the total and the count of entries, for
 * kernels and the `_indirect` calls of the array algorithms.
 *
 * Returns: (transfer full) (nullable): the buffer, %NULL when that of the offsets is
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_tiles_result_get_device_counts (GstGlesTilesResult *result);

/* ---- what was analysed: never waits ---- */

/**
 * gst_gles_tiles_result_get_info:
 * @result: a result
 *
 * Returns: (transfer none): what was analysed, and how; does not wait; lives as long as @result
 * Since: 0.1
 */
GST_GLES_API const GstGlesTilesInfo *gst_gles_tiles_result_get_info (GstGlesTilesResult *result);

/**
 * gst_gles_tiles_result_get_frame:
 * @result: a result
 *
 * Returns: (transfer none): number, times, size, format and origin of the frame that was analysed;
 *     does not wait; lives as long as @result
 * Since: 0.1
 */
GST_GLES_API const GstGlesFrameInfo *gst_gles_tiles_result_get_frame (GstGlesTilesResult *result);

/* ---- the meta ---- */

typedef struct _GstGlesTilesMeta GstGlesTilesMeta;

/**
 * GstGlesTilesMeta:
 * @meta: parent
 * @result: (transfer none): the result that this meta holds a reference of
 *
 * Tile lists on a buffer. Tagged with size and orientation: copies of the buffer and scaled ones
 * share the result, whose coordinates stay those of the analysed picture; other transforms, such
 * as cropping and rotating, drop it. A buffer can have several, one per glestiles it went through,
 * in that order.
 *
 * Since: 0.1
 */
struct _GstGlesTilesMeta {
  GstMeta meta;
  GstGlesTilesResult *result;
};

#define GST_GLES_TILES_META_API_TYPE (gst_gles_tiles_meta_api_get_type ())
GST_GLES_API GType gst_gles_tiles_meta_api_get_type (void);

#define GST_GLES_TILES_META_INFO (gst_gles_tiles_meta_get_info ())
GST_GLES_API const GstMetaInfo *gst_gles_tiles_meta_get_info (void);

/**
 * gst_buffer_add_gles_tiles_meta:
 * @buffer: a writable buffer
 * @result: (transfer none): a result
 *
 * Adds a meta that refers to @result, behind those that @buffer has already. Does not wait.
 *
 * Returns: (transfer none): the meta, owned by @buffer
 * Since: 0.1
 */
GST_GLES_API GstGlesTilesMeta *gst_buffer_add_gles_tiles_meta (
    GstBuffer *buffer, GstGlesTilesResult *result);

/**
 * gst_buffer_get_gles_tiles_meta:
 * @buffer: a buffer
 *
 * Returns: (transfer none) (nullable): the tiles meta that was added last, %NULL if none
 * Since: 0.1
 */
GST_GLES_API GstGlesTilesMeta *gst_buffer_get_gles_tiles_meta (GstBuffer *buffer);

G_END_DECLS

#endif
