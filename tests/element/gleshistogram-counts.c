/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters of gleshistogram, and how they differ from those of the frame before, against the
 * oracle: formats, sizes, strides, regions, grids, bins, luma, crop. */
#include "gleshistogram-common.h"

#define FORMAT(name) GST_VIDEO_FORMAT_##name

static gchar *
caps_of (GstVideoFormat format, guint width, guint height)
{
  return g_strdup_printf ("video/x-raw,format=%s,width=%u,height=%u,framerate=25/1",
      gst_video_format_to_string (format), width, height);
}

static void
configure (TestStream *stream, const TestConfig *config)
{
  g_autofree gchar *region = config->width == 0
      ? g_strdup ("<>")
      : g_strdup_printf ("<%u,%u,%u,%u>", config->x, config->y, config->width, config->height);

  g_object_set (stream->element, "bins", config->bins != 0 ? config->bins : 256, "channels",
      config->luma, "grid-columns", MAX (config->columns, 1), "grid-rows", MAX (config->rows, 1),
      "region", region, NULL);
}

/* Two frames, so that there is a difference, the second with padded rows and scattered planes. */
static void
check (
    TestStream *stream, GstVideoFormat format, guint width, guint height, const TestConfig *config)
{
  g_autofree gchar *caps = caps_of (format, width, height);
  g_autofree gchar *what = g_strdup_printf ("%s, %ux%u cells of %ux%u at %u,%u, %u bins, luma %d",
      caps, config->columns, config->rows, config->width, config->height, config->x, config->y,
      config->bins, config->luma);
  g_autoptr (TestExpected) previous = NULL;

  configure (stream, config);
  test_stream_set_caps (stream, caps);
  test_stream_check_frame (stream, test_frame_noise (&stream->info, 1), config, &previous, what);
  test_stream_check_frame (
      stream, test_frame_odd_strides (&stream->info, 2), config, &previous, what);
}

/* one element sees all formats in turn */
GST_START_TEST (test_every_format)
{
  static const struct {
    guint width, height;
    TestConfig config;
  } cases[] = {
    { 67, 45, { 0 } },
    { 34, 21, { .luma = TRUE } },
    /* A region and cells whose edges cut through samples of subsampled components. */
    { 67, 45, { .x = 5, .y = 3, .width = 41, .height = 27, .columns = 4, .rows = 3, .bins = 20 } },
  };
  g_autoptr (TestStream) stream = test_stream_new (NULL, NULL);
  guint n_formats;
  const GstVideoFormat *formats = test_formats (&n_formats);

  for (guint i = 0; i < n_formats; i++)
    check (stream, formats[i], cases[__i__].width, cases[__i__].height, &cases[__i__].config);
}

GST_END_TEST;

GST_START_TEST (test_sizes)
{
  static const guint sizes[][2] = { { 1, 1 }, { 2, 1 }, { 1, 2 }, { 1, 15 }, { 15, 1 }, { 3, 3 },
    { 16, 16 }, { 17, 33 }, { 255, 3 }, { 4001, 1 }, { 320, 240 } };
  static const GstVideoFormat formats[] = { FORMAT (I420), FORMAT (GRAY16_LE), FORMAT (RGB) };
  g_autoptr (TestStream) stream = test_stream_new (NULL, NULL);
  const TestConfig config = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    check (stream, formats[__i__], sizes[i][0], sizes[i][1], &config);
}

GST_END_TEST;

GST_START_TEST (test_bins)
{
  static const guint bins[] = { 2, 3, 100, 255, 257, 1000, 4096, 12289, 65536 };
  g_autoptr (TestStream) stream = test_stream_new (NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (bins); i++) {
    const TestConfig whole = { .bins = bins[i] };
    const TestConfig cells = { .bins = bins[i], .columns = 2, .rows = 2 };

    check (stream, FORMAT (NV12), 64, 48, &whole);
    check (stream, FORMAT (GRAY16_LE), 40, 30, &cells);
  }
}

GST_END_TEST;

