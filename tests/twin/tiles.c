/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tiles' kernels against the native twin, bit for bit. tests/unit/cpu-tiles.c checks the twin,
 * and tests/twin/arrays.c which calls are refused. */
#include <math.h>
#include <string.h>

#include <gst/gles/algo/tiles/tiles.h>
#include <gst/gles/cpu/tiles/tiles.h>

#include "../../bench/inputs.h"
#include "array-cases.h"

/* ---- records ---- */

static guint32
bits_of (gfloat f)
{
  guint32 bits;

  memcpy (&bits, &f, sizeof (bits));
  return bits;
}

static GstGlesTileRecord
record_of (gfloat min_x, gfloat min_y, gfloat max_x, gfloat max_y, guint32 depth)
{
  return (GstGlesTileRecord){ bits_of (min_x), bits_of (min_y), bits_of (max_x), bits_of (max_y),
    depth, 0x12345678u, 7, 9 };
}

/* Boxes of all sizes around a frame, on edges of tiles and of the frame, of no area, inverted, of
 * odd numbers. */
static void
fill_records (const GstGlesTilesConfig *config, guint32 seed, GstGlesTileRecord *records, guint n)
{
  static const guint32 odd[] = { 0x7fc00000, 0xffc00001, 0x7f800000, 0xff800000, 0x80000000,
    0x00000001, 0x80000001, 0x00000000 };
  const gfloat w = config->width, h = config->height;
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  for (guint i = 0; i < n; i++) {
    guint32 r = g_rand_int (random);
    gfloat x = g_rand_double_range (random, -0.2 * w, 1.2 * w);
    gfloat y = g_rand_double_range (random, -0.2 * h, 1.2 * h);
    gfloat dx = (r & 7) == 0 ? w / 3 : g_rand_int_range (random, 0, 1024) / 1024.0 * 40;
    gfloat dy = (r & 56) == 0 ? h / 3 : g_rand_int_range (random, 0, 1024) / 1024.0 * 40;
    /* few depths, so that many are equal */
    guint32 depth = (r & 64) != 0 ? bits_of ((gfloat) (r >> 28)) : g_rand_int (random);

    if ((r & 0x300) == 0) {
      x = floorf (x / config->tile_width) * config->tile_width;
      y = floorf (y / config->tile_height) * config->tile_height;
    }
    if ((r & 0x3000) == 0)
      dx = (gfloat) config->tile_width * (r >> 30);
    records[i] = record_of (x, y, x + dx, y + dy, depth);
    if ((r & 0x1f0000) == 0)
      records[i] = record_of (x + dx, y, x, y + dy, depth); /* inverted, or of no area */
    if ((r & 0x3e00000) == 0)
      ((guint32 *) &records[i])[r >> 30] = odd[(r >> 26) & 7];
  }
}

/* Boxes of up to 9 by 5 pixels in a frame of 640 by 480, @percent of them beside it. */
static void
fill_off_screen (guint percent, GstGlesTileRecord *records, guint n)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (percent);

  for (guint k = 0; k < n; k++) {
    const gfloat x = g_rand_int_range (random, 0, 624), y = g_rand_int_range (random, 0, 464);
    const guint side = g_rand_int (random) % 100 < percent ? 1 + k % 4 : 0;
    const gfloat dx = side == 1 ? 700 : side == 2 ? -700 : 0;
    const gfloat dy = side == 3 ? 500 : side == 4 ? -500 : 0;
    /* few depths, so that the order of the input shows */
    records[k] = record_of (x + dx, y + dy, x + dx + k % 9, y + dy + k % 5,
        bits_of ((gfloat) g_rand_int_range (random, 0, 50)));
  }
}

static GstGlesTilesConfig
config_of (guint width, guint height, guint tile_width, guint tile_height, guint max_records,
    guint max_entries)
{
  return (GstGlesTilesConfig){
    .width = width,
    .height = height,
    .tile_width = tile_width,
    .tile_height = tile_height,
    .max_records = max_records,
    .max_entries = max_entries,
  };
}

/* ---- checks ---- */

