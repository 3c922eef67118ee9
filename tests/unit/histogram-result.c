/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histogram results from counters that are there already: statistics against known answers and a
 * plain loop over sorted samples, bins against a loop over code values. */
#include <gst/check/gstcheck.h>
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/histogram.h>

#include <math.h>
#include <string.h>

/* One channel that starts at word 0: native counts, the difference, then the cells. */
static GstGlesHistogramInfo
one_channel (guint depth, guint bins, guint columns, guint rows)
{
  GstGlesHistogramInfo info = {
    .frame = 7,
    .pts = 1 * GST_SECOND,
    .duration = 2 * GST_SECOND,
    .running_time = 3 * GST_SECOND,
    .stream_time = 4 * GST_SECOND,
    .width = 64,
    .height = 48,
    .format = GST_VIDEO_FORMAT_GRAY8,
    .range = GST_VIDEO_COLOR_RANGE_16_235,
    .x = 1,
    .y = 2,
    .region_width = 30,
    .region_height = 40,
    .columns = columns,
    .rows = rows,
    .bins = bins,
    .n_channels = 1,
  };

  info.channels[0].name = "Y";
  info.channels[0].depth = depth;
  info.channels[0].native_offset = 0;
  info.channels[0].difference_offset = 1u << depth;
  info.channels[0].cells_offset = columns * rows > 1 ? (1u << depth) + 1 : G_MAXUINT;
  return info;
}

/* @words: (transfer full) */
static GstGlesHistogramResult *
result_of (const GstGlesHistogramInfo *info, guint32 *words, gsize n_words)
{
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_complete (g_bytes_new_take (words, n_words * sizeof *words));

  return gst_gles_histogram_result_new (info, readback, NULL);
}

static GstGlesHistogramStatistics
statistics_of (guint depth, const guint32 *counts, guint32 difference)
{
  const GstGlesHistogramInfo info = one_channel (depth, 1u << depth, 1, 1);
  const gsize n = ((gsize) 1 << depth) + 1;
  guint32 *words = g_new (guint32, n);
  g_autoptr (GstGlesHistogramResult) result = NULL;
  GstGlesHistogramStatistics statistics;
  GError *error = NULL;

  memcpy (words, counts, (n - 1) * sizeof *words);
  words[n - 1] = difference;
  result = result_of (&info, words, n);
  memset (&statistics, 0xa5, sizeof statistics);
  fail_unless (gst_gles_histogram_result_get_statistics (result, 0, &statistics, &error));
  g_assert_no_error (error);
  return statistics;
}

/* 10, 20, 20, 250: mean 75; deviations -65, -55, -55, 175, their squares sum up to 40900 */
GST_START_TEST (test_statistics_by_hand)
{
  guint32 counts[256] = { 0 };
  GstGlesHistogramStatistics s;

  counts[10] = 1;
  counts[20] = 2;
  counts[250] = 1;
  s = statistics_of (8, counts, 6);
  fail_unless_equals_uint64 (s.count, 4);
  fail_unless_equals_int (s.min, 10);
  fail_unless_equals_int (s.max, 250);
  fail_unless (s.mean == 75.0);
  fail_unless (s.stddev == sqrt (10225.0));
  fail_unless (s.entropy == 1.5);
  fail_unless_equals_int (s.p1, 10);
  fail_unless_equals_int (s.p5, 10);
  fail_unless_equals_int (s.p10, 10);
  fail_unless_equals_int (s.p50, 20);
  fail_unless_equals_int (s.p90, 250);
  fail_unless_equals_int (s.p95, 250);
  fail_unless_equals_int (s.p99, 250);
  fail_unless (s.difference == 0.75);
}

GST_END_TEST;

