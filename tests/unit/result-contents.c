/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results that are complete from the start, or on the device: statistics of histograms against
 * known answers and sorted samples, bins against a loop over code values, arrays as they came.
 * That getters return what elements were set to is compared by the tests of the elements and by
 * introspection.py. */
#include <math.h>

#include "gles-test.h"
#include <gst/gles/meta/crop.h>
#include <gst/gles/meta/flash.h>
#include <gst/gles/meta/light.h>
#include <gst/gles/meta/outliers.h>

#include "result-samples.h"

/* ---- histograms ---- */

/* @words: (transfer full) */
static GstGlesHistogramResult *
result_of (const GstGlesHistogramInfo *info, guint32 *words, gsize n_words)
{
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_complete (g_bytes_new_take (words, n_words * sizeof *words));

  return gst_gles_histogram_result_new_queued (info, readback, NULL, NULL);
}

static GstGlesHistogramStatistics
statistics_of (guint depth, const guint32 *counts, guint32 difference)
{
  const GstGlesHistogramInfo info = sample_histogram_info (depth, 1u << depth, 1, 1);
  const gsize n = ((gsize) 1 << depth) + 1;
  guint32 *words = g_new (guint32, n);
  g_autoptr (GstGlesHistogramResult) result = NULL;
  GstGlesHistogramStatistics statistics;
  GError *error = NULL;

  memcpy (words, counts, (n - 1) * sizeof *words);
  words[n - 1] = difference;
  result = result_of (&info, words, n);
  memset (&statistics, 0xa5, sizeof statistics);
  g_assert_true (gst_gles_histogram_result_get_statistics (result, 0, &statistics, &error));
  g_assert_no_error (error);
  return statistics;
}

/* All fields, bit for bit. */
static void
check_statistics (const GstGlesHistogramStatistics *got, const GstGlesHistogramStatistics *want)
{
  const gsize n = G_STRUCT_OFFSET (GstGlesHistogramStatistics, p99) + sizeof got->p99;

  g_assert_cmpmem (got, n, want, n);
  g_assert_cmpmem (&got->difference, 3 * sizeof (gdouble), &want->difference, 3 * sizeof (gdouble));
}

static void
test_statistics_by_hand (void)
{
  guint32 counts[256] = { 0 };
  GstGlesHistogramStatistics s = statistics_of (2, counts, 0);

  /* nothing */
  check_statistics (&s, &(GstGlesHistogramStatistics){ 0 });
  /* 10, 20, 20, 250: mean 75; deviations -65, -55, -55, 175, their squares sum up to 40900 */
  counts[10] = 1;
  counts[20] = 2;
  counts[250] = 1;
  s = statistics_of (8, counts, 6);
  check_statistics (&s,
      &(GstGlesHistogramStatistics){
          4, 10, 250, 75.0, sqrt (10225.0), 1.5, 10, 10, 10, 20, 250, 250, 250, 0.75, 0, 0 });
  /* flat: the first 256 of 25600 samples end in the third bin, of 0, 1, 2 */
  for (guint i = 0; i < 256; i++)
    counts[i] = 100;
  s = statistics_of (8, counts, 0);
  check_statistics (&s,
      &(GstGlesHistogramStatistics){ 25600, 0, 255, 127.5, sqrt (65535.0 / 12.0), 8.0, 2, 12, 25,
          127, 230, 243, 253, 0, 0, 0 });
  /* constant */
  memset (counts, 0, sizeof counts);
  counts[255] = 1920 * 1080;
  s = statistics_of (8, counts, 2 * 1920 * 1080);
  check_statistics (&s,
      &(GstGlesHistogramStatistics){
          1920 * 1080, 255, 255, 255.0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 1.0, 0, 0 });
}

/* 4 samples of 2 bits; the distance is of 64 bits */
static void
test_statistics_of_distance (void)
{
  static const guint32 words[] = { 1, 1, 1, 1, 2, 6, 2 };
  GstGlesHistogramInfo info = sample_histogram_info (2, 4, 1, 1);
  g_autoptr (GstGlesHistogramResult) result = NULL;
  GstGlesHistogramStatistics s, *copy;

  info.channels[0].emd_offset = 5;
  result = result_of (&info, g_memdup2 (words, sizeof words), G_N_ELEMENTS (words));
  g_assert_true (gst_gles_histogram_result_get_statistics (result, 0, &s, NULL));
  g_assert_cmpfloat (s.difference, ==, 0.25);
  g_assert_cmpfloat (s.emd, ==, (6.0 + 2.0 * 4294967296.0) / 4.0);
  copy = g_boxed_copy (GST_TYPE_GLES_HISTOGRAM_STATISTICS, &s);
  g_assert_true (copy != &s && copy->count == 4 && copy->emd == s.emd && copy->mad == 0);
  g_boxed_free (GST_TYPE_GLES_HISTOGRAM_STATISTICS, copy);
}

