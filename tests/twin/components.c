/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels of the components against the native twin, bit for bit. */
#include <string.h>

#include <gst/gles/algo/components/components.h>
#include <gst/gles/cpu/components.h>

#include "../../gst/tools/bench/masks.h"
#include "gles-test.h"

/* less than a region takes */
#define CANARY_WORDS 15
#define CANARY 0xa5c3a5c3u
#define REGION_WORDS (sizeof (GstGlesRegion) / 4)

static GstGlesDevice *device;
static GstGlesQueue *queue;

static GstGlesBuffer *
new_filled (const guint32 *words, gsize n)
{
  GError *error = NULL;
  GstGlesBuffer *buffer = gst_gles_buffer_new (device, 4 * n, &error);

  g_assert_no_error (error);
  g_assert_true (gst_gles_buffer_upload (buffer, queue, 0, words, 4 * n, &error));
  g_assert_no_error (error);
  return buffer;
}

/* @n words and a few more, all canaries. */
static guint32 *
new_canaries (gsize n)
{
  guint32 *words = g_new (guint32, n + CANARY_WORDS);

  for (gsize i = 0; i < n + CANARY_WORDS; i++)
    words[i] = CANARY;
  return words;
}

static GstGlesBuffer *
new_output (gsize n)
{
  g_autofree guint32 *words = new_canaries (n);

  return new_filled (words, n + CANARY_WORDS);
}

/* Fails unless @buffer holds the @n words that @want begins with and canaries from there on. */
static void
assert_words (
    GstGlesBuffer *buffer, const guint32 *want, gsize n, const gchar *what, const gchar *where)
{
  gsize size = gst_gles_buffer_get_size (buffer) / 4;
  g_autofree guint32 *got = g_new (guint32, size);
  GError *error = NULL;

  g_assert_true (gst_gles_buffer_download (buffer, queue, 0, got, 4 * size, &error));
  g_assert_no_error (error);
  for (gsize i = 0; i < size; i++) {
    guint32 wanted = i < n ? want[i] : CANARY;
    if (got[i] != wanted)
      g_error ("%s: word %" G_GSIZE_FORMAT " of the %s is %08x, expected %08x", where, i, what,
          got[i], wanted);
  }
}

static void
assert_result (
    GstGlesComponents *components, guint total, guint count, guint status, const gchar *where)
{
  GstGlesResult result;
  GError *error = NULL;

  g_assert_true (gst_gles_buffer_download (
      gst_gles_components_get_result (components), queue, 0, &result, sizeof (result), &error));
  g_assert_no_error (error);
  if (result.total != total || result.count != count || result.status != status)
    g_error ("%s: total %" G_GUINT64_FORMAT ", count %u, status %u instead of %u, %u, %u", where,
        result.total, result.count, result.status, total, count, status);
}

static GstGlesComponents *
new_components (const GstGlesComponentsConfig *config)
{
  GError *error = NULL;
  GstGlesComponents *components = gst_gles_components_new (queue, config, &error);

  g_assert_no_error (error);
  return components;
}

/* ---- words ---- */

typedef struct {
  guint mask, width, height;
  guint connectivity, min_size, max_regions;
  gboolean labels;
} Case;

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

/* Computes the expected result with the twin. Returns the number of regions. */
static guint
run_twin (const Case *c, const guint32 *words, guint32 lower, guint32 upper, guint32 *labels,
    guint32 *regions)
{
  GstGlesCpuComponents config = { .width = c->width,
    .height = c->height,
    .diagonal = c->connectivity == 8,
    .lower = lower,
    .upper = upper,
    .min_size = MAX (c->min_size, 1),
    .max_regions = c->max_regions };
  g_autofree gpointer scratch =
      g_malloc (gst_gles_cpu_components_scratch_bytes (c->width, c->height, c->max_regions, FALSE));

  return gst_gles_cpu_components (
      &config, words, labels, (GstGlesComponentRecord *) (gpointer) regions, scratch);
}

static void
check_words (GstGlesComponents *components, const Case *c, const guint32 *words, guint32 lower,
    guint32 upper)
{
  g_autofree gchar *where = g_strdup_printf ("mask %u, %u x %u, %u-connected, min %u, max %u",
      c->mask, c->width, c->height, c->connectivity, c->min_size, c->max_regions);
  gsize n = (gsize) c->width * c->height;
  g_autofree guint32 *want = new_canaries (c->max_regions * REGION_WORDS);
  g_autofree guint32 *want_labels = new_canaries (n);
  g_autoptr (GstGlesBuffer) input = new_filled (words, n);
  g_autoptr (GstGlesBuffer) regions = new_output (c->max_regions * REGION_WORDS);
  g_autoptr (GstGlesBuffer) labels = c->labels ? new_output (n) : NULL;
  guint total = run_twin (c, words, lower, upper, want_labels, want);
  guint count = MIN (total, c->max_regions);
  GError *error = NULL;

  gst_gles_components_run (components, input, lower, upper, c->min_size, regions, labels, &error);
  g_assert_no_error (error);
  assert_words (regions, want, count * REGION_WORDS, "regions", where);
  if (labels != NULL)
    assert_words (labels, want_labels, n, "labels", where);
  assert_result (components, total, count, total > count ? GST_GLES_STATUS_TRUNCATED : 0, where);
}