GST_START_TEST (test_statistics_of_flat_and_constant)
{
  guint32 counts[256] = { 0 };
  GstGlesHistogramStatistics s;

  for (guint i = 0; i < 256; i++)
    counts[i] = 100;
  s = statistics_of (8, counts, 0);
  fail_unless_equals_uint64 (s.count, 25600);
  fail_unless (s.mean == 127.5);
  fail_unless (s.stddev == sqrt (65535.0 / 12.0));
  fail_unless (s.entropy == 8.0);
  /* the first 256 of 25600 samples end in the third bin, of 0, 1, 2 */
  fail_unless_equals_int (s.p1, 2);
  fail_unless_equals_int (s.p50, 127);
  fail_unless_equals_int (s.p99, 253);
  fail_unless (s.difference == 0.0);

  memset (counts, 0, sizeof counts);
  counts[255] = 1920 * 1080;
  s = statistics_of (8, counts, 2 * 1920 * 1080);
  fail_unless_equals_int (s.min, 255);
  fail_unless_equals_int (s.max, 255);
  fail_unless (s.mean == 255.0);
  fail_unless (s.stddev == 0.0);
  fail_unless (s.entropy == 0.0 && !signbit (s.entropy));
  fail_unless_equals_int (s.p1, 255);
  fail_unless_equals_int (s.p99, 255);
  fail_unless (s.difference == 1.0);
}

GST_END_TEST;

/* 4 samples of 2 bits; the distance is of 64 bits */
GST_START_TEST (test_statistics_of_distance)
{
  static const guint32 words[] = { 1, 1, 1, 1, 2, 6, 2 };
  GstGlesHistogramInfo info = one_channel (2, 4, 1, 1);
  g_autoptr (GstGlesHistogramResult) result = NULL;
  GstGlesHistogramStatistics s;

  info.channels[0].emd_offset = 5;
  result = result_of (&info, g_memdup2 (words, sizeof words), G_N_ELEMENTS (words));
  fail_unless (gst_gles_histogram_result_get_statistics (result, 0, &s, NULL));
  fail_unless (s.difference == 0.25);
  fail_unless (s.emd == (6.0 + 2.0 * 4294967296.0) / 4.0);
}

GST_END_TEST;

GST_START_TEST (test_statistics_of_nothing)
{
  guint32 counts[4] = { 0 };
  const GstGlesHistogramStatistics s = statistics_of (2, counts, 0);

  fail_unless_equals_uint64 (s.count, 0);
  fail_unless_equals_int (s.min, 0);
  fail_unless_equals_int (s.max, 0);
  fail_unless (s.mean == 0.0);
  fail_unless (s.stddev == 0.0);
  fail_unless (s.entropy == 0.0);
  fail_unless_equals_int (s.p1, 0);
  fail_unless_equals_int (s.p50, 0);
  fail_unless_equals_int (s.p99, 0);
  fail_unless (s.difference == 0.0);
}

GST_END_TEST;

/* One of n = 2^31 - 1 samples differs by 1: the variance is (n - 1) / n^2. A mean of squares
 * minus a squared mean gives 0 or worse here. */
GST_START_TEST (test_statistics_where_the_variance_cancels)
{
  g_autofree guint32 *counts = g_new0 (guint32, 65536);
  const gdouble n = G_MAXINT32;
  GstGlesHistogramStatistics s;

  counts[65535] = G_MAXINT32 - 1;
  counts[65534] = 1;
  s = statistics_of (16, counts, 0);
  fail_unless_equals_uint64 (s.count, G_MAXINT32);
  fail_unless (fabs (s.stddev / (sqrt (n - 1) / n) - 1) < 1e-15);

  counts[65534] = 0;
  counts[0] = 1;
  counts[65535] = G_MAXINT32 - 1;
  s = statistics_of (16, counts, 0);
  fail_unless (fabs (s.stddev / (65535.0 * sqrt (n - 1) / n) - 1) < 1e-15);

  /* the largest sum of squares: half the samples at either end */
  counts[0] = 1u << 30;
  counts[65535] = (1u << 30) - 1;
  s = statistics_of (16, counts, 0);
  fail_unless (fabs (s.stddev / 32767.5 - 1) < 1e-15);
}

GST_END_TEST;