/* Results without luminance and red say so without an error. */
static void
test_flash (void)
{
  g_autoptr (GstGlesHistogramResult) result = sample_flash ();
  g_autoptr (GstGlesHistogramResult) without = sample_overview ();
  g_autoptr (GError) error = NULL;
  GstGlesFlash flash, *copy;

  g_assert_true (gst_gles_histogram_result_get_flash (result, &flash, &error));
  copy = g_boxed_copy (GST_TYPE_GLES_FLASH, &flash);
  g_assert_cmpuint (copy->luminance, ==, 3 * 65535);
  g_assert_cmpuint (copy->red, ==, 3 * 4000);
  g_assert_cmpuint (copy->luminance_changed, ==, 2);
  g_assert_cmpuint (copy->red_changed, ==, 1);
  g_assert_cmpuint (copy->n_samples, ==, 3);
  g_assert_true (copy->compared);
  g_boxed_free (GST_TYPE_GLES_FLASH, copy);
  g_assert_false (gst_gles_histogram_result_get_flash (without, &flash, &error));
  g_assert_no_error (error);
}

/* Counters of the channel of light have levels; other channels have none, without an error. */
static void
test_light (void)
{
  const gchar *const names[] = { "Y", GST_GLES_LIGHT_CHANNEL };
  const guint depths[] = { 8, 10 };
  g_autoptr (GstGlesFrameInfo) frame =
      gst_gles_frame_info_new (25, 4, GST_VIDEO_FORMAT_I420_10LE, NULL);
  guint32 *counts = g_new0 (guint32, 256 + 1024);
  g_autoptr (GBytes) bytes = g_bytes_new_take (counts, (256 + 1024) * sizeof *counts);
  g_autoptr (GstGlesHistogramResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GstGlesLight light, *copy;

  counts[0] = 100;
  counts[256 + 0] = 98;
  counts[256 + 520] = 1;
  counts[256 + 1023] = 1;
  result = gst_gles_histogram_result_new (frame, names, depths, 2, bytes, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (gst_gles_histogram_result_get_light (result, &light, &error));
  copy = g_boxed_copy (GST_TYPE_GLES_LIGHT, &light);
  g_assert_cmpfloat (copy->max, ==, 10000.0);
  g_assert_cmpfloat (copy->mean, ==, (10000.0 + 6568666 / 65536.0) / 100.0);
  g_assert_cmpfloat (copy->p98, ==, 0.0);
  g_assert_cmpfloat (copy->p99, ==, 6568666 / 65536.0);
  g_assert_cmpfloat (copy->p99_98, ==, 10000.0);
  g_boxed_free (GST_TYPE_GLES_LIGHT, copy);

  g_clear_pointer (&result, gst_gles_histogram_result_unref);
  result = gst_gles_histogram_result_new (
      frame, (const gchar *[]){ "Y", "U" }, depths, 2, bytes, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (gst_gles_histogram_result_get_light (result, &light, &error));
  g_assert_no_error (error);

  memset (&light, 0xa5, sizeof light);
  gst_gles_light_compute ((const guint64[256]){ 0 }, 256, &light);
  g_assert_cmpfloat (light.max, ==, 0.0);
  g_assert_cmpfloat (light.mean, ==, 0.0);
  g_assert_cmpfloat (light.p50, ==, 0.0);
}

static void
test_crop (void)
{
  g_autoptr (GstGlesHistogramResult) result = sample_crop ();
  g_autoptr (GstGlesHistogramResult) without = sample_flash ();
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  g_autoptr (GError) error = NULL;
  GstGlesCrop crop, *copy;

  g_assert_true (gst_gles_histogram_result_get_crop (result, &crop, &error));
  copy = g_boxed_copy (GST_TYPE_GLES_CROP, &crop);
  g_assert_cmpint (copy->top, ==, 3);
  g_assert_cmpint (copy->bottom, ==, info->region_height - 2);
  g_assert_cmpint (copy->left, ==, 2);
  g_assert_cmpint (copy->right, ==, info->region_width - 3);
  g_boxed_free (GST_TYPE_GLES_CROP, copy);
  g_assert_false (gst_gles_histogram_result_get_crop (without, &crop, &error));
  g_assert_no_error (error);
}

static void
test_outliers (void)
{
  g_autoptr (GstGlesHistogramResult) result = sample_outliers ();
  g_autoptr (GstGlesHistogramResult) without = sample_crop ();
  g_autoptr (GError) error = NULL;
  guint repeated_rows, outliers;

  g_assert_true (
      gst_gles_histogram_result_get_outliers (result, &repeated_rows, &outliers, &error));
  g_assert_cmpuint (repeated_rows, ==, 2);
  g_assert_cmpuint (outliers, ==, 5);
  g_assert_false (
      gst_gles_histogram_result_get_outliers (without, &repeated_rows, &outliers, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (repeated_rows + outliers, ==, 0);
}

/* The numbers of samples and of gradients follow from the region. */
static void
test_overview (void)
{
  g_autoptr (GstGlesHistogramResult) result = sample_overview ();
  g_autoptr (GBytes) bytes = gst_gles_histogram_result_get_overview_bytes (result, NULL);
  const GstGlesOverview *overview = gst_gles_histogram_result_get_overview (result, NULL);
  guint n_samples = 0, n_gradients = 0;

  g_assert_true (g_bytes_get_data (bytes, NULL) == overview);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, sizeof *overview);
  g_assert_cmpuint (overview->depth, ==, 8);
  for (guint i = 0; i < 16; i++) {
    g_assert_cmpuint (overview->counts[i][3 + i], ==, overview->n_samples[i]);
    g_assert_cmpuint (overview->gradients[i], ==, 255 * overview->n_gradients[i]);
    n_samples += overview->n_samples[i];
    n_gradients += overview->n_gradients[i];
  }
  g_assert_cmpuint (n_samples, ==, 14);
  g_assert_cmpuint (n_gradients, ==, 2 * 14 - 2);
}

static void
test_no_overview (void)
{
  g_autoptr (GstGlesHistogramResult) result = sample_histogram (1);
  GstGlesHistogramInfo info = sample_histogram_info (2, 4, 1, 1);
  g_autoptr (GstGlesHistogramResult) on_device =
      gst_gles_histogram_result_new_queued (&info, NULL, NULL, NULL);
  GError *error = NULL;

  g_assert_null (gst_gles_histogram_result_get_overview (result, &error));
  g_assert_null (gst_gles_histogram_result_get_overview_bytes (result, &error));
  g_assert_no_error (error);
  assert_fails (gst_gles_histogram_result_get_overview (on_device, &error) != NULL, INVALID);
}

/* One of n = 2^31 - 1 samples differs by 1: the variance is (n - 1) / n^2. A mean of squares
 * minus a squared mean gives 0 or worse here. */
static void
test_statistics_where_the_variance_cancels (void)
{
  const gdouble n = G_MAXINT32;
  const struct {
    guint other; /* a value beside 65535 */
    guint32 n_other, n_last;
    gdouble stddev;
  } cases[] = {
    { 65534, 1, G_MAXINT32 - 1, sqrt (n - 1) / n },
    { 0, 1, G_MAXINT32 - 1, 65535.0 * sqrt (n - 1) / n },
    /* the largest sum of squares: half the samples at either end */
    { 0, 1u << 30, (1u << 30) - 1, 32767.5 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree guint32 *counts = g_new0 (guint32, 65536);
    GstGlesHistogramStatistics s;

    counts[cases[i].other] = cases[i].n_other;
    counts[65535] = cases[i].n_last;
    s = statistics_of (16, counts, 0);
    g_assert_cmpuint (s.count, ==, G_MAXINT32);
    g_assert_cmpfloat (fabs (s.stddev / cases[i].stddev - 1), <, 1e-15);
  }
}

/* Against a loop over the sorted samples themselves, @n of them. */
static void
check_against_samples (guint depth, const guint32 *counts, guint n)
{
  static const guint percent[] = { 1, 5, 10, 50, 90, 95, 99 };
  const GstGlesHistogramStatistics s = statistics_of (depth, counts, 0);
  const guint found[] = { s.p1, s.p5, s.p10, s.p50, s.p90, s.p95, s.p99 };
  g_autofree guint *samples = g_new (guint, n);
  gdouble sum = 0, squares = 0;

  for (guint value = 0, at = 0; value < 1u << depth; value++) {
    for (guint i = 0; i < counts[value]; i++)
      samples[at++] = value;
  }
  for (guint i = 0; i < n; i++)
    sum += samples[i];
  for (guint i = 0; i < n; i++)
    squares += pow (samples[i] - sum / n, 2);
  g_assert_cmpuint (s.count, ==, n);
  g_assert_cmpuint (s.min, ==, samples[0]);
  g_assert_cmpuint (s.max, ==, samples[n - 1]);
  g_assert_cmpfloat (s.mean, ==, sum / n);
  g_assert_cmpfloat (fabs (s.stddev - sqrt (squares / n)), <=, 1e-12 * (1u << depth));
  for (guint i = 0; i < G_N_ELEMENTS (percent); i++) {
    /* the smallest i with i / n >= percent / 100, counted from 1 */
    guint rank = 1;

    while (rank * 100 < n * percent[i])
      rank++;
    g_assert_cmpuint (found[i], ==, samples[rank - 1]);
  }
}

static void
test_statistics_of_random_samples (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4711);
  g_autofree guint32 *counts = g_new0 (guint32, 65536);

  for (guint depth = 1; depth <= 16; depth++) {
    for (guint round = 0; round < 20; round++) {
      const guint n = round < 4 ? round + 1 : (guint) g_rand_int_range (rand, 1, 3000);

      memset (counts, 0, sizeof (guint32) << depth);
      for (guint i = 0; i < n; i++)
        counts[g_rand_int_range (rand, 0, 1 << depth)]++;
      check_against_samples (depth, counts, n);
    }
  }
}

typedef struct {
  guint bins, columns, rows;
  guint native[2], cells[2]; /* offsets of two channels of 2 bits */
  gboolean copied;
} BytesCase;

/* Bytes are the counters channel by channel and cell by cell, and outlive the caller's
 * reference. */
static void
check_bytes (GstGlesHistogramResult *result, const guint32 *words, const BytesCase *c)
{
  g_autoptr (GBytes) bytes = gst_gles_histogram_result_get_counts_bytes (result, NULL);
  const guint32 *in_bytes = g_bytes_get_data (bytes, NULL), *counts;
  g_autofree guint32 *copy = g_memdup2 (in_bytes, g_bytes_get_size (bytes));
  guint n;

  counts = gst_gles_histogram_result_get_counts (result, 0, 0, &n, NULL);
  g_assert_true ((in_bytes == counts) != c->copied);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 4 * 2 * c->columns * c->rows * c->bins);
  for (guint channel = 0; channel < 2; channel++) {
    g_autoptr (GBytes) native =
        gst_gles_histogram_result_get_native_counts_bytes (result, channel, NULL);
    const guint32 *values = words + c->native[channel];
    const guint count = values[0] + values[1] + values[2] + values[3];
    GstGlesHistogramStatistics s;

    for (guint cell = 0; cell < c->columns * c->rows; cell++, in_bytes += c->bins) {
      counts = gst_gles_histogram_result_get_counts (result, channel, cell, &n, NULL);
      g_assert_cmpmem (counts, n * 4, in_bytes, c->bins * 4);
      if (c->columns > 1)
        g_assert_true (counts == words + c->cells[channel] + c->bins * cell);
    }
    if (c->columns == 1) {
      guint32 bins[5] = { 0 };

      for (guint value = 0; value < 4; value++)
        bins[value * c->bins / 4] += values[value];
      g_assert_cmpmem (counts, n * 4, bins, c->bins * 4);
      g_assert_true ((counts == values) == (c->bins == 4));
      g_assert_true (counts == gst_gles_histogram_result_get_counts (result, channel, 0, &n, NULL));
    }
    g_assert_true (
        gst_gles_histogram_result_get_native_counts (result, channel, &n, NULL) == values);
    g_assert_true (g_bytes_get_data (native, NULL) == values);
    g_assert_cmpuint (g_bytes_get_size (native), ==, 4 * n);
    g_assert_true (gst_gles_histogram_result_get_statistics (result, channel, &s, NULL));
    g_assert_cmpuint (s.count, ==, count);
    g_assert_cmpfloat (s.difference, ==, (8.0 + channel) * (8 + channel) / (2 * count));
  }
  gst_gles_histogram_result_unref (result);
  g_assert_cmpmem (
      copy, g_bytes_get_size (bytes), g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
test_cells_and_bytes (void)
{
  static const BytesCase cases[] = {
    { 4, 1, 1, { 0, 4 }, { 0, 0 }, FALSE },
    { 4, 1, 1, { 0, 5 }, { 0, 0 }, TRUE },
    { 3, 2, 2, { 0, 4 }, { 10, 22 }, FALSE },
    { 3, 2, 2, { 0, 4 }, { 10, 23 }, TRUE },
    { 3, 5, 4, { 0, 65 }, { 10, 70 }, FALSE },
    /* With no grid and other bins than code values the counters are made one by one. */
    { 2, 1, 1, { 0, 0 }, { 0, 0 }, TRUE },
    { 3, 1, 1, { 0, 0 }, { 0, 0 }, TRUE },
    { 5, 1, 1, { 0, 0 }, { 0, 0 }, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const BytesCase *c = &cases[i];
    GstGlesHistogramInfo info = sample_histogram_info (2, c->bins, c->columns, c->rows);
    guint32 *words = g_new (guint32, 130);

    for (guint k = 0; k < 130; k++)
      words[k] = k * k;
    info.n_channels = 2;
    for (guint k = 0; k < 2; k++)
      info.channels[k] =
          (GstGlesHistogramChannelInfo){ "Y", 0, 2, c->native[k], 8 + k, c->cells[k] };
    check_bytes (result_of (&info, words, 130), words, c);
  }
}

/* readback=false: the counters never come, and the error says why; the device buffer is kept. */
static void
test_histogram_on_the_device (void)
{
  const GstGlesHistogramInfo info = sample_histogram_info (8, 256, 1, 1);
  g_autoptr (GstGlesDevice) device = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) buffer = gst_gles_buffer_new (device, 2000, NULL);
  GstGlesHistogramResult *result = gst_gles_histogram_result_new_queued (&info, NULL, buffer, NULL);
  GstGlesBuffer *on_device = gst_gles_histogram_result_get_device_buffer (result);
  GstGlesHistogramStatistics s;
  GError *error = NULL;
  guint n = 99;

  g_assert_true (on_device == buffer);
  g_clear_pointer (&on_device, gst_gles_buffer_unref);
  g_assert_false (gst_gles_histogram_result_is_ready (result));
  g_assert_false (gst_gles_histogram_result_wait (result, G_MAXUINT64, &error));
  g_assert_nonnull (strstr (error->message, "readback=true"));
  assert_fails (FALSE, INVALID);
  assert_fails (gst_gles_histogram_result_get_statistics (result, 0, &s, &error), INVALID);
  g_assert_null (gst_gles_histogram_result_get_counts_bytes (result, NULL));
  assert_fails (gst_gles_histogram_result_get_native_counts (result, 0, &n, &error), INVALID);
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpuint (gst_gles_histogram_result_get_info (result)->rows, ==, 1);
  gst_gles_histogram_result_unref (result);
  gst_gles_histogram_result_unref (NULL);
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 1);
}

static void
test_short_counters (void)
{
  static const struct {
    guint columns, words;
  } cases[] = { { 1, 257 }, { 2, 257 + 2 * 256 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const GstGlesHistogramInfo info = sample_histogram_info (8, 256, cases[i].columns, 1);
    g_autoptr (GstGlesHistogramResult) whole =
        result_of (&info, g_new0 (guint32, cases[i].words), cases[i].words);
    g_autoptr (GstGlesHistogramResult) cut =
        result_of (&info, g_new0 (guint32, cases[i].words), cases[i].words - 1);
    GError *error = NULL;
    guint n;

    g_assert_true (gst_gles_histogram_result_is_ready (whole));
    g_assert_true (gst_gles_histogram_result_wait (whole, 0, &error));
    g_assert_no_error (error);
    assert_fails (gst_gles_histogram_result_get_counts (cut, 0, 0, &n, &error) != NULL, FAILED);
  }
}

/* ---- points ---- */

static void
test_points_as_they_came (void)
{
  GstGlesPointsResult *result = sample_points (&sample_points_info, 3);
  GError *error = NULL;
  const GstGlesPoint *points;
  g_autoptr (GBytes) bytes = NULL;
  guint n, x, y, value;

  points = gst_gles_points_result_get_points (result, &n, &error);
  g_assert_cmpmem (points, n * sizeof *points, sample_points_array, sizeof sample_points_array);
  g_assert_cmpuint (gst_gles_points_result_get_count (result), ==, 3);
  g_assert_cmpuint (
      gst_gles_points_result_get_total (result), ==, G_GUINT64_CONSTANT (10000000003));
  g_assert_true (gst_gles_points_result_is_truncated (result));
  g_assert_true (gst_gles_points_result_get_point (result, 1, &x, &y, &value, &error));
  g_assert_true (x == 65535 && y == 4 && value == G_MAXUINT);
  g_assert_true (gst_gles_points_result_get_point (result, 0, NULL, NULL, NULL, &error));
  assert_fails (gst_gles_points_result_get_point (result, 3, &x, &y, &value, &error), INVALID);

  /* bytes outlive the caller's reference */
  bytes = gst_gles_points_result_get_bytes (result, NULL);
  gst_gles_points_result_unref (result);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), sample_points_array,
      sizeof sample_points_array);
}

/* Without a readback the points stay on the device; with one, its buffers can be let go. */
static void
test_points_on_the_device (void)
{
  g_autoptr (GstGlesDevice) device = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) points = gst_gles_buffer_new (device, 24, NULL);
  g_autoptr (GstGlesBuffer) counts = gst_gles_buffer_new (device, 16, NULL);
  g_autoptr (GstGlesReadback) readback =
      counted_readback (&(GstGlesResult){ 1, 1, 0 }, sample_points_array, 2);

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_new_queued (
        &sample_points_info, i == 0 ? NULL : readback, points, counts);
    g_autoptr (GstGlesBuffer) on_device = gst_gles_points_result_get_device_buffer (result);
    g_autoptr (GstGlesBuffer) how_many = gst_gles_points_result_get_device_counts (result);
    g_autoptr (GstGlesDevice) where = gst_gles_points_result_get_device (result);
    GError *error = NULL;
    guint n;

    g_assert_true (on_device == points && how_many == counts && where == device);
    g_assert_cmpint (gst_gles_points_result_is_ready (result), ==, i);
    g_assert_cmpuint (gst_gles_points_result_get_count (result), ==, i);
    if (i == 0) {
      assert_fails (gst_gles_points_result_get_points (result, &n, &error), INVALID);
      continue;
    }
    gst_gles_points_result_release_device (result);
    g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (points), ==, 2);
    g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (counts), ==, 2);
    g_assert_null (gst_gles_points_result_get_device_buffer (result));
    g_assert_null (gst_gles_points_result_get_device_counts (result));
    g_assert_null (gst_gles_points_result_get_device (result));
    g_assert_cmpuint (gst_gles_points_result_get_count (result), ==, 1);
  }
}

