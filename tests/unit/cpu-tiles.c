/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cpu-arrays.h"

#include <math.h>

#include <gst/gles/cpu/tiles.h>

static guint32
bits_of (gdouble value)
{
  gfloat f = (gfloat) value;
  guint32 bits;

  memcpy (&bits, &f, sizeof bits);
  return bits;
}

static gdouble
number (guint32 bits)
{
  gfloat f;

  memcpy (&f, &bits, sizeof f);
  return f;
}

static GstGlesTileRecord
record (gdouble min_x, gdouble min_y, gdouble max_x, gdouble max_y, gdouble depth)
{
  return (GstGlesTileRecord){ bits_of (min_x), bits_of (min_y), bits_of (max_x), bits_of (max_y),
    bits_of (depth), 0, 0, 0 };
}

static GstGlesCpuTilesConfig
config_for (guint width, guint height, guint tile_width, guint tile_height)
{
  GstGlesCpuTilesConfig config = { .by = GST_GLES_TILES_BY_DEPTH };

  fail_unless (gst_gles_cpu_tile_grid (width, height, tile_width, tile_height, &config.grid));
  return config;
}

/* ---- an oracle: numbers, floor, and for each tile a look at every record ---- */

static gboolean
oracle_axis (guint32 min_bits, guint32 max_bits, guint size, guint tile, guint *first, guint *last)
{
  gdouble min = number (min_bits), max = number (max_bits);

  if (isnan (min) || isnan (max) || min > max || floor (max) < 0 || floor (min) > size - 1)
    return FALSE;
  *first = (guint) CLAMP (floor (min), 0, size - 1) / tile;
  *last = (guint) CLAMP (floor (max), 0, size - 1) / tile;
  return TRUE;
}

static gboolean
oracle_span (const GstGlesTileRecord *r, const GstGlesTileGrid *grid, GstGlesCpuTileSpan *span)
{
  return oracle_axis (
             r->min_x, r->max_x, grid->width, grid->tile_width, &span->column_0, &span->column_1) &&
      oracle_axis (r->min_y, r->max_y, grid->height, grid->tile_height, &span->row_0, &span->row_1);
}

static guint32
oracle_key (const GstGlesCpuTilesConfig *config, const GstGlesTileRecord *records, guint i)
{
  guint32 bits = records[i].depth;

  if (config->by == GST_GLES_TILES_BY_INDEX)
    return i;
  if (config->by == GST_GLES_TILES_BY_VALUE)
    return bits;
  return bits >> 31 != 0 ? 0x7fffffffu - (bits & 0x7fffffffu) : 0x80000000u + bits;
}

typedef struct {
  guint32 key, index;
  GstGlesCpuTileSpan span;
  guint64 first_entry; /* in the list expanded in key order */
} Visible;

static gint
compare_visible (gconstpointer a, gconstpointer b, gpointer descending)
{
  const Visible *x = a, *y = b;

  if (x->key != y->key)
    return (x->key < y->key) == (descending == NULL) ? -1 : 1;
  return x->index < y->index ? -1 : 1;
}

/* What is visible, in order; returns how many entries that makes. */
static guint64
oracle_order (
    const GstGlesCpuTilesConfig *config, const GstGlesTileRecord *records, guint n, GArray *visible)
{
  guint64 total = 0;

  for (guint i = 0; i < n; i++) {
    Visible v = { oracle_key (config, records, i), i, { 0, 0, 0, 0 }, 0 };

    if (oracle_span (&records[i], &config->grid, &v.span))
      g_array_append_val (visible, v);
  }
  g_array_sort_with_data (
      visible, compare_visible, config->descending ? GUINT_TO_POINTER (1) : NULL);
  for (guint i = 0; i < visible->len; i++) {
    Visible *v = &g_array_index (visible, Visible, i);

    v->first_entry = total;
    total +=
        (guint64) (v->span.column_1 - v->span.column_0 + 1) * (v->span.row_1 - v->span.row_0 + 1);
  }
  return total;
}

/* The number of the record's entry for a tile, in the expanded list. */
static guint64
entry_number (const Visible *v, guint column, guint row)
{
  return v->first_entry +
      (guint64) (row - v->span.row_0) * (v->span.column_1 - v->span.column_0 + 1) + column -
      v->span.column_0;
}

static void
check_tile (const GArray *visible, guint column, guint row, gsize capacity, const guint32 *offsets,
    const guint32 *indices, const guint32 *keys)
{
  gsize at = offsets[0];

  for (guint i = 0; i < visible->len; i++) {
    const Visible *v = &g_array_index (visible, Visible, i);

    if (column < v->span.column_0 || column > v->span.column_1 || row < v->span.row_0 ||
        row > v->span.row_1 || entry_number (v, column, row) >= capacity)
      continue;
    if (at >= offsets[1] || indices[at] != v->index || keys[at] != v->key)
      fail ("entry %" G_GSIZE_FORMAT " of tile (%u, %u)", at - offsets[0], column, row);
    at++;
  }
  if (at != offsets[1])
    fail ("tile (%u, %u) has %" G_GSIZE_FORMAT " entries too many", column, row, offsets[1] - at);
}