/* Calls @tiles with @input, which has what @records says. Returns the entries needed. */
static guint64
check_input (GstGlesTiles *tiles, const GstGlesTilesConfig *config,
    const GstGlesTileRecord *records, GstGlesBuffer *input, guint n, gboolean indirect)
{
  g_autofree gchar *where = g_strdup_printf ("%u records, %ux%u in %ux%u, by %d%s, %u entries%s", n,
      config->width, config->height, config->tile_width, config->tile_height, config->sort_by,
      config->descending ? " descending" : "", config->max_entries, indirect ? ", indirect" : "");
  GstGlesCpuTilesConfig cpu = { .sort_by = config->sort_by, .descending = config->descending };
  const guint n_tiles = gst_gles_tiles_get_columns (tiles) * gst_gles_tiles_get_rows (tiles);
  const guint capacity = config->max_entries;
  g_autofree guint32 *offsets = g_new (guint32, n_tiles + 1);
  g_autofree guint32 *indices = g_new (guint32, capacity + 1);
  g_autofree guint32 *keys = g_new (guint32, capacity + 1);
  g_autoptr (GstGlesBuffer) got_offsets = array_buffer (n_tiles + 1);
  g_autoptr (GstGlesBuffer) got_indices = array_buffer (capacity);
  g_autoptr (GstGlesBuffer) got_keys = array_buffer (capacity);
  g_autoptr (GstGlesBuffer) count = array_count_buffer (n);
  g_autofree gpointer scratch = NULL;
  GError *error = NULL;
  guint64 total;

  g_assert_true (gst_gles_cpu_tile_grid (
      config->width, config->height, config->tile_width, config->tile_height, &cpu.grid));
  g_assert_cmpuint (cpu.grid.n_tiles, ==, n_tiles);
  scratch = g_malloc (MAX (gst_gles_cpu_tiles_scratch_bytes (&cpu, n), 1));
  total = gst_gles_cpu_tiles (
      &cpu, records, n, &(GstGlesCpuTileLists){ offsets, indices, keys, capacity }, scratch);
  if (indirect)
    gst_gles_tiles_run_indirect (
        tiles, input, count, ARRAY_COUNT_OFFSET, got_offsets, got_indices, got_keys, &error);
  else
    gst_gles_tiles_run (tiles, input, n, got_offsets, got_indices, got_keys, &error);
  g_assert_no_error (error);
  array_check (got_offsets, offsets, n_tiles + 1, where);
  array_check (got_indices, indices, MIN (total, capacity), where);
  array_check (got_keys, keys, MIN (total, capacity), where);
  array_check_result (gst_gles_tiles_get_result (tiles), total, MIN (total, capacity),
      total > capacity ? GST_GLES_STATUS_TRUNCATED : 0, where);
  return total;
}

static guint64
check_records (GstGlesTiles *tiles, const GstGlesTilesConfig *config,
    const GstGlesTileRecord *records, guint n, gboolean indirect)
{
  g_autoptr (GstGlesBuffer) input = array_buffer_of (records, 8 * n);

  return check_input (tiles, config, records, input, n, indirect);
}

static void
check (const GstGlesTilesConfig *config, guint n, gboolean indirect)
{
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, n);
  g_autoptr (GstGlesTiles) tiles = ARRAY_NEW (tiles, config);

  fill_records (config, n, records, n);
  check_records (tiles, config, records, n, indirect);
}

/* ---- tests ---- */

/* By every key, both ways. */
static void
test_grids (void)
{
  static const guint frames[][4] = { { 640, 480, 16, 16 }, { 641, 479, 16, 16 }, { 1, 1, 1, 1 },
    { 17, 1, 16, 16 }, { 1, 300, 7, 5 }, { 100, 100, 200, 200 }, { 1920, 1080, 64, 32 },
    { 64, 64, 1, 1 }, { 3840, 2160, 32, 32 }, { 3840, 2160, 16, 32 } };

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    const guint *f = frames[i];
    GstGlesTilesConfig config = config_of (f[0], f[1], f[2], f[3], 3000, 400000);

    config.sort_by = i % 3;
    config.descending = i % 2;
    check (&config, 3000 - i, i / 2 % 2 != 0);
  }
}

static void
test_sizes (void)
{
  static const guint sizes[] = { 0, 1, 2, 15, 16, 17, 255, 256, 257, 1000, 4095, 4096, 4097, 0,
    20000 };
  GstGlesTilesConfig config = config_of (800, 600, 16, 16, 20000, 1500000);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, 20000);
  g_autoptr (GstGlesTiles) tiles = ARRAY_NEW (tiles, &config);

  fill_records (&config, 5, records, 20000);
  /* one plan, another n each time, and all of them again */
  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++)
    check_records (tiles, &config, records, sizes[i % G_N_ELEMENTS (sizes)], i % 2);
}

