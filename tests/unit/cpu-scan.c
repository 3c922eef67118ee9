/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cpu-arrays.h"

#include <gst/gles/cpu/scan.h>

/* ---- plain loops ---- */

/* Sums begin anew wherever @heads, nullable, is not 0, and every @block_size words, if that is not
 * 0. */
static void
check_prefix_sums (const guint32 *input, const guint32 *output, guint n, gboolean inclusive,
    const guint32 *heads, guint block_size)
{
  guint32 sum = 0;
  guint left = 0; /* in the block */

  for (guint i = 0; i < n; i++) {
    guint32 wanted;

    if ((heads != NULL && heads[i] != 0) || (block_size > 0 && left == 0))
      sum = 0;
    left = left == 0 ? block_size - 1 : left - 1;
    wanted = inclusive ? sum + input[i] : sum;
    sum += input[i];
    if (output[i] != wanted)
      fail ("word %u of %u is %u instead of %u", i, n, output[i], wanted);
  }
}

/* ---- the whole array ---- */

static void
check_scan (Pattern pattern, const guint32 *words, guint n)
{
  guint64 total = 0;

  for (guint i = 0; i < n; i++)
    total += words[i];
  for (gint inclusive = FALSE; inclusive <= TRUE; inclusive++) {
    guint32 *output = guarded_new (n), *in_place = guarded_new (n);

    fail_unless_equals_uint64 (gst_gles_cpu_scan (words, output, n, inclusive), total);
    check_prefix_sums (words, output, n, inclusive, NULL, 0);
    if (n > 0)
      memcpy (in_place, words, n * sizeof words[0]);
    fail_unless_equals_uint64 (gst_gles_cpu_scan (in_place, in_place, n, inclusive), total);
    fail_unless (n == 0 || memcmp (in_place, output, n * sizeof words[0]) == 0);
    guarded_finish (output, n, n, "output");
    guarded_finish (in_place, n, n, "in place");
  }
}

GST_START_TEST (scans)
{
  for_each_array (check_scan);
}
GST_END_TEST;

/* ---- segments ---- */

static void
check_segmented (Pattern pattern, const guint32 *words, guint n)
{
  /* on the average segments of 1, 2, 33, 1000, 100000 values; no head at all */
  static const guint lengths[] = { 1, 2, 33, 1000, 100000, 0 };
  guint length = lengths[(n + pattern) % G_N_ELEMENTS (lengths)];
  guint32 *heads = guarded_new (n);
  Random random = { n };

  for (guint i = 0; i < n; i++)
    heads[i] = length > 0 && random_word (&random) % length == 0 ? random_word (&random) | 256 : 0;
  for (gint inclusive = FALSE; inclusive <= TRUE; inclusive++) {
    guint32 *output = guarded_new (n), *in_place = guarded_new (n);

    gst_gles_cpu_scan_segmented (words, heads, output, n, inclusive);
    check_prefix_sums (words, output, n, inclusive, heads, 0);
    if (n > 0)
      memcpy (in_place, words, n * sizeof words[0]);
    gst_gles_cpu_scan_segmented (in_place, heads, in_place, n, inclusive);
    fail_unless (n == 0 || memcmp (in_place, output, n * sizeof words[0]) == 0);
    guarded_finish (output, n, n, "output");
    guarded_finish (in_place, n, n, "in place");
  }
  guarded_finish (heads, n, n, "heads");
}

GST_START_TEST (segmented_scans)
{
  for_each_array (check_segmented);
}
GST_END_TEST;

/* ---- blocks ---- */

static void
check_blocks_of (const guint32 *words, guint n, guint block_size)
{
  guint n_blocks = (n + block_size - 1) / block_size;

  for (gint inclusive = FALSE; inclusive <= TRUE; inclusive++) {
    guint32 *output = guarded_new (n), *totals = guarded_new (n_blocks);

    gst_gles_cpu_scan_blocks (words, output, n, block_size, inclusive, totals);
    check_prefix_sums (words, output, n, inclusive, NULL, block_size);
    for (guint block = 0; block < n_blocks; block++) {
      guint32 total = 0;

      for (guint i = block * block_size; i < MIN ((block + 1) * block_size, n); i++)
        total += words[i];
      if (totals[block] != total)
        fail ("total of block %u is %u instead of %u", block, totals[block], total);
    }
    guarded_finish (output, n, n, "output");
    guarded_finish (totals, n_blocks, n_blocks, "totals");
  }
}

