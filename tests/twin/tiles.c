/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tiles' kernels against the native twin, bit for bit, and both against lists made by a plain
 * loop: for each record in key order, for each tile it covers, the tile gets one more entry. */
#include <math.h>
#include <string.h>

#include <gst/gles/algo/tiles/tiles.h>
#include <gst/gles/cpu/tiles.h>

#include "gles-test.h"
#include "../../gst/tools/bench/inputs.h"
#include "sort-cases.h"
#include "tiles-cases.h"

static GstGlesDevice *device;
static GstGlesQueue *queue;

static GstGlesBuffer *
new_filled (gconstpointer words, gsize n)
{
  GError *error = NULL;
  GstGlesBuffer *buffer = gst_gles_buffer_new (device, 4 * n, &error);

  g_assert_no_error (error);
  g_assert_true (gst_gles_buffer_upload (buffer, queue, 0, words, 4 * n, &error));
  g_assert_no_error (error);
  return buffer;
}

static GstGlesBuffer *
new_canaries (gsize n)
{
  g_autofree guint32 *words = g_new (guint32, n + 1);

  for (gsize i = 0; i < n; i++)
    words[i] = CANARY;
  return new_filled (words, n);
}

static void
download (GstGlesBuffer *buffer, gpointer words, gsize n)
{
  GError *error = NULL;

  g_assert_true (gst_gles_buffer_download (buffer, queue, 0, words, 4 * n, &error));
  g_assert_no_error (error);
}

/* ---- checks ---- */

static GstGlesTiles *
new_tiles (const GstGlesTilesConfig *config)
{
  GError *error = NULL;
  GstGlesTiles *tiles = gst_gles_tiles_new (queue, config, &error);

  g_assert_no_error (error);
  return tiles;
}

static Lists *
list_natively (
    const GstGlesTilesConfig *config, const GstGlesTileRecord *records, guint n, guint capacity)
{
  GstGlesCpuTilesConfig cpu = { .by = config->by, .descending = config->descending };
  g_autofree gpointer scratch = NULL;
  Lists *lists;

  g_assert_true (gst_gles_cpu_tile_grid (
      config->width, config->height, config->tile_width, config->tile_height, &cpu.grid));
  scratch = g_malloc (MAX (gst_gles_cpu_tiles_scratch_bytes (&cpu, n), 1));
  lists = lists_new (cpu.grid.n_tiles, capacity);
  lists->total = gst_gles_cpu_tiles (
      &cpu, records, n, lists->offsets, lists->indices, lists->keys, capacity, scratch);
  return lists;
}

/* On the device, with canaries behind the outputs. */
static Lists *
list_on_device (GstGlesTiles *tiles, GstGlesBuffer *records, guint n, guint capacity,
    gboolean indirect, const gchar *where)
{
  guint n_tiles = gst_gles_tiles_get_columns (tiles) * gst_gles_tiles_get_rows (tiles);
  g_autoptr (GstGlesBuffer) offsets = new_canaries (n_tiles + 2);
  g_autoptr (GstGlesBuffer) indices = new_canaries (capacity + CANARY_WORDS);
  g_autoptr (GstGlesBuffer) keys = new_canaries (capacity + CANARY_WORDS);
  g_autoptr (GstGlesBuffer) count = new_filled (&n, 1);
  Lists *lists = lists_new (n_tiles, capacity);
  GError *error = NULL;
  GstGlesResult result;

  if (indirect)
    gst_gles_tiles_run_indirect (tiles, records, count, 0, offsets, indices, keys, &error);
  else
    gst_gles_tiles_run (tiles, records, n, offsets, indices, keys, &error);
  g_assert_no_error (error);
  download (offsets, lists->offsets, n_tiles + 2);
  download (indices, lists->indices, capacity + CANARY_WORDS);
  download (keys, lists->keys, capacity + CANARY_WORDS);
  download (gst_gles_tiles_get_result (tiles), &result, 4);
  lists->total = result.total;
  if (lists->offsets[n_tiles + 1] != CANARY || result.count != MIN (result.total, capacity) ||
      result.status != (result.total > capacity ? GST_GLES_STATUS_TRUNCATED : 0))
    g_error ("%s: %u entries of %" G_GUINT64_FORMAT ", status %u, last word %08x", where,
        result.count, result.total, result.status, lists->offsets[n_tiles + 1]);
  return lists;
}

