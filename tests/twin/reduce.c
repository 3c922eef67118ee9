/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sums, minima and maxima against the native twin, bit for bit, in the variant that
 * GST_GLES_REDUCE_VARIANT forces; the twin against a plain loop. */
#include <string.h>

#include <gst/gles/algo/reduce/reduce-private.h>
#include <gst/gles/cpu/reduce.h>

#include "array-cases.h"

static const GstGlesValueType cpu_types[] = { GST_GLES_VALUE_U32, GST_GLES_VALUE_I32,
  GST_GLES_VALUE_F32 };

#define N_TYPES G_N_ELEMENTS (cpu_types)
#define N_OPS 3

static GstGlesReduce *
new_reduce (guint capacity)
{
  GError *error = NULL;
  GstGlesReduce *reduce =
      gst_gles_reduce_new_full (array_test.queue, capacity, &array_test.variant, &error);

  if (reduce == NULL)
    g_error ("%s", error->message);
  return reduce;
}

static guint64
twin (GstGlesReduceOp op, GstGlesValueType type, const guint32 *values, guint n)
{
  if (op == GST_GLES_REDUCE_MIN)
    return gst_gles_cpu_reduce_min (cpu_types[type], values, n);
  if (op == GST_GLES_REDUCE_MAX)
    return gst_gles_cpu_reduce_max (cpu_types[type], values, n);
  if (type == GST_GLES_VALUE_F32)
    return gst_gles_cpu_reduce_sum_f32 (values, n);
  if (type == GST_GLES_VALUE_I32)
    return gst_gles_cpu_reduce_sum_i32 (values, n);
  return gst_gles_cpu_reduce_sum (values, n);
}

/* The same by plain loops, floats level by level. */
static guint64
oracle (GstGlesReduceOp op, GstGlesValueType type, const guint32 *values, guint n)
{
  g_autofree guint32 *nodes = g_new (guint32, n + 1);
  guint32 least = G_MAXUINT32, most = 0;
  guint64 sum = 0;

  for (guint i = 0; i < n; i++) {
    guint32 key = gst_gles_cpu_to_key (cpu_types[type], values[i]);
    least = MIN (least, key);
    most = MAX (most, key);
    sum += type == GST_GLES_VALUE_I32 ? (guint64) (gint64) (gint32) values[i] : values[i];
    nodes[i] = GST_GLES_F32_CLEAN (values[i]);
  }
  if (op == GST_GLES_REDUCE_MIN)
    return gst_gles_cpu_from_key (cpu_types[type], least);
  if (op == GST_GLES_REDUCE_MAX)
    return gst_gles_cpu_from_key (cpu_types[type], most);
  if (type != GST_GLES_VALUE_F32)
    return sum;
  for (; n > 1; n = n / 2 + n % 2) {
    for (guint i = 0; i < n / 2; i++)
      nodes[i] = gst_gles_cpu_f32_add (nodes[2 * i], nodes[2 * i + 1]);
    if (n % 2 == 1)
      nodes[n / 2] = nodes[n - 1];
  }
  return n == 0 ? GST_GLES_F32_MINUS_ZERO : nodes[0];
}

static guint
status_of (GstGlesReduceOp op, GstGlesValueType type, guint64 total)
{
  gboolean wrapped = op == GST_GLES_REDUCE_SUM && type == GST_GLES_VALUE_U32 && total > G_MAXUINT32;

  return wrapped ? GST_GLES_STATUS_TOTAL_WRAPPED : 0;
}

static void
check (GstGlesReduce *reduce, GstGlesReduceOp op, GstGlesValueType type, Pattern pattern, guint n,
    gboolean indirect)
{
  g_autofree gchar *where = g_strdup_printf ("%sreduction %d of %u %s of type %d",
      indirect ? "indirect " : "", op, n, array_pattern_name (pattern), type);
  g_autofree guint32 *values = array_input (pattern, n, n);
  g_autoptr (GstGlesBuffer) input = array_buffer (n), count = array_count_buffer (n);
  GError *error = NULL;
  guint64 total = twin (op, type, values, n);

  g_assert_cmphex (total, ==, oracle (op, type, values, n));
  array_fill (input, values, n);
  if (!(indirect ? gst_gles_reduce_run_indirect (
                       reduce, op, type, input, count, ARRAY_COUNT_OFFSET, &error)
                 : gst_gles_reduce_run (reduce, op, type, input, n, &error)))
    g_error ("%s: %s", where, error->message);
  array_check (input, values, n, where);
  array_check_result (
      gst_gles_reduce_get_result (reduce), total, n, status_of (op, type, total), where);
}

