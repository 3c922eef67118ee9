/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The twin of the lists by tile against a plain loop: for each record in key order, for each tile
 * it covers, the tile gets one more entry. */
#include "cpu-arrays.h"

#include <math.h>

#include <gst/gles/cpu/tiles/tiles.h>

static guint32
bits_of (gfloat f)
{
  guint32 bits;

  memcpy (&bits, &f, sizeof bits);
  return bits;
}

static gfloat
float_of (guint32 bits)
{
  gfloat f;

  memcpy (&f, &bits, sizeof f);
  return f;
}

static GstGlesTileRecord
record_of (gfloat min_x, gfloat min_y, gfloat max_x, gfloat max_y, guint32 depth)
{
  return (GstGlesTileRecord){ bits_of (min_x), bits_of (min_y), bits_of (max_x), bits_of (max_y),
    depth, 0x12345678u, 7, 9 };
}

static GstGlesCpuTilesConfig
config_of (guint width, guint height, guint tile_width, guint tile_height, guint order)
{
  GstGlesCpuTilesConfig config = { .sort_by = (GstGlesTilesSortBy) (order % 3),
    .descending = order / 3 % 2 };

  g_assert_true (gst_gles_cpu_tile_grid (width, height, tile_width, tile_height, &config.grid));
  return config;
}

/* ---- plain lists ---- */

/* The tiles of one axis as floats have it: FALSE for none. NaNs compare as false. */
static gboolean
covers (guint32 min_bits, guint32 max_bits, guint size, guint tile, guint *first, guint *last)
{
  gfloat min = float_of (min_bits), max = float_of (max_bits);

  if (!(min <= max) || max < 0 || min >= size)
    return FALSE;
  *first = (guint) floorf (MAX (min, 0)) / tile;
  *last = (guint) floorf (MIN (max, size - 1)) / tile;
  return TRUE;
}

typedef struct {
  guint32 key, order, index;
  guint left, top, right, bottom; /* tiles */
} Visible;

static gint
compare_visible (gconstpointer a, gconstpointer b)
{
  const Visible *x = a, *y = b;

  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return x->index < y->index ? -1 : 1;
}

/* What is visible, in order. Returns their number. */
static guint
order_visible (const GstGlesCpuTilesConfig *config, const GstGlesTileRecord *records, guint n,
    Visible *visible)
{
  const GstGlesTileGrid *g = &config->grid;
  guint n_visible = 0;

  for (guint i = 0; i < n; i++) {
    const GstGlesTileRecord *r = &records[i];
    Visible *v = &visible[n_visible];

    if (!covers (r->min_x, r->max_x, g->width, g->tile_width, &v->left, &v->right) ||
        !covers (r->min_y, r->max_y, g->height, g->tile_height, &v->top, &v->bottom))
      continue;
    v->index = v->key = i;
    if (config->sort_by == GST_GLES_TILES_SORT_BY_VALUE)
      v->key = r->depth;
    else if (config->sort_by == GST_GLES_TILES_SORT_BY_DEPTH)
      v->key = (r->depth >> 31) != 0 ? ~r->depth : r->depth | 0x80000000u;
    v->order = config->descending ? ~v->key : v->key;
    n_visible++;
  }
  qsort (visible, n_visible, sizeof (Visible), compare_visible);
  return n_visible;
}

/* @offsets: n_tiles + 1 words of 0. Returns how many entries are needed. */
static guint64
list_plainly (const GstGlesCpuTilesConfig *config, const Visible *visible, guint n, gsize capacity,
    guint32 *offsets, guint32 *indices, guint32 *keys)
{
  guint n_tiles = config->grid.n_tiles, columns = config->grid.columns;
  g_autofree guint32 *places = g_new0 (guint32, n_tiles + 1);
  guint64 total = 0;

  /* first the lengths of lists, of the entries that fit, then the entries */
  for (guint pass = 0; pass < 2; pass++) {
    total = 0;
    for (const Visible *v = visible; v < visible + n; v++) {
      for (guint row = v->top; row <= v->bottom; row++) {
        for (guint tile = row * columns + v->left; tile <= row * columns + v->right; tile++) {
          if (total++ >= capacity)
            continue;
          if (pass == 0) {
            offsets[tile + 1]++;
          } else {
            indices[places[tile]] = v->index;
            keys[places[tile]++] = v->key;
          }
        }
      }
    }
    for (guint tile = 0; tile < n_tiles && pass == 0; tile++)
      places[tile + 1] = offsets[tile + 1] += offsets[tile];
  }
  return total;
}

