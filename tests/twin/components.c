/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels of the components against the native twin, bit for bit. */
#include <string.h>

#include <gst/gles/algo/components/components.h>
#include <gst/gles/cpu/components/components.h>

#include "../../bench/masks.h"
#include "array-cases.h"

#define REGION_WORDS (sizeof (GstGlesRegion) / 4)

/* ---- words ---- */

typedef struct {
  guint mask, width, height;
  guint connectivity, min_size, max_regions;
  gboolean labels;
  GstGlesComponentsSource source; /* words, or their lowest bytes */
} Case;

static GstGlesComponents *
new_components_for (const Case *c)
{
  const GstGlesComponentsConfig config = { .source = c->source,
    .width = c->width,
    .height = c->height,
    .connectivity = c->connectivity,
    .max_regions = c->max_regions };

  return ARRAY_NEW (components, &config);
}

static guint32 *
new_words (const Case *c)
{
  guint32 *words = g_new (guint32, (gsize) c->width * c->height);

  for (guint y = 0; y < c->height; y++) {
    for (guint x = 0; x < c->width; x++)
      words[(gsize) y * c->width + x] = bench_mask_word (c->mask, x, y, c->width, c->height);
  }
  return words;
}

/* The lowest byte of each word; the bytes behind them, up to a whole word, are foreground. */
static guint32 *
bytes_of (const guint32 *words, guint n)
{
  guint32 *packed = g_new (guint32, n / 4 + 1);

  packed[n / 4] = G_MAXUINT32;
  for (guint i = 0; i < n; i++)
    ((guint8 *) packed)[i] = (guint8) words[i];
  return packed;
}

static void
check_words (GstGlesComponents *components, const Case *c, const guint32 *words, guint32 lower,
    guint32 upper)
{
  g_autofree gchar *where =
      g_strdup_printf ("source %d, mask %u, %u x %u, %u-connected, min %u, max %u", c->source,
          c->mask, c->width, c->height, c->connectivity, c->min_size, c->max_regions);
  const gboolean bytes = c->source == GST_GLES_COMPONENTS_BYTES;
  const GstGlesCpuComponents config = { .width = c->width,
    .height = c->height,
    .bytes = bytes,
    .diagonal = c->connectivity == 8,
    .lower = lower,
    .upper = upper,
    .min_size = MAX (c->min_size, 1),
    .max_regions = c->max_regions };
  const guint n = c->width * c->height, n_region_words = c->max_regions * REGION_WORDS;
  g_autofree gpointer scratch =
      g_malloc (gst_gles_cpu_components_scratch_bytes (c->width, c->height, c->max_regions, FALSE));
  g_autofree guint32 *want = g_new (guint32, n_region_words);
  g_autofree guint32 *want_labels = g_new (guint32, n);
  g_autofree guint32 *packed = bytes ? bytes_of (words, n) : NULL;
  const guint32 *given = bytes ? packed : words;
  g_autoptr (GstGlesBuffer) input = array_buffer_of (given, bytes ? n / 4 + 1 : n);
  g_autoptr (GstGlesBuffer) regions = array_buffer (n_region_words);
  g_autoptr (GstGlesBuffer) labels = c->labels ? array_buffer (n) : NULL;
  guint total, count;
  GError *error = NULL;

  total = gst_gles_cpu_components (
      &config, given, want_labels, (GstGlesComponentRecord *) (gpointer) want, scratch);
  count = MIN (total, c->max_regions);
  assert_ok (gst_gles_components_run (
      components, input, lower, upper, c->min_size, regions, labels, &error));
  array_check (regions, want, count * REGION_WORDS, where);
  if (labels != NULL)
    array_check (labels, want_labels, n, where);
  array_check_result (gst_gles_components_get_result (components), total, count,
      total > count ? GST_GLES_STATUS_TRUNCATED : 0, where);
}

static void
check (const Case *c)
{
  g_autoptr (GstGlesComponents) components = new_components_for (c);
  g_autofree guint32 *words = new_words (c);

  check_words (components, c, words, BENCH_MASK_LOWER, 255);
}

