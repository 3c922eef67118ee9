/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sums, minima and maxima against the native twin, bit for bit, in the variant that
 * GST_GLES_REDUCE_VARIANT forces. tests/unit/cpu-reduce.c compares the twin with plain loops;
 * arrays.c tests counts on the device, repetitions, plans in turns and most refused calls. */
#include <gst/gles/algo/reduce/reduce.h>
#include <gst/gles/cpu/reduce/reduce.h>

#include "array-cases.h"

#define N_TYPES (GST_GLES_VALUE_F32 + 1)
#define N_OPS (GST_GLES_REDUCE_MAX + 1)
#define WAY(op, type, indirect) (((op) *N_TYPES + (type)) * 2 + (indirect))

static guint64
twin (GstGlesReduceOp op, GstGlesValueType type, const guint32 *values, guint n)
{
  if (op == GST_GLES_REDUCE_MIN)
    return gst_gles_cpu_reduce_min (type, values, n);
  if (op == GST_GLES_REDUCE_MAX)
    return gst_gles_cpu_reduce_max (type, values, n);
  if (type == GST_GLES_VALUE_F32)
    return gst_gles_cpu_reduce_sum_f32 (values, n);
  if (type == GST_GLES_VALUE_I32)
    return gst_gles_cpu_reduce_sum_i32 (values, n);
  return gst_gles_cpu_reduce_sum (values, n);
}

static void
check_values (GstGlesReduce *reduce, const guint32 *values, guint n, guint way, const gchar *what)
{
  const GstGlesReduceOp op = way / 2 / N_TYPES;
  const GstGlesValueType type = way / 2 % N_TYPES;
  const gboolean wraps = op == GST_GLES_REDUCE_SUM && type == GST_GLES_VALUE_U32;
  g_autofree gchar *where = g_strdup_printf ("reduction of %u %s, way %u", n, what, way);
  g_autoptr (GstGlesBuffer) input = array_buffer_of (values, n), count = array_count_buffer (n);
  GError *error = NULL;
  guint64 total = twin (op, type, values, n);

  if (way % 2 != 0)
    gst_gles_reduce_run_indirect (reduce, op, type, input, count, ARRAY_COUNT_OFFSET, &error);
  else
    gst_gles_reduce_run (reduce, op, type, input, n, &error);
  g_assert_no_error (error);
  array_check (input, values, n, where);
  array_check_result (gst_gles_reduce_get_result (reduce), total, n,
      wraps && total > G_MAXUINT32 ? GST_GLES_STATUS_TOTAL_WRAPPED : 0, where);
}

static void
check (gpointer plan, Pattern pattern, guint n, guint way)
{
  /* Random words have the sum NaN. */
  const gboolean is_float = way / 2 % N_TYPES == GST_GLES_VALUE_F32;
  g_autofree guint32 *values =
      array_input (is_float && pattern == PATTERN_RANDOM ? PATTERN_NUMBERS : pattern, n, n);

  check_values (plan, values, n, way, pattern_name (pattern));
}

/* Sums of floats that lose bits, overflow, cancel, or stay below the normal numbers. */
static void
test_floats (void)
{
  static const guint32 pairs[][2] = { { 0x00800000u, 0x80800001u }, { 0x7f7fffffu, 0x7f7fffffu },
    { 0x7f800000u, 0xff800000u }, { 0x4b800000u, 0x3f800000u }, { 0x80000000u, 0x80000000u },
    { 0x80000000u, 0x00000000u }, { 0x00000001u, 0x80000001u }, { 0x3f800000u, 0xbf800000u },
    { 0xffc00001u, 0x3f800000u }, { 0x33800000u, 0x3f800001u } };
  g_autoptr (GstGlesReduce) reduce = ARRAY_NEW (reduce, 1000);

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    for (guint n = 1; n < 1000; n = n * 3 + 1) {
      guint32 values[1000];
      for (guint j = 0; j < n; j++)
        values[j] = pairs[i][j % 2];
      check_values (
          reduce, values, n, WAY (GST_GLES_REDUCE_SUM, GST_GLES_VALUE_F32, FALSE), "pairs");
    }
  }
}

static void
test_errors (void)
{
  GError *error = NULL;
  g_autoptr (GstGlesReduce) reduce = ARRAY_NEW (reduce, 100);
  g_autoptr (GstGlesBuffer) input = array_buffer (200);

  g_assert_true (
      gst_gles_reduce_run (reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U32, input, 0, &error));
  assert_fails (
      gst_gles_reduce_run (reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U64, input, 100, &error),
      INVALID);
  /* the result of the call that was fine is still there */
  array_check_result (gst_gles_reduce_get_result (reduce), 0, 0, 0, "after errors");
}

static void
add_tests (void)
{
  static const ArrayChecks checks = { "ways", N_OPS * N_TYPES * 2, 0, ARRAY_PLAN (reduce), check,
    { { PATTERN_ALL_MAXIMUM, WAY (GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U32, FALSE) },
        { PATTERN_RAMP, WAY (GST_GLES_REDUCE_SUM, GST_GLES_VALUE_F32, TRUE) },
        { PATTERN_OUTLIER, WAY (GST_GLES_REDUCE_MAX, GST_GLES_VALUE_I32, FALSE) } },
    3 };

  g_test_add_func ("/reduce/errors", test_errors);
  g_test_add_func ("/reduce/floats", test_floats);
  array_add_checks ("reduce", &checks);
}

ARRAY_TEST_MAIN ("GST_GLES_REDUCE_VARIANT", add_tests)
