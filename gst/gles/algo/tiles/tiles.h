/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_TILES_H
#define GST_GLES_TILES_H

#include <gst/gles/core/types.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_TILES (gst_gles_tiles_get_type ())
GST_GLES_API GType gst_gles_tiles_get_type (void);

/**
 * GstGlesTiles:
 *
 * A plan for lists of the rectangles or points that touch each tile of a frame, in depth order. It
 * belongs to a queue, owns the scratch memory, and can be used for any number of calls up to its
 * capacities; a call allocates nothing. Calls queue work and do not wait; on a cpu device the work
 * is done when they return.
 *
 * Records are sorted by key, the tiles that each covers are counted, and the prefix sums of the
 * counts give the position of each record's entries. The entries are then sorted, stably, by tile,
 * so inside a tile the key order stays. On a GPU, with less than 65536 tiles and at most 32 records
 * per tile, the entries of each tile are collected first, and each list is sorted by key and index.
 * No atomic operation decides an order.
 *
 * A record covers the tiles of the pixels floor (min) to floor (max), both included, clamped to the
 * frame. It is not listed if a coordinate is a NaN, if min > max, or if it lies outside the frame.
 *
 * Arguments are checked when a call is made: an error leaves every buffer as it was. Conditions
 * that only the device can detect are reported in #GstGlesResult.status.
 *
 * Thread: any, one at a time per plan.
 *
 * Since: 0.1
 */
typedef struct _GstGlesTiles GstGlesTiles;

/**
 * GstGlesTilesSource:
 * @GST_GLES_TILES_RECORDS: 32 bytes each: f32 min_x, min_y, max_x, max_y (pixels), depth, radius
 *     (not used), u32 index (not used), u32 pad
 * @GST_GLES_TILES_POINTS: 8 bytes each: u16 x, u16 y, u32 value
 *
 * The format of what is listed, little-endian.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_TILES_RECORDS,
  GST_GLES_TILES_POINTS
} GstGlesTilesSource;

/**
 * GstGlesTilesConfig:
 * @width: of the frame, in pixels, 1 to 2^24
 * @height: of the frame
 * @tile_width: of a tile, in pixels, at least 1; the last column and row of tiles may exceed the
 *     frame
 * @tile_height: of a tile
 * @source: the format of the input
 * @sort_by: what the entries of a tile are sorted by; points have no depth
 * @descending: largest first
 * @max_records: the most records per call
 * @max_entries: the most entries of all lists together
 *
 * The configuration of a plan. A frame has at most 2^30 tiles. On devices with GL the records (32
 * bytes each, points 12, scratch memory included), the entries (4 bytes each, 8 on a device with
 * fewer than five storage blocks) and the offsets (4 bytes a tile) must fit one storage block each:
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
  GstGlesTilesSortBy sort_by;
  gboolean descending;
  guint max_records;
  guint max_entries;
  /*< private >*/
  gpointer reserved[4];
} GstGlesTilesConfig;

/**
 * gst_gles_tiles_new:
 * @queue: the queue of the plan; kept
 * @config: the configuration
 * @error: set when %NULL is returned
 *
 * Makes a plan, with its kernels compiled, except for those of calls with few records of a plan for
 * many: the first such call compiles them, and allocates. Thread: any.
 *
 * Returns: (transfer full) (nullable): a plan. Errors: %GST_GLES_ERROR_INVALID (a size of 0, a
 *     frame or a number of tiles that is too large, points by depth), %GST_GLES_ERROR_TOO_LARGE,
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
 * gst_gles_tiles_unref:
 * @tiles: (transfer full) (nullable): a plan
 *
 * Drops a reference. Queued work still runs. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_tiles_unref (GstGlesTiles *tiles);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesTiles, gst_gles_tiles_unref)

/**
 * gst_gles_tiles_get_columns:
 * @tiles: a plan
 *
 * Returns: the number of tiles in a row. Thread: any.
 * Since: 0.1
 */
GST_GLES_API guint gst_gles_tiles_get_columns (GstGlesTiles *tiles);

/**
 * gst_gles_tiles_get_rows:
 * @tiles: a plan
 *
 * Returns: the number of rows of tiles. Thread: any.
 * Since: 0.1
 */
GST_GLES_API guint gst_gles_tiles_get_rows (GstGlesTiles *tiles);

/**
 * gst_gles_tiles_get_result:
 * @tiles: a plan
 *
 * Gets the device buffer to which each call writes a #GstGlesResult, at offset 0: the number of
 * entries, the number that was written, and the status (%GST_GLES_STATUS_TRUNCATED: the entries
 * exceeded the capacity). It is written in the order of the queue, and the next call overwrites it.
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
 * Queues a copy of the buffer of gst_gles_tiles_get_result(), so that the next call does not
 * overwrite it. Does not wait.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_INVALID (a buffer that is too small or of
 *     another device), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_tiles_copy_result (
    GstGlesTiles *tiles, GstGlesBuffer *target, GError **error);

/**
 * gst_gles_tiles_run:
 * @tiles: a plan
 * @records: (transfer none): @n records or points
 * @n: number of records, 0 allowed
 * @offsets: (transfer none): receives columns * rows + 1 words: tile t, in raster order, has the
 *     entries offsets[t] to offsets[t + 1] - 1
 * @indices: (transfer none) (nullable): receives the index in @records of each entry
 * @keys: (transfer none) (nullable): receives the key of each entry, as a u32 with the same order
 * @error: set when %FALSE is returned
 *
 * Queues the lists. Does not wait. The capacity for entries is the smallest of max_entries and the
 * sizes of @indices and @keys. If there are more entries, the first ones in key order remain, so
 * the ends of some tiles' lists are missing.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_TOO_LARGE (over max_records),
 *     %GST_GLES_ERROR_INVALID (a buffer that is too small, of another device, or used twice),
 *     %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_tiles_run (GstGlesTiles *tiles, GstGlesBuffer *records, guint n,
    GstGlesBuffer *offsets, GstGlesBuffer *indices, GstGlesBuffer *keys, GError **error);

/**
 * gst_gles_tiles_run_indirect:
 * @tiles: a plan
 * @records: (transfer none): the records or points
 * @count: (transfer none): the buffer that holds the number of records; none of the outputs
 * @count_offset_bytes: byte offset of the number in @count, a multiple of 4
 * @offsets: (transfer none): as for gst_gles_tiles_run()
 * @indices: (transfer none) (nullable): as for gst_gles_tiles_run()
 * @keys: (transfer none) (nullable): as for gst_gles_tiles_run()
 * @error: set when %FALSE is returned
 *
 * Like gst_gles_tiles_run(), but the number of records is a u32 on the device, which is read when
 * the work runs. It is limited to max_records and the size of @records
 * (%GST_GLES_STATUS_COUNT_CLAMPED).
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_tiles_run().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_tiles_run_indirect (GstGlesTiles *tiles, GstGlesBuffer *records,
    GstGlesBuffer *count, gsize count_offset_bytes, GstGlesBuffer *offsets, GstGlesBuffer *indices,
    GstGlesBuffer *keys, GError **error);

G_END_DECLS

#endif
