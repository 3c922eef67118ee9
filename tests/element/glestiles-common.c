/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "glestiles-common.h"

#include <math.h>
#include <string.h>

G_STATIC_ASSERT (sizeof (TilesRecord) == 32);

/* ---- elements ---- */

static TilesStream *
stream_new (const gchar *properties)
{
  g_autofree gchar *line = g_strdup_printf (
      "glestiles device=%s %s", test_device (), properties != NULL ? properties : "");
  g_autoptr (GError) error = NULL;
  TilesStream *stream = g_new0 (TilesStream, 1);

  stream->element = gst_parse_launch (line, &error);
  test_no_error (error);
  gst_object_ref_sink (stream->element);
  stream->bus = gst_bus_new ();
  gst_element_set_bus (stream->element, stream->bus);
  stream->harness = gst_harness_new_with_element (stream->element, "sink", "src");
  gst_object_unref (stream->element);
  return stream;
}

TilesStream *
tiles_stream_new (const gchar *properties, const gchar *caps)
{
  TilesStream *stream = stream_new (properties);

  gst_harness_set_src_caps_str (stream->harness, caps);
  return stream;
}

void
tiles_stream_free (TilesStream *stream)
{
  g_autoptr (GError) error = test_bus_pop_error (stream->bus);

  test_no_error (error);
  /* messages hold their element, which holds the bus */
  gst_bus_set_flushing (stream->bus, TRUE);
  gst_harness_teardown (stream->harness);
  gst_object_unref (stream->bus);
  g_free (stream);
}

GError *
tiles_stream_refused (const gchar *properties, const gchar *caps)
{
  g_autoptr (TilesStream) stream = stream_new (properties);
  GError *error;

  gst_harness_set_src_caps_str (stream->harness, caps);
  fail_unless (gst_harness_push (stream->harness, gst_buffer_new ()) != GST_FLOW_OK,
      "%s is taken with %s", caps, properties);
  error = test_bus_pop_error (stream->bus);
  fail_unless (error != NULL, "%s is refused with %s without an error", caps, properties);
  return error;
}

static void
stamp (TilesStream *stream, GstBuffer *buffer)
{
  GST_BUFFER_PTS (buffer) = stream->n_pushed++ * TEST_FRAME_DURATION;
  GST_BUFFER_DURATION (buffer) = TEST_FRAME_DURATION;
}

GstBuffer *
tiles_stream_push (TilesStream *stream, GstBuffer *buffer)
{
  GstFlowReturn flow;

  stamp (stream, buffer);
  flow = gst_harness_push (stream->harness, buffer);
  if (flow != GST_FLOW_OK) {
    g_autoptr (GError) error = test_bus_pop_error (stream->bus);
    fail ("%s: %s", gst_flow_get_name (flow), error != NULL ? error->message : "no error");
  }
  return gst_harness_pull (stream->harness);
}

GError *
tiles_stream_push_bad (TilesStream *stream, GstBuffer *buffer)
{
  GError *error;

  stamp (stream, buffer);
  fail_unless_equals_int (gst_harness_push (stream->harness, buffer), GST_FLOW_ERROR);
  error = test_bus_pop_error (stream->bus);
  fail_unless (error != NULL);
  fail_unless (test_bus_pop_error (stream->bus) == NULL);
  return error;
}

guint64
tiles_stream_stat (TilesStream *stream, const gchar *name)
{
  g_autoptr (GstStructure) stats = NULL;
  guint64 value = 0;

  g_object_get (stream->element, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, name, &value), "no %s in stats", name);
  return value;
}

/* ---- records ---- */

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
  guint32 key, index;
} Ranked;

typedef struct {
  guint columns, rows;
  guint64 total;
  guint32 *offsets, *indices, *keys;
} Expected;

