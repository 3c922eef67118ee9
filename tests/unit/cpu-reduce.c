/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cpu-arrays.h"

#include <gst/gles/cpu/reduce.h>

static guint32
bits_of (gfloat value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* ---- the tree of f32 sums, as its definition reads ---- */

static guint32
add (guint32 a, guint32 b)
{
  gfloat x, y;

  memcpy (&x, &a, sizeof x);
  memcpy (&y, &b, sizeof y);
  return bits_of (x + y);
}

static guint32
clean (guint32 bits)
{
  if ((bits & 0x7fffffff) > 0x7f800000)
    return 0x7fc00000;
  return (bits & 0x7fffffff) < 0x00800000 ? bits & 0x80000000 : bits;
}

static guint32
tree_sum (const guint32 *values, guint n)
{
  g_autofree guint32 *nodes = g_new (guint32, n + 1);

  if (n == 0)
    return 0x80000000;
  for (guint i = 0; i < n; i++)
    nodes[i] = clean (values[i]);
  for (; n > 1; n = (n + 1) / 2) {
    for (guint i = 0; i < (n + 1) / 2; i++)
      nodes[i] = 2 * i + 1 < n ? clean (add (nodes[2 * i], nodes[2 * i + 1])) : nodes[2 * i];
  }
  return nodes[0];
}

/* ---- all of them against plain loops ---- */

static gboolean
f32_less (guint32 a, guint32 b)
{
  gboolean a_negative = a >> 31 != 0, b_negative = b >> 31 != 0;

  if (a_negative != b_negative)
    return a_negative;
  return a_negative ? a > b : a < b;
}

static void
check_orders (Pattern pattern, const guint32 *words, guint n)
{
  guint32 min_u32 = G_MAXUINT32, max_u32 = 0;
  gint32 min_i32 = G_MAXINT32, max_i32 = G_MININT32;
  guint32 min_f32 = 0x7fffffff, max_f32 = 0xffffffff;

  for (guint i = 0; i < n; i++) {
    min_u32 = MIN (min_u32, words[i]);
    max_u32 = MAX (max_u32, words[i]);
    min_i32 = MIN (min_i32, (gint32) words[i]);
    max_i32 = MAX (max_i32, (gint32) words[i]);
    min_f32 = f32_less (words[i], min_f32) ? words[i] : min_f32;
    max_f32 = f32_less (max_f32, words[i]) ? words[i] : max_f32;
  }
  fail_unless_equals_int_hex (gst_gles_cpu_reduce_min (GST_GLES_VALUE_U32, words, n), min_u32);
  fail_unless_equals_int_hex (gst_gles_cpu_reduce_max (GST_GLES_VALUE_U32, words, n), max_u32);
  fail_unless_equals_int ((gint32) gst_gles_cpu_reduce_min (GST_GLES_VALUE_I32, words, n), min_i32);
  fail_unless_equals_int ((gint32) gst_gles_cpu_reduce_max (GST_GLES_VALUE_I32, words, n), max_i32);
  fail_unless_equals_int_hex (gst_gles_cpu_reduce_min (GST_GLES_VALUE_F32, words, n), min_f32);
  fail_unless_equals_int_hex (gst_gles_cpu_reduce_max (GST_GLES_VALUE_F32, words, n), max_f32);
}

static void
check_sums (Pattern pattern, const guint32 *words, guint n)
{
  guint64 sum = 0;
  gint64 sum_i32 = 0;

  for (guint i = 0; i < n; i++) {
    sum += words[i];
    sum_i32 += (gint32) words[i];
  }
  fail_unless_equals_uint64 (gst_gles_cpu_reduce_sum (words, n), sum);
  fail_unless_equals_int64 (gst_gles_cpu_reduce_sum_i32 (words, n), sum_i32);
  fail_unless_equals_int_hex (gst_gles_cpu_reduce_sum_f32 (words, n), tree_sum (words, n));
}

GST_START_TEST (minima_and_maxima)
{
  for_each_array (check_orders);
}
GST_END_TEST;

GST_START_TEST (sums)
{
  for_each_array (check_sums);
}
GST_END_TEST;

GST_START_TEST (none_is_the_identity)
{
  fail_unless_equals_uint64 (gst_gles_cpu_reduce_sum (NULL, 0), 0);
  fail_unless_equals_int64 (gst_gles_cpu_reduce_sum_i32 (NULL, 0), 0);
  fail_unless_equals_int_hex (gst_gles_cpu_reduce_sum_f32 (NULL, 0), 0x80000000);
  check_orders (PATTERN_ZEROS, NULL, 0);
}
GST_END_TEST;

/* ---- f32 ---- */

/* Finite floats of magnitudes that cancel and lose digits: the order of additions shows. */
static void
fill_floats (guint32 *words, guint n, guint64 seed)
{
  Random random = { seed };

  for (guint i = 0; i < n; i++) {
    guint32 word = random_word (&random);

    words[i] = (word & 0x807fffffu) | (100 + (word >> 23) % 60) << 23;
  }
}

GST_START_TEST (f32_sum_is_the_tree)
{
  for (guint n = 0; n < 3000; n++) {
    g_autofree guint32 *words = g_new (guint32, n + 1);

    fill_floats (words, n, n);
    fail_unless_equals_int_hex (gst_gles_cpu_reduce_sum_f32 (words, n), tree_sum (words, n));
  }
}
GST_END_TEST;

/* The sum of some values equals the sum of all with -0 in place of the others. */
GST_START_TEST (f32_sum_of_a_part)
{
  enum {
    N = 70000
  };
  g_autofree guint32 *words = g_new (guint32, N), *part = g_new (guint32, N);
  Random random = { 77 };

  fill_floats (words, N, 78);
  for (guint round = 0; round < 300; round++) {
    guint begin = random_word (&random) % N;
    guint n = random_word (&random) % MIN (N - begin, round % 3 == 0 ? N : 40) + 1;

    n = MIN (n, N - begin);
    for (guint i = 0; i < N; i++)
      part[i] = i >= begin && i < begin + n ? words[i] : 0x80000000;
    fail_unless_equals_int_hex (
        gst_gles_cpu_reduce_sum_f32_at (begin, words + begin, n), tree_sum (part, N));
  }
}
GST_END_TEST;

/* A place far behind what an array in memory can have. */
GST_START_TEST (f32_sum_of_a_part_far_away)
{
  const guint64 far = G_GUINT64_CONSTANT (1) << 40;
  guint32 words[40];

  fill_floats (words, G_N_ELEMENTS (words), 5);
  fail_unless_equals_int_hex (
      gst_gles_cpu_reduce_sum_f32_at (far, words, 40), tree_sum (words, 40));
  fail_unless_equals_int_hex (gst_gles_cpu_reduce_sum_f32_at (far - 1, words, 2),
      gst_gles_cpu_f32_add (words[0], words[1]));
}
GST_END_TEST;

GST_START_TEST (f32_addition)
{
  static const struct {
    guint32 a, b, sum;
  } cases[] = {
    { 0x80000000, 0x80000000, 0x80000000 }, /* -0 + -0 */
    { 0x80000000, 0x00000000, 0x00000000 },
    { 0x00000001, 0x80000000, 0x00000000 }, /* a denormal is the zero of its sign */
    { 0x807fffff, 0x80000001, 0x80000000 },
    { 0x00800001, 0x80800000, 0x00000000 }, /* so is a denormal sum */
    { 0x00800000, 0x80800001, 0x80000000 },
    { 0x00800000, 0x80800000, 0x00000000 }, /* exactly 0 is +0 */
    { 0x7f800000, 0xff800000, 0x7fc00000 }, /* inf - inf */
    { 0xffc12345, 0x3f800000, 0x7fc00000 },
    { 0x3f800000, 0x7f800001, 0x7fc00000 },
    { 0x7f7fffff, 0x7f7fffff, 0x7f800000 }, /* overflow */
    { 0x3f800000, 0x33800000, 0x3f800000 }, /* ties to even: 1 + 2^-24 */
    { 0x3f800001, 0x33800000, 0x3f800002 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint32 pair[2] = { cases[i].a, cases[i].b };

    fail_unless_equals_int_hex (gst_gles_cpu_f32_add (cases[i].a, cases[i].b), cases[i].sum);
    fail_unless_equals_int_hex (gst_gles_cpu_f32_add (cases[i].b, cases[i].a), cases[i].sum);
    fail_unless_equals_int_hex (gst_gles_cpu_reduce_sum_f32 (pair, 2), cases[i].sum);
  }
}
GST_END_TEST;

/* One value behind blocks that vectors sum. */
GST_START_TEST (f32_special_values_in_blocks)
{
  static const struct {
    guint32 all, one, sum;
  } cases[] = {
    { 0x80000000, 0x80000001, 0x80000000 },
    { 0x80000000, 0x00000001, 0x00000000 },
    { 0x00000000, 0xff800001, 0x7fc00000 },
    { 0x807fffff, 0x807fffff, 0x80000000 },
    { 0x007fffff, 0x007fffff, 0x00000000 },
    { 0x80000000, 0x40490fdb, 0x40490fdb },
  };
  guint32 words[5000];

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    for (guint i = 0; i < G_N_ELEMENTS (words); i++)
      words[i] = cases[c].all;
    words[1025] = cases[c].one;
    fail_unless_equals_int_hex (
        gst_gles_cpu_reduce_sum_f32 (words, G_N_ELEMENTS (words)), cases[c].sum);
  }
}
GST_END_TEST;

GST_START_TEST (f32_sums_that_are_known)
{
  guint32 words[4096];

  for (guint i = 0; i < 4096; i++)
    words[i] = bits_of ((gfloat) i);
  fail_unless_equals_int_hex (
      gst_gles_cpu_reduce_sum_f32 (words, 4096), bits_of (4095.0f * 2048.0f));
  /* the seeds' example of a scan, as a sum */
  for (guint i = 0; i < 8; i++)
    words[i] = bits_of ((gfloat[]){ 3, 1, 7, 0, 4, 1, 6, 3 }[i]);
  fail_unless_equals_int_hex (gst_gles_cpu_reduce_sum_f32 (words, 8), bits_of (25));
}
GST_END_TEST;

/* ---- ordered keys ---- */

GST_START_TEST (keys_and_back)
{
  Random random = { 1 };
  guint32 last_key = 0;
  static const guint32 ascending[] = { 0xffffffff, 0xff800001, 0xff800000, 0xff7fffff, 0xbf800000,
    0x80800000, 0x80000001, 0x80000000, 0x00000000, 0x00000001, 0x00800000, 0x3f800000, 0x7f7fffff,
    0x7f800000, 0x7f800001, 0x7fffffff };

  for (guint i = 0; i < G_N_ELEMENTS (ascending); i++) {
    guint32 key = gst_gles_cpu_to_key (GST_GLES_VALUE_F32, ascending[i]);

    fail_unless (i == 0 ? key == 0 : key > last_key);
    last_key = key;
  }
  fail_unless_equals_int_hex (last_key, 0xffffffff);
  for (guint i = 0; i < 100000; i++) {
    guint32 word = random_word (&random);

    for (guint type = GST_GLES_VALUE_U32; type <= GST_GLES_VALUE_F32; type++) {
      if (gst_gles_cpu_from_key (type, gst_gles_cpu_to_key (type, word)) != word)
        fail ("type %u: %08x", type, word);
    }
  }
}
GST_END_TEST;

/* ---- threads ---- */

static void
reduce_often (void)
{
  g_autofree guint32 *words = g_new (guint32, 300000);
  guint32 f32_sum;

  fill_floats (words, 300000, 9);
  f32_sum = tree_sum (words, 300000);
  for (guint i = 0; i < 30; i++) {
    fail_unless_equals_int_hex (gst_gles_cpu_reduce_sum_f32 (words, 300000), f32_sum);
    check_orders (PATTERN_RANDOM, words, 300000);
  }
}

GST_START_TEST (several_threads_at_once)
{
  on_several_threads (reduce_often);
}
GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, minima_and_maxima);
  tcase_add_test (tcase, sums);
  tcase_add_test (tcase, none_is_the_identity);
  tcase_add_test (tcase, f32_sum_is_the_tree);
  tcase_add_test (tcase, f32_sum_of_a_part);
  tcase_add_test (tcase, f32_sum_of_a_part_far_away);
  tcase_add_test (tcase, f32_addition);
  tcase_add_test (tcase, f32_special_values_in_blocks);
  tcase_add_test (tcase, f32_sums_that_are_known);
  tcase_add_test (tcase, keys_and_back);
  tcase_add_test (tcase, several_threads_at_once);
}

int
main (int argc, char **argv)
{
  return arrays_main (argc, argv, "cpu-reduce", add_tests);
}
