/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The mask of gleshistogram: counters, mad and the counters of an expression are those of the
 * samples inside, the overview is that of the whole frame. */
#include "config.h"

#include "boxes-frames.h"

#include <math.h>

#include <glib/gstdio.h>

static guint8 inside[HEIGHT][WIDTH];

/* Writes a mask of noise; returns its path: (transfer full). */
static gchar *
write_mask (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  gchar *path = NULL;
  const gint file = g_file_open_tmp ("mask-XXXXXX.pgm", &path, &error);

  fail_unless (file >= 0);
  g_close (file, NULL);
  g_string_append_printf (text, "P2 %d %d 1\n", WIDTH, HEIGHT);
  for (guint y = 0; y < HEIGHT; y++) {
    for (guint x = 0; x < WIDTH; x++) {
      inside[y][x] = g_rand_boolean (rand);
      g_string_append (text, inside[y][x] ? "1\n" : "0\n");
    }
  }
  fail_unless (g_file_set_contents (path, text->str, -1, NULL));
  return path;
}

/* Checks the counters and the mean absolute difference of a component of 8 bits. */
static void
check_component (TestStream *stream, GstBuffer *buffer, GstBuffer *before, guint component)
{
  g_autoptr (GstGlesHistogramResult) result = result_of (buffer);
  GstGlesHistogramStatistics statistics;
  GstVideoFrame frame, last;
  guint32 counts[256] = { 0 };
  guint64 sum = 0, total = 0;
  guint n;
  const guint32 *found = gst_gles_histogram_result_get_native_counts (result, component, &n, NULL);

  fail_unless (gst_video_frame_map (&frame, &stream->info, buffer, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&last, &stream->info, before, GST_MAP_READ));
  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, component); y++) {
    for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, component); x++) {
      const gsize at = (gsize) y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, component) +
          (gsize) x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, component);
      const guint8 now = ((guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, component))[at];
      const guint8 then = ((guint8 *) GST_VIDEO_FRAME_COMP_DATA (&last, component))[at];

      if (!inside[y << GST_VIDEO_FORMAT_INFO_H_SUB (frame.info.finfo, component)]
                 [x << GST_VIDEO_FORMAT_INFO_W_SUB (frame.info.finfo, component)])
        continue;
      counts[now]++;
      total++;
      sum += (guint64) ABS (now - then);
    }
  }
  gst_video_frame_unmap (&frame);
  gst_video_frame_unmap (&last);
  fail_unless_equals_int (n, 256);
  fail_unless (memcmp (found, counts, sizeof counts) == 0);
  fail_unless (gst_gles_histogram_result_get_statistics (result, component, &statistics, NULL));
  fail_unless_equals_uint64 (statistics.count, total);
  fail_unless_equals_uint64 (
      gst_gles_histogram_result_get_info (result)->channels[component].n_samples, total);
  fail_unless (fabs (statistics.mad - (gdouble) sum / (gdouble) total) < 1e-9);
}

static void
check_overview (GstBuffer *buffer, GstBuffer *whole)
{
  g_autoptr (GstGlesHistogramResult) masked = result_of (buffer), all = result_of (whole);

  fail_unless (
      memcmp (gst_gles_histogram_result_get_overview (masked, NULL),
          gst_gles_histogram_result_get_overview (all, NULL), sizeof (GstGlesOverview)) == 0);
}

GST_START_TEST (test_noise)
{
  static const gchar *const formats[] = { "I420", "NV12", "RGB", "BGRA", "YUY2", "Y444" };
  g_autofree gchar *path = write_mask ();

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree gchar *caps = g_strdup_printf (
        "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1", formats[i], WIDTH, HEIGHT);
    g_autoptr (TestStream) stream =
        line_stream (caps, "gleshistogram mad=true emd=true validate=true mask=%s", path);
    g_autoptr (TestStream) whole = line_stream (caps, "gleshistogram");
    g_autoptr (GstBuffer) before = NULL;

    for (guint k = 0; k < 4; k++) {
      g_autoptr (GstBuffer) all = test_stream_push (whole, frame_new (whole, k / 2, NULL, 0));
      GstBuffer *out = test_stream_push (stream, frame_new (stream, k / 2, NULL, 0));

      for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&stream->info); c++)
        check_component (stream, out, before != NULL ? before : out, c);
      check_overview (out, all);
      gst_clear_buffer (&before);
      before = out;
    }
  }
  g_unlink (path);
}