/* Against a loop over the sorted samples themselves. */
static void
check_against_samples (guint depth, const guint32 *counts)
{
  static const guint percent[] = { 1, 5, 10, 50, 90, 95, 99 };
  const GstGlesHistogramStatistics s = statistics_of (depth, counts, 0);
  const guint found[] = { s.p1, s.p5, s.p10, s.p50, s.p90, s.p95, s.p99 };
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (guint));
  gdouble sum = 0, squares = 0;

  for (guint value = 0; value < 1u << depth; value++) {
    for (guint i = 0; i < counts[value]; i++)
      g_array_append_val (samples, value);
  }
  for (guint i = 0; i < samples->len; i++)
    sum += g_array_index (samples, guint, i);
  for (guint i = 0; i < samples->len; i++)
    squares += pow (g_array_index (samples, guint, i) - sum / samples->len, 2);

  fail_unless_equals_uint64 (s.count, samples->len);
  fail_unless_equals_int (s.min, g_array_index (samples, guint, 0));
  fail_unless_equals_int (s.max, g_array_index (samples, guint, samples->len - 1));
  fail_unless (s.mean == sum / samples->len);
  fail_unless (fabs (s.stddev - sqrt (squares / samples->len)) <= 1e-12 * (1u << depth));
  for (guint i = 0; i < G_N_ELEMENTS (percent); i++) {
    /* the smallest i with i / n >= percent / 100, counted from 1 */
    guint rank = 1;

    while (rank * 100 < samples->len * percent[i])
      rank++;
    fail_unless_equals_int (found[i], g_array_index (samples, guint, rank - 1));
  }
}

GST_START_TEST (test_statistics_of_random_samples)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4711);
  g_autofree guint32 *counts = g_new0 (guint32, 65536);

  for (guint depth = 1; depth <= 16; depth++) {
    for (guint round = 0; round < 20; round++) {
      const guint n = round < 4 ? round + 1 : (guint) g_rand_int_range (rand, 1, 3000);

      memset (counts, 0, sizeof (guint32) << depth);
      for (guint i = 0; i < n; i++)
        counts[g_rand_int_range (rand, 0, 1 << depth)]++;
      check_against_samples (depth, counts);
    }
  }
}

GST_END_TEST;

GST_START_TEST (test_bins_follow_from_native)
{
  static const guint bins[] = { 2, 3, 7, 16, 100, 255, 256, 257, 1000, 1024, 65535, 65536 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint depth = 1; depth <= 16; depth++) {
    for (guint i = 0; i < G_N_ELEMENTS (bins); i++) {
      const GstGlesHistogramInfo info = one_channel (depth, bins[i], 1, 1);
      guint32 *words = g_new (guint32, (1u << depth) + 1);
      g_autofree guint32 *expected = g_new0 (guint32, bins[i]);
      g_autoptr (GstGlesHistogramResult) result = result_of (&info, words, (1u << depth) + 1);
      const guint32 *counts;
      guint n = 0;

      for (guint value = 0; value <= 1u << depth; value++)
        words[value] = g_rand_int_range (rand, 0, 10000);
      for (guint value = 0; value < 1u << depth; value++)
        expected[(guint) floor (value * (gdouble) bins[i] / (1u << depth))] += words[value];

      counts = gst_gles_histogram_result_get_counts (result, 0, 0, &n, NULL);
      fail_unless_equals_int (n, bins[i]);
      fail_unless (memcmp (counts, expected, n * sizeof *counts) == 0);
      fail_unless (counts == gst_gles_histogram_result_get_counts (result, 0, 0, &n, NULL));
      /* not copied when one is the other */
      fail_unless ((counts == words) == (bins[i] == 1u << depth));
      fail_unless (gst_gles_histogram_result_get_native_counts (result, 0, &n, NULL) == words);
      fail_unless_equals_int (n, 1 << depth);
    }
  }
}

GST_END_TEST;

