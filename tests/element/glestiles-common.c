/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "glestiles-common.h"

#include <math.h>
#include <string.h>

G_STATIC_ASSERT (sizeof (TilesRecord) == 32);

GstBuffer *
tiles_buffer_new (const TilesRecord *records, gsize n)
{
  return n > 0 ? gst_buffer_new_memdup (records, n * sizeof (*records)) : gst_buffer_new ();
}

TilesRecord *
tiles_records_new (guint width, guint height, gfloat size, gsize n, guint32 seed)
{
  GRand *rand = g_rand_new_with_seed (seed);
  TilesRecord *records = g_new0 (TilesRecord, MAX (n, 1));

  for (gsize i = 0; i < n; i++) {
    TilesRecord *record = &records[i];

    record->min_x = (gfloat) g_rand_double_range (rand, -0.2 * width, 1.1 * width);
    record->min_y = (gfloat) g_rand_double_range (rand, -0.2 * height, 1.1 * height);
    record->max_x = record->min_x + (gfloat) g_rand_double_range (rand, 0, size);
    record->max_y = record->min_y + (gfloat) g_rand_double_range (rand, 0, size);
    record->depth = (gfloat) g_rand_int_range (rand, -200, 200) / 8;
    record->radius = (gfloat) i;
    record->index = g_rand_int (rand);
  }
  g_rand_free (rand);
  return records;
}

/* ---- the oracle ---- */

typedef struct {
  guint32 tile, key, index;
} Entry;

typedef struct {
  guint columns, rows;
  guint64 total;
  guint32 *offsets, *indices, *keys;
} Expected;

static guint32
key_of (const TilesRecord *record, GstGlesTilesSortBy by, guint32 index)
{
  guint32 bits;

  memcpy (&bits, &record->depth, sizeof (bits));
  if (by == GST_GLES_TILES_SORT_BY_INDEX)
    return index;
  if (by == GST_GLES_TILES_SORT_BY_VALUE)
    return bits;
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static gint
compare_entries (gconstpointer a, gconstpointer b, gpointer descending)
{
  const Entry *x = a, *y = b;

  if (x->key != y->key)
    return (x->key < y->key) != (descending != NULL) ? -1 : 1;
  return x->index < y->index ? -1 : 1;
}

/* The first and last tile along an axis: FALSE when there is none. */
static gboolean
get_span (gdouble min, gdouble max, guint size, guint tile, guint *first, guint *last)
{
  if (isnan (min) || isnan (max) || min > max || max < 0 || min >= size)
    return FALSE;
  *first = (guint) floor (MAX (min, 0)) / tile;
  *last = (guint) floor (MIN (max, size - 1)) / tile;
  return TRUE;
}

/* One entry for each tile that a record touches, in key order: (transfer full). Counts in @total
 * those over the limit, too. */
static GArray *
list_entries (
    const TilesConfig *config, const TilesRecord *records, gsize n, guint columns, guint64 *total)
{
  g_autoptr (GArray) ranked = g_array_new (FALSE, FALSE, sizeof (Entry));
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (Entry));

  for (gsize i = 0; i < n; i++) {
    const Entry entry = { 0, key_of (&records[i], config->by, i), i };
    g_array_append_val (ranked, entry);
  }
  g_array_sort_with_data (ranked, compare_entries, GINT_TO_POINTER (config->descending));
  *total = 0;
  for (gsize i = 0; i < n; i++) {
    Entry entry = g_array_index (ranked, Entry, i);
    const TilesRecord *r = &records[entry.index];
    guint x0, x1, y0, y1;

    if (!get_span (r->min_x, r->max_x, config->width, config->tile_width, &x0, &x1) ||
        !get_span (r->min_y, r->max_y, config->height, config->tile_height, &y0, &y1))
      continue;
    for (guint y = y0; y <= y1; y++) {
      for (guint x = x0; x <= x1; x++, (*total)++) {
        entry.tile = y * columns + x;
        if (config->max_items == 0 || *total < config->max_items)
          g_array_append_val (entries, entry);
      }
    }
  }
  return entries;
}

