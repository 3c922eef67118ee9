/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters and statistics of gleshistogram, frame by frame against the oracle: formats, sizes,
 * strides, regions, grids, bins, luma, crop. */
#include "gleshistogram-common.h"

static gchar *
caps_of (GstVideoFormat format, guint width, guint height)
{
  return g_strdup_printf ("video/x-raw,format=%s,width=%u,height=%u,framerate=25/1",
      gst_video_format_to_string (format), width, height);
}

static gchar *
properties_of (const TestConfig *config)
{
  GString *line = g_string_new (NULL);

  if (config->bins != 0)
    g_string_append_printf (line, " bins=%u", config->bins);
  if (config->luma)
    g_string_append (line, " channels=luma");
  if (config->columns != 0)
    g_string_append_printf (line, " grid-columns=%u", config->columns);
  if (config->rows != 0)
    g_string_append_printf (line, " grid-rows=%u", config->rows);
  if (config->width != 0)
    g_string_append_printf (
        line, " region=\"<%u,%u,%u,%u>\"", config->x, config->y, config->width, config->height);
  return g_string_free (line, FALSE);
}

static void
check_pushed (TestStream *stream, GstBuffer *frame, const TestConfig *config,
    TestExpected **previous, const gchar *what)
{
  g_autoptr (TestExpected) expected = test_expect (frame, &stream->info, config);
  GstBuffer *out = test_stream_push (stream, frame);
  g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (out);

  test_check_result (result, expected, *previous, what);
  g_clear_pointer (previous, test_expected_free);
  *previous = g_steal_pointer (&expected);
  gst_buffer_unref (out);
}

/* Two frames, so that there is a difference, the second with padded rows and scattered planes. */
static void
check_stream (TestStream *stream, const TestConfig *config, const gchar *what)
{
  g_autoptr (TestExpected) previous = NULL;

  check_pushed (stream, test_frame_noise (&stream->info, 1), config, &previous, what);
  check_pushed (stream, test_frame_odd_strides (&stream->info, 2), config, &previous, what);
}

static void
check_config (GstVideoFormat format, guint width, guint height, const TestConfig *config)
{
  g_autofree gchar *caps = caps_of (format, width, height);
  g_autofree gchar *properties = properties_of (config);
  g_autofree gchar *what = g_strdup_printf ("%s%s", caps, properties);
  g_autoptr (TestStream) stream = test_stream_new (properties, caps);

  check_stream (stream, config, what);
}

/* Computing the distance or not leaves everything else as it is, and the frame before is not
 * forgotten. */
GST_START_TEST (test_emd_while_playing)
{
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream =
      test_stream_new (NULL, "video/x-raw,format=I420,width=64,height=48,framerate=25/1");
  g_autoptr (TestExpected) previous = NULL;

  for (guint i = 0; i < 6; i++) {
    const gboolean wanted = i % 3 != 1;
    GstBuffer *frame = test_frame_noise (&stream->info, i);
    g_autoptr (TestExpected) expected = test_expect (frame, &stream->info, &config);
    g_autoptr (GstGlesHistogramResult) result = NULL;
    GstBuffer *out;

    g_object_set (stream->element, "emd", wanted, NULL);
    out = test_stream_push (stream, frame);
    result = gst_gles_histogram_result_from_buffer (out);
    fail_unless_equals_int (gst_gles_histogram_result_has_emd (result), wanted);
    test_check_result (result, expected, previous, "emd while playing");
    g_clear_pointer (&previous, test_expected_free);
    previous = g_steal_pointer (&expected);
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* one element sees all formats in turn */
static void
check_formats (const TestConfig *config, guint width, guint height)
{
  g_autofree gchar *properties = properties_of (config);
  g_autoptr (TestStream) stream = test_stream_new (properties, NULL);
  guint n_formats;
  const GstVideoFormat *formats = test_formats (&n_formats);

  for (guint i = 0; i < n_formats; i++) {
    g_autofree gchar *caps = caps_of (formats[i], width, height);
    g_autofree gchar *what = g_strdup_printf ("%s%s", caps, properties);

    test_stream_set_caps (stream, caps);
    check_stream (stream, config, what);
  }
}

GST_START_TEST (test_formats_native)
{
  const TestConfig config = { 0 };

  check_formats (&config, 67, 45);
}

GST_END_TEST;

GST_START_TEST (test_formats_luma)
{
  const TestConfig config = { .luma = TRUE };

  check_formats (&config, 34, 21);
}

GST_END_TEST;

/* A region and cells whose edges cut through samples of subsampled components. */
GST_START_TEST (test_formats_region_and_grid)
{
  const TestConfig config = {
    .x = 5, .y = 3, .width = 41, .height = 27, .columns = 4, .rows = 3, .bins = 20
  };

  check_formats (&config, 67, 45);
}

GST_END_TEST;

GST_START_TEST (test_sizes)
{
  static const guint sizes[][2] = { { 1, 1 }, { 2, 1 }, { 1, 2 }, { 1, 15 }, { 15, 1 }, { 3, 3 },
    { 16, 16 }, { 17, 33 }, { 255, 3 }, { 4001, 1 }, { 320, 240 } };
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_GRAY16_LE,
    GST_VIDEO_FORMAT_RGB };
  const TestConfig config = { 0 };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    g_autoptr (TestStream) stream = test_stream_new (NULL, NULL);
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
      g_autofree gchar *caps = caps_of (formats[f], sizes[i][0], sizes[i][1]);
      test_stream_set_caps (stream, caps);
      check_stream (stream, &config, caps);
    }
  }
}