GST_START_TEST (test_cells)
{
  GstGlesHistogramInfo info = one_channel (2, 3, 5, 4);
  const gsize n_words = 2 * (4 + 1 + 5 * 4 * 3);
  guint32 *words = g_new (guint32, n_words);
  g_autoptr (GstGlesHistogramResult) result = NULL;
  GstGlesHistogramStatistics s;

  for (guint i = 0; i < n_words; i++)
    words[i] = i;
  info.n_channels = 2;
  info.channels[1].name = "second";
  info.channels[1].depth = 2;
  info.channels[1].native_offset = 65;
  info.channels[1].difference_offset = 69;
  info.channels[1].cells_offset = 70;
  result = result_of (&info, words, n_words);

  for (guint cell = 0; cell < 20; cell++) {
    guint n = 0;

    fail_unless (
        gst_gles_histogram_result_get_counts (result, 0, cell, &n, NULL) == words + 5 + 3 * cell);
    fail_unless_equals_int (n, 3);
    fail_unless (
        gst_gles_histogram_result_get_counts (result, 1, cell, &n, NULL) == words + 70 + 3 * cell);
    fail_unless_equals_int (n, 3);
  }
  fail_unless (gst_gles_histogram_result_get_statistics (result, 1, &s, NULL));
  fail_unless_equals_uint64 (s.count, 65 + 66 + 67 + 68);
  fail_unless (s.difference == 69.0 / (2 * (65 + 66 + 67 + 68)));
}

GST_END_TEST;

/* Bytes are the counters channel by channel and cell by cell, and outlive the caller's
 * reference. */
static void
check_bytes (GstGlesHistogramResult *result, gboolean copied)
{
  GBytes *bytes = gst_gles_histogram_result_get_counts_bytes (result, NULL);
  const guint n_channels = gst_gles_histogram_result_get_n_channels (result);
  const guint32 *words = g_bytes_get_data (bytes, NULL);
  g_autofree guint32 *copy = NULL;
  guint columns, rows, bins;

  gst_gles_histogram_result_get_grid (result, &columns, &rows);
  fail_unless (
      (words == gst_gles_histogram_result_get_counts (result, 0, 0, &bins, NULL)) != copied);
  fail_unless_equals_uint64 (g_bytes_get_size (bytes), 4 * n_channels * columns * rows * bins);
  for (guint channel = 0; channel < n_channels; channel++) {
    GBytes *native = gst_gles_histogram_result_get_native_counts_bytes (result, channel, NULL);
    guint n;

    for (guint cell = 0; cell < columns * rows; cell++, words += bins) {
      const guint32 *counts =
          gst_gles_histogram_result_get_counts (result, channel, cell, &n, NULL);
      fail_unless (memcmp (counts, words, n * sizeof *counts) == 0);
    }
    fail_unless (gst_gles_histogram_result_get_native_counts (result, channel, &n, NULL) ==
        g_bytes_get_data (native, NULL));
    fail_unless_equals_uint64 (g_bytes_get_size (native), 4 * n);
    g_bytes_unref (native);
  }
  copy = g_memdup2 (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  gst_gles_histogram_result_unref (result);
  fail_unless (memcmp (copy, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes)) == 0);
  g_bytes_unref (bytes);
}

GST_START_TEST (test_bytes)
{
  for (guint grid = 1; grid <= 2; grid++) {
    for (guint gap = 0; gap <= 1; gap++) {
      GstGlesHistogramInfo info = one_channel (2, grid == 1 ? 4 : 3, grid, grid);
      const guint first = grid == 1 ? 0 : 10, n = grid == 1 ? 4 : 12;
      guint32 *words = g_new (guint32, 60);

      for (guint i = 0; i < 60; i++)
        words[i] = i * i;
      info.n_channels = 2;
      info.channels[0].native_offset = 0;
      info.channels[0].difference_offset = 8;
      info.channels[0].cells_offset = first;
      info.channels[1] = info.channels[0];
      info.channels[1].native_offset = 4 + (grid == 1 ? gap : 0);
      info.channels[1].cells_offset = first + n + gap;
      check_bytes (result_of (&info, words, 60), gap == 1);
    }
  }
}

GST_END_TEST;

/* With no grid and other bins than code values the counters are copied: they are made one by
 * one. */
GST_START_TEST (test_bytes_of_fewer_bins)
{
  GstGlesHistogramInfo info = one_channel (2, 2, 1, 1);
  guint32 *words = g_new (guint32, 60);

  for (guint i = 0; i < 60; i++)
    words[i] = i * i;
  info.n_channels = 2;
  info.channels[1] = info.channels[0];
  check_bytes (result_of (&info, words, 60), TRUE);
}