static void
check_records (GstGlesTiles *tiles, const GstGlesTilesConfig *config,
    const GstGlesTileRecord *records, guint n, gboolean indirect, gboolean plainly)
{
  g_autofree gchar *where = g_strdup_printf ("%u records, %ux%u in %ux%u, by %d%s, %u entries%s", n,
      config->width, config->height, config->tile_width, config->tile_height, config->by,
      config->descending ? " descending" : "", config->max_entries, indirect ? ", indirect" : "");
  guint n_tiles = gst_gles_tiles_get_columns (tiles) * gst_gles_tiles_get_rows (tiles);
  g_autoptr (GstGlesBuffer) buffer = new_filled (records, 8 * (gsize) n);
  Lists *native = list_natively (config, records, n, config->max_entries);
  Lists *got = list_on_device (tiles, buffer, n, config->max_entries, indirect, where);

  g_assert_cmpuint (got->total, ==, native->total);
  assert_lists (got, native, n_tiles, config->max_entries, "kernels", where);
  if (plainly) {
    Lists *plain = list_plainly (config, records, n, config->max_entries);
    g_assert_cmpuint (native->total, ==, plain->total);
    assert_lists (native, plain, n_tiles, config->max_entries, "twin", where);
    lists_free (plain);
  }
  lists_free (native);
  lists_free (got);
}

static void
check (const GstGlesTilesConfig *config, guint n, gboolean indirect)
{
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, n + 1);
  g_autoptr (GstGlesTiles) tiles = new_tiles (config);

  fill_records (config, n, records, n);
  check_records (tiles, config, records, n, indirect, TRUE);
}

/* ---- tests ---- */

static void
test_grids (void)
{
  static const guint frames[][4] = { { 640, 480, 16, 16 }, { 641, 479, 16, 16 }, { 1, 1, 1, 1 },
    { 17, 1, 16, 16 }, { 1, 300, 7, 5 }, { 100, 100, 200, 200 }, { 1920, 1080, 64, 32 },
    { 64, 64, 1, 1 }, { 3840, 2160, 32, 32 }, { 3840, 2160, 16, 32 } };

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    const guint *f = frames[i];
    GstGlesTilesConfig config = config_of (f[0], f[1], f[2], f[3], 3000, 400000);
    config.by = i % 3;
    config.descending = i % 2;
    check (&config, 3000 - i, (i & 1) != 0);
  }
}

static void
test_sizes (void)
{
  static const guint sizes[] = { 0, 1, 2, 15, 16, 17, 255, 256, 257, 1000, 4095, 4096, 4097, 0,
    20000 };
  GstGlesTilesConfig config = config_of (800, 600, 16, 16, 20000, 3000000);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, 20000);
  g_autoptr (GstGlesTiles) tiles = NULL;

  config.max_entries = 1500000;
  tiles = new_tiles (&config);
  fill_records (&config, 5, records, 20000);
  /* one plan, another n each time */
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    check_records (tiles, &config, records, sizes[i], i % 2, TRUE);
}

/* The splats of the benchmark. */
static void
test_splats (void)
{
  const guint n = 5000;
  GstGlesTilesConfig config = config_of (
      BENCH_SPLATS_WIDTH, BENCH_SPLATS_HEIGHT, BENCH_SPLATS_TILE, BENCH_SPLATS_TILE, n, 8 * n);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, n);
  g_autoptr (GstGlesTiles) tiles = new_tiles (&config);

  for (guint i = 0; i < n; i++)
    bench_splat (i, (BenchSplat *) &records[i]);
  check_records (tiles, &config, records, n, FALSE, TRUE);
}