static void
test_edges (void)
{
  const gfloat inf = INFINITY;
  const GstGlesTileRecord records[] = {
    record_of (16, 16, 16, 16, 3),             /* of no area, on a corner of tiles */
    record_of (15.999f, 0, 16, 0.5f, 3),       /* across an edge */
    record_of (0, 0, 15.999f, 15.999f, 2),     /* one tile */
    record_of (-5, -5, -0.001f, 3, 1),         /* left of the frame */
    record_of (-5, -5, -0.0f, 3, 1),           /* -0 is in */
    record_of (64, 0, 70, 5, 1),               /* right of it */
    record_of (63.999f, 47.999f, 900, 900, 1), /* the last pixel */
    record_of (0, 48, 5, 60, 1),               /* below it */
    record_of (-inf, -inf, inf, inf, 0),       /* covers everything */
    record_of (10, 10, 5, 20, 1),              /* inverted */
    record_of (NAN, 0, 5, 5, 1),               /* no number */
    record_of (0, 0, 5, NAN, 1),
    record_of (inf, 0, inf, 5, 1),
    record_of (-inf, 0, -inf, 5, 1),
    record_of (1e-40f, 1e-40f, 1e-39f, 1e-39f, 9), /* denormals */
    record_of (-1e-40f, 0, -1e-41f, 5, 9),
    record_of (-1e30f, 3, 1e30f, 3, 0x7fc00000), /* a depth that is no number */
    record_of (-1e30f, 3, 1e30f, 3, 0xffc00000),
  };
  GstGlesTilesConfig config = config_of (64, 48, 16, 16, 100, 1000);
  g_autoptr (GstGlesTiles) tiles = ARRAY_NEW (tiles, &config);

  for (guint i = 0; i < G_N_ELEMENTS (records); i++)
    check_records (tiles, &config, records + i, 1, i % 2);
  check_records (tiles, &config, records, G_N_ELEMENTS (records), FALSE);
}

/* The plan goes on as before. */
static void
check_capacity (GstGlesTilesConfig config, guint capacity, guint order,
    const GstGlesTileRecord *records, guint n)
{
  g_autoptr (GstGlesTiles) tiles = NULL;

  config.max_entries = capacity;
  config.sort_by = order % 3;
  config.descending = (order & 4) != 0;
  tiles = ARRAY_NEW (tiles, &config);
  check_records (tiles, &config, records, n, order % 2);
  check_records (tiles, &config, records, 30, order % 2);
  check_records (tiles, &config, records, n - 1, order % 2);
}

/* Capacities for none, one, almost all, and exactly all entries, in every order; and those that end
 * among records with equal keys, some of which cover no tile. */
static void
test_truncated (void)
{
  static const guint among_equals[] = { 1, 4001, 8500, 9001, 11111, 13000 };
  GstGlesTilesConfig config = config_of (640, 480, 16, 16, 500, 1);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, 4000);
  g_autoptr (GstGlesTiles) tiles = ARRAY_NEW (tiles, &config);
  guint64 total;

  fill_records (&config, 11, records, 500);
  total = check_records (tiles, &config, records, 500, FALSE);
  const guint capacities[] = { 0, 1, 1000, total / 2, total / 2 + 5, total - 1, total, total + 1 };
  for (guint i = 0; i < G_N_ELEMENTS (capacities); i++)
    check_capacity (config, capacities[i], i, records, 500);
  config = config_of (64, 64, 16, 16, 4000, 1);
  for (guint i = 0; i < 4000; i++) {
    gfloat x = i % 7 == 0 ? 100 : i % 50;
    records[i] = record_of (x, 3, x + i % 40, 3 + i % 33, bits_of (i / 3000));
  }
  for (guint i = 0; i < G_N_ELEMENTS (among_equals); i++)
    check_capacity (config, among_equals[i], 4 * (i % 2), records, 4000);
}

/* One tile has all entries but two. */
static void
test_list_lengths (void)
{
  static const guint lengths[] = { 1, 31, 32, 33, 63, 64, 65, 255, 256, 257, 511, 1023, 1024, 1025,
    2047, 2048, 2049, 4999, 17000 };
  GstGlesTilesConfig config = config_of (48, 16, 16, 16, 17002, 17002);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, 17002);
  g_autoptr (GstGlesTiles) tiles = ARRAY_NEW (tiles, &config);

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
    guint n = lengths[i];

    for (guint k = 0; k < n; k++) {
      guint32 word = bench_random (5 + i, k);
      /* many of one depth */
      guint32 depth = (i & 1) != 0 ? bits_of ((gfloat) (word >> 28)) : word;
      records[k] = record_of (17, 1, 17, 2, depth);
    }
    records[n] = record_of (0, 0, 3, 3, 0);
    records[n + 1] = record_of (40, 0, 41, 3, 0);
    check_records (tiles, &config, records, n + 2, (i & 2) != 0);
  }
}