/* ---- runs ---- */

static guint64
run_tiles (const GstGlesCpuTilesConfig *config, const GstGlesTileRecord *records, guint n,
    guint32 *offsets, guint32 *indices, guint32 *keys, gsize capacity)
{
  gsize size = gst_gles_cpu_tiles_scratch_bytes (config, n);
  guint32 *scratch;
  guint64 total;

  g_assert_cmpuint (size, >, 0);
  scratch = scratch_new (size);
  total = gst_gles_cpu_tiles (
      config, records, n, &(GstGlesCpuTileLists){ offsets, indices, keys, capacity }, scratch);
  scratch_finish (scratch, size, "scratch memory of tiles");
  return total;
}

/* @outputs: bits: 1 indices, 2 keys. Returns how many entries all records need. */
static guint64
check_capacity (const GstGlesCpuTilesConfig *config, const GstGlesTileRecord *records, guint n,
    gsize capacity, guint outputs)
{
  guint n_offsets = config->grid.n_tiles + 1;
  g_autofree Visible *visible = g_new (Visible, n + 1);
  guint n_visible = order_visible (config, records, n, visible);
  g_autofree guint32 *want_offsets = g_new0 (guint32, n_offsets);
  g_autofree guint32 *want_indices = g_new (guint32, capacity + 1);
  g_autofree guint32 *want_keys = g_new (guint32, capacity + 1);
  guint64 total =
      list_plainly (config, visible, n_visible, capacity, want_offsets, want_indices, want_keys);
  guint32 *offsets = guarded_new (n_offsets);
  guint32 *indices = (outputs & 1) != 0 ? guarded_new (capacity) : NULL;
  guint32 *keys = (outputs & 2) != 0 ? guarded_new (capacity) : NULL;

  g_assert_cmpuint (run_tiles (config, records, n, offsets, indices, keys, capacity), ==, total);
  guarded_check (offsets, want_offsets, n_offsets, n_offsets, "offsets");
  guarded_check (indices, want_indices, MIN (total, capacity), capacity, "indices");
  guarded_check (keys, want_keys, MIN (total, capacity), capacity, "keys");
  return total;
}

static void
check_records (const GstGlesCpuTilesConfig *config, const GstGlesTileRecord *records, guint n)
{
  guint64 total = check_capacity (config, records, n, 0, 3);

  check_capacity (config, records, n, total + 5, 3);
  check_capacity (config, records, n, total, 0);
  check_capacity (config, records, n, total - MIN (total, 1), 1);
  check_capacity (config, records, n, total / 3, 2);
}

/* ---- records of all kinds ---- */

static gfloat
random_number (Random *random, gdouble from, gdouble to)
{
  return (gfloat) (from + (to - from) * random_word (random) / G_MAXUINT32);
}

/* Some off screen, some inverted, some with whole numbers, some large; depths repeat. */
static GstGlesTileRecord
random_record (Random *random, const GstGlesTileGrid *grid)
{
  guint kind = random_word (random) % 16;
  gdouble size = kind == 0 ? grid->width : kind < 4 ? 4.0 * grid->tile_width : grid->tile_width;
  gfloat x = random_number (random, -20, grid->width + 20);
  gfloat y = random_number (random, -20, grid->height + 20);
  gfloat w = random_number (random, kind == 5 ? -size : 0, size);
  gfloat h = random_number (random, 0, size);
  guint32 depth = bits_of ((gfloat) (random_word (random) % 50) - 10);

  if (kind == 6)
    return record_of (floorf (x), floorf (y), floorf (x + w), floorf (y + h), depth);
  return record_of (x, y, x + w, y + h, depth);
}

static void
check_random (const guint frame[4], guint n, guint order)
{
  GstGlesCpuTilesConfig config = config_of (frame[0], frame[1], frame[2], frame[3], order);
  g_autofree GstGlesTileRecord *records = g_new (GstGlesTileRecord, n + 1);
  Random random = { order };

  for (guint i = 0; i < n; i++)
    records[i] = random_record (&random, &config.grid);
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
  for (guint order = 0; order < 6; order++) {
    GstGlesCpuTilesConfig config = config_of (64, 64, 16, 16, order);

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
  GstGlesCpuTilesConfig config = config_of (512, 512, 1, 1, GST_GLES_TILES_SORT_BY_DEPTH);
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
  GstGlesCpuTilesConfig config = config_of (32, 32, 16, 16, 0);

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