static void
test_sizes (void)
{
  g_autoptr (GstGlesReduce) reduce = new_reduce (array_test.max_n);
  guint n_sizes, turn = 0;
  g_autofree guint *sizes = array_sizes (array_test.max_n, &n_sizes);

  for (guint i = 0; i < n_sizes; i++) {
    for (GstGlesReduceOp op = 0; op < N_OPS; op++) {
      for (GstGlesValueType type = 0; type < N_TYPES; type++) {
        for (guint k = 0; k < (sizes[i] <= 300 ? N_PATTERNS : 1); k++, turn++)
          check (reduce, op, type, (turn * 3) % N_PATTERNS, sizes[i], turn % 2 == 1);
      }
    }
  }
}

/* Sizes around the tile sizes of the plan, which depend on the device. */
static void
test_tile_edges (void)
{
  guint sizes[ARRAY_MAX_TILE_SIZES], n_sizes;
  g_autoptr (GstGlesReduce) reduce = new_reduce (MIN (array_test.max_n, 100000));

  n_sizes = array_tile_sizes (gst_gles_reduce_get_array (reduce), sizes);
  if (n_sizes == 0)
    g_test_skip ("native code has no tiles");
  for (guint i = 0; i < n_sizes; i++) {
    for (guint k = 0; k < N_OPS * N_TYPES; k++)
      check (reduce, k / N_TYPES, k % N_TYPES, k % N_TYPES == 2 ? PATTERN_FLOATS : PATTERN_AND_1,
          sizes[i], (i + k) % 2 == 1);
  }
}

static void
test_patterns (void)
{
  const guint n = 40001;
  g_autoptr (GstGlesReduce) reduce = new_reduce (n);

  for (Pattern pattern = 0; pattern < N_PATTERNS; pattern++) {
    for (GstGlesReduceOp op = 0; op < N_OPS; op++) {
      for (GstGlesValueType type = 0; type < N_TYPES; type++)
        check (reduce, op, type, pattern, n, FALSE);
    }
  }
}

/* Sums of floats that lose bits, overflow, cancel, or stay below the normal numbers. */
static void
test_floats (void)
{
  static const guint32 pairs[][2] = { { 0x00800000u, 0x80800001u }, { 0x7f7fffffu, 0x7f7fffffu },
    { 0x7f800000u, 0xff800000u }, { 0x4b800000u, 0x3f800000u }, { 0x80000000u, 0x80000000u },
    { 0x80000000u, 0x00000000u }, { 0x00000001u, 0x80000001u }, { 0x3f800000u, 0xbf800000u },
    { 0xffc00001u, 0x3f800000u }, { 0x33800000u, 0x3f800001u } };
  g_autoptr (GstGlesReduce) reduce = new_reduce (1000);
  g_autoptr (GstGlesBuffer) input = array_buffer (1000);
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    for (guint n = 1; n < 1000; n = n * 3 + 1) {
      guint32 values[1000];
      for (guint j = 0; j < n; j++)
        values[j] = pairs[i][j % 2];
      array_fill (input, values, n);
      g_assert_true (
          gst_gles_reduce_run (reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_F32, input, n, &error));
      array_check_result (gst_gles_reduce_get_result (reduce),
          gst_gles_cpu_reduce_sum_f32 (values, n), n, 0, "floats");
    }
  }
}

/* More than one binding of 128 MiB can hold, where that is the limit; not where GLES_TEST_QUICK is
 * set. */