GST_START_TEST (test_grids_and_regions)
{
  static const struct {
    GstVideoFormat formats[3];
    guint width, height;
    TestConfig config;
  } cases[] = {
#define GRIDS { FORMAT (I420), FORMAT (BGRx) }, 31, 17
    { GRIDS, { .columns = 1, .rows = 7 } },
    { GRIDS, { .columns = 7, .rows = 1 } },
    /* one cell per pixel, and cells without any sample of a subsampled component */
    { GRIDS, { .columns = 31, .rows = 17, .bins = 8 } },
    { GRIDS, { .columns = 16, .rows = 9, .bins = 256, .luma = TRUE } },
    { GRIDS, { .x = 1, .y = 1, .width = 3, .height = 3, .columns = 3, .rows = 3, .bins = 16 } },
#define REGIONS { FORMAT (I420), FORMAT (UYVY), FORMAT (RGB) }, 100, 50
    { REGIONS, { .x = 0, .y = 0, .width = 1, .height = 1 } },
    { REGIONS, { .x = 99, .y = 49, .width = 1, .height = 1 } }, /* no sample of U and V */
    { REGIONS, { .x = 1, .y = 0, .width = 98, .height = 49 } },
    { REGIONS, { .x = 6, .y = 2, .width = 3, .height = 40 } },
    { REGIONS, { .x = 17, .y = 11, .width = 64, .height = 32 } },
    { REGIONS, { .x = 0, .y = 0, .width = 100, .height = 50 } },
  };
  g_autoptr (TestStream) stream = test_stream_new (NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < 3 && cases[i].formats[k] != FORMAT (UNKNOWN); k++)
      check (stream, cases[i].formats[k], cases[i].width, cases[i].height, &cases[i].config);
}

GST_END_TEST;

/* a frame in several memories, none of which begins or ends with a row */
GST_START_TEST (test_several_memories)
{
  g_autoptr (TestStream) stream =
      test_stream_new (NULL, "video/x-raw,format=NV12,width=50,height=30,framerate=25/1");
  g_autoptr (GstBuffer) whole = test_frame_noise (&stream->info, 5), out = NULL;
  const gssize size = (gssize) gst_buffer_get_size (whole);
  GstBuffer *parts = gst_buffer_new ();
  const TestConfig config = { 0 };

  for (gssize offset = 0; offset < size; offset += 777)
    gst_buffer_append_memory (parts,
        gst_memory_copy (gst_buffer_peek_memory (whole, 0), offset, MIN (777, size - offset)));
  out = test_stream_push (stream, parts);
  test_check_buffer (out, &stream->info, &config, 0, "several memories");
}

GST_END_TEST;

/* Pixels that decoders crop are not counted; a region refers to the visible picture. */
GST_START_TEST (test_crop)
{
  static const struct {
    GstVideoFormat format;
    TestConfig config;
  } cases[] = {
    { FORMAT (I420), { 0 } },
    { FORMAT (I420), { .x = 10, .y = 7, .width = 33, .height = 21, .columns = 2, .bins = 9 } },
    { FORMAT (RGB), { .x = 10, .y = 7, .width = 33, .height = 21, .columns = 2, .bins = 9 } },
  };
  static const guint crops[][4] = { { 0, 0, 90, 50 }, { 16, 8, 64, 40 }, { 3, 5, 61, 41 },
    { 3, 5, 61, 41 }, { 0, 0, 100, 60 } };
  const TestConfig *config = &cases[__i__].config;
  g_autofree gchar *caps = caps_of (cases[__i__].format, 100, 60);
  g_autoptr (TestStream) stream = test_stream_new (NULL, caps);

  configure (stream, config);
  for (guint i = 0; i < G_N_ELEMENTS (crops); i++) {
    GstBuffer *frame = test_frame_noise (&stream->info, i);
    g_autoptr (GstGlesHistogramResult) result = NULL;
    g_autoptr (GstBuffer) out = NULL;
    const GstGlesHistogramInfo *info;

    test_frame_crop (frame, crops[i][0], crops[i][1], crops[i][2], crops[i][3]);
    out = test_stream_push (stream, frame);
    test_check_buffer (out, &stream->info, config, i, caps);
    result = gst_gles_histogram_result_from_buffer (out);
    info = gst_gles_histogram_result_get_info (result);
    fail_unless_equals_int (info->frame.width, crops[i][2]);
    fail_unless_equals_int (info->frame.height, crops[i][3]);
    fail_unless (info->x == config->x && info->y == config->y, "%u,%u", info->x, info->y);
  }
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_every_format, 0, 3);
  tcase_add_loop_test (tcase, test_sizes, 0, 3);
  tcase_add_test (tcase, test_bins);
  tcase_add_test (tcase, test_grids_and_regions);
  tcase_add_test (tcase, test_several_memories);
  tcase_add_loop_test (tcase, test_crop, 0, 3);
}

TEST_MAIN (add_tests)
