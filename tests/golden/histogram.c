/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gleshistogram on frames that a formula describes, compared with what NumPy counted in them:
 * histogram.golden, made by histogram-make.py. */
#include "../element/gleshistogram-common.h"

#include <math.h>

#define N_STATISTICS 15

/* the formula of histogram-make.py */
static guint
sample_of (guint frame, guint channel, guint depth, guint x, guint y)
{
  guint32 h = x * 2654435761u + y * 2246822519u + channel * 3266489917u + frame * 668265263u;
  guint32 slope = (x + 2 * y + 11 * frame + 29 * channel) & 255;
  guint32 value;

  h ^= h >> 15;
  h *= 2246822519u;
  h ^= h >> 13;
  value = (slope * 3 + (h >> 24)) >> 2;
  return (value << 8 | (h & 255)) >> (16 - depth);
}

static GstBuffer *
frame_new (const GstVideoInfo *info, guint number)
{
  GstBuffer *buffer = test_frame_noise (info, number);
  GstVideoFrame frame;
  guint depth, width, height;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_READWRITE));
  for (guint i = 0; i < 4 && (depth = test_frame_get_depth (&frame, i)) != 0; i++) {
    test_frame_get_grid (&frame, i, &width, &height);
    for (guint y = 0; y < height; y++) {
      for (guint x = 0; x < width; x++)
        test_frame_set_sample (&frame, i, x, y, sample_of (number, i, depth, x, y));
    }
  }
  gst_video_frame_unmap (&frame);
  return buffer;
}

/* ---- the golden file, line by line ---- */

typedef struct {
  gchar **lines;
  guint at;
} Golden;

static gboolean
golden_at (const Golden *golden, const gchar *word)
{
  return golden->lines[golden->at] != NULL && g_str_has_prefix (golden->lines[golden->at], word);
}

static void
check_statistics (GstGlesHistogramResult *result, guint channel, gchar **numbers, const gchar *what)
{
  GstGlesHistogramStatistics s;

  fail_unless (gst_gles_histogram_result_get_statistics (result, channel, &s, NULL));
  fail_unless_equals_int (g_strv_length (numbers), N_STATISTICS);
  {
    const gdouble got[N_STATISTICS] = { (gdouble) s.count, s.min, s.max, s.mean, s.stddev,
      s.entropy, s.p1, s.p5, s.p10, s.p50, s.p90, s.p95, s.p99, s.difference, s.emd };
    for (guint i = 0; i < N_STATISTICS; i++) {
      gdouble wanted = g_ascii_strtod (numbers[i], NULL);
      fail_unless (fabs (got[i] - wanted) <= 1e-12 * MAX (1.0, fabs (wanted)),
          "%s: statistic %u is %.17g, not %s", what, i, got[i], numbers[i]);
    }
  }
}

/* "cell N N N ..." */
static void
check_cell (
    GstGlesHistogramResult *result, guint channel, guint cell, const gchar *line, const gchar *what)
{
  g_auto (GStrv) numbers = g_strsplit (line, " ", -1);
  guint n;
  const guint32 *counts = gst_gles_histogram_result_get_counts (result, channel, cell, &n, NULL);

  fail_unless (counts != NULL);
  fail_unless_equals_int (g_strv_length (numbers), n + 1);
  for (guint i = 0; i < n; i++) {
    if (counts[i] != g_ascii_strtoull (numbers[i + 1], NULL, 10))
      fail ("%s: cell %u bin %u is %u, not %s", what, cell, i, counts[i], numbers[i + 1]);
  }
}

/* "channel FRAME NAME STATISTICS...", and the cells that follow */
static void
check_channel (
    Golden *golden, GstGlesHistogramResult *result, guint frame, guint channel, const gchar *format)
{
  g_auto (GStrv) words = g_strsplit (golden->lines[golden->at++], " ", -1);
  g_autofree gchar *what = g_strdup_printf ("%s frame %u %s", format, frame, words[2]);
  guint columns, rows;

  fail_unless_equals_uint64 (g_ascii_strtoull (words[1], NULL, 10), frame);
  fail_unless_equals_string (
      gst_gles_histogram_result_get_channel_name (result, channel), words[2]);
  check_statistics (result, channel, words + 3, what);
  gst_gles_histogram_result_get_grid (result, &columns, &rows);
  for (guint cell = 0; cell < columns * rows; cell++) {
    fail_unless (golden_at (golden, "cell "), "%s: the golden file ends early", what);
    check_cell (result, channel, cell, golden->lines[golden->at++], what);
  }
}

/* "case FORMAT WIDTH HEIGHT PROPERTIES..." */
static void
check_case (Golden *golden)
{
  g_auto (GStrv) words = g_strsplit (golden->lines[golden->at++], " ", 5);
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=%s,height=%s,framerate=1/1", words[1], words[2], words[3]);
  g_autoptr (TestStream) stream = test_stream_new (words[4], caps);

  for (guint frame = 0; golden_at (golden, "channel "); frame++) {
    GstBuffer *out = test_stream_push (stream, frame_new (&stream->info, frame));
    g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (out);

    fail_unless (result != NULL);
    for (guint i = 0; i < gst_gles_histogram_result_get_n_channels (result); i++)
      check_channel (golden, result, frame, i, words[1]);
    gst_buffer_unref (out);
  }
}

GST_START_TEST (test_golden)
{
  g_autofree gchar *path = g_build_filename (
      g_getenv ("GLES_TEST_SOURCE_ROOT"), "tests", "golden", "histogram.golden", NULL);
  g_autofree gchar *text = NULL;
  Golden golden = { NULL, 0 };
  guint n_cases = 0;

  fail_unless (g_file_get_contents (path, &text, NULL, NULL), "cannot read %s", path);
  golden.lines = g_strsplit (text, "\n", -1);
  while (golden.lines[golden.at] != NULL && golden.lines[golden.at][0] != '\0') {
    if (golden_at (&golden, "#")) {
      golden.at++;
      continue;
    }
    fail_unless (golden_at (&golden, "case "), "line %u of %s", golden.at + 1, path);
    check_case (&golden);
    n_cases++;
  }
  fail_unless_equals_int (n_cases, 12);
  g_strfreev (golden.lines);
}

GST_END_TEST;

static Suite *
golden_histogram_suite (void)
{
  Suite *suite = suite_create ("golden-histogram");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_golden);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, golden_histogram_suite);
}