/* By every key, both ways. */
static void
test_orders (void)
{
  for (guint i = 0; i < 6; i++) {
    GstGlesTilesConfig config = config_of (500, 400, 20, 10, 2000, 300000);
    config.by = i % 3;
    config.descending = i >= 3;
    check (&config, 2000, FALSE);
  }
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
  static const guint counts[] = { 0, 1 };
  GstGlesTilesConfig config = config_of (64, 48, 16, 16, 100, 1000);
  g_autoptr (GstGlesTiles) tiles = new_tiles (&config);

  for (guint i = 0; i < G_N_ELEMENTS (records); i++)
    check_records (tiles, &config, records + i, 1, counts[i % 2], TRUE);
  check_records (tiles, &config, records, G_N_ELEMENTS (records), FALSE, TRUE);
}

/* Capacities for none, one, almost all, and exactly all entries, in every order. */
static void
test_truncated (void)
{
  GstGlesTilesConfig config = config_of (640, 480, 16, 16, 500, 1);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, 500);
  guint64 total;
  Lists *lists;

  fill_records (&config, 11, records, 500);
  lists = list_natively (&config, records, 500, 1);
  total = lists->total;
  lists_free (lists);
  for (guint i = 0; i < 8; i++) {
    const guint capacities[] = { 0, 1, 1000, total / 2, total / 2 + 5, total - 1, total,
      total + 1 };
    g_autoptr (GstGlesTiles) tiles = NULL;
    config.max_entries = capacities[i];
    config.by = i % 3;
    config.descending = (i & 4) != 0;
    tiles = new_tiles (&config);
    /* the plan goes on as before */
    check_records (tiles, &config, records, 500, i % 2, TRUE);
    check_records (tiles, &config, records, 30, i % 2, TRUE);
    check_records (tiles, &config, records, 499, i % 2, TRUE);
  }
}

/* The capacity ends among records with equal keys, some of which cover no tile. */
static void
test_truncated_among_equals (void)
{
  GstGlesTilesConfig config = config_of (64, 64, 16, 16, 4000, 1);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, 4000);

  for (guint i = 0; i < 4000; i++) {
    gfloat x = i % 7 == 0 ? 100 : i % 50;
    records[i] = record_of (x, 3, x + i % 40, 3 + i % 33, bits_of (i / 3000));
  }
  for (guint i = 0; i < 6; i++) {
    static const guint capacities[] = { 1, 4001, 8500, 9001, 11111, 13000 };
    g_autoptr (GstGlesTiles) tiles = NULL;
    config.max_entries = capacities[i];
    config.descending = i % 2;
    tiles = new_tiles (&config);
    check_records (tiles, &config, records, 4000, FALSE, TRUE);
  }
}

/* One tile has all entries but two. */
static void
test_list_lengths (void)
{
  static const guint lengths[] = { 1, 31, 32, 33, 63, 64, 65, 255, 256, 257, 511, 1023, 1024, 1025,
    2047, 2048, 2049, 4999, 17000 };
  GstGlesTilesConfig config = config_of (48, 16, 16, 16, 17002, 17002);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, 17002);
  g_autoptr (GstGlesTiles) tiles = new_tiles (&config);
  Random random = { 5 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
    guint n = lengths[i];
    for (guint k = 0; k < n + 2; k++) {
      guint32 word = random_word (&random);
      /* many of one depth */
      guint32 depth = (i & 1) != 0 ? bits_of ((gfloat) (word >> 28)) : word;
      records[k] = record_of (17, 1, 17, 2, depth);
    }
    records[n] = record_of (0, 0, 3, 3, 0);
    records[n + 1] = record_of (40, 0, 41, 3, 0);
    check_records (tiles, &config, records, n + 2, (i & 2) != 0, TRUE);
  }
}

