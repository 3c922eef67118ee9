/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bad input to gleshistogram: a warning or an element error, never a crash, never a silent wrong
 * count. What else of a buffer is refused, unit/frame.c tests. */
#include "gleshistogram-common.h"

#include <unistd.h>

#include <gst/allocators/allocators.h>

/* ---- settings that do not fit the frame ---- */

/* No frame passes unanalysed, and the error is the only output. */
GST_START_TEST (test_settings_that_do_not_fit)
{
  static const struct {
    const gchar *properties[24];
    gint code;
    const gchar *word;
  } refused[] = {
    { { "region=<0,0,0,0>", "region=<0,0,10,0>", "region=<0,0,0,10>", "region=<0,0,-5,5>",
          "region=<-1,0,5,5>", "region=<0,-1,5,5>", "region=<0,0,49,32>", "region=<0,0,48,33>",
          "region=<48,0,1,1>", "region=<0,32,1,1>", "region=<40,0,9,32>",
          "region=<2147483647,0,1,1>", "region=<1,1,2147483647,2147483647>",
          "region=<-2147483648,-2147483648,-2147483648,-2147483648>", "region=<0,0,0%,10>",
          "region=<0,0,10,0%>", "region=<100%,0,1,1>", "region=<51%,0,50%,1>",
          "region=<0,0,100.001%,1>", "region=<-1%,0,10,10>", "region=<1,0,100%,1>" },
        GST_RESOURCE_ERROR_SETTINGS, "region <" },
    { { "grid-columns=49", "grid-rows=33", "grid-columns=65535 grid-rows=65535",
          "grid-columns=9 region=<0,0,8,8>" },
        GST_RESOURCE_ERROR_SETTINGS, "grid of" },
    /* 302 million counters */
    { { "grid-columns=48 grid-rows=32 bins=65536" }, GST_RESOURCE_ERROR_NO_SPACE_LEFT, "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    for (guint k = 0; refused[i].properties[k] != NULL; k++) {
      g_autoptr (TestStream) stream = test_stream_new (refused[i].properties[k], TEST_CAPS);

      test_stream_check_bad (stream, test_frame_noise (&stream->info, 1), GST_RESOURCE_ERROR,
          refused[i].code, refused[i].word);
    }
  }
}

GST_END_TEST;

/* ---- caps ---- */

#define PICTURE ",width=64,height=64,framerate=25/1"
#define TEXTURES "video/x-raw(memory:GLMemory),format=RGBA" PICTURE ",texture-target=2D"

/* @advice: (nullable): a word of the warning that the refusal brings, else there is none. */
static void
check_caps_refused (const gchar *string, const gchar *advice)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, NULL);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (stream->element, "sink");
  g_autoptr (GstCaps) caps = gst_caps_from_string (string);

  fail_if (gst_pad_query_accept_caps (pad, caps), "%s is accepted", string);
  fail_if (gst_pad_send_event (pad, gst_event_new_caps (caps)), "%s is taken", string);
  test_stream_check_warning (stream, GST_STREAM_ERROR, advice, string);
}

GST_START_TEST (test_caps_that_are_not_supported)
{
  static const gchar *const refused[][2] = {
    { "audio/x-raw,format=S16LE,rate=44100,channels=2,layout=interleaved", NULL },
    { "video/x-h264", NULL },
    { "video/x-raw,format=NV12_64Z32" PICTURE, NULL },
    { "video/x-raw,format=UYVP" PICTURE, NULL },
    { "video/x-raw,format=RGB8P" PICTURE, NULL },
    { "video/x-raw(memory:GLMemory),format=RGBA" PICTURE ",texture-target=rectangle", NULL },
    { "video/x-raw(format:Interlaced,memory:GLMemory),format=RGBA" PICTURE
      ",interlace-mode=alternate,texture-target=2D",
        "joins fields to frames" },
    { "video/x-raw(memory:VAMemory),format=NV12" PICTURE, NULL },
    /* on the cpu device */
    { TEXTURES, "gldownload" },
    { TEXTURES, "device=software" },
  };
  const guint n = G_N_ELEMENTS (refused) - (test_device_is_cpu () ? 0 : 2);

  for (guint i = 0; i < n; i++)
    check_caps_refused (refused[i][0], refused[i][1]);
#if GST_CHECK_VERSION(1, 24, 0)
  /* a tiled layout that no driver of this test lists */
  if (test_device_is_cpu () || g_str_equal (test_device (), "software"))
    check_caps_refused ("video/x-raw(memory:DMABuf),format=DMA_DRM" PICTURE
                        ",drm-format=NV12:0x0100000000000002",
        "vapostproc");
#endif
}

GST_END_TEST;

/* Frames that other devices read: a warning names the element to put before, on refused caps and on
 * a query that leaves no choice, and none comes while upstream may choose. */
GST_START_TEST (test_memory_out_of_reach)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, NULL);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (stream->element, "sink");

  for (guint can_choose = 0; can_choose < 2; can_choose++) {
    const gboolean refused = test_device_is_cpu () && !can_choose;
    g_autoptr (GstCaps) caps =
        gst_caps_from_string (can_choose ? TEXTURES ";" TEST_CAPS : TEXTURES);
    g_autoptr (GstCaps) answer = gst_pad_query_caps (pad, caps);

    fail_unless_equals_int (gst_caps_is_empty (answer), refused);
    test_stream_check_warning (
        stream, GST_STREAM_ERROR, refused ? "gldownload" : NULL, "a query of caps");
  }
}