GST_END_TEST;

static guint64
count_of (GstBuffer *buffer, guint channel)
{
  g_autoptr (GstGlesHistogramResult) result = result_of (buffer);
  GstGlesHistogramStatistics statistics;

  fail_unless (gst_gles_histogram_result_get_statistics (result, channel, &statistics, NULL));
  return statistics.count;
}

/* While playing, with a region, a grid, an expression, and other caps. */
GST_START_TEST (test_playing)
{
  static const struct {
    const gchar *property, *value;
    guint64 y, u;
  } steps[] = { { "mask", "0,0 0.5,0 0.5,1 0,1", 64 * 80, 32 * 40 },
    { "mask", "!0,0 0.125,0 0.125,0.1 0,0.1", 128 * 80 - 16 * 8, 64 * 40 - 8 * 4 },
    { "region", "10,0,12,80", 12 * 80 - 6 * 8, 6 * 40 - 3 * 4 },
    { "grid-columns", "3", 12 * 80 - 6 * 8, 6 * 40 - 3 * 4 },
    { "region", "<>", 128 * 80 - 16 * 8, 64 * 40 - 8 * 4 }, { "mask", "2,2 3,2 3,3", 0, 0 },
    { "mask", "", 128 * 80, 64 * 40 } };
  g_autoptr (TestStream) stream =
      line_stream ("video/x-raw,format=I420,width=128,height=80,framerate=25/1",
          "gleshistogram mad=true validate=true expression=Y");

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    line_set (stream, "gleshistogram", steps[i].property, steps[i].value);
    for (guint k = 0; k < 2; k++) {
      g_autoptr (GstBuffer) out = test_stream_push (stream, frame_new (stream, i + k, NULL, 0));

      fail_unless_equals_uint64 (count_of (out, 0), steps[i].y);
      fail_unless_equals_uint64 (count_of (out, 1), steps[i].u);
      fail_unless_equals_uint64 (count_of (out, 3), steps[i].y);
    }
  }
  line_set (stream, "gleshistogram", "mask", "0,0 0.5,0 0.5,1 0,1");
  line_set_caps (stream, "video/x-raw,format=I420,width=256,height=40,framerate=25/1");
  {
    g_autoptr (GstBuffer) out = test_stream_push (stream, frame_new (stream, 1, NULL, 0));

    fail_unless_equals_uint64 (count_of (out, 0), 128 * 40);
  }
}

GST_END_TEST;

/* What changes outside of the mask is no difference. */
GST_START_TEST (test_differences)
{
  g_autoptr (TestStream) stream =
      line_stream (CAPS, "gleshistogram mad=true emd=true mask=\"0,0 0.5,0 0.5,1 0,1\"");

  for (guint k = 0; k < 3; k++) {
    GstBuffer *frame = frame_new (stream, 1, NULL, 0);
    g_autoptr (GstGlesHistogramResult) result = NULL;
    g_autoptr (GstBuffer) out = NULL;
    GstGlesHistogramStatistics statistics;
    GstMapInfo map;

    gst_buffer_map (frame, &map, GST_MAP_READWRITE);
    for (guint y = 0; y < HEIGHT; y++)
      memset (map.data + y * stream->info.stride[0] + WIDTH / 2, (gint) (40 * k), WIDTH / 2);
    gst_buffer_unmap (frame, &map);
    out = test_stream_push (stream, frame);
    result = result_of (out);
    fail_unless (gst_gles_histogram_result_get_statistics (result, 0, &statistics, NULL));
    fail_unless (statistics.difference == 0 && statistics.emd == 0 && statistics.mad == 0);
  }
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_noise);
  tcase_add_test (tcase, test_playing);
  tcase_add_test (tcase, test_differences);
}

LINES_MAIN (add_tests)
