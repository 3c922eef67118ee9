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
  guint64 total;   /* of the entries that there would be without a limit */
  GArray *entries; /* tile by tile, in key order within each */
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
compare_keys (gconstpointer a, gconstpointer b, gpointer descending)
{
  const Entry *x = a, *y = b;

  return x->key == y->key ? 0 : (x->key < y->key) != (descending != NULL) ? -1 : 1;
}

static gint
compare_tiles (gconstpointer a, gconstpointer b)
{
  const Entry *x = a, *y = b;

  return (x->tile > y->tile) - (x->tile < y->tile);
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

/* One entry for each tile that a record touches. Sorts are stable. */
static void
expect (const TilesConfig *config, const TilesRecord *records, gsize n, Expected *expected)
{
  g_autoptr (GArray) ranked = g_array_new (FALSE, FALSE, sizeof (Entry));

  expected->columns = (config->width + config->tile_width - 1) / config->tile_width;
  expected->rows = (config->height + config->tile_height - 1) / config->tile_height;
  expected->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  for (gsize i = 0; i < n; i++) {
    const Entry entry = { 0, key_of (&records[i], config->by, i), i };
    g_array_append_val (ranked, entry);
  }
  g_array_sort_with_data (ranked, compare_keys, GINT_TO_POINTER (config->descending));
  for (gsize i = 0; i < n; i++) {
    Entry entry = g_array_index (ranked, Entry, i);
    const TilesRecord *r = &records[entry.index];
    guint x0, x1, y0, y1;

    if (!get_span (r->min_x, r->max_x, config->width, config->tile_width, &x0, &x1) ||
        !get_span (r->min_y, r->max_y, config->height, config->tile_height, &y0, &y1))
      continue;
    for (guint y = y0; y <= y1; y++) {
      for (guint x = x0; x <= x1; x++, expected->total++) {
        entry.tile = y * expected->columns + x;
        if (config->max_items == 0 || expected->total < config->max_items)
          g_array_append_val (expected->entries, entry);
      }
    }
  }
  g_array_sort (expected->entries, compare_tiles);
}

static void
check_description (GstGlesTilesResult *result, const TilesConfig *config, const Expected *expected)
{
  const guint count = expected->entries->len;
  const GstGlesTilesInfo *info = gst_gles_tiles_result_get_info (result);

  fail_unless (info->frame.width == config->width && info->frame.height == config->height);
  fail_unless (info->tile_width == config->tile_width);
  fail_unless (info->tile_height == config->tile_height);
  fail_unless (info->columns == expected->columns && info->rows == expected->rows);
  fail_unless_equals_int (info->sort_by, config->by);
  fail_unless_equals_int (info->descending, config->descending);
  fail_unless_equals_int (info->input, config->input);
  fail_unless_equals_uint64 (gst_gles_tiles_result_get_total (result), expected->total);
  fail_unless_equals_int (gst_gles_tiles_result_get_count (result), count);
  fail_unless_equals_int (gst_gles_tiles_result_is_truncated (result), expected->total > count);
}

/* Returns the number of the entries of @tile, which begin with entry @at. */
static guint
check_tile (
    GstGlesTilesResult *result, const Expected *expected, guint tile, guint at, const gchar *what)
{
  const Entry *entries = (const Entry *) expected->entries->data;
  guint n_words, n = 0;
  const guint32 *words = gst_gles_tiles_result_get_tile (result, tile, &n_words, NULL);

  fail_unless (words != NULL, "%s: no tile %u", what, tile);
  for (; at + n < expected->entries->len && entries[at + n].tile == tile; n++)
    if (n < n_words && words[n] != entries[at + n].index)
      fail ("%s: %u of tile %u is %u, not %u", what, n, tile, words[n], entries[at + n].index);
  fail_unless (n == n_words, "%s: tile %u has %u entries, not %u", what, tile, n_words, n);
  return n;
}

void
tiles_check_buffer (GstBuffer *buffer, const TilesConfig *config, const TilesRecord *records,
    gsize n, const gchar *what)
{
  g_autoptr (GstGlesTilesResult) result = gst_gles_tiles_result_from_buffer (buffer);
  guint n_offsets, n_indices, n_keys, occupied, largest, full = 0, most = 0, at = 0;
  const guint32 *offsets, *indices, *keys;
  Expected expected = { 0 };

  fail_unless (result != NULL, "%s: no meta", what);
  fail_unless_equals_int (gst_buffer_get_n_meta (buffer, GST_GLES_TILES_META_API_TYPE), 1);
  expect (config, records, n, &expected);
  check_description (result, config, &expected);
  offsets = gst_gles_tiles_result_get_offsets (result, &n_offsets, NULL);
  indices = gst_gles_tiles_result_get_indices (result, &n_indices, NULL);
  keys = gst_gles_tiles_result_get_keys (result, &n_keys, NULL);
  fail_unless (offsets != NULL && indices != NULL && keys != NULL, "%s: lists", what);
  fail_unless_equals_int (n_offsets, expected.columns * expected.rows + 1);
  fail_unless_equals_int (n_indices, expected.entries->len);
  fail_unless_equals_int (n_keys, expected.entries->len);
  for (guint tile = 0; tile < n_offsets - 1; tile++) {
    const guint length = check_tile (result, &expected, tile, at, what);

    if (offsets[tile] != at)
      fail ("%s: tile %u begins at %u, not %u", what, tile, offsets[tile], at);
    at += length;
    full += length > 0 ? 1 : 0;
    most = MAX (most, length);
  }
  fail_unless_equals_int (offsets[n_offsets - 1], at);
  for (guint i = 0; i < at; i++) {
    const Entry *entry = &g_array_index (expected.entries, Entry, i);

    if (indices[i] != entry->index || keys[i] != entry->key)
      fail ("%s: entry %u is %u with key %u, not %u with key %u", what, i, indices[i], keys[i],
          entry->index, entry->key);
  }
  fail_unless (gst_gles_tiles_result_get_occupancy (result, &occupied, &largest, NULL));
  fail_unless (occupied == full && largest == most);
  g_array_unref (expected.entries);
}