/* ---- runs ---- */

static guint64
run_tiles (const GstGlesCpuTilesConfig *config, const GstGlesTileRecord *records, guint n,
    guint32 *offsets, guint32 *indices, guint32 *keys, gsize capacity)
{
  gsize size = gst_gles_cpu_tiles_scratch_bytes (config, n);
  guint32 *scratch;
  guint64 total;

  fail_unless (size > 0);
  scratch = scratch_new (size);
  total = gst_gles_cpu_tiles (
      config, records, n, offsets, indices, keys, capacity, scratch_memory (scratch));
  scratch_finish (scratch, size, "tiles");
  return total;
}

/* Calls a function for every tile, or, if there are many, for the tiles that the oracle checks. */
static void
check_capacity (const GstGlesCpuTilesConfig *config, const GstGlesTileRecord *records, guint n,
    const GArray *visible, guint64 total, gsize capacity)
{
  guint n_tiles = config->grid.n_tiles, step = n_tiles > 20000 ? n_tiles / 3000 : 1;
  guint32 *offsets = guarded_new (n_tiles + 1);
  guint32 *indices = guarded_new (capacity), *keys = guarded_new (capacity);
  gsize n_kept = (gsize) MIN (total, capacity);

  fail_unless_equals_uint64 (
      run_tiles (config, records, n, offsets, indices, keys, capacity), total);
  if (offsets[0] != 0 || offsets[n_tiles] != n_kept)
    fail ("offsets from %u to %u", offsets[0], offsets[n_tiles]);
  for (guint tile = 0; tile < n_tiles; tile++) {
    if (offsets[tile] > offsets[tile + 1])
      fail ("offset %u", tile);
  }
  for (guint tile = 0; tile < n_tiles; tile += step)
    check_tile (visible, tile % config->grid.columns, tile / config->grid.columns, capacity,
        offsets + tile, indices, keys);
  guarded_finish (offsets, n_tiles + 1, n_tiles + 1, "offsets");
  guarded_finish (indices, n_kept, capacity, "indices");
  guarded_finish (keys, n_kept, capacity, "keys");
}

static void
check_tiles (const GstGlesCpuTilesConfig *config, const GstGlesTileRecord *records, guint n)
{
  g_autoptr (GArray) visible = g_array_new (FALSE, FALSE, sizeof (Visible));
  guint64 total = oracle_order (config, records, n, visible);

  check_capacity (config, records, n, visible, total, (gsize) total + 5);
  check_capacity (config, records, n, visible, total, (gsize) total);
  check_capacity (config, records, n, visible, total, (gsize) (total - MIN (total, 1)));
  check_capacity (config, records, n, visible, total, (gsize) (total / 3));
  check_capacity (config, records, n, visible, total, 0);
}

static void
check_all_orders (GstGlesCpuTilesConfig config, const GstGlesTileRecord *records, guint n)
{
  for (guint i = 0; i < 6; i++) {
    config.by = (GstGlesTilesBy) (i / 2);
    config.descending = i % 2 != 0;
    check_tiles (&config, records, n);
  }
}

/* ---- cases ---- */

static gdouble
random_number (Random *random, gdouble from, gdouble to)
{
  return from + (to - from) * random_word (random) / G_MAXUINT32;
}

/* Some off screen, some inverted, some with whole numbers, some large; depths repeat. */
static GstGlesTileRecord
random_record (Random *random, const GstGlesTileGrid *grid)
{
  guint kind = random_word (random) % 16;
  gdouble size = kind == 0 ? grid->width : kind < 4 ? 4.0 * grid->tile_width : grid->tile_width;
  gdouble x = random_number (random, -20, grid->width + 20);
  gdouble y = random_number (random, -20, grid->height + 20);
  gdouble w = random_number (random, kind == 5 ? -size : 0, size);
  gdouble h = random_number (random, 0, size);
  gdouble depth = random_word (random) % 50 - 10;

  if (kind == 6)
    return record (floor (x), floor (y), floor (x + w), floor (y + h), depth);
  return record (x, y, x + w, y + h, depth);
}

static void
check_random (guint width, guint height, guint tile_width, guint tile_height, guint n, gboolean all)
{
  GstGlesCpuTilesConfig config = config_for (width, height, tile_width, tile_height);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, n + 1);
  Random random = { width * 31 + n };

  for (guint i = 0; i < n; i++)
    records[i] = random_record (&random, &config.grid);
  if (all)
    check_all_orders (config, records, n);
  else
    check_tiles (&config, records, n);
}

