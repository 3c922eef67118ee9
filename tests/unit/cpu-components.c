/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The twin of the components against a flood fill. */
#include "cpu-arrays.h"

#include <gst/gles/cpu/components/components.h>

#include "../../bench/masks.h"

typedef struct {
  const GstGlesCpuComponents *config;
  const guint32 *words;
  guint32 *labels;
} Flood;

static gboolean
is_set (const Flood *flood, gsize i)
{
  return flood->words[i] >= flood->config->lower && flood->words[i] <= flood->config->upper;
}

static void
add_64 (guint32 *low, guint32 *high, guint64 value)
{
  guint64 sum = ((guint64) *high << 32 | *low) + value;

  *low = sum;
  *high = sum >> 32;
}

static void
add_pixel (GstGlesComponentRecord *record, guint32 x, guint32 y, guint32 value)
{
  record->left = MIN (record->left, x);
  record->top = MIN (record->top, y);
  record->right = MAX (record->right, x);
  record->bottom = MAX (record->bottom, y);
  record->pixels++;
  record->max_value = MAX (record->max_value, value);
  add_64 (&record->sum_x_low, &record->sum_x_high, x);
  add_64 (&record->sum_y_low, &record->sum_y_high, y);
  add_64 (&record->sum_value_low, &record->sum_value_high, value);
}

/* Labels all that is connected with @first, and adds it to the record. */
static void
fill (Flood *flood, guint32 first, guint32 *stack, GstGlesComponentRecord *record)
{
  gint width = flood->config->width, height = flood->config->height;
  gsize n = 0;

  *record = (GstGlesComponentRecord){ .first = first, .left = G_MAXUINT32, .top = G_MAXUINT32 };
  flood->labels[first] = first;
  stack[n++] = first;
  while (n > 0) {
    guint32 at = stack[--n];
    gint x = at % width, y = at / width;

    add_pixel (record, x, y, flood->words[at]);
    for (gint k = 0; k < 9; k++) {
      gint dx = k % 3 - 1, dy = k / 3 - 1, i = (y + dy) * width + x + dx;
      if ((dx != 0 && dy != 0 && !flood->config->diagonal) || x + dx < 0 || x + dx >= width ||
          y + dy < 0 || y + dy >= height || !is_set (flood, i) ||
          flood->labels[i] != GST_GLES_COMPONENTS_BACKGROUND)
        continue;
      flood->labels[i] = first;
      stack[n++] = i;
    }
  }
}

static gint
compare_records (gconstpointer a, gconstpointer b)
{
  const GstGlesComponentRecord *x = a, *y = b;

  if (x->pixels != y->pixels)
    return x->pixels > y->pixels ? -1 : 1;
  return x->first < y->first ? -1 : 1;
}

/* Keeps the records that are not too small, in order. Returns their number. */
static guint
order_records (GstGlesComponentRecord *records, guint n, guint min_size)
{
  guint n_kept = 0;

  for (guint i = 0; i < n; i++) {
    if (records[i].pixels >= min_size)
      records[n_kept++] = records[i];
  }
  qsort (records, n_kept, sizeof (*records), compare_records);
  return n_kept;
}

/* Returns the number of records, in raster order. */
static guint
flood_components (const GstGlesCpuComponents *config, const guint32 *words, guint32 *labels,
    GstGlesComponentRecord *records)
{
  Flood flood = { config, words, labels };
  gsize n = (gsize) config->width * config->height;
  g_autofree guint32 *stack = g_new (guint32, n + 1);
  guint n_records = 0;

  for (gsize i = 0; i < n; i++)
    labels[i] = GST_GLES_COMPONENTS_BACKGROUND;
  for (gsize i = 0; i < n; i++) {
    if (is_set (&flood, i) && labels[i] == GST_GLES_COMPONENTS_BACKGROUND)
      fill (&flood, i, stack, &records[n_records++]);
  }
  return n_records;
}