/* More entries than 32 bits can count: each record covers the frame, with tiles of one pixel. */
static void
check_beyond_32_bits (guint width, guint height, guint n, guint depths)
{
  GstGlesTilesConfig config = config_of (width, height, 1, 1, n, 100000);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, n);
  g_autoptr (GstGlesTiles) tiles = ARRAY_NEW (tiles, &config);

  for (guint i = 0; i < n; i++)
    records[i] = record_of (-10, -10, 5000, 5000, bits_of (i % depths));
  g_assert_cmpuint (
      check_records (tiles, &config, records, n, FALSE), ==, (guint64) n * width * height);
}

static void
test_need_beyond_32_bits (void)
{
  check_beyond_32_bits (1024, 1024, 5000, 7);
  /* 65535 tiles: the low 32 bits of the number of entries alone would be within the capacity. */
  check_beyond_32_bits (255, 257, 65538, 1);
}

/* 8160 tiles of 16 by 32, more than 8191, then a million; and more than a million splats. */
static void
test_many (void)
{
  GstGlesTilesConfig config = config_of (3840, 1088, 16, 32, 20000, 2500000);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, 1100000);
  g_autoptr (GstGlesTiles) many_tiles = NULL, many_records = NULL;

  if (array_test.quick) {
    g_test_skip ("quick");
    return;
  }
  check (&config, 2000, TRUE);
  config = config_of (3840, 2160, 8, 128, 20000, 500000);
  check (&config, 1500, FALSE);
  config = config_of (1000, 1000, 1, 1, 20000, 2000000);
  for (guint i = 0; i < 20000; i++)
    records[i] = record_of (i % 1000, i / 20, i % 1000 + 3, i / 20 + 2, bits_of (i % 13));
  many_tiles = ARRAY_NEW (tiles, &config);
  check_records (many_tiles, &config, records, 20000, FALSE);
  config = config_of (1920, 1080, 16, 16, 1100000, 2500000);
  for (guint i = 0; i < 1100000; i++) {
    gfloat x = bench_random (99, 3 * i) / 4294967296.0 * 1920;
    gfloat y = bench_random (99, 3 * i + 1) / 4294967296.0 * 1080;
    gfloat r = i & 7;
    records[i] = record_of (x - r, y - r, x + r, y + r, bench_random (99, 3 * i + 2));
  }
  many_records = ARRAY_NEW (tiles, &config);
  check_records (many_records, &config, records, 1100000, TRUE);
}

static void
test_points (void)
{
  for (guint i = 0; i < 4; i++) {
    GstGlesTilesConfig config = config_of (640, 480, 16, 16, 30000, 30000);
    g_autofree guint32 *points = g_new (guint32, 60000);
    g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, 30000);
    g_autoptr (GstGlesTiles) tiles = NULL;
    g_autoptr (GstGlesBuffer) input = NULL;

    config.source = GST_GLES_TILES_POINTS;
    config.sort_by = (i & 1) != 0 ? GST_GLES_TILES_SORT_BY_VALUE : GST_GLES_TILES_SORT_BY_INDEX;
    config.descending = (i & 2) != 0;
    for (guint k = 0; k < 30000; k++) {
      guint x = bench_random (i, 3 * k) % 700, y = bench_random (i, 3 * k + 1) % 500;

      points[2 * k] = x | y << 16;
      points[2 * k + 1] = bench_random (i, 3 * k + 2) & 255;
      records[k] = record_of (x, y, x, y, points[2 * k + 1]);
    }
    tiles = ARRAY_NEW (tiles, &config);
    input = array_buffer_of (points, 60000);
    check_input (tiles, &config, records, input, 30000, (i & 1) != 0);
  }
}

/* From none to all records off screen, which the pipeline of two sorts leaves out before it sorts;
 * with one plan, by counts of both kinds, and more records than the count allows. */
static void
test_off_screen (void)
{
  static const guint percents[] = { 0, 10, 50, 90, 100, 0 };
  const guint n = 20000;
  GstGlesTilesConfig config = config_of (640, 480, 16, 16, n, 4 * n);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, n);

  for (guint way = 0; way < 4; way++) {
    g_autoptr (GstGlesTiles) tiles = NULL;

    config.sort_by = way < 2 ? GST_GLES_TILES_SORT_BY_DEPTH : GST_GLES_TILES_SORT_BY_VALUE;
    config.descending = way % 2;
    /* the last way: some entries do not fit */
    config.max_entries = way < 3 ? 4 * n : n / 20;
    tiles = ARRAY_NEW (tiles, &config);
    for (guint i = 0; i < G_N_ELEMENTS (percents); i++) {
      fill_off_screen (percents[i], records, n);
      check_records (tiles, &config, records, n - i, i % 2);
    }
  }
}