static void
check_all_ways (GstGlesComponentsSource source, guint mask, guint width, guint height)
{
  const Case cases[] = {
    { mask, width, height, 4, 0, width * height, TRUE, source },
    { mask, width, height, 8, 0, 256, TRUE, source },
    { mask, width, height, 4, 4, 5, FALSE, source },
    { mask, width, height, 8, 3, 1000, FALSE, source },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check (&cases[i]);
}

/* Few to many components; the numbers are %. */
static const guint noise[] = { 1, 10, 40, 50, 59, 70, 99 };

static void
test_patterns (void)
{

  for (guint mask = 0; mask < BENCH_MASK_NOISE; mask++)
    check_all_ways (GST_GLES_COMPONENTS_WORDS, mask, 203 + mask, 170);
  for (guint i = 0; i < G_N_ELEMENTS (noise); i++)
    check_all_ways (GST_GLES_COMPONENTS_WORDS, BENCH_MASK_NOISE + noise[i], 331 - i, 150 + i);
}

/* Rows of bytes begin at any byte of a word. */
static void
test_bytes (void)
{
  const GstGlesComponentsSource source = GST_GLES_COMPONENTS_BYTES;

  for (guint width = 1; width <= 67; width++) {
    const Case c = { BENCH_MASK_NOISE + 50, width, 67 - width / 2, width % 4 < 2 ? 4 : 8, 0,
      width % 3 != 0 ? 200 : 2000, TRUE, source };

    check (&c);
  }
  for (guint mask = 0; mask < BENCH_MASK_NOISE; mask++)
    check_all_ways (source, mask, 203 + mask, 170);
  for (guint i = 0; i < G_N_ELEMENTS (noise); i++)
    check_all_ways (source, BENCH_MASK_NOISE + noise[i], 331 - i, 150 + i);
  check_all_ways (source, BENCH_MASK_NOISE + 50, 5003, 3);
  check_all_ways (source, BENCH_MASK_NOISE + 50, 3, 5003);
}

/* Frames as bytes, unless GLES_TEST_QUICK is set. */
static void
test_large_bytes (void)
{
  static const Case cases[] = {
    { BENCH_MASK_SPIRAL, 1280, 720, 8, 0, 256, TRUE, GST_GLES_COMPONENTS_BYTES },
    { BENCH_MASK_NOISE + 5, 1920, 1080, 8, 0, 100000, TRUE, GST_GLES_COMPONENTS_BYTES },
    { BENCH_MASK_BLOBS, 1921, 1079, 4, 0, 256, FALSE, GST_GLES_COMPONENTS_BYTES },
    { BENCH_MASK_NOISE + 59, 3839, 2159, 8, 0, 256, FALSE, GST_GLES_COMPONENTS_BYTES },
    { BENCH_MASK_CHECKERBOARD, 3840, 2160, 4, 0, 256, FALSE, GST_GLES_COMPONENTS_BYTES },
    { BENCH_MASK_FULL, 3840, 2160, 8, 0, 256, FALSE, GST_GLES_COMPONENTS_BYTES },
    { BENCH_MASK_EMPTY, 3840, 2160, 8, 0, 256, FALSE, GST_GLES_COMPONENTS_BYTES },
  };

  for (guint i = 0; i < (array_test.quick ? 0 : G_N_ELEMENTS (cases)); i++)
    check (&cases[i]);
}

static void
test_sizes (void)
{
  static const guint sizes[][2] = { { 1, 1 }, { 2, 1 }, { 1, 2 }, { 3, 3 }, { 1, 700 }, { 700, 1 },
    { 31, 33 }, { 32, 32 }, { 33, 31 }, { 64, 64 }, { 65, 65 }, { 63, 129 }, { 5000, 3 },
    { 3, 5000 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    check_all_ways (GST_GLES_COMPONENTS_WORDS, BENCH_MASK_NOISE + 50, sizes[i][0], sizes[i][1]);
    check_all_ways (GST_GLES_COMPONENTS_WORDS, BENCH_MASK_CHECKERBOARD, sizes[i][0], sizes[i][1]);
    check_all_ways (GST_GLES_COMPONENTS_WORDS, BENCH_MASK_FULL, sizes[i][0], sizes[i][1]);
  }
}

/* Shapes for which trees are deep, and those with the most components, unless GLES_TEST_QUICK is
 * set. */
static void
test_large (void)
{
  static const Case cases[] = {
    { BENCH_MASK_SPIRAL, 3840, 2160, 8, 0, 256, FALSE },
    { BENCH_MASK_SERPENTINE, 3840, 2160, 4, 0, 256, TRUE },
    { BENCH_MASK_COMB, 3840, 2160, 8, 0, 256, FALSE },
    { BENCH_MASK_CHECKERBOARD, 3840, 2160, 4, 0, 256, FALSE },
    { BENCH_MASK_FULL, 1920, 1080, 8, 0, 256, FALSE },
    { BENCH_MASK_NOISE + 50, 1920, 1080, 4, 0, 256, FALSE },
    { BENCH_MASK_NOISE + 59, 3840, 2160, 8, 0, 256, FALSE },
  };

  for (guint i = 0; i < (array_test.quick ? 0 : G_N_ELEMENTS (cases)); i++)
    check (&cases[i]);
}

/* The largest frames, whose lists of candidates do not fit a storage block of 128 MiB. */
static void
test_largest (void)
{
  static const Case cases[] = { { BENCH_MASK_CHECKERBOARD, 8192, 4320, 4, 0, 256, FALSE },
    { BENCH_MASK_NOISE + 50, 8192, 4320, 8, 0, 256, FALSE } };

  for (guint i = 0; i < (array_test.quick || array_test.is_cpu ? 0 : G_N_ELEMENTS (cases)); i++)
    check (&cases[i]);
}

/* Calling a plan again does not depend on the previous call, and the same input has one result,
 * however work is distributed. */
static void
test_repetitions (void)
{
  const Case same = { BENCH_MASK_NOISE + 59, 257, 260, 4, 0, 100, FALSE };
  Case other = { 0, 301, 140, 8, 0, 300, FALSE };
  g_autoptr (GstGlesComponents) others = new_components_for (&other);
  g_autoptr (GstGlesComponents) components = new_components_for (&same);
  g_autofree guint32 *words = new_words (&same);

  for (guint i = 0; i < (array_test.quick ? 20 : 60); i++) {
    g_autofree guint32 *other_words = NULL;

    other.mask = i % 3 == 0 ? BENCH_MASK_NOISE + i : BENCH_MASK_NOISE + 35;
    other.min_size = i % 5;
    other.labels = i % 4 == 0;
    other_words = new_words (&other);
    check_words (others, &other, other_words, BENCH_MASK_LOWER, 255);
  }
  for (guint i = 0; i < (array_test.quick ? 20 : 200); i++)
    check_words (components, &same, words, BENCH_MASK_LOWER, 255);
}

/* Sums of values take 64 bits; bounds let nothing or everything pass, also beyond a byte. */
static void
check_values (GstGlesComponentsSource source)
{
  static const guint32 bounds[][2] = { { 0, G_MAXUINT32 }, { 1, 0 }, { G_MAXUINT32, G_MAXUINT32 },
    { 0x80000000u, G_MAXUINT32 }, { 0, 0 }, { 5, 0x90000000u }, { 255, 256 }, { 256, 300 },
    { 7, 200 } };
  const Case c = { 0, 101, 90, 8, 0, 200, TRUE, source };
  g_autoptr (GstGlesComponents) components = new_components_for (&c);
  g_autofree guint32 *words = g_new (guint32, 9090);

  for (guint i = 0; i < 9090; i++)
    words[i] = bench_random (7, i) | (i / 1000 % 2 != 0 ? 0xfff00000u : 0);
  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++)
    check_words (components, &c, words, bounds[i][0], bounds[i][1]);
}

static void
test_values (void)
{
  check_values (GST_GLES_COMPONENTS_WORDS);
  check_values (GST_GLES_COMPONENTS_BYTES);
}

/* ---- points ---- */

typedef enum {
  BY_HOST,
  BY_DEVICE,
  CLAMPED /* the device counts more points than the capacity */
} Counted;

/* Writes points of noise, some of which lie outside. Returns how many. */
static guint
fill_points (guint width, guint height, guint percent, guint32 *points)
{
  guint n = 0;

  for (guint i = 0; i < width * height; i++) {
    if (!bench_mask (BENCH_MASK_NOISE + percent, i % width, i / width, width, height))
      continue;
    points[2 * n] = (i % 97 == 0 ? width : i % width) | (i / width) << 16;
    points[2 * n++ + 1] = bench_random (9, i);
  }
  return n;
}

static void
check_points (
    guint cell, guint min_points, guint width, guint height, guint percent, Counted counted)
{
  g_autofree gchar *where = g_strdup_printf ("cells of %u, at least %u, %u x %u, %u %%, counted %d",
      cell, min_points, width, height, percent, counted);
  guint max_regions = percent % 2 != 0 ? 300 : 20;
  GstGlesComponentsConfig config = { .source = GST_GLES_COMPONENTS_POINTS,
    .width = width,
    .height = height,
    .connectivity = cell % 2 != 0 ? 8 : 4,
    .cell_width = cell,
    .cell_height = cell + 1,
    .max_points = width * height + 2,
    .max_regions = max_regions };
  const GstGlesCpuComponents cpu = { .width = (width + cell - 1) / cell,
    .height = (height + cell) / (cell + 1),
    .diagonal = cell % 2,
    .lower = min_points,
    .upper = G_MAXUINT32,
    .min_size = 2,
    .max_regions = max_regions,
    .frame_width = width,
    .frame_height = height,
    .cell_width = cell,
    .cell_height = cell + 1 };
  g_autofree guint32 *points = g_new0 (guint32, 2 * width * height + 8);
  g_autofree guint32 *want = g_new (guint32, max_regions * REGION_WORDS);
  g_autofree gpointer scratch =
      g_malloc (gst_gles_cpu_components_scratch_bytes (cpu.width, cpu.height, max_regions, TRUE));
  guint n = fill_points (width, height, percent, points), total, count;
  GError *error = NULL;

  if (counted == CLAMPED && n > 3)
    n = config.max_points = n - 3;
  g_autoptr (GstGlesComponents) components = ARRAY_NEW (components, &config);
  g_autoptr (GstGlesBuffer) input = array_buffer_of (points, 2 * n + 8);
  g_autoptr (GstGlesBuffer) regions = array_buffer (max_regions * REGION_WORDS);
  g_autoptr (GstGlesBuffer) counts = array_count_buffer (counted == CLAMPED ? G_MAXUINT32 : n);

  total = gst_gles_cpu_components_points (
      &cpu, points, n, (GstGlesComponentRecord *) (gpointer) want, scratch);
  count = MIN (total, max_regions);
  if (counted == BY_HOST)
    gst_gles_components_run_points (components, input, n, min_points, 2, regions, &error);
  else
    gst_gles_components_run_points_indirect (
        components, input, counts, ARRAY_COUNT_OFFSET, min_points, 2, regions, &error);
  g_assert_no_error (error);
  array_check (regions, want, count * REGION_WORDS, where);
  array_check_result (gst_gles_components_get_result (components), total, count,
      (total > count ? GST_GLES_STATUS_TRUNCATED : 0) |
          (counted == CLAMPED ? GST_GLES_STATUS_COUNT_CLAMPED : 0),
      where);
}

static void
test_points (void)
{
  for (Counted counted = BY_HOST; counted <= CLAMPED; counted++) {
    check_points (8, 12, 200, 130, 20, counted);
    check_points (7, 1, 500, 131, 3, counted);
    check_points (1, 1, 97, 261, 55, counted);
    check_points (16, 3, 50, 50, 9, counted);
    check_points (3, 2, 640, 360, 31, counted);
  }
  check_points (4, 1, 60, 60, 0, BY_HOST);
  check_points (4, 1, 60, 60, 0, BY_DEVICE);
  /* a row that is wider than a band of any variant */
  if (!array_test.quick)
    check_points (1, 1, 65536, 3, 50, BY_DEVICE);
}

/* ---- what is wrong ---- */

static void
test_bad_config (void)
{
  static const struct {
    GstGlesComponentsConfig config;
    GstGlesError code;
  } bad[] = {
    { { GST_GLES_COMPONENTS_WORDS, 0, 10, 8, 0, 0, 0, 5 }, GST_GLES_ERROR_INVALID },
    { { GST_GLES_COMPONENTS_WORDS, 10, (1u << 24) + 1, 8, 0, 0, 0, 5 }, GST_GLES_ERROR_INVALID },
    { { GST_GLES_COMPONENTS_WORDS, 10, 10, 6, 0, 0, 0, 5 }, GST_GLES_ERROR_INVALID },
    { { GST_GLES_COMPONENTS_WORDS, 10, 10, 8, 0, 0, 0, 0 }, GST_GLES_ERROR_INVALID },
    { { GST_GLES_COMPONENTS_WORDS, 10, 10, 8, 2, 0, 0, 5 }, GST_GLES_ERROR_INVALID },
    { { GST_GLES_COMPONENTS_POINTS, 10, 10, 8, 0, 0, 0, 5 }, GST_GLES_ERROR_INVALID },
    { { GST_GLES_COMPONENTS_POINTS, 65537, 10, 8, 8, 8, 0, 5 }, GST_GLES_ERROR_INVALID },
    { { GST_GLES_COMPONENTS_BYTES, 10, 10, 8, 2, 0, 0, 5 }, GST_GLES_ERROR_INVALID },
    { { GST_GLES_COMPONENTS_BYTES + 1, 10, 10, 8, 0, 0, 0, 5 }, GST_GLES_ERROR_INVALID },
    { { GST_GLES_COMPONENTS_BYTES, 1u << 24, 1u << 24, 8, 0, 0, 0, 5 }, GST_GLES_ERROR_TOO_LARGE },
    { { GST_GLES_COMPONENTS_WORDS, 1u << 24, 1u << 24, 8, 0, 0, 0, 5 }, GST_GLES_ERROR_TOO_LARGE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autofree gchar *where = g_strdup_printf ("config %u", i);
    GError *error = NULL;

    g_assert_null (gst_gles_components_new (array_test.queue, &bad[i].config, &error));
    array_expect_error (&error, bad[i].code, where);
  }
}

static void
test_bad_calls (void)
{
  const Case c = { 0, 10, 10, 8, 0, 5, FALSE };
  g_autoptr (GstGlesComponents) components = new_components_for (&c);
  g_autoptr (GstGlesBuffer) words = array_buffer (100);
  g_autoptr (GstGlesBuffer) regions = array_buffer (100);
  g_autoptr (GstGlesBuffer) small = array_buffer (2);
  g_autoptr (GstGlesBuffer) four = array_buffer (66); /* 79 words: and no fifth region */
  GstGlesBuffer *const calls[][3] = { { small, regions, NULL }, { words, small, NULL },
    { words, four, NULL }, { words, regions, small }, { words, words, NULL },
    { words, regions, regions }, { words, regions, words } };
  GError *error = NULL;

  g_assert_cmpuint (gst_gles_buffer_get_size (four), ==, 4 * 79);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++) {
    assert_fails (gst_gles_components_run (
                      components, calls[i][0], 1, 2, 0, calls[i][1], calls[i][2], &error),
        INVALID);
  }
  assert_fails (
      gst_gles_components_run_points (components, words, 5, 1, 1, regions, &error), INVALID);
  array_check (regions, NULL, 0, "a refused call");
}

/* A buffer of bytes may end within a word, and not before the last byte. */
static void
test_bad_bytes (void)
{
  const Case c = { 0, 9, 11, 8, 0, 5, FALSE, GST_GLES_COMPONENTS_BYTES };
  g_autoptr (GstGlesComponents) components = new_components_for (&c);
  g_autoptr (GstGlesBuffer) regions = array_buffer (100);
  GError *error = NULL;
  g_autoptr (GstGlesBuffer) exact = gst_gles_buffer_new (array_test.device, 99, &error);
  g_autoptr (GstGlesBuffer) small = gst_gles_buffer_new (array_test.device, 98, &error);

  g_assert_no_error (error);
  assert_fails (
      gst_gles_components_run (components, small, 1, 2, 0, regions, NULL, &error), INVALID);
  assert_fails (
      gst_gles_components_run_points (components, exact, 5, 1, 1, regions, &error), INVALID);
  array_check (regions, NULL, 0, "a refused call");
  assert_ok (gst_gles_components_run (components, exact, 1, 2, 0, regions, NULL, &error));
}

static void
add (void)
{
  g_test_add_func ("/components/patterns", test_patterns);
  g_test_add_func ("/components/bytes", test_bytes);
  g_test_add_func ("/components/large-bytes", test_large_bytes);
  g_test_add_func ("/components/bad-bytes", test_bad_bytes);
  g_test_add_func ("/components/sizes", test_sizes);
  g_test_add_func ("/components/values", test_values);
  g_test_add_func ("/components/points", test_points);
  g_test_add_func ("/components/repetitions", test_repetitions);
  g_test_add_func ("/components/large", test_large);
  g_test_add_func ("/components/largest", test_largest);
  g_test_add_func ("/components/bad-config", test_bad_config);
  g_test_add_func ("/components/bad-calls", test_bad_calls);
}

ARRAY_TEST_MAIN ("GST_GLES_COMPONENTS_VARIANT", add)
