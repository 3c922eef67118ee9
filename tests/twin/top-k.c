/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels of top-k against the native twin, bit for bit, in the variant that
 * GST_GLES_TOP_K_VARIANT forces. tests/unit/cpu-segments.c compares the twin with a sort; arrays.c
 * tests counts on the device, repetitions, plans in turns and most refused calls. */
#include <gst/gles/algo/top-k/top-k.h>
#include <gst/gles/cpu/top-k/top-k.h>

#include "array-cases.h"

typedef struct {
  GstGlesTopK *top_k;
  GstGlesValueType type;
  gboolean largest;
} Plan;

/* @outputs: bits: 1 keys, 2 indices. */
static void
check (const Plan *plan, Pattern pattern, guint n, guint k, guint outputs, gboolean indirect)
{
  g_autofree gchar *where = g_strdup_printf ("%s, type %d%s, n %u, k %u%s", pattern_name (pattern),
      plan->type, plan->largest ? ", largest" : "", n, k, indirect ? ", indirect" : "");
  const guint n_top = MIN (n, k);
  g_autofree guint32 *keys = array_input (pattern, n, n + k);
  g_autofree guint32 *want_keys = g_new (guint32, k + 1), *want_indices = g_new (guint32, k + 1);
  g_autofree gpointer scratch = g_malloc (MAX (gst_gles_cpu_top_k_scratch_bytes (k), 1));
  g_autoptr (GstGlesBuffer) input = array_buffer_of (keys, n), count = array_count_buffer (n);
  g_autoptr (GstGlesBuffer) top_keys = array_buffer (k), top_indices = array_buffer (k);
  GstGlesBuffer *keys_out = (outputs & 1) != 0 ? top_keys : NULL;
  GstGlesBuffer *indices_out = (outputs & 2) != 0 ? top_indices : NULL;
  GError *error = NULL;

  gst_gles_cpu_top_k (
      &(GstGlesCpuTopK){ plan->type, plan->largest, k, want_keys, want_indices }, keys, n, scratch);
  if (indirect)
    gst_gles_top_k_run_indirect (
        plan->top_k, input, count, ARRAY_COUNT_OFFSET, k, keys_out, indices_out, &error);
  else
    gst_gles_top_k_run (plan->top_k, input, n, k, keys_out, indices_out, &error);
  g_assert_no_error (error);
  array_check (input, keys, n, where);
  array_check (top_keys, want_keys, keys_out != NULL ? n_top : 0, where);
  array_check (top_indices, want_indices, indices_out != NULL ? n_top : 0, where);
  array_check_result (gst_gles_top_k_get_result (plan->top_k), n, n_top, 0, where);
}

static void
test_patterns (void)
{
  static const guint ks[] = { 1, 10, 100, 1000 };

  for (guint i = 0; i < 6; i++) {
    if (array_test.quick && i != 3) /* the type that no other test has */
      continue;
    const Plan plan = { ARRAY_NEW (top_k, i / 2, i % 2, 20000, 1000), i / 2, i % 2 };
    for (Pattern pattern = 0; pattern < N_PATTERNS; pattern++)
      check (&plan, pattern, 20000 - pattern, ks[pattern % 4], 3, pattern % 2);
    gst_gles_top_k_unref (plan.top_k);
  }
}

static void
test_sizes (void)
{
  static const guint sizes[] = { 0, 1, 2, 31, 32, 33, 255, 256, 257, 1000, 2047, 2048, 2049, 10000,
    65535, 65536, 100000 };
  const Plan plan = { ARRAY_NEW (top_k, GST_GLES_VALUE_U32, TRUE, 100000, 100000),
    GST_GLES_VALUE_U32, TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const guint ks[] = { 0, 1, sizes[i] / 2, sizes[i], sizes[i] + 5, 300 };
    for (guint j = array_test.quick ? i % 2 : 0; j < G_N_ELEMENTS (ks);
         j += array_test.quick ? 2 : 1)
      check (&plan, (i + j) % 2 != 0 ? PATTERN_RANDOM : PATTERN_AND_5, sizes[i], ks[j], 1 + j % 3,
          (i + j) % 3 == 0);
  }
  gst_gles_top_k_unref (plan.top_k);
}

static void
test_large (void)
{
  static const struct {
    Pattern pattern;
    guint n, k;
  } cases[] = { { PATTERN_FLOATS, (1u << 20) + 1, 50000 }, { PATTERN_RANDOM, 2000000, 100 },
    { PATTERN_ZEROS, 1u << 20, 777 }, { PATTERN_NUMBERS, (1u << 20) - 1, 1000 },
    { PATTERN_AND_3, 7340033, 1000 } };
  const guint n = array_test.quick ? 1 : G_N_ELEMENTS (cases);
  const Plan plan = { ARRAY_NEW (top_k, GST_GLES_VALUE_F32, TRUE, 8u << 20, 50000),
    GST_GLES_VALUE_F32, TRUE };

  for (guint i = 0; i < n; i++)
    check (&plan, cases[i].pattern, cases[i].n, cases[i].k, array_test.quick ? 1 : 3, i % 2 != 0);
  gst_gles_top_k_unref (plan.top_k);
}

/* More than a storage block holds is refused when the plan is made, and so are 64-bit keys; more
 * than the plan was made for is refused in a call. */
static void
test_errors (void)
{
  const guint64 n = gst_gles_device_get_limits (array_test.device)->storage_block_bytes / 4 + 1;
  g_autoptr (GstGlesTopK) top_k = ARRAY_NEW (top_k, GST_GLES_VALUE_U32, FALSE, 100, 20);
  g_autoptr (GstGlesBuffer) keys = array_buffer (200), top = array_buffer (20);
  GError *error = NULL;

  if (!array_test.is_cpu && n <= GST_GLES_MAX_VALUES) {
    assert_fails (
        gst_gles_top_k_new (array_test.queue, GST_GLES_VALUE_U32, FALSE, n, 10, &error), TOO_LARGE);
  }
  assert_fails (
      gst_gles_top_k_new (array_test.queue, GST_GLES_VALUE_U64, FALSE, 10, 10, &error), INVALID);
  assert_fails (gst_gles_top_k_run (top_k, keys, 100, 21, top, NULL, &error), TOO_LARGE);
  array_check (top, NULL, 0, "after errors");
}

static void
add_tests (void)
{
  g_test_add_func ("/top-k/patterns", test_patterns);
  g_test_add_func ("/top-k/sizes", test_sizes);
  g_test_add_func ("/top-k/large", test_large);
  g_test_add_func ("/top-k/errors", test_errors);
}

ARRAY_TEST_MAIN ("GST_GLES_TOP_K_VARIANT", add_tests)