static guint32
key_of (const TilesRecord *record, TilesBy by, guint32 index)
{
  guint32 bits;

  memcpy (&bits, &record->depth, sizeof (bits));
  if (by == TILES_BY_INDEX)
    return index;
  if (by == TILES_BY_VALUE)
    return bits;
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static gint
compare_ranked (gconstpointer a, gconstpointer b, gpointer descending)
{
  const Ranked *x = a, *y = b;

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

typedef void (*EntryFunc) (guint tile, const Ranked *ranked, Expected *expected);

static void
count_entry (guint tile, const Ranked *ranked, Expected *expected)
{
  expected->offsets[tile + 1]++;
}

static void
write_entry (guint tile, const Ranked *ranked, Expected *expected)
{
  const guint32 at = expected->offsets[tile]++;

  expected->indices[at] = ranked->index;
  expected->keys[at] = ranked->key;
}

/* Calls @func for each of the first entries in key order; returns how many there would be. */
static guint64
visit (const TilesConfig *config, const TilesRecord *records, const Ranked *ranked, gsize n,
    EntryFunc func, Expected *expected)
{
  guint64 total = 0;

  for (gsize i = 0; i < n; i++) {
    const TilesRecord *r = &records[ranked[i].index];
    guint x0, x1, y0, y1;

    if (!get_span (r->min_x, r->max_x, config->width, config->tile_width, &x0, &x1) ||
        !get_span (r->min_y, r->max_y, config->height, config->tile_height, &y0, &y1))
      continue;
    for (guint y = y0; y <= y1; y++) {
      for (guint x = x0; x <= x1; x++) {
        if (config->max_items == 0 || total < config->max_items)
          func (y * expected->columns + x, &ranked[i], expected);
        total++;
      }
    }
  }
  return total;
}

static void
expect (const TilesConfig *config, const TilesRecord *records, gsize n, Expected *expected)
{
  g_autofree Ranked *ranked = g_new (Ranked, MAX (n, 1));
  guint n_tiles;

  expected->columns = (config->width + config->tile_width - 1) / config->tile_width;
  expected->rows = (config->height + config->tile_height - 1) / config->tile_height;
  n_tiles = expected->columns * expected->rows;
  expected->offsets = g_new0 (guint32, n_tiles + 2);
  for (gsize i = 0; i < n; i++)
    ranked[i] = (Ranked){ key_of (&records[i], config->by, i), i };
  /* its successor needs GLib 2.82 */
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  g_qsort_with_data (
      ranked, n, sizeof (*ranked), compare_ranked, GINT_TO_POINTER (config->descending));
  G_GNUC_END_IGNORE_DEPRECATIONS
  expected->total = visit (config, records, ranked, n, count_entry, expected);
  for (guint tile = 0; tile < n_tiles; tile++)
    expected->offsets[tile + 1] += expected->offsets[tile];
  expected->indices = g_new (guint32, expected->offsets[n_tiles] + 1);
  expected->keys = g_new (guint32, expected->offsets[n_tiles] + 1);
  visit (config, records, ranked, n, write_entry, expected);
  /* Filling a list has moved its offset to its end, where the next list begins. */
  memmove (expected->offsets + 1, expected->offsets, n_tiles * sizeof (guint32));
  expected->offsets[0] = 0;
}

static void
check_words (const guint32 *got, guint n_got, const guint32 *expected, guint n, const gchar *array,
    const gchar *what)
{
  fail_unless (got != NULL, "%s: no %s", what, array);
  fail_unless_equals_int (n_got, n);
  for (guint i = 0; i < n; i++)
    fail_unless (
        got[i] == expected[i], "%s: %s[%u] is %u, not %u", what, array, i, got[i], expected[i]);
}

static void
check_description (GstGlesTilesResult *result, const TilesConfig *config, const Expected *expected)
{
  guint a, b;

  gst_gles_tiles_result_get_size (result, &a, &b);
  fail_unless (a == config->width && b == config->height);
  gst_gles_tiles_result_get_tile_size (result, &a, &b);
  fail_unless (a == config->tile_width && b == config->tile_height);
  gst_gles_tiles_result_get_grid (result, &a, &b);
  fail_unless (a == expected->columns && b == expected->rows);
  fail_unless_equals_int (gst_gles_tiles_result_get_sort_by (result), config->by);
  fail_unless_equals_int (gst_gles_tiles_result_is_descending (result), config->descending);
}

void
tiles_check_result (GstGlesTilesResult *result, const TilesConfig *config,
    const TilesRecord *records, gsize n, GstGlesTilesInput input, const gchar *what)
{
  Expected expected = { 0 };
  guint n_tiles, count, n_words, occupied, largest, full = 0, most = 0;
  const guint32 *words;

  expect (config, records, n, &expected);
  n_tiles = expected.columns * expected.rows;
  count = expected.offsets[n_tiles];
  check_description (result, config, &expected);
  fail_unless_equals_int (gst_gles_tiles_result_get_input (result), input);
  fail_unless_equals_uint64 (gst_gles_tiles_result_get_total (result), expected.total);
  fail_unless_equals_int (gst_gles_tiles_result_get_count (result), count);
  fail_unless_equals_int (gst_gles_tiles_result_is_truncated (result), expected.total > count);
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
    fail_unless (words != NULL && n_words == length);
    fail_unless (
        memcmp (words, expected.indices + expected.offsets[tile], 4 * (gsize) length) == 0);
  }
  fail_unless (gst_gles_tiles_result_get_occupancy (result, &occupied, &largest, NULL));
  fail_unless (occupied == full && largest == most);
  g_free (expected.offsets);
  g_free (expected.indices);
  g_free (expected.keys);
}

void
tiles_check_buffer (GstBuffer *buffer, const TilesConfig *config, const TilesRecord *records,
    gsize n, GstGlesTilesInput input, const gchar *what)
{
  g_autoptr (GstGlesTilesResult) result = gst_gles_tiles_result_from_buffer (buffer);

  fail_unless (result != NULL, "%s: no meta", what);
  fail_unless_equals_int (gst_buffer_get_n_meta (buffer, GST_GLES_TILES_META_API_TYPE), 1);
  tiles_check_result (result, config, records, n, input, what);
}