/* @input: the values of @words, as @config tells. */
static void
check_input (const GstGlesCpuComponents *config, gconstpointer input, const guint32 *words,
    const gchar *what)
{
  gsize n = (gsize) config->width * config->height;
  gsize words_each = sizeof (GstGlesComponentRecord) / 4;
  g_autofree guint32 *want_labels = g_new (guint32, n + 1);
  g_autofree GstGlesComponentRecord *want = g_new (GstGlesComponentRecord, n + 1);
  guint32 *labels = guarded_new (n);
  guint32 *regions = guarded_new (config->max_regions * words_each);
  g_autofree gpointer scratch = g_malloc (gst_gles_cpu_components_scratch_bytes (
      config->width, config->height, config->max_regions, FALSE));
  guint total =
      order_records (want, flood_components (config, words, want_labels, want), config->min_size);

  g_assert_cmpuint (gst_gles_cpu_components (config, input, labels,
                        (GstGlesComponentRecord *) (gpointer) regions, scratch),
      ==, total);
  guarded_check (labels, want_labels, n, n, what);
  guarded_check (regions, (const guint32 *) want, MIN (total, config->max_regions) * words_each,
      config->max_regions * words_each, what);
}

/* Words, and their lowest bytes. */
static void
check (const GstGlesCpuComponents *config, const guint32 *words, const gchar *what)
{
  const gsize n = (gsize) config->width * config->height;
  GstGlesCpuComponents of_bytes = *config;
  g_autofree guint8 *bytes = g_new (guint8, n + 1);
  g_autofree guint32 *values = g_new (guint32, n + 1);

  for (gsize i = 0; i < n; i++)
    values[i] = bytes[i] = (guint8) words[i];
  of_bytes.bytes = TRUE;
  check_input (config, words, words, what);
  check_input (&of_bytes, bytes, values, what);
}

static void
check_mask (guint mask, guint width, guint height)
{
  g_autofree guint32 *words = g_new (guint32, (gsize) width * height + 1);

  for (gsize i = 0; i < (gsize) width * height; i++)
    words[i] = bench_mask_word (mask, i % width, i / width, width, height);
  for (guint i = 0; i < 4; i++) {
    GstGlesCpuComponents config = { .width = width,
      .height = height,
      .diagonal = i % 2,
      .lower = BENCH_MASK_LOWER,
      .upper = 255,
      .min_size = i < 2 ? 0 : 3,
      .max_regions = i < 2 ? width * height + 1 : 5 };
    g_autofree gchar *what = g_strdup_printf ("mask %u, %u x %u, case %u", mask, width, height, i);

    check (&config, words, what);
  }
}

static void
patterns (void)
{
  static const guint noise[] = { 1, 10, 40, 50, 59, 70, 99 };

  for (guint mask = 0; mask < BENCH_MASK_NOISE; mask++) {
    check_mask (mask, 200, 150);
    check_mask (mask, 129, 260);
  }
  for (guint i = 0; i < G_N_ELEMENTS (noise); i++) {
    check_mask (BENCH_MASK_NOISE + noise[i], 317, 200);
    check_mask (BENCH_MASK_NOISE + noise[i], 64, 300);
  }
}

/* Words as frames of all shapes. Sums of values take 64 bits; bounds let nothing, some or
 * everything pass. */
static void
check_array (Pattern pattern, const guint32 *words, guint n)
{
  static const guint32 bounds[][2] = { { 0, G_MAXUINT32 }, { 1, 0 }, { G_MAXUINT32, G_MAXUINT32 },
    { 0x80000000u, G_MAXUINT32 }, { 0x60000000u, G_MAXUINT32 }, { 0, 0 }, { 2, 7 } };
  const guint n_used = MIN (n, 60000), i = n + pattern;
  const guint widths[] = { 1, 2, 3, 63, 64, 65, 127, 128, 700, n_used / 3, n_used };
  const guint width = widths[i % G_N_ELEMENTS (widths)];
  const GstGlesCpuComponents config = { .width = width,
    .height = width > 0 ? n_used / width : 0,
    .diagonal = i % 2,
    .lower = bounds[pattern % G_N_ELEMENTS (bounds)][0],
    .upper = bounds[pattern % G_N_ELEMENTS (bounds)][1],
    .min_size = i % 3,
    .max_regions = i % 4 != 0 ? n_used : 5 };

  if (config.height > 0)
    check (&config, words, pattern_name (pattern));
}

/* ---- points ---- */

/* The regions of the points, except the last two, which lie outside: a flood fill of the cells says
 * which cells are joined. Returns how many regions are not too small. */
