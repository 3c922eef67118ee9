/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the tiles kernels: the rectangles that cover each tile, in depth order. Runs on
 * the shared pool; thread: any. */
#ifndef GST_GLES_CPU_TILES_H
#define GST_GLES_CPU_TILES_H

#include <gst/gles/core/types.h>
#include <glsl/tiles/tiles-layout.h>

G_BEGIN_DECLS

#define GST_GLES_CPU_TILES_MAX_SIZE (1u << 24)
#define GST_GLES_CPU_TILES_MAX_TILES (1u << 30)

typedef struct {
  GstGlesTileGrid grid;
  GstGlesTilesSortBy sort_by;
  gboolean descending; /* equal keys keep their input order here too */
} GstGlesCpuTilesConfig;

/* Computes the columns, rows and tiles of a frame. Returns FALSE, and writes nothing, if a size is
 * 0, the frame exceeds GST_GLES_CPU_TILES_MAX_SIZE or the tiles exceed
 * GST_GLES_CPU_TILES_MAX_TILES. */
gboolean gst_gles_cpu_tile_grid (
    guint width, guint height, guint tile_width, guint tile_height, GstGlesTileGrid *grid);

/* The first and last columns and rows of tiles that a record covers. */
typedef struct {
  guint32 column_0, row_0, column_1, row_1;
} GstGlesCpuTileSpan;

/* Finds the tiles that a record covers: those of the pixels floor (min) to floor (max), clamped to
 * the frame. Returns FALSE if the record is culled: a coordinate is a NaN, min > max, or it lies
 * outside. The exact rules, in terms of bits, are in docs/algorithms/tiles.md. */
gboolean gst_gles_cpu_tile_span (
    const GstGlesTileRecord *record, const GstGlesTileGrid *grid, GstGlesCpuTileSpan *span);

/* Returns the bytes of scratch memory for up to @n records, below 2^32; 0 if they exceed the
 * address space. */
gsize gst_gles_cpu_tiles_scratch_bytes (const GstGlesCpuTilesConfig *config, gsize n);

/* The outputs. No array may overlap another. */
typedef struct {
  guint32 *offsets;        /* n_tiles + 1 words */
  guint32 *indices, *keys; /* both nullable */
  gsize capacity;          /* words of each, below 2^32 */
} GstGlesCpuTileLists;

/* Lists @records by the tiles they cover, tiles in raster order. Tile t has the entries offsets[t]
 * to offsets[t + 1] - 1, sorted by key; equal keys keep their input order. An entry is the index
 * of its record in the indices and its key in the keys. Returns the number of entries, regardless
 * of the capacity. If there are more than that, the first ones in key order remain
 * (records by key, the tiles of each in raster order), and words from the last offset on are not
 * written. @scratch: gst_gles_cpu_tiles_scratch_bytes() bytes, aligned to 8, overwritten. */
guint64 gst_gles_cpu_tiles (const GstGlesCpuTilesConfig *config, const GstGlesTileRecord *records,
    gsize n, const GstGlesCpuTileLists *lists, gpointer scratch);

G_END_DECLS

#endif