/* More entries than 32 bits can count: each record covers the frame, with tiles of one pixel. */
static void
check_beyond_32_bits (guint width, guint height, guint n, guint depths)
{
  GstGlesTilesConfig config = config_of (width, height, 1, 1, n, 100000);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, n);
  g_autoptr (GstGlesTiles) tiles = new_tiles (&config);
  GstGlesResult result;

  for (guint i = 0; i < n; i++)
    records[i] = record_of (-10, -10, 5000, 5000, bits_of (i % depths));
  check_records (tiles, &config, records, n, FALSE, FALSE);
  download (gst_gles_tiles_get_result (tiles), &result, 4);
  g_assert_cmpuint (result.total, ==, (guint64) n * width * height);
  g_assert_cmpuint (result.count, ==, 100000);
}

static void
test_need_beyond_32_bits (void)
{
  check_beyond_32_bits (1024, 1024, 5000, 7);
  /* 65535 tiles: the low 32 bits of the number of entries alone would be within the capacity. */
  check_beyond_32_bits (255, 257, 65538, 1);
}

static void
test_many_tiles (void)
{
  /* 8160 tiles of 16 by 32, more than 8191, then a million */
  GstGlesTilesConfig config = config_of (3840, 2160, 32, 32, 20000, 1000000);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, 20000);

  config = config_of (3840, 1088, 16, 32, 20000, 2500000);
  fill_records (&config, 3, records, 2000);
  check (&config, 2000, TRUE);
  config = config_of (3840, 2160, 8, 128, 20000, 500000);
  check (&config, 1500, FALSE);
  config = config_of (1000, 1000, 1, 1, 20000, 2000000);
  for (guint i = 0; i < 20000; i++)
    records[i] = record_of (i % 1000, i / 20, i % 1000 + 3, i / 20 + 2, bits_of (i % 13));
  g_autoptr (GstGlesTiles) tiles = new_tiles (&config);
  check_records (tiles, &config, records, 20000, FALSE, TRUE);
}

/* More than a million splats. */
static void
test_many_records (void)
{
  GstGlesTilesConfig config = config_of (1920, 1080, 16, 16, 1100000, 2500000);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, 1100000);
  g_autoptr (GstGlesTiles) tiles = new_tiles (&config);
  Random random = { 99 };

  for (guint i = 0; i < 1100000; i++) {
    gfloat x = random_word (&random) / 4294967296.0 * 1920;
    gfloat y = random_word (&random) / 4294967296.0 * 1080;
    gfloat r = (random_word (&random) & 7);
    records[i] = record_of (x - r, y - r, x + r, y + r, random_word (&random));
  }
  check_records (tiles, &config, records, 1100000, TRUE, FALSE);
}

static void
test_points (void)
{
  for (guint i = 0; i < 4; i++) {
    GstGlesTilesConfig config = config_of (640, 480, 16, 16, 30000, 30000);
    g_autofree guint32 *points = g_new (guint32, 60000);
    g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, 30000);
    g_autoptr (GstGlesTiles) tiles = NULL;
    g_autoptr (GstGlesBuffer) buffer = NULL;
    Lists *want, *got;
    Random random = { i };

    config.source = GST_GLES_TILES_POINTS;
    config.by = (i & 1) != 0 ? GST_GLES_TILES_BY_VALUE : GST_GLES_TILES_BY_INDEX;
    config.descending = (i & 2) != 0;
    for (guint k = 0; k < 30000; k++) {
      guint x = random_word (&random) % 700, y = random_word (&random) % 500;
      points[2 * k] = x | y << 16;
      points[2 * k + 1] = random_word (&random) & 255;
      records[k] = record_of (x, y, x, y, points[2 * k + 1]);
    }
    tiles = new_tiles (&config);
    buffer = new_filled (points, 60000);
    want = list_plainly (&config, records, 30000, 30000);
    got = list_on_device (tiles, buffer, 30000, 30000, (i & 1) != 0, "points");
    g_assert_cmpuint (got->total, ==, want->total);
    assert_lists (got, want, 40 * 30, 30000, "kernels", "points");
    lists_free (want);
    lists_free (got);
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
    config.by = way < 2 ? GST_GLES_TILES_BY_DEPTH : GST_GLES_TILES_BY_VALUE;
    config.descending = way % 2;
    /* the last way: some entries do not fit */
    config.max_entries = way < 3 ? 4 * n : n / 20;
    tiles = new_tiles (&config);
    for (guint i = 0; i < G_N_ELEMENTS (percents); i++) {
      fill_off_screen (percents[i], records, n);
      check_records (tiles, &config, records, n - i, i % 2, TRUE);
    }
  }
}