static guint
expect_of_points (const GstGlesCpuComponents *config, const guint32 *cells, const guint32 *points,
    gsize n, GstGlesComponentRecord *want)
{
  g_autofree guint32 *labels = g_new (guint32, config->width * config->height);
  guint n_regions = flood_components (config, cells, labels, want);

  for (guint i = 0; i < n_regions; i++) {
    want[i] =
        (GstGlesComponentRecord){ .first = want[i].first, .left = G_MAXUINT32, .top = G_MAXUINT32 };
    for (gsize k = 0; k + 2 < n; k++) {
      guint x = points[2 * k] & 0xffff, y = points[2 * k] >> 16;
      guint cell = y / config->cell_height * config->width + x / config->cell_width;

      if (labels[cell] == want[i].first)
        add_pixel (&want[i], x, y, points[2 * k + 1]);
    }
  }
  return order_records (want, n_regions, config->min_size);
}

/* Points form regions as pixels do, in cells that are joined. */
static void
check_points (guint cell, guint min_points, guint width, guint height)
{
  GstGlesCpuComponents config = { .width = (width + cell - 1) / cell,
    .height = (height + cell - 1) / cell,
    .diagonal = cell % 2,
    .lower = min_points,
    .upper = G_MAXUINT32,
    .min_size = 2,
    .max_regions = width * height,
    .frame_width = width,
    .frame_height = height,
    .cell_width = cell,
    .cell_height = cell };
  gsize n_cells = (gsize) config.width * config.height, n = 0;
  g_autofree guint32 *points = g_new (guint32, 2 * width * height + 4);
  g_autofree guint32 *cells = g_new0 (guint32, n_cells);
  g_autofree GstGlesComponentRecord *want = g_new (GstGlesComponentRecord, n_cells + 1);
  g_autofree GstGlesComponentRecord *got = g_new (GstGlesComponentRecord, width * height);
  g_autofree gpointer scratch = g_malloc (gst_gles_cpu_components_scratch_bytes (
      config.width, config.height, config.max_regions, TRUE));
  guint n_want;

  for (guint i = 0; i < width * height; i++) {
    guint x = i % width, y = i / width;
    if (bench_mask (BENCH_MASK_NOISE + 20, x, y, width, height)) {
      points[2 * n] = x | y << 16;
      points[2 * n++ + 1] = bench_random (9, i);
      cells[y / cell * config.width + x / cell]++;
    }
  }
  /* outside */
  points[2 * n] = width;
  points[2 * n++ + 1] = 1;
  points[2 * n] = height << 16;
  points[2 * n++ + 1] = 1;
  n_want = expect_of_points (&config, cells, points, n, want);
  g_assert_cmpuint (gst_gles_cpu_components_points (&config, points, n, got, scratch), ==, n_want);
  g_assert_cmpmem (got, n_want * sizeof (*got), want, n_want * sizeof (*want));
}

static void
points (void)
{
  check_points (8, 12, 200, 130);
  check_points (5, 5, 64, 300);
  check_points (1, 1, 97, 61);
  check_points (16, 1, 50, 50);
}

/* Lists that are too long for a table per thread: of some components, and of all. Also those with
 * records of one pixel. */
static void
long_lists (void)
{
  static const guint max_regions[] = { 4097, 6000, 100000, 1000000 };
  g_autofree guint32 *words = g_new (guint32, 1000000);

  for (guint i = 0; i < 1000000; i++)
    words[i] = bench_mask_word (BENCH_MASK_NOISE + 5, i % 1000, i / 1000, 1000, 1000);
  for (guint i = 0; i < G_N_ELEMENTS (max_regions); i++) {
    const GstGlesCpuComponents config = { .width = 1000,
      .height = 1000,
      .diagonal = i % 2,
      .lower = BENCH_MASK_LOWER,
      .upper = 255,
      .max_regions = max_regions[i] };

    check (&config, words, "a long list");
  }
}

/* Memory for a grid that no machine has is refused by its size. */
static void
too_large (void)
{
  g_assert_cmpuint (gst_gles_cpu_components_scratch_bytes (1u << 24, 1u << 24, 256, FALSE), ==, 0);
  g_assert_cmpuint (gst_gles_cpu_components_scratch_bytes (1920, 1080, 256, FALSE), >, 0);
}

int
main (int argc, char **argv)
{
  static const ArraysTest tests[] = { { "patterns", NULL, patterns }, { "words", check_array },
    { "points", NULL, points }, { "long-lists", NULL, long_lists },
    { "too-large", NULL, too_large }, { 0 } };

  return arrays_main (argc, argv, tests);
}