/* ---- tiles ---- */

static void
check_words (const guint32 *got, guint n_got, const guint32 *want, guint n)
{
  g_assert_nonnull (got);
  g_assert_cmpmem (got, 4 * n_got, want, 4 * n);
}

/* As bytes: the same words, which outlive the caller's reference. */
static void
test_bytes_of_tiles (void)
{
  GstGlesTilesResult *result = sample_tiles (7, 5, 5);
  g_autoptr (GBytes) a = NULL;
  g_autoptr (GBytes) b = NULL;
  g_autoptr (GBytes) c = NULL;
  guint n;

  g_assert_true (gst_gles_tiles_result_get_bytes (result, NULL, NULL, NULL, NULL));
  g_assert_true (gst_gles_tiles_result_get_bytes (result, &a, &b, &c, NULL));
  g_assert_true (
      g_bytes_get_data (a, NULL) == gst_gles_tiles_result_get_offsets (result, &n, NULL));
  gst_gles_tiles_result_unref (result);
  check_words (g_bytes_get_data (a, NULL), g_bytes_get_size (a) / 4, sample_offsets, 7);
  check_words (g_bytes_get_data (b, NULL), g_bytes_get_size (b) / 4, sample_indices, 5);
  check_words (g_bytes_get_data (c, NULL), g_bytes_get_size (c) / 4, sample_keys, 5);
}

