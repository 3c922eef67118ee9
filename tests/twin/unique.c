/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Unique against the native twin, bit for bit, in the variant that GST_GLES_UNIQUE_VARIANT forces.
 * tests/unit/cpu-unique.c compares the twin with a plain loop; tests/twin/arrays.c tests counts on
 * the device, repetitions and plans in turns. */
#include <gst/gles/algo/unique/unique-private.h>
#include <gst/gles/cpu/unique.h>

#include "array-cases.h"

static GstGlesUnique *
new_unique (guint capacity)
{
  GError *error = NULL;
  GstGlesUnique *unique =
      gst_gles_unique_new_full (array_test.queue, capacity, &array_test.variant, &error);

  if (unique == NULL)
    g_error ("%s", error->message);
  return unique;
}

/* How a call is made. */
typedef enum {
  WIDE = 1 << 0, /* 64-bit keys */
  INDIRECT = 1 << 1,
  TRUNCATED = 1 << 2,
  N_WAYS = 1 << 3
} Way;

/* Makes a call twice over @n keys in runs of @length, or of a multiple where neighbours in
 * @pattern are equal. */
static void
check (GstGlesUnique *unique, Pattern pattern, guint n, guint length, Way way)
{
  g_autofree gchar *where = g_strdup_printf (
      "unique of %u %s in runs of %u, way %d", n, array_pattern_name (pattern), length, way);
  GstGlesValueType type = (way & WIDE) != 0 ? GST_GLES_VALUE_U64 : GST_GLES_VALUE_U32;
  guint words = (way & WIDE) != 0 ? 2 : 1;
  g_autofree guint32 *source = array_input (pattern, words * n, n);
  g_autofree guint32 *keys = g_new (guint32, words * n + 1);
  g_autofree guint32 *want = g_new (guint32, words * n + 1);
  g_autoptr (GstGlesBuffer) input = array_buffer (words * n), output = array_buffer (words * n);
  g_autoptr (GstGlesBuffer) count = array_count_buffer (n);
  GError *error = NULL;
  guint total, max_count;

  for (guint i = 0; i < words * n; i++)
    keys[i] = source[i / words / length * words + i % words];
  total = gst_gles_cpu_unique (words, keys, n, want, n);
  max_count = (way & TRUNCATED) != 0 ? total / 2 : n;
  array_fill (input, keys, words * n);
  for (guint i = 0; i < 2; i++) {
    array_spoil (output);
    if (!((way & INDIRECT) != 0
                ? gst_gles_unique_run_indirect (
                      unique, type, input, count, ARRAY_COUNT_OFFSET, output, max_count, &error)
                : gst_gles_unique_run (unique, type, input, n, output, max_count, &error)))
      g_error ("%s: %s", where, error->message);
    array_check (output, want, words * MIN (total, max_count), where);
    array_check (input, keys, words * n, where);
    array_check_result (gst_gles_unique_get_result (unique), total, MIN (total, max_count),
        total > max_count ? GST_GLES_STATUS_TRUNCATED : 0, where);
  }
}

static void
test_sizes (void)
{
  const guint most = MIN (array_test.max_n, 1u << 23);
  g_autoptr (GstGlesUnique) unique = new_unique (most);
  guint n_sizes, turn = 0;
  g_autofree guint *sizes = array_sizes (most, &n_sizes);

  for (guint i = 0; i < n_sizes; i++) {
    guint n_turns = sizes[i] <= 300 ? 2 * N_WAYS : sizes[i] <= 20000 ? 6 : 2;
    for (guint k = 0; k < n_turns; k++, turn++)
      check (unique, (turn * 5) % N_PATTERNS, sizes[i], turn % 3 * 6 + 1, (turn + i) % N_WAYS);
  }
}

/* Sizes around the tile sizes of the plan, which depend on the device. */
static void
test_tile_edges (void)
{
  guint sizes[ARRAY_MAX_TILE_SIZES], n_sizes;
  g_autoptr (GstGlesUnique) unique = new_unique (MIN (array_test.max_n, 100000));

  n_sizes = array_tile_sizes (gst_gles_unique_get_array (unique), sizes);
  if (n_sizes == 0)
    g_test_skip ("native code has no tiles");
  for (guint i = 0; i < n_sizes; i++) {
    for (Way way = 0; way < N_WAYS; way++)
      check (unique, PATTERN_AND_5, sizes[i], 1 + way / 4, way);
  }
}

static void
test_patterns (void)
{
  const guint n = 10007;
  g_autoptr (GstGlesUnique) unique = new_unique (n);

  for (Pattern pattern = 0; pattern < N_PATTERNS; pattern++) {
    for (Way way = 0; way < N_WAYS; way++)
      check (unique, pattern, n, 1, way);
  }
}

/* Runs shorter and longer than a row, a tile and the array. */
static void
test_runs (void)
{
  const guint n = 50021;
  g_autoptr (GstGlesUnique) unique = new_unique (n);

  for (guint length = 1; length <= 2 * n; length = 2 * length + 1) {
    for (Way way = 0; way < N_WAYS; way++)
      check (unique, PATTERN_RAMP, n, length, way);
  }
}

static void
test_errors (void)
{
  g_autoptr (GstGlesUnique) unique = new_unique (100);
  g_autoptr (GstGlesDevice) other = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) foreign = gst_gles_buffer_new (other, 4096, NULL);
  g_autoptr (GstGlesBuffer) input = array_buffer (200), output = array_buffer (200);
  g_autoptr (GstGlesBuffer) small = array_buffer (10);
  const struct {
    const gchar *what;
    GstGlesValueType type;
    GstGlesBuffer *input, *output;
    guint n;
    GstGlesError code;
  } cases[] = {
    { "capacity", GST_GLES_VALUE_U32, input, output, 101, GST_GLES_ERROR_TOO_LARGE },
    { "type", GST_GLES_VALUE_U64 + 1, input, output, 100, GST_GLES_ERROR_INVALID },
    { "small input", GST_GLES_VALUE_U32, small, output, 100, GST_GLES_ERROR_INVALID },
    { "small output", GST_GLES_VALUE_F32, input, small, 100, GST_GLES_ERROR_INVALID },
    { "half an output", GST_GLES_VALUE_U64, input, small, 20, GST_GLES_ERROR_INVALID },
    { "in place", GST_GLES_VALUE_U32, input, input, 100, GST_GLES_ERROR_INVALID },
    { "another device", GST_GLES_VALUE_U32, input, foreign, 100, GST_GLES_ERROR_INVALID },
    { "another device's input", GST_GLES_VALUE_U32, foreign, output, 100, GST_GLES_ERROR_INVALID },
  };
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_false (gst_gles_unique_run (
        unique, cases[i].type, cases[i].input, cases[i].n, cases[i].output, 100, &error));
    array_expect_error (&error, cases[i].code, cases[i].what);
  }
  g_assert_false (gst_gles_unique_run_indirect (
      unique, GST_GLES_VALUE_U32, input, output, 0, output, 100, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "output over count");
  array_check (input, NULL, 0, "after errors");
  array_check (output, NULL, 0, "after errors");
  array_check (small, NULL, 0, "after errors");
}

static void
add_tests (void)
{
  g_test_add_func ("/unique/errors", test_errors);
  g_test_add_func ("/unique/patterns", test_patterns);
  g_test_add_func ("/unique/runs", test_runs);
  g_test_add_func ("/unique/sizes", test_sizes);
  g_test_add_func ("/unique/tile-edges", test_tile_edges);
}

int
main (int argc, char **argv)
{
  return array_test_main (argc, argv, "GST_GLES_UNIQUE_VARIANT", add_tests);
}