GST_END_TEST;

/* ---- buffers ---- */

/* A bad @frame (transfer full) among good ones is no reference. */
static void
check_frame_refused (GstBuffer *frame, const gchar *what)
{
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream = test_stream_new ("mad=true", TEST_CAPS);
  g_autoptr (GstGlesHistogramResult) result = NULL;
  g_autoptr (GstBuffer) out = NULL;
  GstGlesHistogramStatistics statistics;

  gst_buffer_unref (test_stream_push_noise (stream, 77));
  test_stream_check_refused (stream, frame, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED, "");
  out = test_stream_push_noise (stream, 77);
  test_check_buffer (out, &stream->info, &config, 1, what);
  result = gst_gles_histogram_result_from_buffer (out);
  fail_unless (gst_gles_histogram_result_get_statistics (result, 0, &statistics, NULL));
  fail_unless (
      statistics.difference == 0.0 && statistics.emd == 0.0 && statistics.mad == 0.0, "%s", what);
}

GST_START_TEST (test_bad_frames)
{
  static const struct {
    const gchar *what;
    gint missing; /* bytes */
    gint stride;  /* 0: no GstVideoMeta */
    GstVideoFormat format;
    guint crop[4]; /* if @what names it */
  } cases[] = {
    { "truncated", 1, 0, GST_VIDEO_FORMAT_I420, { 0 } },
    { "empty", 48 * 32 * 3 / 2, 0, GST_VIDEO_FORMAT_I420, { 0 } },
    { "stride smaller than a row", 0, 47, GST_VIDEO_FORMAT_I420, { 0 } },
    { "stride that leads out of the buffer", 0, G_MAXINT, GST_VIDEO_FORMAT_I420, { 0 } },
    /* The message names the format of the meta, which may have no name. */
    { "unknown format", 0, 48, GST_VIDEO_FORMAT_UNKNOWN, { 0 } },
    { "encoded format", 0, 48, GST_VIDEO_FORMAT_ENCODED, { 0 } },
    { "another format", 0, 48, GST_VIDEO_FORMAT_RGB, { 0 } },
    { "no format", 0, 48, (GstVideoFormat) 255, { 0 } },
    { "crop too wide", 0, 0, GST_VIDEO_FORMAT_I420, { 0, 0, 49, 32 } },
    { "crop outside", 0, 0, GST_VIDEO_FORMAT_I420, { 48, 0, 1, 1 } },
    { "crop of no width", 0, 0, GST_VIDEO_FORMAT_I420, { 0, 0, 0, 32 } },
    { "crop of no height", 0, 0, GST_VIDEO_FORMAT_I420, { 0, 0, 48, 0 } },
    { "crop far right", 0, 0, GST_VIDEO_FORMAT_I420, { G_MAXUINT, 0, 2, 2 } },
  };
  GstVideoInfo info;

  test_info_from_string (&info, TEST_CAPS);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint *crop = cases[i].crop;
    gsize offsets[GST_VIDEO_MAX_PLANES] = { 0, 48 * 32, 48 * 32 * 5 / 4 };
    gint strides[GST_VIDEO_MAX_PLANES] = { cases[i].stride, 24, 24 };
    GstBuffer *frame = test_frame_noise (&info, i);

    gst_buffer_set_size (frame, (gssize) gst_buffer_get_size (frame) - cases[i].missing);
    if (cases[i].stride != 0)
      gst_buffer_add_video_meta_full (
          frame, GST_VIDEO_FRAME_FLAG_NONE, cases[i].format, 48, 32, 3, offsets, strides);
    if (g_str_has_prefix (cases[i].what, "crop"))
      test_frame_crop (frame, crop[0], crop[1], crop[2], crop[3]);
    check_frame_refused (frame, cases[i].what);
  }
}

GST_END_TEST;

/* The descriptor of a pipe passes for memory, until it is mapped. */
GST_START_TEST (test_memory_that_cannot_be_mapped)
{
  g_autoptr (TestStream) stream = test_stream_new ("on-bad-frame=error", TEST_CAPS);
  g_autoptr (GstAllocator) allocator = gst_fd_allocator_new ();
  GstBuffer *frame = gst_buffer_new ();
  gint ends[2];

  fail_unless_equals_int (pipe (ends), 0);
  gst_buffer_append_memory (frame,
      gst_fd_allocator_alloc (
          allocator, ends[0], GST_VIDEO_INFO_SIZE (&stream->info), GST_FD_MEMORY_FLAG_NONE));
  test_stream_check_bad (stream, frame, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
      "in fd cannot be read as I420 of 48x32");
  close (ends[1]);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_settings_that_do_not_fit);
  tcase_add_test (tcase, test_caps_that_are_not_supported);
  tcase_add_test (tcase, test_memory_out_of_reach);
  tcase_add_test (tcase, test_bad_frames);
  tcase_add_test (tcase, test_memory_that_cannot_be_mapped);
}

TEST_MAIN (add_tests)