/* Arrays that are read back too short are an error, not a read beyond the end. */
static void
test_short_arrays (void)
{
  static const guint sizes[][3] = { { 6, 5, 5 }, { 7, 4, 5 }, { 7, 5, 4 }, { 0, 0, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (GstGlesTilesResult) result = sample_tiles (sizes[i][0], sizes[i][1], sizes[i][2]);
    GError *error = NULL;
    GBytes *bytes = NULL;
    guint n;

    assert_fails (gst_gles_tiles_result_get_keys (result, &n, &error), FAILED);
    g_assert_cmpuint (n, ==, 0);
    assert_fails (gst_gles_tiles_result_get_bytes (result, &bytes, NULL, NULL, &error), FAILED);
    g_assert_null (bytes);
    g_assert_cmpuint (gst_gles_tiles_result_get_total (result), ==, 0);
  }
}

/* Without readbacks the arrays stay on the device; with them, its buffers can be let go. */
static void
test_tiles_on_the_device (void)
{
  g_autoptr (GstGlesDevice) device = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) buffer = gst_gles_buffer_new (device, 100, NULL);
  g_autoptr (GstGlesReadback) readback =
      counted_readback (&(GstGlesResult){ 9, 0, 4 }, sample_offsets, 7);
  GstGlesTilesArrays arrays = { buffer, buffer, buffer, buffer };
  GstGlesTilesResult *result = gst_gles_tiles_result_new_queued (&sample_tiles_info, &arrays);
  GError *error = NULL;
  GstGlesBuffer *got;
  guint n;

  g_assert_false (gst_gles_tiles_result_is_ready (result));
  assert_fails (gst_gles_tiles_result_get_offsets (result, &n, &error), INVALID);
  g_assert_cmpuint (gst_gles_tiles_result_get_info (result)->columns, ==, 3);
  got = gst_gles_tiles_result_get_device_keys (result);
  g_assert_true (got == buffer);
  gst_gles_buffer_unref (got);
  gst_gles_tiles_result_unref (result);

  arrays.offsets_readback = arrays.indices_readback = arrays.keys_readback = readback;
  result = gst_gles_tiles_result_new_queued (&sample_tiles_info, &arrays);
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 5);
  for (guint i = 0; i < 2; i++) {
    gst_gles_tiles_result_release_device (result);
    g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 1);
  }
  g_assert_null (gst_gles_tiles_result_get_device_offsets (result));
  g_assert_null (gst_gles_tiles_result_get_device_counts (result));
  g_assert_true (gst_gles_tiles_result_wait (result, 0, NULL));
  gst_gles_tiles_result_unref (result);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  g_test_add_func ("/result-contents/statistics-by-hand", test_statistics_by_hand);
  g_test_add_func ("/result-contents/statistics-of-distance", test_statistics_of_distance);
  g_test_add_func ("/result-contents/statistics-where-the-variance-cancels",
      test_statistics_where_the_variance_cancels);
  g_test_add_func (
      "/result-contents/statistics-of-random-samples", test_statistics_of_random_samples);
  g_test_add_func ("/result-contents/overview", test_overview);
  g_test_add_func ("/result-contents/flash", test_flash);
  g_test_add_func ("/result-contents/light", test_light);
  g_test_add_func ("/result-contents/crop", test_crop);
  g_test_add_func ("/result-contents/outliers", test_outliers);
  g_test_add_func ("/result-contents/no-overview", test_no_overview);
  g_test_add_func ("/result-contents/cells-and-bytes", test_cells_and_bytes);
  g_test_add_func ("/result-contents/histogram-on-the-device", test_histogram_on_the_device);
  g_test_add_func ("/result-contents/short-counters", test_short_counters);
  g_test_add_func ("/result-contents/points-as-they-came", test_points_as_they_came);
  g_test_add_func ("/result-contents/points-on-the-device", test_points_on_the_device);
  g_test_add_func ("/result-contents/bytes-of-tiles", test_bytes_of_tiles);
  g_test_add_func ("/result-contents/short-arrays", test_short_arrays);
  g_test_add_func ("/result-contents/tiles-on-the-device", test_tiles_on_the_device);
  return g_test_run ();
}