GST_START_TEST (random_records)
{
  static const guint counts[] = { 0, 1, 2, 33, 1000 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
    check_random (64, 48, 16, 16, counts[i], TRUE);
    check_random (61, 47, 16, 8, counts[i], TRUE);
    check_random (1, 1, 1, 1, counts[i], TRUE);
    check_random (50, 40, 1000, 1000, counts[i], TRUE); /* 1 tile */
    check_random (300, 1, 1, 1, counts[i], TRUE);
    check_random (1, 300, 1, 1, counts[i], TRUE);
    check_random (33, 65, 7, 9, counts[i], TRUE);
  }
}
GST_END_TEST;

GST_START_TEST (many_records)
{
  check_random (200, 100, 16, 16, 50000, FALSE);
  check_random (37, 1000, 40, 3, 40000, FALSE);
}
GST_END_TEST;

/* 4K in tiles of 16 x 32, and a million tiles. */
GST_START_TEST (many_tiles)
{
  check_random (3840, 2160, 16, 32, 3000, FALSE);
  check_random (16384, 16384, 16, 16, 500, FALSE);
}
GST_END_TEST;

GST_START_TEST (edges_of_tiles)
{
  GstGlesCpuTilesConfig config = config_for (64, 64, 16, 16);
  const gdouble below_16 = nextafterf (16, 0), below_0 = nextafterf (0, -1);
  const GstGlesTileRecord records[] = {
    record (16, 16, 32, 32, 0),           /* the tiles of 16 and of 32 */
    record (16, 16, below_16, 20, 0),     /* inverted by the least */
    record (0, 0, below_16, below_16, 0), /* the first tile alone */
    record (below_16, 0, 16, 0, 0),       /* two tiles */
    record (0, 0, 0, 0, 0),               /* no area: one pixel */
    record (16, 16, 16, 16, 0),           /* the same */
    record (-1, -1, below_0, 5, 0),       /* left of the frame by the least */
    record (-1, -1, -0.0, 5, 0),          /* -0 is 0 */
    record (0.0, 0, -0.0, 0, 0),          /* so this is not inverted */
    record (63.99, 63.99, 1000, 1000, 0), /* the last tile */
    record (64, 0, 70, 5, 0),             /* right of the frame */
    record (nextafterf (64, 0), 0, 64, 5, 0),
    record (0, 64, 5, 70, 0), /* below the frame */
    record (-1e30, -1e30, 1e30, 1e30, 0),
    record (-INFINITY, -INFINITY, INFINITY, INFINITY, 0),
    record (INFINITY, 0, INFINITY, 5, 0),
    record (-INFINITY, 0, -INFINITY, 5, 0),
    record (5, 0, 3, 5, 0), /* inverted */
    record (0, 5, 5, 3, 0),
  };

  check_all_orders (config, records, G_N_ELEMENTS (records));
}
GST_END_TEST;

GST_START_TEST (nans_and_denormals)
{
  GstGlesCpuTilesConfig config = config_for (64, 64, 16, 16);
  static const guint32 specials[] = { 0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x00000001,
    0x80000001, 0x007fffff, 0x807fffff, 0x7f800000, 0xff800000, 0x00000000, 0x80000000 };
  GstGlesTileRecord records[5 * G_N_ELEMENTS (specials)];
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (specials); i++) {
    for (guint field = 0; field < 5; field++) {
      guint32 words[5] = { bits_of (0), bits_of (0), bits_of (20), bits_of (20), bits_of (1) };

      words[field] = specials[i];
      records[n++] =
          (GstGlesTileRecord){ words[0], words[1], words[2], words[3], words[4], 0, 0, 0 };
    }
  }
  check_all_orders (config, records, n);
}
GST_END_TEST;

/* The table of tile_span()'s rules, on values that a flush of denormals would change. */
GST_START_TEST (spans)
{
  GstGlesCpuTilesConfig config = config_for (100, 100, 10, 10);
  GstGlesCpuTileSpan span;
  GstGlesTileRecord r = record (9.99, 10, 29.99, 30, 0);

  fail_unless (gst_gles_cpu_tile_span (&r, &config.grid, &span));
  fail_unless (span.column_0 == 0 && span.row_0 == 1 && span.column_1 == 2 && span.row_1 == 3);
  r = record (0, 0, 5, 5, 0);
  r.max_x = 0x80000001; /* a negative denormal is left of the frame, and less than 0 */
  r.min_x = 0x80000002;
  fail_unless (!gst_gles_cpu_tile_span (&r, &config.grid, &span));
  r.min_x = 0x00000002; /* inverted, though both are 0 once flushed */
  r.max_x = 0x00000001;
  fail_unless (!gst_gles_cpu_tile_span (&r, &config.grid, &span));
  r.min_x = r.max_x;
  fail_unless (gst_gles_cpu_tile_span (&r, &config.grid, &span));
}
GST_END_TEST;

