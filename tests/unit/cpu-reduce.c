/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cpu-arrays.h"

#include <gst/gles/cpu/reduce/reduce.h>

/* ---- the tree of f32 sums, as its definition reads ---- */

static guint32
clean (guint32 bits)
{
  if ((bits & 0x7fffffff) > 0x7f800000)
    return 0x7fc00000;
  return (bits & 0x7fffffff) < 0x00800000 ? bits & 0x80000000 : bits;
}

static guint32
add (guint32 a, guint32 b)
{
  gfloat x, y;

  memcpy (&x, &a, sizeof x);
  memcpy (&y, &b, sizeof y);
  x += y;
  memcpy (&a, &x, sizeof a);
  return clean (a);
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
      nodes[i] = 2 * i + 1 < n ? add (nodes[2 * i], nodes[2 * i + 1]) : nodes[2 * i];
  }
  return nodes[0];
}

static void
check_f32_sum (const guint32 *words, guint n, guint32 want)
{
  g_assert_cmphex (gst_gles_cpu_reduce_sum_f32 (words, n), ==, want);
}

/* ---- all of them against plain loops ---- */

static void
check_orders (Pattern pattern, const guint32 *words, guint n)
{
  static const guint32 last[][2] = { { G_MAXUINT32, 0 }, { G_MAXINT32, 0x80000000 },
    { 0x7fffffff, 0xffffffff } }; /* of each type: what no values give */

  for (GstGlesValueType type = GST_GLES_VALUE_U32; type <= GST_GLES_VALUE_F32; type++) {
    guint32 min = last[type][0], max = last[type][1];

    for (guint i = 0; i < n; i++) {
      min = place_of (type, words[i]) < place_of (type, min) ? words[i] : min;
      max = place_of (type, words[i]) > place_of (type, max) ? words[i] : max;
    }
    g_assert_cmphex (gst_gles_cpu_reduce_min (type, words, n), ==, min);
    g_assert_cmphex (gst_gles_cpu_reduce_max (type, words, n), ==, max);
  }
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
  g_assert_cmpuint (gst_gles_cpu_reduce_sum (words, n), ==, sum);
  g_assert_cmpint (gst_gles_cpu_reduce_sum_i32 (words, n), ==, sum_i32);
  check_f32_sum (words, n, tree_sum (words, n));
}

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

/* Small arrays of every size, and one whose chunks are summed in parallel. */
static void
f32_sum_is_the_tree (void)
{
  g_autofree guint32 *words = g_new (guint32, 300000);

  for (guint n = 0; n <= 3000; n++) {
    fill_floats (words, n, n);
    check_f32_sum (words, n, tree_sum (words, n));
  }
  fill_floats (words, 300000, 9);
  check_f32_sum (words, 300000, tree_sum (words, 300000));
}

/* The sum of some values equals the sum of all with -0 in place of the others. */
static void
f32_sum_of_a_part (void)
{
  enum {
    N = 70000
  };
  /* a place far behind what an array in memory can have */
  const guint64 far = G_GUINT64_CONSTANT (1) << 40;
  g_autofree guint32 *words = g_new (guint32, N), *part = g_new (guint32, N);
  Random random = { 77 };

  fill_floats (words, N, 78);
  for (guint round = 0; round < 150; round++) {
    guint begin = random_word (&random) % N;
    guint n = random_word (&random) % MIN (N - begin, round % 3 == 0 ? N : 40) + 1;

    for (guint i = 0; i < N; i++)
      part[i] = i >= begin && i < begin + n ? words[i] : 0x80000000;
    g_assert_cmphex (
        gst_gles_cpu_reduce_sum_f32_at (begin, words + begin, n), ==, tree_sum (part, N));
  }
  g_assert_cmphex (gst_gles_cpu_reduce_sum_f32_at (far, words, 40), ==, tree_sum (words, 40));
  g_assert_cmphex (gst_gles_cpu_reduce_sum_f32_at (far - 1, words, 2), ==, tree_sum (words, 2));
}

static void
f32_addition (void)
{
  static const guint32 cases[][3] = {
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

  /* one value behind blocks that vectors sum: all the others, the one, the sum */
  static const guint32 blocks[][3] = { { 0x80000000, 0x80000001, 0x80000000 },
    { 0x80000000, 0x00000001, 0x00000000 }, { 0x00000000, 0xff800001, 0x7fc00000 },
    { 0x807fffff, 0x807fffff, 0x80000000 }, { 0x007fffff, 0x007fffff, 0x00000000 },
    { 0x80000000, 0x40490fdb, 0x40490fdb } };
  guint32 words[5000];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint32 *c = cases[i];

    g_assert_cmphex (gst_gles_cpu_f32_add (c[0], c[1]), ==, c[2]);
    g_assert_cmphex (gst_gles_cpu_f32_add (c[1], c[0]), ==, c[2]);
    check_f32_sum (c, 2, c[2]);
  }
  for (guint b = 0; b < G_N_ELEMENTS (blocks); b++) {
    for (guint i = 0; i < G_N_ELEMENTS (words); i++)
      words[i] = blocks[b][i == 1025];
    check_f32_sum (words, G_N_ELEMENTS (words), blocks[b][2]);
  }
}

int
main (int argc, char **argv)
{
  static const ArraysTest tests[] = { { "orders", check_orders }, { "sums", check_sums },
    { "f32-sum-is-the-tree", NULL, f32_sum_is_the_tree },
    { "f32-sum-of-a-part", NULL, f32_sum_of_a_part }, { "f32-addition", NULL, f32_addition },
    { 0 } };

  return arrays_main (argc, argv, tests);
}