GST_END_TEST;

GST_START_TEST (test_bins)
{
  static const guint bins[] = { 2, 3, 100, 255, 257, 1000, 4096, 12289, 65536 };

  for (guint i = 0; i < G_N_ELEMENTS (bins); i++) {
    const TestConfig whole = { .bins = bins[i] };
    const TestConfig cells = { .bins = bins[i], .columns = 2, .rows = 2 };

    check_config (GST_VIDEO_FORMAT_NV12, 64, 48, &whole);
    check_config (GST_VIDEO_FORMAT_GRAY16_LE, 40, 30, &cells);
  }
}

GST_END_TEST;

GST_START_TEST (test_grids)
{
  /* One cell per pixel, and cells without any sample of a subsampled component. */
  static const TestConfig configs[] = {
    { .columns = 1, .rows = 7 },
    { .columns = 7, .rows = 1 },
    { .columns = 31, .rows = 17, .bins = 8 },
    { .columns = 16, .rows = 9, .bins = 256, .luma = TRUE },
    { .x = 1, .y = 1, .width = 3, .height = 3, .columns = 3, .rows = 3, .bins = 16 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (configs); i++) {
    check_config (GST_VIDEO_FORMAT_I420, 31, 17, &configs[i]);
    check_config (GST_VIDEO_FORMAT_BGRx, 31, 17, &configs[i]);
  }
}

GST_END_TEST;

GST_START_TEST (test_regions)
{
  static const TestConfig configs[] = {
    { .x = 0, .y = 0, .width = 1, .height = 1 },
    { .x = 99, .y = 49, .width = 1, .height = 1 }, /* no sample of U and V */
    { .x = 1, .y = 0, .width = 98, .height = 49 },
    { .x = 6, .y = 2, .width = 3, .height = 40 },
    { .x = 17, .y = 11, .width = 64, .height = 32 },
    { .x = 0, .y = 0, .width = 100, .height = 50 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (configs); i++) {
    check_config (GST_VIDEO_FORMAT_I420, 100, 50, &configs[i]);
    check_config (GST_VIDEO_FORMAT_UYVY, 100, 50, &configs[i]);
    check_config (GST_VIDEO_FORMAT_RGB, 100, 50, &configs[i]);
  }
}

GST_END_TEST;

/* Constant frames, and a single different value: cases that break merged or cached counters. */
GST_START_TEST (test_constant_frames)
{
  static const guint8 values[] = { 0, 1, 127, 255 };
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream =
      test_stream_new (NULL, "video/x-raw,format=I420,width=322,height=202,framerate=25/1");
  g_autoptr (TestExpected) previous = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    GstBuffer *frame = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (&stream->info), NULL);
    g_autofree gchar *what = g_strdup_printf ("constant %u", values[i]);
    gst_buffer_memset (frame, 0, values[i], G_MAXSIZE);
    check_pushed (stream, frame, &config, &previous, what);
  }
}

