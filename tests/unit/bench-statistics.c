/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The arithmetic behind the tables of gst-gles-bench-1.0. */
#include <string.h>

#include <gst/gst.h>

#include "../../bench/inputs.h"
#include "../../bench/statistics.h"

static void
statistics (void)
{
  static const struct {
    gdouble samples[12];
    guint n;
    BenchStatistics want;
  } cases[] = {
    { { 5, 1, 4, 2, 3 }, 5, { .median = 3, .min = 1, .max = 5, .q1 = 2, .q3 = 4, .n = 5 } },
    { { 4, 1, 3, 2 }, 4, { .median = 2.5, .min = 1, .max = 4, .q1 = 1.75, .q3 = 3.25, .n = 4 } },
    { { 7 }, 1, { .median = 7, .min = 7, .max = 7, .q1 = 7, .q3 = 7, .n = 1 } },
    { { 0 }, 0, { 0 } },
    /* outliers are dropped and counted: 8.75 to 14.75 is kept */
    { { 12, 10, 11, 1000, 12, 13, 11, 13, 7.9, 12, 11 }, 11,
        { .median = 12, .min = 10, .max = 13, .q1 = 11, .q3 = 12.5, .n = 9, .n_outliers = 2 } },
    { { 5, 5, 5, 5, 5, 5, 5, 9 }, 8,
        { .median = 5, .min = 5, .max = 5, .q1 = 5, .q3 = 5, .n = 7, .n_outliers = 1 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const BenchStatistics *want = &cases[i].want;
    gdouble samples[12];
    BenchStatistics s;

    memcpy (samples, cases[i].samples, sizeof samples);
    bench_statistics (samples, cases[i].n, &s);
    g_assert_cmpfloat (s.median, ==, want->median);
    g_assert_cmpfloat (s.min, ==, want->min);
    g_assert_cmpfloat (s.max, ==, want->max);
    g_assert_cmpfloat (s.q1, ==, want->q1);
    g_assert_cmpfloat (s.q3, ==, want->q3);
    g_assert_cmpuint (s.n, ==, want->n);
    g_assert_cmpuint (s.n_outliers, ==, want->n_outliers);
  }
}

static void
verdicts (void)
{
  g_assert_cmpstr (bench_verdict (10.1), ==, "DOMINANT");
  g_assert_cmpstr (bench_verdict (10), ==, "STRONG");
  g_assert_cmpstr (bench_verdict (5), ==, "SOLID");
  g_assert_cmpstr (bench_verdict (2.1), ==, "SOLID");
  g_assert_cmpstr (bench_verdict (2), ==, "MARGINAL");
  g_assert_cmpstr (bench_verdict (1), ==, "SLOWER");
  g_assert_cmpstr (bench_verdict (0.2), ==, "SLOWER");
}

/* Values that other programs (cub.cu) must compute too. */
static void
inputs_are_the_same_everywhere (void)
{
  guint32 all = 0xffffffffu;

  /* low words of the first two numbers that splitmix64 makes from the state 0 */
  g_assert_cmphex (bench_random (0, 0), ==, 0x7b1dcdafu);
  g_assert_cmphex (bench_random (0, 1), ==, 0xa1b965f4u);
  g_assert_cmphex (bench_word (7, 5, 1), ==, bench_random (7, 5));
  for (guint k = 0; k < 3; k++)
    all &= bench_random (7 + 16 * k, 5);
  g_assert_cmphex (bench_word (7, 5, 3), ==, all);
  g_assert_cmphex (bench_input_word (BENCH_INPUT_RANDOM, 7, 5, 9, 1), ==, bench_random (7, 5));
  g_assert_cmphex (bench_input_word (BENCH_INPUT_AND_3, 7, 5, 9, 8), ==, all);
}

/* Keys of every width match the name of the input. */
static void
inputs_are_what_they_are_called (void)
{
  for (guint i = 0; i < 4 * BENCH_N_INPUTS; i++) {
    guint bytes = 1 << i % 4, input = i / 4;
    guint32 words[600];
    guint n = sizeof (words) / bytes, n_up = 0, n_down = 0;
    guint64 previous = 0, first = 0;

    for (guint k = 0; k < G_N_ELEMENTS (words); k++)
      words[k] = bench_input_word (input, 7, k, G_N_ELEMENTS (words), bytes);
    for (guint k = 0; k < n; k++) {
      guint64 key = 0;
      memcpy (&key, (guint8 *) words + (gsize) k * bytes, bytes);
      n_up += k > 0 && key > previous;
      n_down += k > 0 && key < previous;
      first = k == 0 ? key : first;
      previous = key;
    }
    if (input == BENCH_INPUT_EQUAL)
      g_assert_cmpuint (n_up + n_down, ==, 0);
    else if (input == BENCH_INPUT_OUTLIER)
      g_assert_cmpuint (n_up + n_down, ==, 2);
    else if (input == BENCH_INPUT_ALTERNATING)
      g_assert_cmpuint (n_up + n_down, ==, n - 1);
    else if (input == BENCH_INPUT_SORTED)
      g_assert_true (n_down == 0 && n_up >= MIN (n - 1, 255) && first < previous);
    else if (input == BENCH_INPUT_REVERSED)
      g_assert_true (n_up == 0 && n_down >= MIN (n - 1, 255) && first > previous);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bench/statistics", statistics);
  g_test_add_func ("/bench/verdicts", verdicts);
  g_test_add_func ("/bench/inputs-are-the-same-everywhere", inputs_are_the_same_everywhere);
  g_test_add_func ("/bench/inputs-are-what-they-are-called", inputs_are_what_they_are_called);
  return g_test_run ();
}
