/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The twin of the lists by tile against the plain loop that tests/twin/tiles.c compares kernels
 * with. */
#include "cpu-arrays.h"

#include <math.h>

#include <gst/gles/cpu/tiles.h>

#include "../twin/tiles-cases.h"

/* ---- runs ---- */

static GstGlesCpuTilesConfig
cpu_config_of (const GstGlesTilesConfig *config)
{
  GstGlesCpuTilesConfig cpu = { .by = config->by, .descending = config->descending };

  g_assert_true (gst_gles_cpu_tile_grid (
      config->width, config->height, config->tile_width, config->tile_height, &cpu.grid));
  return cpu;
}

static guint64
run_tiles (const GstGlesCpuTilesConfig *config, const GstGlesTileRecord *records, guint n,
    guint32 *offsets, guint32 *indices, guint32 *keys, gsize capacity)
{
  gsize size = gst_gles_cpu_tiles_scratch_bytes (config, n);
  guint32 *scratch;
  guint64 total;

  g_assert_cmpuint (size, >, 0);
  scratch = scratch_new (size);
  total = gst_gles_cpu_tiles (config, records, n, offsets, indices, keys, capacity, scratch);
  scratch_finish (scratch, size, "scratch memory of tiles");
  return total;
}

/* @outputs: bits: 1 indices, 2 keys. Returns how many entries all records need. */
static guint64
check_capacity (const GstGlesTilesConfig *config, const GstGlesTileRecord *records, guint n,
    gsize capacity, guint outputs)
{
  GstGlesCpuTilesConfig cpu = cpu_config_of (config);
  guint n_offsets = cpu.grid.n_tiles + 1;
  Lists *want = list_plainly (config, records, n, capacity);
  guint64 total = want->total;
  guint32 *offsets = guarded_new (n_offsets);
  guint32 *indices = (outputs & 1) != 0 ? guarded_new (capacity) : NULL;
  guint32 *keys = (outputs & 2) != 0 ? guarded_new (capacity) : NULL;

  g_assert_cmpuint (run_tiles (&cpu, records, n, offsets, indices, keys, capacity), ==, total);
  guarded_check (offsets, want->offsets, n_offsets, n_offsets, "offsets");
  guarded_check (indices, want->indices, MIN (total, capacity), capacity, "indices");
  guarded_check (keys, want->keys, MIN (total, capacity), capacity, "keys");
  lists_free (want);
  return total;
}

static void
check_records (const GstGlesTilesConfig *config, const GstGlesTileRecord *records, guint n)
{
  guint64 total = check_capacity (config, records, n, 0, 3);

  check_capacity (config, records, n, total + 5, 3);
  check_capacity (config, records, n, total, 0);
  check_capacity (config, records, n, total - MIN (total, 1), 1);
  check_capacity (config, records, n, total / 3, 2);
}

/* ---- records of all kinds ---- */

static void
check_random (const guint frame[4], guint n, guint order)
{
  GstGlesTilesConfig config = config_of (frame[0], frame[1], frame[2], frame[3], n, n);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, n + 1);

  config.by = (GstGlesTilesBy) (order % 3);
  config.descending = order / 3 % 2;
  fill_records (&config, order, records, n);
  check_records (&config, records, n);
}

/* As many records as fit the words, in each order, on small grids, with one tile, or one row. */
static void
check_array (Pattern pattern, const guint32 *words, guint n)
{
  static const guint frames[][4] = { { 64, 48, 16, 16 }, { 61, 47, 16, 8 }, { 1, 1, 1, 1 },
    { 50, 40, 1000, 1000 }, { 300, 1, 1, 1 }, { 1, 300, 1, 1 }, { 33, 65, 7, 9 } };

  check_random (
      frames[(pattern + n) % G_N_ELEMENTS (frames)], n * 4 / sizeof (GstGlesTileRecord), pattern);
}

/* Many records; 4K in tiles of 16 x 32, and a million tiles. */
static void
large_frames (void)
{
  static const guint frames[][5] = { { 200, 100, 16, 16, 50000 }, { 37, 1000, 40, 3, 40000 },
    { 3840, 2160, 16, 32, 3000 }, { 16384, 16384, 16, 16, 500 } };

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
    check_random (frames[i], frames[i][4], i);
}

/* Every pair of special values as both ends of an axis: on and beside the edges of tiles and of the
 * frame, inverted, by the least too, of either zero, denormal, infinite, no number. */