GST_END_TEST;

/* a frame in several memories, none of which begins or ends with a row */
GST_START_TEST (test_several_memories)
{
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream =
      test_stream_new (NULL, "video/x-raw,format=NV12,width=50,height=30,framerate=25/1");
  GstBuffer *whole = test_frame_noise (&stream->info, 5);
  GstBuffer *parts = gst_buffer_new ();
  g_autoptr (TestExpected) expected = test_expect (whole, &stream->info, &config);
  g_autoptr (TestExpected) previous = NULL;
  gsize size = gst_buffer_get_size (whole);

  for (gsize offset = 0; offset < size; offset += 777)
    gst_buffer_append_memory (parts,
        gst_memory_copy (
            gst_buffer_peek_memory (whole, 0), (gssize) offset, (gssize) MIN (777, size - offset)));
  gst_buffer_unref (whole);
  fail_unless (gst_buffer_n_memory (parts) > 2);
  check_pushed (stream, parts, &config, &previous, "several memories");
  fail_unless_equals_int (memcmp (previous->native[0], expected->native[0], 256 * 4), 0);
}

GST_END_TEST;

/* Pixels that decoders crop are not counted; a region refers to the visible picture. */
static void
check_crop (const TestConfig *config, GstVideoFormat format)
{
  static const guint crops[][4] = { { 0, 0, 90, 50 }, { 16, 8, 64, 40 }, { 3, 5, 61, 41 },
    { 3, 5, 61, 41 }, { 0, 0, 100, 60 } };
  g_autofree gchar *caps = caps_of (format, 100, 60);
  g_autofree gchar *properties = properties_of (config);
  g_autoptr (TestStream) stream = test_stream_new (properties, caps);

  for (guint i = 0; i < G_N_ELEMENTS (crops); i++) {
    GstBuffer *frame = test_frame_noise (&stream->info, i);
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (frame);
    g_autofree gchar *what = g_strdup_printf ("crop %u%s", i, properties);
    guint width, height, x, y;
    GstBuffer *out;

    crop->x = crops[i][0];
    crop->y = crops[i][1];
    crop->width = crops[i][2];
    crop->height = crops[i][3];
    out = test_stream_push (stream, frame);
    test_check_buffer (out, &stream->info, config, i, what);
    {
      g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (out);
      gst_gles_histogram_result_get_size (result, &width, &height);
      gst_gles_histogram_result_get_region (result, &x, &y, NULL, NULL);
    }
    fail_unless_equals_int (width, crops[i][2]);
    fail_unless_equals_int (height, crops[i][3]);
    fail_unless_equals_int (x, config->x);
    fail_unless_equals_int (y, config->y);
    gst_buffer_unref (out);
  }
}

GST_START_TEST (test_crop)
{
  const TestConfig whole = { 0 };
  const TestConfig region = { .x = 10, .y = 7, .width = 33, .height = 21, .columns = 2, .bins = 9 };

  check_crop (&whole, GST_VIDEO_FORMAT_I420);
  check_crop (&region, GST_VIDEO_FORMAT_I420);
  check_crop (&region, GST_VIDEO_FORMAT_RGB);
}

GST_END_TEST;

static Suite *
gleshistogram_counts_suite (void)
{
  Suite *suite = suite_create ("gleshistogram-counts");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_formats_native);
  tcase_add_test (tcase, test_formats_luma);
  tcase_add_test (tcase, test_formats_region_and_grid);
  tcase_add_test (tcase, test_sizes);
  tcase_add_test (tcase, test_emd_while_playing);
  tcase_add_test (tcase, test_bins);
  tcase_add_test (tcase, test_grids);
  tcase_add_test (tcase, test_regions);
  tcase_add_test (tcase, test_constant_frames);
  tcase_add_test (tcase, test_several_memories);
  tcase_add_test (tcase, test_crop);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, gleshistogram_counts_suite);
}
