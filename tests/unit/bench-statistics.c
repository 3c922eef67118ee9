/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The arithmetic behind the tables of gst-gles-bench-1.0. */
#include <string.h>

#include <gst/check/gstcheck.h>

#include "../../gst/tools/bench/inputs.h"
#include "../../gst/tools/bench/statistics.h"

GST_START_TEST (median_and_range)
{
  gdouble odd[] = { 5, 1, 4, 2, 3 }, even[] = { 4, 1, 3, 2 }, one[] = { 7 };
  BenchStatistics s;

  bench_statistics (odd, G_N_ELEMENTS (odd), &s);
  fail_unless_equals_float (s.median, 3);
  fail_unless_equals_float (s.min, 1);
  fail_unless_equals_float (s.max, 5);
  fail_unless_equals_float (s.q1, 2);
  fail_unless_equals_float (s.q3, 4);
  ck_assert_uint_eq (s.n, 5);
  ck_assert_uint_eq (s.n_outliers, 0);
  bench_statistics (even, G_N_ELEMENTS (even), &s);
  fail_unless_equals_float (s.median, 2.5);
  bench_statistics (one, 1, &s);
  fail_unless_equals_float (s.median, 7);
  fail_unless_equals_float (s.q1, 7);
  fail_unless_equals_float (s.max, 7);
  bench_statistics (NULL, 0, &s);
  ck_assert_uint_eq (s.n, 0);
  fail_unless_equals_float (s.median, 0);
}
GST_END_TEST

GST_START_TEST (outliers_are_dropped_and_counted)
{
  /* quartiles 11 and 12.5: 8.75 to 14.75 is kept */
  gdouble samples[] = { 12, 10, 11, 1000, 12, 13, 11, 13, 7.9, 12, 11 };
  gdouble constant[] = { 5, 5, 5, 5, 5, 5, 5, 9 };
  BenchStatistics s;

  bench_statistics (samples, G_N_ELEMENTS (samples), &s);
  fail_unless_equals_float (s.q1, 11);
  fail_unless_equals_float (s.q3, 12.5);
  ck_assert_uint_eq (s.n, 9);
  ck_assert_uint_eq (s.n_outliers, 2);
  fail_unless_equals_float (s.min, 10);
  fail_unless_equals_float (s.max, 13);
  fail_unless_equals_float (s.median, 12);
  bench_statistics (constant, G_N_ELEMENTS (constant), &s);
  ck_assert_uint_eq (s.n_outliers, 1);
  fail_unless_equals_float (s.max, 5);
}
GST_END_TEST

GST_START_TEST (verdicts)
{
  ck_assert_str_eq (bench_verdict (10.1), "DOMINANT");
  ck_assert_str_eq (bench_verdict (10), "STRONG");
  ck_assert_str_eq (bench_verdict (5), "SOLID");
  ck_assert_str_eq (bench_verdict (2.1), "SOLID");
  ck_assert_str_eq (bench_verdict (2), "MARGINAL");
  ck_assert_str_eq (bench_verdict (1), "SLOWER");
  ck_assert_str_eq (bench_verdict (0.2), "SLOWER");
}
GST_END_TEST

/* Values that other programs (compare-cub.cu) must compute too. */
GST_START_TEST (inputs_are_the_same_everywhere)
{
  guint32 all = 0xffffffffu;

  /* low words of the first two numbers that splitmix64 makes from the state 0 */
  ck_assert_uint_eq (bench_random (0, 0), 0x7b1dcdafu);
  ck_assert_uint_eq (bench_random (0, 1), 0xa1b965f4u);
  ck_assert_uint_eq (bench_word (7, 5, 1), bench_random (7, 5));
  for (guint k = 0; k < 3; k++)
    all &= bench_random (7 + 16 * k, 5);
  ck_assert_uint_eq (bench_word (7, 5, 3), all);
  ck_assert_uint_eq (bench_input_word (BENCH_INPUT_RANDOM, 7, 5, 9, 1), bench_random (7, 5));
  ck_assert_uint_eq (bench_input_word (BENCH_INPUT_AND_3, 7, 5, 9, 8), all);
}
GST_END_TEST

/* Keys of every width match the name of the input. */
GST_START_TEST (inputs_are_what_they_are_called)
{
  static const guint bytes[] = { 1, 2, 4, 8 };

  for (guint b = 0; b < G_N_ELEMENTS (bytes); b++) {
    for (guint input = BENCH_INPUT_EQUAL; input < BENCH_N_INPUTS; input++) {
      guint32 words[600];
      guint n = sizeof (words) / bytes[b], n_up = 0, n_down = 0, n_different;
      guint64 previous = 0, first = 0;

      for (guint i = 0; i < G_N_ELEMENTS (words); i++)
        words[i] = bench_input_word (input, 7, i, G_N_ELEMENTS (words), bytes[b]);
      for (guint i = 0; i < n; i++) {
        guint64 key = 0;
        memcpy (&key, (guint8 *) words + (gsize) i * bytes[b], bytes[b]);
        n_up += i > 0 && key > previous;
        n_down += i > 0 && key < previous;
        first = i == 0 ? key : first;
        previous = key;
      }
      n_different = n_up + n_down;
      if (input == BENCH_INPUT_EQUAL)
        ck_assert_uint_eq (n_different, 0);
      else if (input == BENCH_INPUT_OUTLIER)
        ck_assert_uint_eq (n_different, 2);
      else if (input == BENCH_INPUT_ALTERNATING)
        ck_assert_uint_eq (n_different, n - 1);
      else if (input == BENCH_INPUT_SORTED)
        fail_unless (n_down == 0 && n_up >= MIN (n - 1, 255) && first < previous);
      else
        fail_unless (n_up == 0 && n_down >= MIN (n - 1, 255) && first > previous);
    }
  }
}
GST_END_TEST

static Suite *
bench_statistics_suite (void)
{
  Suite *suite = suite_create ("bench-statistics");
  TCase *tests = tcase_create ("all");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, median_and_range);
  tcase_add_test (tests, outliers_are_dropped_and_counted);
  tcase_add_test (tests, verdicts);
  tcase_add_test (tests, inputs_are_the_same_everywhere);
  tcase_add_test (tests, inputs_are_what_they_are_called);
  return suite;
}

GST_CHECK_MAIN (bench_statistics)
