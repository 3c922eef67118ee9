/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Unique against the native twin, bit for bit, in the variant that GST_GLES_UNIQUE_VARIANT forces.
 * tests/unit/cpu-compact.c compares the twin with a plain loop; arrays.c tests counts on the
 * device, repetitions, plans in turns and most refused calls. */
#include <gst/gles/algo/unique/unique.h>
#include <gst/gles/cpu/unique/unique.h>

#include "array-cases.h"

/* How a call is made: bits of a way. The length of runs counts from N_BITS on. */
enum {
  WIDE = 1 << 0, /* 64-bit keys */
  INDIRECT = 1 << 1,
  TRUNCATED = 1 << 2,
  N_BITS = 1 << 3
};

/* Shorter and longer than a row, a tile and most arrays. */
static const guint lengths[] = { 1, 3, 7, 13, 63, 255, 1023, 2047, 8191, 131071 };

/* Makes a call twice over keys in runs of a length, or of a multiple where neighbours in @pattern
 * are equal. */
static void
check (gpointer plan, Pattern pattern, guint n, guint way)
{
  const guint length = lengths[way / N_BITS], words = (way & WIDE) != 0 ? 2 : 1;
  const GstGlesValueType type = words == 2 ? GST_GLES_VALUE_U64 : GST_GLES_VALUE_U32;
  g_autofree gchar *where = g_strdup_printf (
      "unique of %u %s in runs of %u, way %u", n, pattern_name (pattern), length, way);
  g_autofree guint32 *keys = array_input (pattern, words * n, n);
  g_autofree guint32 *want = g_new (guint32, words * n + 1);
  g_autoptr (GstGlesBuffer) input = NULL, output = array_buffer (words * n);
  g_autoptr (GstGlesBuffer) count = array_count_buffer (n);
  GError *error = NULL;
  guint total, max_count;

  for (guint i = words * n; i-- > 0;)
    keys[i] = keys[i / words / length * words + i % words];
  input = array_buffer_of (keys, words * n);
  total = gst_gles_cpu_unique (words, keys, n, want, n);
  max_count = (way & TRUNCATED) != 0 ? total / 2 : n;
  for (guint i = 0; i < 2; i++) {
    array_spoil (output);
    if ((way & INDIRECT) != 0)
      gst_gles_unique_run_indirect (
          plan, type, input, count, ARRAY_COUNT_OFFSET, output, max_count, &error);
    else
      gst_gles_unique_run (plan, type, input, n, output, max_count, &error);
    g_assert_no_error (error);
    array_check (output, want, words * MIN (total, max_count), where);
    array_check (input, keys, words * n, where);
    array_check_result (gst_gles_unique_get_result (plan), total, MIN (total, max_count),
        total > max_count ? GST_GLES_STATUS_TRUNCATED : 0, where);
  }
}

static void
test_errors (void)
{
  GError *error = NULL;
  g_autoptr (GstGlesUnique) unique = ARRAY_NEW (unique, 100);
  g_autoptr (GstGlesBuffer) input = array_buffer (200), output = array_buffer (10);

  assert_fails (
      gst_gles_unique_run (unique, GST_GLES_VALUE_U64 + 1, input, 10, output, 10, &error), INVALID);
  assert_fails (
      gst_gles_unique_run (unique, GST_GLES_VALUE_U64, input, 20, output, 20, &error), INVALID);
  array_check (input, NULL, 0, "after errors");
  array_check (output, NULL, 0, "after errors");
}

static void
add_tests (void)
{
  static const ArrayChecks checks = { "runs", N_BITS * G_N_ELEMENTS (lengths), 1u << 23,
    ARRAY_PLAN (unique), check };

  g_test_add_func ("/unique/errors", test_errors);
  array_add_checks ("unique", &checks);
}

ARRAY_TEST_MAIN ("GST_GLES_UNIQUE_VARIANT", add_tests)