static void
check_blocks (Pattern pattern, const guint32 *words, guint n)
{
  static const guint sizes[] = { 1, 2, 7, 8, 32, 256, 1000, 4096, 100003, 200000 };

  if (n <= SMALL_SIZE) {
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      check_blocks_of (words, n, sizes[i]);
  } else {
    check_blocks_of (words, n, sizes[(n + pattern) % G_N_ELEMENTS (sizes)]);
  }
}

GST_START_TEST (scans_of_blocks)
{
  for_each_array (check_blocks);
}
GST_END_TEST;

GST_START_TEST (blocks_without_totals_in_place)
{
  enum {
    N = 300000
  };
  guint32 *words = guarded_new (N);
  guint block_size = 1 << 17;
  g_autofree guint32 *input = g_new (guint32, N);

  pattern_fill (PATTERN_RANDOM, 1, input, N);
  memcpy (words, input, N * sizeof input[0]);
  gst_gles_cpu_scan_blocks (words, words, N, block_size, TRUE, NULL);
  check_prefix_sums (input, words, N, TRUE, NULL, block_size);
  guarded_finish (words, N, N, "in place");
}
GST_END_TEST;

/* ---- worked examples ---- */

GST_START_TEST (worked_examples)
{
  static const guint32 a[] = { 3, 1, 7, 0, 4, 1, 6, 3 };
  static const guint32 a_exclusive[] = { 0, 3, 4, 11, 11, 15, 16, 22 };
  static const guint32 b[] = { 1, 2, 3, 4, 5 }, b_exclusive[] = { 0, 1, 3, 6, 10 };
  /* 0 ... 7 in one block of 8; 0 ... 14 in two */
  static const guint32 c[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 };
  static const guint32 c_inclusive[] = { 0, 1, 3, 6, 10, 15, 21, 28, 8, 17, 27, 38, 50, 63, 77 };
  guint32 output[15], totals[2] = { 99, 99 };

  fail_unless_equals_uint64 (gst_gles_cpu_scan (a, output, 8, FALSE), 25);
  fail_unless (memcmp (output, a_exclusive, sizeof a_exclusive) == 0);
  fail_unless_equals_uint64 (gst_gles_cpu_scan (b, output, 5, FALSE), 15);
  fail_unless (memcmp (output, b_exclusive, sizeof b_exclusive) == 0);
  gst_gles_cpu_scan_blocks (c, output, 8, 8, TRUE, totals);
  fail_unless (memcmp (output, c_inclusive, 8 * sizeof output[0]) == 0);
  fail_unless_equals_int (totals[0], 28);
  fail_unless_equals_int (totals[1], 99);
  gst_gles_cpu_scan_blocks (c, output, 15, 8, TRUE, totals);
  fail_unless (memcmp (output, c_inclusive, sizeof c_inclusive) == 0);
  fail_unless_equals_int (totals[0], 28);
  fail_unless_equals_int (totals[1], 77);
  /* the second block's sums and the first one's total are the scan of the whole */
  fail_unless_equals_uint64 (gst_gles_cpu_scan (c, output, 15, TRUE), 105);
  fail_unless_equals_int (output[14], c_inclusive[14] + totals[0]);
}
GST_END_TEST;

GST_START_TEST (total_beyond_32_bits)
{
  enum {
    N = 100000
  };
  g_autofree guint32 *words = g_new (guint32, N);

  pattern_fill (PATTERN_ALL_MAXIMUM, 0, words, N);
  fail_unless_equals_uint64 (gst_gles_cpu_scan (words, words, N, TRUE), (guint64) N * G_MAXUINT32);
  fail_unless_equals_int_hex (words[0], 0xffffffff);
  fail_unless_equals_int_hex (words[N - 1], (guint32) -N);
}
GST_END_TEST;

static void
scan_often (void)
{
  enum {
    N = 300000
  };
  g_autofree guint32 *words = g_new (guint32, N), *output = g_new (guint32, N);

  pattern_fill (PATTERN_RANDOM, 4, words, N);
  for (guint i = 0; i < 30; i++) {
    gst_gles_cpu_scan (words, output, N, FALSE);
    check_prefix_sums (words, output, N, FALSE, NULL, 0);
  }
}

GST_START_TEST (several_threads_at_once)
{
  on_several_threads (scan_often);
}
GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, scans);
  tcase_add_test (tcase, segmented_scans);
  tcase_add_test (tcase, scans_of_blocks);
  tcase_add_test (tcase, blocks_without_totals_in_place);
  tcase_add_test (tcase, worked_examples);
  tcase_add_test (tcase, total_beyond_32_bits);
  tcase_add_test (tcase, several_threads_at_once);
}

int
main (int argc, char **argv)
{
  return arrays_main (argc, argv, "cpu-scan", add_tests);
}