static void
expect (const TilesConfig *config, const TilesRecord *records, gsize n, Expected *expected)
{
  g_autoptr (GArray) entries = NULL;
  g_autofree guint32 *at = NULL;
  guint n_tiles;

  expected->columns = (config->width + config->tile_width - 1) / config->tile_width;
  expected->rows = (config->height + config->tile_height - 1) / config->tile_height;
  entries = list_entries (config, records, n, expected->columns, &expected->total);
  n_tiles = expected->columns * expected->rows;
  expected->offsets = g_new0 (guint32, n_tiles + 1);
  expected->indices = g_new (guint32, entries->len + 1);
  expected->keys = g_new (guint32, entries->len + 1);
  for (guint i = 0; i < entries->len; i++)
    expected->offsets[g_array_index (entries, Entry, i).tile + 1]++;
  for (guint tile = 0; tile < n_tiles; tile++)
    expected->offsets[tile + 1] += expected->offsets[tile];
  at = g_memdup2 (expected->offsets, (n_tiles + 1) * sizeof (guint32));
  for (guint i = 0; i < entries->len; i++) {
    const Entry *entry = &g_array_index (entries, Entry, i);
    const guint32 place = at[entry->tile]++;

    expected->indices[place] = entry->index;
    expected->keys[place] = entry->key;
  }
}

static void
check_words (const guint32 *got, guint n_got, const guint32 *expected, guint n, const gchar *array,
    const gchar *what)
{
  fail_unless (got != NULL, "%s: no %s", what, array);
  fail_unless_equals_int (n_got, n);
  for (guint i = 0; i < n; i++) {
    if (got[i] != expected[i])
      fail ("%s: %s[%u] is %u, not %u", what, array, i, got[i], expected[i]);
  }
}

static void
check_description (GstGlesTilesResult *result, const TilesConfig *config, const Expected *expected)
{
  const guint count = expected->offsets[expected->columns * expected->rows];
  guint a, b;

  gst_gles_tiles_result_get_size (result, &a, &b);
  fail_unless (a == config->width && b == config->height);
  gst_gles_tiles_result_get_tile_size (result, &a, &b);
  fail_unless (a == config->tile_width && b == config->tile_height);
  gst_gles_tiles_result_get_grid (result, &a, &b);
  fail_unless (a == expected->columns && b == expected->rows);
  fail_unless_equals_int (gst_gles_tiles_result_get_sort_by (result), config->by);
  fail_unless_equals_int (gst_gles_tiles_result_is_descending (result), config->descending);
  fail_unless_equals_int (gst_gles_tiles_result_get_input (result), config->input);
  fail_unless_equals_uint64 (gst_gles_tiles_result_get_total (result), expected->total);
  fail_unless_equals_int (gst_gles_tiles_result_get_count (result), count);
  fail_unless_equals_int (gst_gles_tiles_result_is_truncated (result), expected->total > count);
}

void
tiles_check_buffer (GstBuffer *buffer, const TilesConfig *config, const TilesRecord *records,
    gsize n, const gchar *what)
{
  g_autoptr (GstGlesTilesResult) result = gst_gles_tiles_result_from_buffer (buffer);
  guint n_tiles, count, n_words, occupied, largest, full = 0, most = 0;
  Expected expected = { 0 };
  const guint32 *words;

  fail_unless (result != NULL, "%s: no meta", what);
  fail_unless_equals_int (gst_buffer_get_n_meta (buffer, GST_GLES_TILES_META_API_TYPE), 1);
  expect (config, records, n, &expected);
  n_tiles = expected.columns * expected.rows;
  count = expected.offsets[n_tiles];
  check_description (result, config, &expected);
  words = gst_gles_tiles_result_get_offsets (result, &n_words, NULL);
  check_words (words, n_words, expected.offsets, n_tiles + 1, "offsets", what);
  words = gst_gles_tiles_result_get_indices (result, &n_words, NULL);
  check_words (words, n_words, expected.indices, count, "indices", what);
  words = gst_gles_tiles_result_get_keys (result, &n_words, NULL);
  check_words (words, n_words, expected.keys, count, "keys", what);
  for (guint tile = 0; tile < n_tiles; tile++) {
    const guint length = expected.offsets[tile + 1] - expected.offsets[tile];

    full += length > 0 ? 1 : 0;
    most = MAX (most, length);
    words = gst_gles_tiles_result_get_tile (result, tile, &n_words, NULL);
    check_words (words, n_words, expected.indices + expected.offsets[tile], length, "tile", what);
  }
  fail_unless (gst_gles_tiles_result_get_occupancy (result, &occupied, &largest, NULL));
  fail_unless (occupied == full && largest == most);
  g_free (expected.offsets);
  g_free (expected.indices);
  g_free (expected.keys);
}