static void
check (const Case *c)
{
  const GstGlesComponentsConfig config = { .width = c->width,
    .height = c->height,
    .connectivity = c->connectivity,
    .max_regions = c->max_regions };
  g_autoptr (GstGlesComponents) components = new_components (&config);
  g_autofree guint32 *words = new_words (c);

  check_words (components, c, words, BENCH_MASK_LOWER, 255);
}

static const guint noise[] = { 1, 10, 40, 50, 59, 70, 99 };

static void
check_all_ways (guint mask, guint width, guint height)
{
  const Case cases[] = {
    { mask, width, height, 4, 0, width * height, TRUE },
    { mask, width, height, 8, 0, 256, TRUE },
    { mask, width, height, 4, 4, 5, FALSE },
    { mask, width, height, 8, 3, 1000, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check (&cases[i]);
}

static void
test_patterns (void)
{
  for (guint mask = 0; mask < BENCH_MASK_NOISE; mask++)
    check_all_ways (mask, 203 + mask, 170);
  for (guint i = 0; i < G_N_ELEMENTS (noise); i++)
    check_all_ways (BENCH_MASK_NOISE + noise[i], 331 - i, 150 + i);
}

static void
test_sizes (void)
{
  static const guint sizes[][2] = { { 1, 1 }, { 2, 1 }, { 1, 2 }, { 3, 3 }, { 1, 700 }, { 700, 1 },
    { 31, 33 }, { 32, 32 }, { 33, 31 }, { 64, 64 }, { 65, 65 }, { 63, 129 }, { 5000, 3 },
    { 3, 5000 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    check_all_ways (BENCH_MASK_NOISE + 50, sizes[i][0], sizes[i][1]);
    check_all_ways (BENCH_MASK_CHECKERBOARD, sizes[i][0], sizes[i][1]);
    check_all_ways (BENCH_MASK_FULL, sizes[i][0], sizes[i][1]);
  }
}

/* Sizes and shapes for which trees are deep, unless GLES_TEST_QUICK is set. */
static void
test_large (void)
{
  static const guint masks[] = { BENCH_MASK_SPIRAL, BENCH_MASK_SERPENTINE, BENCH_MASK_COMB,
    BENCH_MASK_CHECKERBOARD, BENCH_MASK_FULL, BENCH_MASK_NOISE + 50, BENCH_MASK_NOISE + 59 };

  if (g_getenv ("GLES_TEST_QUICK") != NULL) {
    g_test_skip ("quick");
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (masks); i++) {
    const Case c = { masks[i], 3840, 2160, i % 2 != 0 ? 4 : 8, 0, 256, i == 1 };
    check (&c);
  }
}

/* The largest frames, whose lists of candidates do not fit a storage block of 128 MiB. */
static void
test_largest (void)
{
  static const Case cases[] = { { BENCH_MASK_CHECKERBOARD, 8192, 4320, 4, 0, 256, FALSE },
    { BENCH_MASK_NOISE + 50, 8192, 4320, 8, 0, 256, FALSE } };

  if (g_getenv ("GLES_TEST_QUICK") != NULL ||
      gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU) {
    g_test_skip ("quick, or the twin itself");
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check (&cases[i]);
}

/* Calling a plan again does not depend on the previous call. */
static void
test_repetitions (void)
{
  const GstGlesComponentsConfig config = {
    .width = 301, .height = 140, .connectivity = 8, .max_regions = 300
  };
  g_autoptr (GstGlesComponents) components = new_components (&config);

  for (guint i = 0; i < 60; i++) {
    const Case c = { i % 3 == 0 ? BENCH_MASK_NOISE + i : BENCH_MASK_NOISE + 35, 301, 140, 8, i % 5,
      300, i % 4 == 0 };
    g_autofree guint32 *words = new_words (&c);

    check_words (components, &c, words, BENCH_MASK_LOWER, 255);
  }
}

/* The same input has one result, however work is distributed. */
static void
test_same_result (void)
{
  const Case c = { BENCH_MASK_NOISE + 59, 257, 260, 4, 0, 100, FALSE };
  const GstGlesComponentsConfig config = {
    .width = 257, .height = 260, .connectivity = 4, .max_regions = 100
  };
  g_autoptr (GstGlesComponents) components = new_components (&config);
  g_autofree guint32 *words = new_words (&c);
  guint n = g_getenv ("GLES_TEST_QUICK") != NULL ? 20 : 200;

  for (guint i = 0; i < n; i++)
    check_words (components, &c, words, BENCH_MASK_LOWER, 255);
}

/* Sums of values take 64 bits; bounds let nothing or everything pass. */
static void
test_values (void)
{
  static const guint32 bounds[][2] = { { 0, G_MAXUINT32 }, { 1, 0 }, { G_MAXUINT32, G_MAXUINT32 },
    { 0x80000000u, G_MAXUINT32 }, { 0, 0 }, { 5, 0x90000000u } };
  const Case c = { 0, 100, 90, 8, 0, 200, TRUE };
  const GstGlesComponentsConfig config = {
    .width = 100, .height = 90, .connectivity = 8, .max_regions = 200
  };
  g_autoptr (GstGlesComponents) components = new_components (&config);
  g_autofree guint32 *words = g_new (guint32, 9000);

  for (guint i = 0; i < 9000; i++)
    words[i] = bench_random (7, i) | (i / 1000 % 2 != 0 ? 0xfff00000u : 0);
  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++)
    check_words (components, &c, words, bounds[i][0], bounds[i][1]);
}

/* ---- points ---- */

/* @way: 0: the host knows the count, 1: the device does, 2: the device counts more than the
 * capacity. */
static void
check_points (guint cell, guint min_points, guint width, guint height, guint percent, guint way)
{
  g_autofree gchar *where = g_strdup_printf ("cells of %u, at least %u, %u x %u, %u %%, way %u",
      cell, min_points, width, height, percent, way);
  guint max_regions = percent % 2 != 0 ? 300 : 20;
  GstGlesComponentsConfig config = { .source = GST_GLES_COMPONENTS_POINTS,
    .width = width,
    .height = height,
    .connectivity = cell % 2 != 0 ? 8 : 4,
    .cell_width = cell,
    .cell_height = cell + 1,
    .max_points = width * height + 2,
    .max_regions = max_regions };
  GstGlesCpuComponents cpu = { .width = (width + cell - 1) / cell,
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
  g_autofree guint32 *want = new_canaries (max_regions * REGION_WORDS);
  g_autofree gpointer scratch =
      g_malloc (gst_gles_cpu_components_scratch_bytes (cpu.width, cpu.height, max_regions, TRUE));
  guint n = 0, total, count, status;
  GError *error = NULL;

  /* some lie outside */
  for (guint i = 0; i < width * height; i++) {
    if (!bench_mask (BENCH_MASK_NOISE + percent, i % width, i / width, width, height))
      continue;
    points[2 * n] = (i % 97 == 0 ? width : i % width) | (i / width) << 16;
    points[2 * n++ + 1] = bench_random (9, i);
  }
  if (way == 2 && n > 3) {
    config.max_points = n - 3;
    n = config.max_points;
  }
  g_autoptr (GstGlesComponents) components = new_components (&config);
  g_autoptr (GstGlesBuffer) input = new_filled (points, 2 * n + 8);
  g_autoptr (GstGlesBuffer) regions = new_output (max_regions * REGION_WORDS);
  guint32 counts[4] = { 0, 0, 0, way == 2 ? G_MAXUINT32 : n };
  g_autoptr (GstGlesBuffer) counts_buffer = new_filled (counts, 4);

  total = gst_gles_cpu_components_points (
      &cpu, points, n, (GstGlesComponentRecord *) (gpointer) want, scratch);
  if (way == 0)
    gst_gles_components_run_points (components, input, n, min_points, 2, regions, &error);
  else
    gst_gles_components_run_points_indirect (
        components, input, counts_buffer, 12, min_points, 2, regions, &error);
  g_assert_no_error (error);
  count = MIN (total, max_regions);
  status = (total > count ? GST_GLES_STATUS_TRUNCATED : 0) |
      (way == 2 ? GST_GLES_STATUS_COUNT_CLAMPED : 0);
  assert_words (regions, want, count * REGION_WORDS, "regions", where);
  assert_result (components, total, count, status, where);
}

static void
test_points (void)
{
  for (guint way = 0; way < 3; way++) {
    check_points (8, 12, 200, 130, 20, way);
    check_points (7, 1, 500, 131, 3, way);
    check_points (1, 1, 97, 261, 55, way);
    check_points (16, 3, 50, 50, 9, way);
    check_points (3, 2, 640, 360, 31, way);
  }
  check_points (4, 1, 60, 60, 0, 0);
  check_points (4, 1, 60, 60, 0, 1);
  /* a row that is wider than a band of any variant */
  if (g_getenv ("GLES_TEST_QUICK") == NULL)
    check_points (1, 1, 65536, 3, 50, 1);
}

/* ---- what is wrong ---- */

static void
assert_no_plan (const GstGlesComponentsConfig *config, gint code)
{
  GError *error = NULL;

  g_assert_null (gst_gles_components_new (queue, config, &error));
  g_assert_error (error, GST_GLES_ERROR, code);
  g_clear_error (&error);
}

static void
test_bad_config (void)
{
  const GstGlesComponentsConfig good = {
    .width = 10, .height = 10, .connectivity = 8, .max_regions = 5
  };
  GstGlesComponentsConfig bad = good;

  bad.width = 0;
  assert_no_plan (&bad, GST_GLES_ERROR_INVALID);
  bad = good;
  bad.height = (1u << 24) + 1;
  assert_no_plan (&bad, GST_GLES_ERROR_INVALID);
  bad = good;
  bad.connectivity = 6;
  assert_no_plan (&bad, GST_GLES_ERROR_INVALID);
  bad = good;
  bad.max_regions = 0;
  assert_no_plan (&bad, GST_GLES_ERROR_INVALID);
  bad = good;
  bad.cell_width = 2;
  assert_no_plan (&bad, GST_GLES_ERROR_INVALID);
  bad = good;
  bad.source = GST_GLES_COMPONENTS_POINTS;
  assert_no_plan (&bad, GST_GLES_ERROR_INVALID);
  bad.cell_width = bad.cell_height = 8;
  bad.width = 65537;
  assert_no_plan (&bad, GST_GLES_ERROR_INVALID);
  bad = good;
  bad.width = bad.height = 1u << 24;
  assert_no_plan (&bad, GST_GLES_ERROR_TOO_LARGE);
}

static void
assert_refused (GstGlesComponents *components, GstGlesBuffer *words, GstGlesBuffer *regions,
    GstGlesBuffer *labels)
{
  GError *error = NULL;

  g_assert_false (gst_gles_components_run (components, words, 1, 2, 0, regions, labels, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  g_clear_error (&error);
}

static void
test_bad_calls (void)
{
  const GstGlesComponentsConfig config = {
    .width = 10, .height = 10, .connectivity = 8, .max_regions = 5
  };
  g_autoptr (GstGlesComponents) components = new_components (&config);
  g_autoptr (GstGlesBuffer) words = new_output (100);
  g_autoptr (GstGlesBuffer) regions = new_output (100);
  g_autofree guint32 *untouched = new_canaries (100);
  g_autoptr (GstGlesBuffer) small = new_filled (untouched, 15);
  g_autoptr (GstGlesBuffer) four = new_filled (untouched, 79); /* and no fifth region */
  GError *error = NULL;

  assert_refused (components, small, regions, NULL);
  assert_refused (components, words, small, NULL);
  assert_refused (components, words, four, NULL);
  assert_refused (components, words, regions, small);
  assert_refused (components, words, words, NULL);
  assert_refused (components, words, regions, regions);
  assert_refused (components, words, regions, words);
  g_assert_false (gst_gles_components_run_points (components, words, 5, 1, 1, regions, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  g_clear_error (&error);
  assert_words (regions, untouched, 100, "regions", "a refused call");
}

/* Whether the device can run the variant. */
static gboolean
is_possible (void)
{
  const GstGlesComponentsConfig config = {
    .width = 10, .height = 10, .connectivity = 8, .max_regions = 5
  };
  g_autoptr (GError) error = NULL;
  GstGlesComponents *components = gst_gles_components_new (queue, &config, &error);

  if (g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS)) {
    g_printerr ("skipped: %s\n", error->message);
    return FALSE;
  }
  g_assert_no_error (error);
  gst_gles_components_free (components);
  return TRUE;
}

int
main (int argc, char **argv)
{
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
  if (!is_possible ()) {
    gst_object_unref (device);
    return 77;
  }
  g_test_add_func ("/components/patterns", test_patterns);
  g_test_add_func ("/components/sizes", test_sizes);
  g_test_add_func ("/components/values", test_values);
  g_test_add_func ("/components/points", test_points);
  g_test_add_func ("/components/repetitions", test_repetitions);
  g_test_add_func ("/components/same-result", test_same_result);
  g_test_add_func ("/components/large", test_large);
  g_test_add_func ("/components/largest", test_largest);
  g_test_add_func ("/components/bad-config", test_bad_config);
  g_test_add_func ("/components/bad-calls", test_bad_calls);
  result = g_test_run ();
  gst_object_unref (device);
  return result;
}