GST_END_TEST;

GST_START_TEST (test_description)
{
  GstGlesHistogramInfo info = one_channel (8, 300, 2, 3);
  gchar name[] = "X";
  g_autoptr (GstGlesHistogramResult) result = NULL;
  guint a = 0, b = 0, c = 0, d = 0;

  info.channels[0].name = name;
  info.luma = TRUE;
  result = gst_gles_histogram_result_new (&info, NULL, NULL);
  name[0] = 'Z';

  fail_unless_equals_int (gst_gles_histogram_result_get_n_channels (result), 1);
  fail_unless_equals_string (gst_gles_histogram_result_get_channel_name (result, 0), "X");
  fail_unless_equals_int (gst_gles_histogram_result_get_channel_depth (result, 0), 8);
  fail_unless (gst_gles_histogram_result_is_luma (result));
  fail_unless_equals_int (gst_gles_histogram_result_get_bins (result), 300);
  gst_gles_histogram_result_get_grid (result, &a, &b);
  fail_unless (a == 2 && b == 3);
  gst_gles_histogram_result_get_region (result, &a, &b, &c, &d);
  fail_unless (a == 1 && b == 2 && c == 30 && d == 40);
  gst_gles_histogram_result_get_size (result, &a, &b);
  fail_unless (a == 64 && b == 48);
  gst_gles_histogram_result_get_grid (result, NULL, NULL);
  gst_gles_histogram_result_get_region (result, NULL, NULL, NULL, NULL);
  gst_gles_histogram_result_get_size (result, NULL, NULL);
  fail_unless_equals_int (gst_gles_histogram_result_get_format (result), GST_VIDEO_FORMAT_GRAY8);
  fail_unless_equals_int (
      gst_gles_histogram_result_get_range (result), GST_VIDEO_COLOR_RANGE_16_235);
  fail_unless_equals_uint64 (gst_gles_histogram_result_get_frame_number (result), 7);
  fail_unless_equals_uint64 (gst_gles_histogram_result_get_pts (result), 1 * GST_SECOND);
  fail_unless_equals_uint64 (gst_gles_histogram_result_get_duration (result), 2 * GST_SECOND);
  fail_unless_equals_uint64 (gst_gles_histogram_result_get_running_time (result), 3 * GST_SECOND);
  fail_unless_equals_uint64 (gst_gles_histogram_result_get_stream_time (result), 4 * GST_SECOND);
  fail_unless (gst_gles_histogram_result_get_device_buffer (result) == NULL);
  fail_unless_equals_int (gst_gles_histogram_result_get_info (result)->rows, 3);
}

GST_END_TEST;

