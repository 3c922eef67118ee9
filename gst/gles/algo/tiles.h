/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_TILES_H
#define GST_GLES_TILES_H

#include <gst/gles/algo/types.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_TILES (gst_gles_tiles_get_type ())
GST_GLES_API GType gst_gles_tiles_get_type (void);

/**
 * GstGlesTiles:
 *
 * A plan for lists, tile by tile of a frame, of the rectangles or points that touch the tile, in depth
 * order. It belongs to a queue, owns the scratch memory, and can be used for any number of calls up to
 * its capacities; a call allocates nothing. Calls queue work and do not wait; on a cpu device the work
 * is done when they return.
 *
 * Records are sorted by key, the tiles that each covers are counted and the counts summed up, entries
 * are written record by record, and then sorted, stably, by the bits of a tile number: so within a
 * tile the key order stays. On a GPU, when there are less than 65536 tiles and at most 32 records for each
 * of them, the entries of each tile are gathered first, and each list is sorted by key and place. No
 * atomic operation decides an order.
 *
 * A record covers the tiles of the pixels floor (min) ... floor (max), both included, clamped to the
 * frame; it is left out when a coordinate is a NaN, when min > max, or when all of it is off screen.
 *
 * Arguments are checked when a call is made: an error leaves every buffer as it was. What only the
 * device knows comes back as #GstGlesResult.status.
 *
 * Thread: any, one at a time per plan.
 *
 * Since: 0.1
 */
typedef struct _GstGlesTiles GstGlesTiles;

/**
 * GstGlesTilesSource:
 * @GST_GLES_TILES_RECORDS: 32 bytes each: f32 min_x, min_y, max_x, max_y (pixels), depth, radius (not
 *     used), u32 index (not used), u32 pad
 * @GST_GLES_TILES_POINTS: 8 bytes each: u16 x, u16 y, u32 value
 *
 * What is listed, little-endian.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_TILES_RECORDS,
  GST_GLES_TILES_POINTS
} GstGlesTilesSource;

/**
 * GstGlesTilesBy:
 * @GST_GLES_TILES_BY_DEPTH: the depth of records, as an f32 in the order of #GstGlesValueType
 * @GST_GLES_TILES_BY_VALUE: the value of points, or the word of records where the depth would be, as a
 *     u32
 * @GST_GLES_TILES_BY_INDEX: the place in the input
 *
 * What entries of a tile are sorted by; equal ones keep the order of the input.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_TILES_BY_DEPTH,
  GST_GLES_TILES_BY_VALUE,
  GST_GLES_TILES_BY_INDEX
} GstGlesTilesBy;

/**
 * GstGlesTilesConfig:
 * @width: of the frame, in pixels, 1 to 2^24
 * @height: of the frame
 * @tile_width: of a tile, in pixels, at least 1; those at the right and bottom may stick out
 * @tile_height: of a tile
 * @source: what is listed
 * @by: what the entries of a tile are sorted by; points have no depth
 * @descending: largest first
 * @max_records: how many records a call can have at most
 * @max_entries: how many entries all lists together can have at most
 *
 * What a plan lists. A frame has at most 2^30 tiles. On devices with GL the records (32 bytes each,
 * points 12 with what is known of them), the entries (4 bytes each, 8 on a device with fewer than five
 * storage blocks) and the offsets (4 bytes a tile) have to fit one storage block each:
 * limits.storage_block_bytes, 128 MiB at the least.
 *
 * Since: 0.1
 */
typedef struct {
  guint width;
  guint height;
  guint tile_width;
  guint tile_height;
  GstGlesTilesSource source;
  GstGlesTilesBy by;
  gboolean descending;
  guint max_records;
  guint max_entries;
  /*< private >*/
  gpointer reserved[4];
} GstGlesTilesConfig;

/**
 * gst_gles_tiles_new:
 * @queue: where the work is queued; kept
 * @config: what to list
 * @error: set when %NULL is returned
 *
 * Makes a plan, with its kernels compiled. Thread: any.
 *
 * Returns: (transfer full) (nullable): a plan. Errors: %GST_GLES_ERROR_INVALID (a size of 0, a frame
 *     or a number of tiles that is too large, points by depth), %GST_GLES_ERROR_TOO_LARGE,
 *     %GST_GLES_ERROR_NO_MEMORY, %GST_GLES_ERROR_COMPILE, %GST_GLES_ERROR_SETTINGS
 *     (`GST_GLES_TILES_VARIANT`, `GST_GLES_SORT_VARIANT`), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesTiles *gst_gles_tiles_new (
    GstGlesQueue *queue, const GstGlesTilesConfig *config, GError **error);

/**
 * gst_gles_tiles_ref:
 * @tiles: a plan
 *
 * Returns: (transfer full): @tiles
 * Since: 0.1
 */