GST_START_TEST (grids)
{
  GstGlesTileGrid grid = { .n_tiles = 77 };

  fail_unless (!gst_gles_cpu_tile_grid (0, 1, 1, 1, &grid));
  fail_unless (!gst_gles_cpu_tile_grid (1, 0, 1, 1, &grid));
  fail_unless (!gst_gles_cpu_tile_grid (1, 1, 0, 1, &grid));
  fail_unless (!gst_gles_cpu_tile_grid (1, 1, 1, 0, &grid));
  fail_unless (!gst_gles_cpu_tile_grid ((1 << 24) + 1, 1, 1, 1, &grid));
  fail_unless (!gst_gles_cpu_tile_grid (1 << 16, (1 << 14) + 1, 1, 1, &grid));
  fail_unless_equals_int (grid.n_tiles, 77);
  fail_unless (gst_gles_cpu_tile_grid (1 << 16, 1 << 14, 1, 1, &grid));
  fail_unless_equals_int (grid.n_tiles, 1 << 30);
  fail_unless (gst_gles_cpu_tile_grid (3840, 2160, 16, 32, &grid));
  fail_unless_equals_int (grid.columns, 240);
  fail_unless_equals_int (grid.rows, 68);
  fail_unless (gst_gles_cpu_tile_grid (1, 1, G_MAXUINT, G_MAXUINT, &grid));
  fail_unless_equals_int (grid.n_tiles, 1);
}
GST_END_TEST;

/* All records over all tiles: the need is beyond 32 bits. */
GST_START_TEST (need_beyond_32_bits)
{
  enum {
    N = 20000
  };
  GstGlesCpuTilesConfig config = config_for (512, 512, 1, 1);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, N);
  guint32 *offsets = guarded_new (config.grid.n_tiles + 1), *indices = guarded_new (1000000);
  guint n_tiles = config.grid.n_tiles;

  for (guint i = 0; i < N; i++)
    records[i] = record (0, 0, 511, 511, N - i);
  fail_unless_equals_uint64 (
      run_tiles (&config, records, N, offsets, indices, NULL, 1000000), (guint64) N * n_tiles);
  /* 1000000 = 3 * 262144 + 213568: three whole records, and tiles of a fourth */
  for (guint tile = 0; tile < n_tiles; tile++) {
    guint n = offsets[tile + 1] - offsets[tile];

    if (n != (tile < 213568 ? 4 : 3) || indices[offsets[tile]] != N - 1 ||
        indices[offsets[tile + 1] - 1] != N - n)
      fail ("tile %u", tile);
  }
  guarded_finish (offsets, n_tiles + 1, n_tiles + 1, "offsets");
  guarded_finish (indices, 1000000, 1000000, "indices");
}
GST_END_TEST;

GST_START_TEST (offsets_alone)
{
  GstGlesCpuTilesConfig config = config_for (32, 32, 16, 16);
  const GstGlesTileRecord r = record (0, 0, 20, 5, 0);
  guint32 *offsets = guarded_new (5);

  fail_unless_equals_uint64 (run_tiles (&config, &r, 1, offsets, NULL, NULL, 10), 2);
  for (guint i = 0; i < 5; i++)
    fail_unless_equals_int (offsets[i], MIN (i, 2));
  guarded_finish (offsets, 5, 5, "offsets");
}
GST_END_TEST;

GST_START_TEST (scratch_that_cannot_be)
{
  GstGlesCpuTilesConfig config = config_for (32, 32, 16, 16);

  fail_unless_equals_uint64 (gst_gles_cpu_tiles_scratch_bytes (&config, G_MAXSIZE), 0);
  fail_unless_equals_uint64 (
      gst_gles_cpu_tiles_scratch_bytes (&config, (gsize) G_MAXUINT32 + 1), 0);
}
GST_END_TEST;

static void
tiles_often (void)
{
  for (guint i = 0; i < 3; i++)
    check_random (200, 200, 16, 16, 20000, FALSE);
}

GST_START_TEST (several_threads_at_once)
{
  on_several_threads (tiles_often);
}
GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, random_records);
  tcase_add_test (tcase, many_records);
  tcase_add_test (tcase, many_tiles);
  tcase_add_test (tcase, edges_of_tiles);
  tcase_add_test (tcase, nans_and_denormals);
  tcase_add_test (tcase, spans);
  tcase_add_test (tcase, grids);
  tcase_add_test (tcase, need_beyond_32_bits);
  tcase_add_test (tcase, offsets_alone);
  tcase_add_test (tcase, scratch_that_cannot_be);
  tcase_add_test (tcase, several_threads_at_once);
}

int
main (int argc, char **argv)
{
  return arrays_main (argc, argv, "cpu-tiles", add_tests);
}