/* Of 100 records, some are off screen and are not counted as entries. */
static void
test_counts_are_clamped (void)
{
  static const guint off_screen[] = { 0, 30, 100 };
  static const guint32 counts[] = { 101, G_MAXUINT32, 100 };
  GstGlesTilesConfig config = config_of (64, 64, 16, 16, 100, 1000);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, 200);
  g_autoptr (GstGlesTiles) tiles = ARRAY_NEW (tiles, &config);
  g_autoptr (GstGlesBuffer) offsets = array_buffer (17);
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (off_screen) * G_N_ELEMENTS (counts); i++) {
    const guint off = off_screen[i / G_N_ELEMENTS (counts)];
    const guint32 n = counts[i % G_N_ELEMENTS (counts)];
    g_autoptr (GstGlesBuffer) input = NULL, count = array_count_buffer (n);

    for (guint k = 0; k < 200; k++)
      records[k] = k % 100 < off ? record_of (99, 1, 99, 2, k) : record_of (1, 1, 2, 2, k);
    input = array_buffer_of (records, 1600);
    assert_ok (gst_gles_tiles_run_indirect (
        tiles, input, count, ARRAY_COUNT_OFFSET, offsets, NULL, NULL, &error));
    array_check_result (gst_gles_tiles_get_result (tiles), 100 - off, 100 - off,
        n > 100 ? GST_GLES_STATUS_COUNT_CLAMPED : 0, "a count beyond the capacity");
  }
}

/* ---- what is wrong ---- */

/* More than a storage block holds is refused when the plan is made: records, tiles or entries. */
static void
test_block_limit (void)
{
  guint64 limit = gst_gles_device_get_limits (array_test.device)->storage_block_bytes;
  const GstGlesTilesConfig configs[] = { config_of (64, 64, 16, 16, limit / 32 + 1, 10),
    config_of (64, 64, 16, 16, 10, limit / 4 + 1), config_of (1u << 14, 1u << 13, 1, 1, 10, 10) };
  GError *error = NULL;

  if (array_test.is_cpu || limit > 1u << 29) {
    g_test_skip ("there is no such limit");
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (configs); i++) {
    assert_fails (gst_gles_tiles_new (array_test.queue, &configs[i], &error), TOO_LARGE);
  }
}

static void
test_bad_config (void)
{
  const struct {
    GstGlesTilesSource source;
    GstGlesTilesSortBy by;
    GstGlesTilesConfig config;
    const gchar *message;
  } bad[] = {
    { GST_GLES_TILES_POINTS, GST_GLES_TILES_SORT_BY_DEPTH, config_of (64, 64, 16, 16, 1, 1),
        "points have no depth" },
    { GST_GLES_TILES_POINTS, (GstGlesTilesSortBy) 9, config_of (64, 64, 16, 16, 1, 1),
        "9 as a GstGlesTilesSortBy is unknown" },
    { 0, 0, config_of (64, 64, 0, 16, 1, 1), "a frame of" },
    { 0, 0, config_of (0, 64, 16, 16, 1, 1), "a frame of" },
    { 0, 0, config_of ((1u << 24) + 1, 64, 16, 16, 1, 1), "a frame of" },
    { 0, 0, config_of (1u << 20, 1u << 20, 1, 1, 1, 1), "a frame of" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    GstGlesTilesConfig config = bad[i].config;
    GError *error = NULL;

    config.source = bad[i].source;
    config.sort_by = bad[i].by;
    g_assert_null (gst_gles_tiles_new (array_test.queue, &config, &error));
    g_assert_nonnull (strstr (error->message, bad[i].message));
    array_expect_error (&error, GST_GLES_ERROR_INVALID, bad[i].message);
  }
}

static void
add (void)
{
  g_test_add_func ("/tiles/edges", test_edges);
  g_test_add_func ("/tiles/grids", test_grids);
  g_test_add_func ("/tiles/sizes", test_sizes);
  g_test_add_func ("/tiles/truncated", test_truncated);
  g_test_add_func ("/tiles/list-lengths", test_list_lengths);
  g_test_add_func ("/tiles/need-beyond-32-bits", test_need_beyond_32_bits);
  g_test_add_func ("/tiles/many", test_many);
  g_test_add_func ("/tiles/points", test_points);
  g_test_add_func ("/tiles/off-screen", test_off_screen);
  g_test_add_func ("/tiles/counts-are-clamped", test_counts_are_clamped);
  g_test_add_func ("/tiles/block-limit", test_block_limit);
  g_test_add_func ("/tiles/bad-config", test_bad_config);
}

ARRAY_TEST_MAIN (NULL, add)