static void
test_repetitions (void)
{
  GstGlesTilesConfig config = config_of (320, 200, 16, 16, 300, 20000);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, 300);
  g_autoptr (GstGlesTiles) a = new_tiles (&config);
  g_autoptr (GstGlesTiles) b = new_tiles (&config);

  fill_records (&config, 8, records, 300);
  for (guint i = 0; i < 100; i++)
    check_records ((i & 1) != 0 ? a : b, &config, records, 300 - i % 3, FALSE, FALSE);
}

/* @off_screen: of 100 records, how many are; they are not counted as entries. */
static void
check_clamped (guint off_screen)
{
  GstGlesTilesConfig config = config_of (64, 64, 16, 16, 100, 1000);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, 200);
  g_autoptr (GstGlesTiles) tiles = new_tiles (&config);
  g_autoptr (GstGlesBuffer) offsets = new_canaries (17);
  g_autoptr (GstGlesBuffer) buffer = NULL;
  static const guint32 counts[] = { 101, G_MAXUINT32, 100 };
  GstGlesResult result;
  GError *error = NULL;

  for (guint i = 0; i < 200; i++)
    records[i] = i % 100 < off_screen ? record_of (99, 1, 99, 2, i) : record_of (1, 1, 2, 2, i);
  buffer = new_filled (records, 1600);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
    g_autoptr (GstGlesBuffer) count = new_filled (&counts[i], 1);
    g_assert_true (
        gst_gles_tiles_run_indirect (tiles, buffer, count, 0, offsets, NULL, NULL, &error));
    download (gst_gles_tiles_get_result (tiles), &result, 4);
    g_assert_cmpuint (result.total, ==, 100 - off_screen);
    g_assert_cmpuint (result.status, ==, counts[i] > 100 ? GST_GLES_STATUS_COUNT_CLAMPED : 0);
  }
}

static void
test_counts_are_clamped (void)
{
  check_clamped (0);
  check_clamped (30);
  check_clamped (100);
}

/* More than a storage block holds is refused when the plan is made: records, tiles or entries. */
static void
test_block_limit (void)
{
  guint64 limit = gst_gles_device_get_limits (device)->storage_block_bytes;
  const GstGlesTilesConfig configs[] = { config_of (64, 64, 16, 16, limit / 32 + 1, 10),
    config_of (64, 64, 16, 16, 10, limit / 4 + 1), config_of (1u << 14, 1u << 13, 1, 1, 10, 10) };
  GError *error = NULL;

  if (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU || limit > 1u << 29) {
    g_test_skip ("there is no such limit");
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (configs); i++) {
    g_assert_null (gst_gles_tiles_new (queue, &configs[i], &error));
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE);
    g_clear_error (&error);
  }
}

/* @word: in the message */
static void
assert_config_refused (GstGlesTilesConfig config, gint code, const gchar *word)
{
  GError *error = NULL;

  g_assert_null (gst_gles_tiles_new (queue, &config, &error));
  g_assert_error (error, GST_GLES_ERROR, code);
  if (strstr (error->message, word) == NULL)
    g_error ("no \"%s\" in: %s", word, error->message);
  g_clear_error (&error);
}

static void
assert_refused (GstGlesTiles *tiles, GstGlesBuffer *records, guint n, GstGlesBuffer *offsets,
    GstGlesBuffer *indices, GstGlesBuffer *keys, gint code)
{
  GError *error = NULL;

  g_assert_false (gst_gles_tiles_run (tiles, records, n, offsets, indices, keys, &error));
  g_assert_error (error, GST_GLES_ERROR, code);
  g_clear_error (&error);
}