static void
edges (void)
{
  const guint32 values[] = { 0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x00000001, 0x00000002,
    0x80000001, 0x80000002, 0x007fffff, 0x807fffff, 0x7f800000, 0xff800000, 0x00000000, 0x80000000,
    bits_of (nextafterf (16, 0)), bits_of (16), bits_of (nextafterf (64, 0)), bits_of (64),
    bits_of (1000), bits_of (-1), bits_of (1e30f), bits_of (-1e30f) };
  const guint n = G_N_ELEMENTS (values);
  GstGlesTileRecord records[2 * G_N_ELEMENTS (values) * G_N_ELEMENTS (values)];

  for (guint i = 0; i < n * n; i++) {
    guint32 a = values[i / n], b = values[i % n], end = bits_of (20);

    records[2 * i] = (GstGlesTileRecord){ .min_x = a, .max_x = b, .max_y = end, .depth = a };
    records[2 * i + 1] = (GstGlesTileRecord){ .min_y = a, .max_y = b, .max_x = end, .depth = b };
  }
  for (guint i = 0; i < 6; i++) {
    GstGlesTilesConfig config = config_of (64, 64, 16, 16, 2 * n * n, 0);

    config.by = (GstGlesTilesBy) (i / 2);
    config.descending = i % 2 != 0;
    check_records (&config, records, 2 * n * n);
  }
}

/* ---- limits ---- */

static void
grids (void)
{
  static const struct {
    guint width, height, tile_width, tile_height, columns, rows; /* no columns: refused */
  } cases[] = { { 0, 1, 1, 1 }, { 1, 0, 1, 1 }, { 1, 1, 0, 1 }, { 1, 1, 1, 0 },
    { (1 << 24) + 1, 1, 1, 1 }, { 1 << 16, (1 << 14) + 1, 1, 1 },
    { 1 << 16, 1 << 14, 1, 1, 1 << 16, 1 << 14 }, { 3840, 2160, 16, 32, 240, 68 },
    { 1, 1, G_MAXUINT, G_MAXUINT, 1, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstGlesTileGrid grid = { .n_tiles = 77 };

    g_assert_cmpint (gst_gles_cpu_tile_grid (cases[i].width, cases[i].height, cases[i].tile_width,
                         cases[i].tile_height, &grid),
        ==, cases[i].columns > 0);
    g_assert_cmpuint (grid.columns, ==, cases[i].columns);
    g_assert_cmpuint (grid.rows, ==, cases[i].rows);
    g_assert_cmpuint (grid.n_tiles, ==, grid.columns > 0 ? grid.columns * grid.rows : 77);
  }
}

/* All records over all tiles: the need is beyond 32 bits. */
static void
need_beyond_32_bits (void)
{
  enum {
    N = 20000,
    CAPACITY = 1000000
  };
  GstGlesTilesConfig plan = config_of (512, 512, 1, 1, N, CAPACITY);
  GstGlesCpuTilesConfig config = cpu_config_of (&plan);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, N);
  guint n_tiles = config.grid.n_tiles;
  guint32 *offsets = guarded_new (n_tiles + 1), *indices = guarded_new (CAPACITY);

  for (guint i = 0; i < N; i++)
    records[i] = record_of (0, 0, 511, 511, bits_of (N - i));
  g_assert_cmpuint (
      run_tiles (&config, records, N, offsets, indices, NULL, CAPACITY), ==, (guint64) N * n_tiles);
  /* 1000000 = 3 * 262144 + 213568: three whole records, and tiles of a fourth */
  for (guint tile = 0; tile < n_tiles; tile++) {
    guint n = offsets[tile + 1] - offsets[tile];

    g_assert_cmpuint (n, ==, tile < 213568 ? 4 : 3);
    g_assert_cmpuint (indices[offsets[tile]], ==, N - 1);
    g_assert_cmpuint (indices[offsets[tile + 1] - 1], ==, N - n);
  }
  guarded_finish (offsets, n_tiles + 1, n_tiles + 1, "offsets");
  guarded_finish (indices, CAPACITY, CAPACITY, "indices");
}

static void
scratch_that_cannot_be (void)
{
  GstGlesTilesConfig plan = config_of (32, 32, 16, 16, 1, 1);
  GstGlesCpuTilesConfig config = cpu_config_of (&plan);

  g_assert_cmpuint (gst_gles_cpu_tiles_scratch_bytes (&config, G_MAXSIZE), ==, 0);
  g_assert_cmpuint (gst_gles_cpu_tiles_scratch_bytes (&config, (gsize) G_MAXUINT32 + 1), ==, 0);
}

int
main (int argc, char **argv)
{
  static const ArraysTest tests[] = { { "random", check_array },
    { "large-frames", NULL, large_frames }, { "edges", NULL, edges }, { "grids", NULL, grids },
    { "need-beyond-32-bits", NULL, need_beyond_32_bits },
    { "scratch-that-cannot-be", NULL, scratch_that_cannot_be }, { 0 } };

  return arrays_main (argc, argv, tests);
}
