/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cpu-arrays.h"

#include <gst/gles/cpu/compact.h>

/* ---- what passes, by the types' own comparisons ---- */

typedef struct {
  GstGlesValueType type;
  guint32 lower, upper;
  const guint32 *flags; /* instead of the range */
} Predicate;

/* -0 < +0 and NaNs at the ends */
static gboolean
f32_less_or_equal (guint32 a, guint32 b)
{
  gint64 place_a = a >> 31 != 0 ? -1 - (gint64) (a & 0x7fffffff) : (gint64) a;
  gint64 place_b = b >> 31 != 0 ? -1 - (gint64) (b & 0x7fffffff) : (gint64) b;

  return place_a <= place_b;
}

static gboolean
passes (const Predicate *predicate, const guint32 *words, guint i)
{
  guint32 lower = predicate->lower, upper = predicate->upper;

  if (predicate->flags != NULL)
    return predicate->flags[i] != 0;
  if (predicate->type == GST_GLES_VALUE_I32)
    return (gint32) words[i] >= (gint32) lower && (gint32) words[i] <= (gint32) upper;
  if (predicate->type == GST_GLES_VALUE_F32)
    return f32_less_or_equal (lower, words[i]) && f32_less_or_equal (words[i], upper);
  return words[i] >= lower && words[i] <= upper;
}

static guint64
compact (const Predicate *predicate, const guint32 *words, guint n, guint32 *values,
    guint32 *indices, gsize capacity)
{
  if (predicate->flags != NULL)
    return gst_gles_cpu_compact_flags (predicate->flags, words, n, values, indices, capacity);
  return gst_gles_cpu_compact_range (
      predicate->type, predicate->lower, predicate->upper, words, n, values, indices, capacity);
}

static void
check_capacity (const Predicate *predicate, const guint32 *words, guint n, guint n_passing,
    gsize capacity, gboolean wants_values, gboolean wants_indices)
{
  guint32 *values = wants_values ? guarded_new (capacity) : NULL;
  guint32 *indices = wants_indices ? guarded_new (capacity) : NULL;
  gsize at = 0;

  fail_unless_equals_uint64 (compact (predicate, words, n, values, indices, capacity), n_passing);
  for (guint i = 0; i < n && at < capacity; i++) {
    if (!passes (predicate, words, i))
      continue;
    if (wants_values && values[at] != words[i])
      fail ("value %" G_GSIZE_FORMAT " of %u", at, n);
    if (wants_indices && indices[at] != i)
      fail ("index %" G_GSIZE_FORMAT " of %u", at, n);
    at++;
  }
  if (wants_values)
    guarded_finish (values, at, capacity, "values");
  if (wants_indices)
    guarded_finish (indices, at, capacity, "indices");
}

static void
check_predicate (const Predicate *predicate, const guint32 *words, guint n)
{
  guint n_passing = 0;

  for (guint i = 0; i < n; i++)
    n_passing += passes (predicate, words, i);
  check_capacity (predicate, words, n, n_passing, n, TRUE, TRUE);
  check_capacity (predicate, words, n, n_passing, n_passing, TRUE, FALSE);
  check_capacity (predicate, words, n, n_passing, n_passing / 2 + 1, FALSE, TRUE);
  check_capacity (predicate, words, n, n_passing, n_passing - n_passing / 3, TRUE, TRUE);
  check_capacity (predicate, words, n, n_passing, 0, TRUE, TRUE);
  check_capacity (predicate, words, n, n_passing, 0, FALSE, FALSE);
}

/* ---- ranges ---- */