static void
test_bad_input (void)
{
  GstGlesTilesConfig config = config_of (64, 64, 16, 16, 100, 1000);
  GstGlesTilesConfig depthless = config;
  g_autoptr (GstGlesTiles) tiles = new_tiles (&config);
  g_autoptr (GstGlesBuffer) records = new_canaries (808);
  g_autoptr (GstGlesBuffer) offsets = new_canaries (17);
  g_autoptr (GstGlesBuffer) small = new_canaries (16);
  g_autoptr (GstGlesBuffer) a = new_canaries (100);
  guint32 word;

  depthless.source = GST_GLES_TILES_POINTS;
  assert_config_refused (depthless, GST_GLES_ERROR_INVALID, "points have no depth to be listed by");
  depthless.by = (GstGlesTilesBy) 9;
  assert_config_refused (depthless, GST_GLES_ERROR_INVALID, "9 as a GstGlesTilesBy is unknown");
  assert_config_refused (config_of (64, 64, 0, 16, 1, 1), GST_GLES_ERROR_INVALID, "a frame of");
  assert_config_refused (config_of (0, 64, 16, 16, 1, 1), GST_GLES_ERROR_INVALID, "a frame of");
  assert_config_refused (
      config_of ((1u << 24) + 1, 64, 16, 16, 1, 1), GST_GLES_ERROR_INVALID, "a frame of");
  assert_config_refused (
      config_of (1u << 20, 1u << 20, 1, 1, 1, 1), GST_GLES_ERROR_INVALID, "a frame of");
  assert_refused (tiles, records, 101, offsets, a, NULL, GST_GLES_ERROR_TOO_LARGE);
  assert_refused (tiles, small, 3, offsets, a, NULL, GST_GLES_ERROR_INVALID);
  assert_refused (tiles, records, 3, small, a, NULL, GST_GLES_ERROR_INVALID);
  assert_refused (tiles, records, 3, offsets, a, a, GST_GLES_ERROR_INVALID);
  assert_refused (tiles, records, 3, offsets, records, NULL, GST_GLES_ERROR_INVALID);
  assert_refused (tiles, records, 3, offsets, NULL, offsets, GST_GLES_ERROR_INVALID);
  download (offsets, &word, 1);
  g_assert_cmpuint (word, ==, CANARY);
}

int
main (int argc, char **argv)
{
  static const struct {
    const gchar *name;
    void (*func) (void);
  } tests[] = {
    { "edges", test_edges },
    { "grids", test_grids },
    { "sizes", test_sizes },
    { "splats", test_splats },
    { "orders", test_orders },
    { "truncated", test_truncated },
    { "truncated-among-equals", test_truncated_among_equals },
    { "list-lengths", test_list_lengths },
    { "need-beyond-32-bits", test_need_beyond_32_bits },
    { "many-tiles", test_many_tiles },
    { "block-limit", test_block_limit },
    { "many-records", test_many_records },
    { "points", test_points },
    { "off-screen", test_off_screen },
    { "repetitions", test_repetitions },
    { "counts-are-clamped", test_counts_are_clamped },
    { "bad-input", test_bad_input },
  };
  g_autofree gchar *cache = NULL;
  const gchar *spec;
  gint result;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  cache = gles_test_private_cache ();
  spec = g_getenv ("GLES_TEST_DEVICE");
  device = g_strcmp0 (spec, "cpu") == 0 ? gst_gles_device_new (spec, NULL) : gles_test_gl_device ();
  if (device == NULL)
    return gles_test_no_gl ();
  queue = gst_gles_device_get_queue (device);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree gchar *path = g_strconcat ("/tiles/", tests[i].name, NULL);
    g_test_add_func (path, tests[i].func);
  }
  result = g_test_run ();
  gst_object_unref (device);
  return result;
}