GST_GLES_API GstGlesTiles *gst_gles_tiles_ref (GstGlesTiles *tiles);

/**
 * gst_gles_tiles_free:
 * @tiles: (transfer full) (nullable): a plan
 *
 * Drops a reference. What is queued still runs. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_tiles_free (GstGlesTiles *tiles);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesTiles, gst_gles_tiles_free)

/**
 * gst_gles_tiles_get_columns:
 * @tiles: a plan
 *
 * Returns: how many tiles there are in a row. Thread: any.
 * Since: 0.1
 */
GST_GLES_API guint gst_gles_tiles_get_columns (GstGlesTiles *tiles);

/**
 * gst_gles_tiles_get_rows:
 * @tiles: a plan
 *
 * Returns: how many rows of tiles there are. Thread: any.
 * Since: 0.1
 */
GST_GLES_API guint gst_gles_tiles_get_rows (GstGlesTiles *tiles);

/**
 * gst_gles_tiles_get_result:
 * @tiles: a plan
 *
 * The device buffer that each call leaves a #GstGlesResult at the start of: how many entries there are,
 * how many were written, and the status (%GST_GLES_STATUS_TRUNCATED: there was no room for all). In
 * the order of the plan's queue; the next call overwrites it.
 *
 * Returns: (transfer none): the buffer; lives as long as @tiles
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_tiles_get_result (GstGlesTiles *tiles);

/**
 * gst_gles_tiles_copy_result:
 * @tiles: a plan
 * @target: (transfer none): receives the #GstGlesResult of the last call, in its first 16 bytes
 * @error: set when %FALSE is returned
 *
 * Queues a copy of what gst_gles_tiles_get_result() holds, so that the next call does not overwrite it.
 * Does not wait.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_INVALID (a buffer that is too small or another
 *     device's), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_tiles_copy_result (
    GstGlesTiles *tiles, GstGlesBuffer *target, GError **error);

/**
 * gst_gles_tiles_run:
 * @tiles: a plan
 * @records: (transfer none): @n records or points
 * @n: number of records, 0 allowed
 * @offsets: (transfer none): receives columns * rows + 1 words: the list of tile t, in raster order, is
 *     that of the entries offsets[t] to offsets[t + 1] - 1
 * @indices: (transfer none) (nullable): receives the place in @records of each entry
 * @keys: (transfer none) (nullable): receives the key of each entry, as a u32 that sorts alike
 * @error: set when %FALSE is returned
 *
 * Queues the making of the lists. Does not wait. There is room for as many entries as max_entries says
 * and the smaller of @indices and @keys holds; when there are more, the first ones of the list in key
 * order stay, so that what is dropped is the end of some tiles' lists.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_TOO_LARGE (over max_records),
 *     %GST_GLES_ERROR_INVALID (a buffer that is too small, another device's, or used twice),
 *     %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_tiles_run (GstGlesTiles *tiles, GstGlesBuffer *records, guint n,
    GstGlesBuffer *offsets, GstGlesBuffer *indices, GstGlesBuffer *keys, GError **error);

/**
 * gst_gles_tiles_run_indirect:
 * @tiles: a plan
 * @records: (transfer none): the records or points
 * @count: (transfer none): where the number of records is; none of the outputs
 * @count_offset_bytes: at which byte, a multiple of 4
 * @offsets: (transfer none): as for gst_gles_tiles_run()
 * @indices: (transfer none) (nullable): as for gst_gles_tiles_run()
 * @keys: (transfer none) (nullable): as for gst_gles_tiles_run()
 * @error: set when %FALSE is returned
 *
 * gst_gles_tiles_run() of as many records as a u32 on the device says when the work runs, at most
 * max_records and what @records holds: %GST_GLES_STATUS_COUNT_CLAMPED.
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_tiles_run().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_tiles_run_indirect (GstGlesTiles *tiles, GstGlesBuffer *records,
    GstGlesBuffer *count, gsize count_offset_bytes, GstGlesBuffer *offsets, GstGlesBuffer *indices,
    GstGlesBuffer *keys, GError **error);

G_END_DECLS

#endif
