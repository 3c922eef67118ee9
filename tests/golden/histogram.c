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

/* GStreamer stores the samples. */
static GstBuffer *
frame_new (const GstVideoInfo *info, guint number)
{
  GstBuffer *buffer = test_frame_noise (info, number);
  const GstVideoFormatInfo *format = info->finfo;
  const gboolean wide = gst_video_format_get_info (format->unpack_format)->bits > 8;
  g_autofree guint16 *row = g_new0 (guint16, 4 * (gsize) info->width);
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_READWRITE));
  for (guint y = 0; y < (guint) info->height; y++) {
    for (guint i = 0; i < 4 * (guint) info->width; i++) {
      const guint channel = (i + 3) % 4; /* A comes first */
      const guint depth = format->depth[channel];
      guint sample;

      if (channel >= format->n_components)
        continue;
      sample = sample_of (
          number, channel, depth, i / 4 >> format->w_sub[channel], y >> format->h_sub[channel]);
      if (wide)
        row[i] = (guint16) (sample << (16 - depth));
      else
        ((guint8 *) row)[i] = (guint8) (sample << (8 - depth));
    }
    format->pack_func (format, GST_VIDEO_PACK_FLAG_NONE, row, 0, frame.data, frame.info.stride,
        GST_VIDEO_CHROMA_SITE_UNKNOWN, (gint) y, info->width);
  }
  gst_video_frame_unmap (&frame);
  return buffer;
}

/* ---- the golden file, line by line ---- */

/* The lines that are left, and the words of the line that was taken. */
typedef struct {
  gchar **lines;
  gchar **words;
} Golden;

/* Whether the next line begins with @word; takes it then. */
static gboolean
take (Golden *golden, const gchar *word)
{
  if (*golden->lines == NULL || !g_str_has_prefix (*golden->lines, word))
    return FALSE;
  g_strfreev (golden->words);
  golden->words = g_strsplit (*golden->lines++, " ", -1);
  return TRUE;
}

/* "channel FRAME NAME STATISTICS..." */
static void
check_statistics (Golden *golden, GstGlesHistogramResult *result, guint channel, const gchar *what)
{
  GstGlesHistogramStatistics s;

  fail_unless_equals_string (
      gst_gles_histogram_result_get_channel_name (result, channel), golden->words[2]);
  fail_unless_equals_int (g_strv_length (golden->words), N_STATISTICS + 3);
  fail_unless (gst_gles_histogram_result_get_statistics (result, channel, &s, NULL));
  {
    const gdouble got[N_STATISTICS] = { (gdouble) s.count, s.min, s.max, s.mean, s.stddev,
      s.entropy, s.p1, s.p5, s.p10, s.p50, s.p90, s.p95, s.p99, s.difference, s.emd };
    for (guint i = 0; i < N_STATISTICS; i++) {
      gdouble wanted = g_ascii_strtod (golden->words[i + 3], NULL);
      fail_unless (fabs (got[i] - wanted) <= 1e-12 * MAX (1.0, fabs (wanted)),
          "%s: statistic %u is %.17g, not %.17g", what, i, got[i], wanted);
    }
  }
}

/* "cell N N N ..." */
static void
check_cell (
    Golden *golden, GstGlesHistogramResult *result, guint channel, guint cell, const gchar *what)
{
  guint n;
  const guint32 *counts = gst_gles_histogram_result_get_counts (result, channel, cell, &n, NULL);

  fail_unless (take (golden, "cell "), "%s: the golden file ends early", what);
  fail_unless_equals_int (g_strv_length (golden->words), n + 1);
  for (guint i = 0; i < n; i++) {
    if (counts[i] != g_ascii_strtoull (golden->words[i + 1], NULL, 10))
      fail ("%s: cell %u bin %u is %u, not %s", what, cell, i, counts[i], golden->words[i + 1]);
  }
}

/* "case FORMAT WIDTH HEIGHT PROPERTIES..." */
static void
check_case (Golden *golden)
{
  g_autofree gchar *caps =
      g_strdup_printf ("video/x-raw,format=%s,width=%s,height=%s,framerate=1/1", golden->words[1],
          golden->words[2], golden->words[3]);
  g_autofree gchar *properties = g_strjoinv (" ", golden->words + 4);
  g_autoptr (TestStream) stream = test_stream_new (properties, caps);
  g_autoptr (GstGlesHistogramResult) result = NULL;
  guint frame = G_MAXUINT, channel = 0;
  const GstGlesHistogramInfo *info;

  while (take (golden, "channel ")) {
    if (g_ascii_strtoull (golden->words[1], NULL, 10) != frame) {
      channel = 0;
      frame++;
      g_clear_pointer (&result, gst_gles_histogram_result_unref);
      result = test_stream_push_for_result (stream, frame_new (&stream->info, frame));
    }
    check_statistics (golden, result, channel, caps);
    info = gst_gles_histogram_result_get_info (result);
    for (guint cell = 0; cell < info->columns * info->rows; cell++)
      check_cell (golden, result, channel, cell, caps);
    channel++;
  }
  fail_unless_equals_int (channel, gst_gles_histogram_result_get_n_channels (result));
  fail_unless_equals_int (frame, 1);
}

GST_START_TEST (test_golden)
{
  g_autofree gchar *path = g_build_filename (
      g_getenv ("GLES_TEST_SOURCE_ROOT"), "tests", "golden", "histogram.golden", NULL);
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n_cases = 0;
  Golden golden;

  fail_unless (g_file_get_contents (path, &text, NULL, NULL), "cannot read %s", path);
  lines = g_strsplit (text, "\n", -1);
  golden = (Golden){ lines, NULL };
  fail_unless (take (&golden, "#"));
  for (; take (&golden, "case "); n_cases++)
    check_case (&golden);
  fail_unless_equals_string (*golden.lines, "");
  fail_unless_equals_int (n_cases, 12);
  g_strfreev (golden.words);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_golden);
}

TEST_MAIN (add_tests)