static void
check_ranges (Pattern pattern, const guint32 *words, guint n)
{
  static const Predicate predicates[] = {
    { GST_GLES_VALUE_U32, 0, G_MAXUINT32 },                     /* all */
    { GST_GLES_VALUE_U32, 0x40000000, G_MAXUINT32 },            /* a threshold */
    { GST_GLES_VALUE_U32, 1, 4 }, { GST_GLES_VALUE_U32, 4, 1 }, /* none */
    { GST_GLES_VALUE_U32, 0, 0 },
    { GST_GLES_VALUE_I32, 0x80000000, 0xffffffff }, /* the negative ones */
    { GST_GLES_VALUE_I32, 0xffffff00, 0x40000000 }, { GST_GLES_VALUE_I32, 0x40000000, 0xffffff00 },
    { GST_GLES_VALUE_F32, 0x00000000, 0x7f800000 }, /* +0 ... +inf */
    { GST_GLES_VALUE_F32, 0x80000000, 0x3f800000 }, /* -0 ... 1 */
    { GST_GLES_VALUE_F32, 0xff800000, 0x7f800000 }, /* all but NaNs */
    { GST_GLES_VALUE_F32, 0x7f800001, 0x7fffffff }, /* NaNs without the sign bit */
    { GST_GLES_VALUE_F32, 0xffffffff, 0x7fffffff }, /* all */
  };
  guint step = n <= SMALL_SIZE ? 1 : 6;

  for (guint i = (n + pattern) % step; i < G_N_ELEMENTS (predicates); i += step)
    check_predicate (&predicates[i], words, n);
}

GST_START_TEST (ranges)
{
  for_each_array (check_ranges);
}
GST_END_TEST;

/* ---- flags ---- */

static void
check_flags (Pattern pattern, const guint32 *words, guint n)
{
  Predicate predicate = { .flags = words };

  /* the values are their own flags: those that are not 0 pass */
  check_predicate (&predicate, words, n);
}

GST_START_TEST (flags)
{
  for_each_array (check_flags);
}
GST_END_TEST;

GST_START_TEST (flags_without_values)
{
  static const guint32 flags[] = { 0, 1, 0, 0x80000000, 0, 0, 7 };
  guint32 *indices = guarded_new (3);

  fail_unless_equals_uint64 (gst_gles_cpu_compact_flags (flags, NULL, 7, NULL, indices, 3), 3);
  fail_unless_equals_int (indices[0], 1);
  fail_unless_equals_int (indices[1], 3);
  fail_unless_equals_int (indices[2], 6);
  guarded_finish (indices, 3, 3, "indices");
}
GST_END_TEST;

/* ---- how much passes, and where ---- */

GST_START_TEST (shares)
{
  enum {
    N = 200000
  };
  g_autofree guint32 *words = g_new0 (guint32, N);
  Predicate predicate = { .flags = words };
  Random random = { 8 };

  check_predicate (&predicate, words, N);
  words[N - 1] = 1; /* the last one only */
  check_predicate (&predicate, words, N);
  for (guint share = 1; share <= 64; share *= 4) {
    for (guint i = 0; i < N; i++)
      words[i] = random_word (&random) % 64 < share;
    check_predicate (&predicate, words, N);
  }
  for (guint i = 0; i < N; i++)
    words[i] = i / 5000 % 2; /* runs */
  check_predicate (&predicate, words, N);
}
GST_END_TEST;

static void
compact_often (void)
{
  enum {
    N = 100000
  };
  g_autofree guint32 *words = g_new (guint32, N);
  Predicate predicate = { GST_GLES_VALUE_U32, 0, 0x70000000 };

  pattern_fill (PATTERN_RANDOM, 4, words, N);
  for (guint i = 0; i < 10; i++)
    check_predicate (&predicate, words, N);
}

GST_START_TEST (several_threads_at_once)
{
  on_several_threads (compact_often);
}
GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, ranges);
  tcase_add_test (tcase, flags);
  tcase_add_test (tcase, flags_without_values);
  tcase_add_test (tcase, shares);
  tcase_add_test (tcase, several_threads_at_once);
}

int
main (int argc, char **argv)
{
  return arrays_main (argc, argv, "cpu-compact", add_tests);
}