/* readback=false: the counters never come, and the error says why */
GST_START_TEST (test_counters_that_stay_on_the_device)
{
  const GstGlesHistogramInfo info = one_channel (8, 256, 1, 1);
  g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_new (&info, NULL, NULL);
  GstGlesHistogramStatistics s;
  GError *error = NULL;
  guint n = 99;

  fail_if (gst_gles_histogram_result_is_ready (result));
  fail_if (gst_gles_histogram_result_wait (result, G_MAXUINT64, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  fail_unless (strstr (error->message, "readback=true") != NULL);
  g_clear_error (&error);
  fail_if (gst_gles_histogram_result_get_statistics (result, 0, &s, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  g_clear_error (&error);
  fail_unless (gst_gles_histogram_result_get_native_counts (result, 0, &n, &error) == NULL);
  fail_unless_equals_int (n, 0);
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  g_clear_error (&error);
}

GST_END_TEST;

GST_START_TEST (test_too_few_counters)
{
  static const struct {
    guint columns, words;
  } cases[] = { { 1, 257 }, { 2, 257 + 2 * 256 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const GstGlesHistogramInfo info = one_channel (8, 256, cases[i].columns, 1);
    g_autoptr (GstGlesHistogramResult) whole =
        result_of (&info, g_new0 (guint32, cases[i].words), cases[i].words);
    g_autoptr (GstGlesHistogramResult) cut =
        result_of (&info, g_new0 (guint32, cases[i].words), cases[i].words - 1);
    GError *error = NULL;
    guint n;

    fail_unless (gst_gles_histogram_result_is_ready (whole));
    fail_unless (gst_gles_histogram_result_wait (whole, 0, &error));
    g_assert_no_error (error);
    fail_unless (gst_gles_histogram_result_get_counts (cut, 0, 0, &n, &error) == NULL);
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED);
    g_clear_error (&error);
  }
}

GST_END_TEST;

static gpointer
read_all (gpointer data)
{
  GstGlesHistogramResult *result = data;
  GstGlesHistogramStatistics s;
  guint n;

  fail_unless (gst_gles_histogram_result_get_statistics (result, 0, &s, NULL));
  fail_unless_equals_uint64 (s.count, 65536);
  return (gpointer) gst_gles_histogram_result_get_counts (result, 0, 0, &n, NULL);
}

GST_START_TEST (test_many_threads_read_one_result)
{
  for (guint round = 0; round < 50; round++) {
    const GstGlesHistogramInfo info = one_channel (16, 1000, 1, 1);
    guint32 *words = g_new0 (guint32, 65537);
    g_autoptr (GstGlesHistogramResult) result = result_of (&info, words, 65537);
    GThread *threads[8];
    gpointer first;

    for (guint i = 0; i < 65536; i++)
      words[i] = 1;
    for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
      threads[i] = g_thread_new ("reader", read_all, result);
    first = g_thread_join (threads[0]);
    fail_unless (first != NULL);
    for (guint i = 1; i < G_N_ELEMENTS (threads); i++)
      fail_unless (g_thread_join (threads[i]) == first);
  }
}

GST_END_TEST;

GST_START_TEST (test_boxed_types)
{
  const GstGlesHistogramInfo info = one_channel (8, 256, 1, 1);
  GstGlesHistogramStatistics statistics = { .count = 5, .p99 = 6 };
  GstGlesHistogramResult *result = gst_gles_histogram_result_new (&info, NULL, NULL);
  GstGlesHistogramResult *copy = g_boxed_copy (GST_TYPE_GLES_HISTOGRAM_RESULT, result);
  GstGlesHistogramStatistics *other =
      g_boxed_copy (GST_TYPE_GLES_HISTOGRAM_STATISTICS, &statistics);

  fail_unless (copy == result);
  g_boxed_free (GST_TYPE_GLES_HISTOGRAM_RESULT, copy);
  fail_unless_equals_uint64 (gst_gles_histogram_result_get_frame_number (result), 7);
  gst_gles_histogram_result_unref (result);
  gst_gles_histogram_result_unref (NULL);

  fail_unless (other != &statistics && other->count == 5 && other->p99 == 6);
  g_boxed_free (GST_TYPE_GLES_HISTOGRAM_STATISTICS, other);
}

GST_END_TEST;

static Suite *
histogram_result_suite (void)
{
  Suite *suite = suite_create ("histogram-result");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_statistics_by_hand);
  tcase_add_test (tcase, test_statistics_of_flat_and_constant);
  tcase_add_test (tcase, test_statistics_of_distance);
  tcase_add_test (tcase, test_statistics_of_nothing);
  tcase_add_test (tcase, test_statistics_where_the_variance_cancels);
  tcase_add_test (tcase, test_statistics_of_random_samples);
  tcase_add_test (tcase, test_bins_follow_from_native);
  tcase_add_test (tcase, test_cells);
  tcase_add_test (tcase, test_bytes);
  tcase_add_test (tcase, test_bytes_of_fewer_bins);
  tcase_add_test (tcase, test_description);
  tcase_add_test (tcase, test_counters_that_stay_on_the_device);
  tcase_add_test (tcase, test_too_few_counters);
  tcase_add_test (tcase, test_many_threads_read_one_result);
  tcase_add_test (tcase, test_boxed_types);
  return suite;
}

GST_CHECK_MAIN (histogram_result);