static void
test_large (void)
{
  const guint n = (1u << 25) + 4099;
  g_autoptr (GstGlesReduce) reduce = NULL;

  if (array_test.variant.window != 0 || array_test.quick) {
    g_test_skip ("windows are small, or quick");
    return;
  }
  reduce = new_reduce (n);
  check (reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U32, PATTERN_MAX, n, FALSE);
  check (reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_F32, PATTERN_RAMP, n, TRUE);
  check (reduce, GST_GLES_REDUCE_MAX, GST_GLES_VALUE_I32, PATTERN_OUTLIER, n, FALSE);
}

static void
test_repetitions (void)
{
  const guint n = 70000;
  g_autoptr (GstGlesReduce) reduce = new_reduce (n);
  g_autoptr (GstGlesBuffer) input = array_buffer (n);
  g_autofree guint32 *values = array_input (PATTERN_FLOATS, n, 3);
  GError *error = NULL;
  guint32 want;

  for (guint i = 0; i < n; i++)
    values[i] = (values[i] & 0x7f800000u) == 0x7f800000u ? i : values[i];
  want = gst_gles_cpu_reduce_sum_f32 (values, n);
  array_fill (input, values, n);
  for (guint i = 0; i < 1000; i++) {
    g_assert_true (
        gst_gles_reduce_run (reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_F32, input, n, &error));
    if (i % 10 == 0)
      array_check_result (gst_gles_reduce_get_result (reduce), want, n, 0, "repetition");
  }
}

static void
test_count_over_capacity (void)
{
  g_autoptr (GstGlesReduce) reduce = new_reduce (1000);
  g_autoptr (GstGlesBuffer) input = array_buffer (2000), count = array_count_buffer (1001);
  g_autofree guint32 *values = array_input (PATTERN_LOW_DIGIT, 2000, 8);
  GError *error = NULL;

  array_fill (input, values, 2000);
  g_assert_true (gst_gles_reduce_run_indirect (
      reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U32, input, count, ARRAY_COUNT_OFFSET, &error));
  array_check_result (gst_gles_reduce_get_result (reduce), gst_gles_cpu_reduce_sum (values, 1000),
      1000, GST_GLES_STATUS_COUNT_CLAMPED, "over the capacity");
}

static void
test_errors (void)
{
  g_autoptr (GstGlesReduce) reduce = new_reduce (100);
  g_autoptr (GstGlesDevice) other = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) foreign = gst_gles_buffer_new (other, 4096, NULL);
  g_autoptr (GstGlesBuffer) input = array_buffer (200), small = array_buffer (10);
  GError *error = NULL;

  g_assert_true (
      gst_gles_reduce_run (reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U32, input, 0, &error));
  g_assert_false (
      gst_gles_reduce_run (reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U32, input, 101, &error));
  array_expect_error (&error, GST_GLES_ERROR_TOO_LARGE, "capacity");
  g_assert_false (
      gst_gles_reduce_run (reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U64, input, 100, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "64 bits");
  g_assert_false (
      gst_gles_reduce_run (reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U32, small, 100, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "small input");
  g_assert_false (
      gst_gles_reduce_run (reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U32, foreign, 100, &error));
  array_expect_error (&error, GST_GLES_ERROR_INVALID, "another device");
  /* the result of the call that was fine is still there */
  array_check_result (gst_gles_reduce_get_result (reduce), 0, 0, 0, "after errors");
}

static void
add_tests (void)
{
  g_test_add_func ("/reduce/errors", test_errors);
  g_test_add_func ("/reduce/count-over-capacity", test_count_over_capacity);
  g_test_add_func ("/reduce/floats", test_floats);
  g_test_add_func ("/reduce/patterns", test_patterns);
  g_test_add_func ("/reduce/tile-edges", test_tile_edges);
  g_test_add_func ("/reduce/sizes", test_sizes);
  g_test_add_func ("/reduce/repetitions", test_repetitions);
  g_test_add_func ("/reduce/large", test_large);
}

int
main (int argc, char **argv)
{
  return array_test_main (argc, argv, "GST_GLES_REDUCE_VARIANT", add_tests);
}
