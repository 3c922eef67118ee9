/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bad input to gleshistogram: a refused property with a warning or an element error, never a crash,
 * never a silent wrong count. */
#include <unistd.h>

#include <gst/allocators/allocators.h>

#include "gleshistogram-common.h"

#define CAPS "video/x-raw,format=I420,width=48,height=32,framerate=25/1"

/* ---- properties ---- */

static void
count_refusal (const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer n_refusals)
{
  fail_unless (strstr (message, "out of range") != NULL, "%s", message);
  (*(guint *) n_refusals)++;
}

static void
check_number_refused (const gchar *property, guint bad, guint stays)
{
  GstElement *element = test_element_new (NULL);
  guint value, n_refusals = 0;
  /* g_test_expect_message() needs the log level: older GLib warns, newer GLib logs critical. */
  const GLogLevelFlags levels = G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL;
  GLogLevelFlags fatal = g_log_set_always_fatal (G_LOG_FATAL_MASK);
  guint handler = g_log_set_handler ("GLib-GObject", levels, count_refusal, &n_refusals);

  g_object_set (element, property, bad, NULL);
  g_log_remove_handler ("GLib-GObject", handler);
  g_log_set_always_fatal (fatal);
  fail_unless_equals_int (n_refusals, 1);
  g_object_get (element, property, &value, NULL);
  fail_unless_equals_int (value, stays);
  gst_object_unref (element);
}

GST_START_TEST (test_numbers_out_of_range)
{
  check_number_refused ("bins", 0, 256);
  check_number_refused ("bins", 1, 256);
  check_number_refused ("bins", 65537, 256);
  check_number_refused ("grid-columns", 0, 1);
  check_number_refused ("grid-rows", 0, 1);
  check_number_refused ("interval", 0, 1);
}

GST_END_TEST;

/* ---- settings that do not fit the frame ---- */

/* No frame passes unanalysed, and the error is the only output. */
static void
check_settings_refused (const gchar *properties)
{
  g_autoptr (TestStream) stream = test_stream_new (properties, CAPS);
  GstFlowReturn flow;

  flow = gst_harness_push (stream->harness, test_frame_noise (&stream->info, 1));
  fail_unless (flow == GST_FLOW_ERROR || flow == GST_FLOW_NOT_NEGOTIATED, "%s: %s", properties,
      gst_flow_get_name (flow));
  fail_unless (gst_harness_try_pull (stream->harness) == NULL);
  test_stream_check_settings_error (stream, properties);
}

GST_START_TEST (test_regions_that_do_not_fit)
{
  static const gchar *regions[] = { "<0,0,0,0>", "<0,0,10,0>", "<0,0,0,10>", "<0,0,-5,5>",
    "<-1,0,5,5>", "<0,-1,5,5>", "<0,0,49,32>", "<0,0,48,33>", "<48,0,1,1>", "<0,32,1,1>",
    "<40,0,9,32>", "<2147483647,0,1,1>", "<1,1,2147483647,2147483647>",
    "<-2147483648,-2147483648,-2147483648,-2147483648>", "0,0,0%,10", "0,0,10,0%", "100%,0,1,1",
    "51%,0,50%,1", "0,0,100.001%,1", "-1%,0,10,10", "1,0,100%,1" };

  for (guint i = 0; i < G_N_ELEMENTS (regions); i++) {
    g_autofree gchar *properties = g_strdup_printf ("region=\"%s\"", regions[i]);
    check_settings_refused (properties);
  }
}

GST_END_TEST;

GST_START_TEST (test_grids_that_do_not_fit)
{
  check_settings_refused ("grid-columns=49");
  check_settings_refused ("grid-rows=33");
  check_settings_refused ("grid-columns=65535 grid-rows=65535");
  check_settings_refused ("grid-columns=9 region=\"<0,0,8,8>\"");
}

GST_END_TEST;

/* 48 * 32 cells with 65536 bins of three channels are 302 million counters */
GST_START_TEST (test_too_many_counters)
{
  g_autoptr (TestStream) stream = test_stream_new ("grid-columns=48 grid-rows=32 bins=65536", CAPS);
  g_autoptr (GError) error = NULL;

  fail_if (gst_harness_push (stream->harness, test_frame_noise (&stream->info, 1)) == GST_FLOW_OK);
  fail_unless (gst_harness_try_pull (stream->harness) == NULL);
  error = test_bus_pop_error (stream->bus);
  fail_unless (error != NULL);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT) ||
          g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS),
      "%s", error->message);
}

GST_END_TEST;

/* ---- caps ---- */

/* Asserts that there is one warning about caps, with @advice, or none if that is NULL. */
static void
check_advice (TestStream *stream, const gchar *advice)
{
  GstMessage *message;
  guint n_found = 0;

  while ((message = gst_bus_pop_filtered (stream->bus, GST_MESSAGE_WARNING)) != NULL) {
    g_autoptr (GError) warning = NULL;

    gst_message_parse_warning (message, &warning, NULL);
    gst_message_unref (message);
    if (warning->domain != GST_STREAM_ERROR)
      continue; /* a node that is no GPU */
    fail_unless (
        advice != NULL && strstr (warning->message, advice) != NULL, "%s", warning->message);
    n_found++;
  }
  fail_unless_equals_int (n_found, advice != NULL);
}

/* @advice: (nullable): a word of the warning that the refusal brings, else there is none. */
static void
check_caps_refused (const gchar *string, const gchar *advice)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, NULL);
  GstCaps *caps = gst_caps_from_string (string);
  GstPad *pad = gst_element_get_static_pad (stream->element, "sink");

  fail_if (gst_pad_query_accept_caps (pad, caps), "%s is accepted", string);
  fail_if (gst_pad_send_event (pad, gst_event_new_caps (caps)), "%s is taken", string);
  check_advice (stream, advice);
  gst_object_unref (pad);
  gst_caps_unref (caps);
}

GST_START_TEST (test_caps_that_are_not_supported)
{
  check_caps_refused ("audio/x-raw,format=S16LE,rate=44100,channels=2,layout=interleaved", NULL);
  check_caps_refused ("video/x-h264", NULL);
  check_caps_refused ("video/x-raw,format=NV12_64Z32,width=64,height=64,framerate=25/1", NULL);
  check_caps_refused ("video/x-raw,format=UYVP,width=64,height=64,framerate=25/1", NULL);
  check_caps_refused ("video/x-raw,format=RGB8P,width=64,height=64,framerate=25/1", NULL);
  check_caps_refused ("video/x-raw(memory:GLMemory),format=RGBA,width=64,height=64,framerate=25/1,"
                      "texture-target=rectangle",
      NULL);
  check_caps_refused ("video/x-raw(format:Interlaced,memory:GLMemory),format=RGBA,width=64,"
                      "height=64,framerate=25/1,interlace-mode=alternate,texture-target=2D",
      "joins fields to frames");
  check_caps_refused (
      "video/x-raw(memory:VAMemory),format=NV12,width=64,height=64,framerate=25/1", NULL);
}

GST_END_TEST;

/* Frames that other devices read: a warning names the element to put before, on refused caps and on
 * a query that leaves no choice, and none comes while upstream may choose. */
GST_START_TEST (test_memory_out_of_reach)
{
  const gchar *const textures = "video/x-raw(memory:GLMemory),format=RGBA,width=64,height=64,"
                                "framerate=25/1,texture-target=2D";
  g_autoptr (TestStream) stream = test_stream_new (NULL, NULL);
  GstPad *pad = gst_element_get_static_pad (stream->element, "sink");
  GstCaps *caps = gst_caps_from_string (textures), *answer;

  if (test_device_is_cpu ()) {
    check_caps_refused (textures, "gldownload");
    check_caps_refused (textures, "device=software");
  }
  answer = gst_pad_query_caps (pad, caps);
  fail_unless_equals_int (gst_caps_is_empty (answer), test_device_is_cpu ());
  check_advice (stream, test_device_is_cpu () ? "gldownload" : NULL);
  gst_caps_unref (answer);
  gst_caps_append (caps, gst_caps_from_string (CAPS));
  answer = gst_pad_query_caps (pad, caps);
  fail_if (gst_caps_is_empty (answer));
  check_advice (stream, NULL);
  gst_caps_unref (answer);
  gst_caps_unref (caps);
#if GST_CHECK_VERSION(1, 24, 0)
  /* a tiled layout that no driver of this test lists */
  if (test_device_is_cpu () || g_strcmp0 (test_device (), "software") == 0)
    check_caps_refused ("video/x-raw(memory:DMABuf),format=DMA_DRM,width=64,height=64,"
                        "framerate=25/1,drm-format=NV12:0x0100000000000002",
        "vapostproc");
#endif
  gst_object_unref (pad);
}

GST_END_TEST;

/* ---- buffers ---- */

/* A bad @frame (transfer full) among good ones: skipped with one warning, or an error. */
static void
check_frame_refused (TestStream *stream, GstBuffer *frame, const gchar *what)
{
  const TestConfig config = { 0 };
  g_autoptr (GError) error = NULL;
  GstBuffer *out;

  gst_buffer_unref (test_stream_push_noise (stream, 77));
  test_stream_check_skipped (stream, gst_buffer_ref (frame), what);
  test_stream_check_warning (stream, GST_STREAM_ERROR, "A frame passes untouched: ", what);
  test_stream_check_skipped (stream, gst_buffer_ref (frame), what);
  test_stream_check_warning (stream, 0, NULL, what);
  /* the good one after it is compared with the good one before it */
  out = test_stream_push_noise (stream, 77);
  test_check_buffer (out, &stream->info, &config, 1, what);
  {
    g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (out);
    GstGlesHistogramStatistics statistics;

    fail_unless (gst_gles_histogram_result_get_statistics (result, 0, &statistics, NULL));
    fail_unless (
        statistics.difference == 0.0 && statistics.emd == 0.0 && statistics.mad == 0.0, "%s", what);
  }
  gst_buffer_unref (out);
  out = test_stream_push_noise (stream, 78);
  gst_buffer_unref (out);
  gst_util_set_object_arg (G_OBJECT (stream->element), "on-bad-frame", "error");
  error = test_stream_push_bad (stream, frame);
  fail_unless (g_error_matches (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED), "%s: %s", what,
      error->message);
}

GST_START_TEST (test_truncated_buffers)
{
  static const gchar *formats[] = { "I420", "NV12", "RGB", "GRAY16_LE", "YUY2" };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    g_autofree gchar *caps =
        g_strdup_printf ("video/x-raw,format=%s,width=48,height=32,framerate=25/1", formats[f]);
    GstVideoInfo info;

    test_info_from_string (&info, caps);
    for (guint i = 0; i < 4; i++) {
      const gsize sizes[] = { 0, 1, GST_VIDEO_INFO_SIZE (&info) / 2,
        GST_VIDEO_INFO_SIZE (&info) - 1 };
      g_autoptr (TestStream) stream = test_stream_new ("mad=true", caps);
      GstBuffer *frame = test_frame_noise (&info, i);

      gst_buffer_set_size (frame, (gssize) sizes[i]);
      check_frame_refused (stream, frame, caps);
    }
  }
}

GST_END_TEST;

/* The descriptor of a pipe passes for memory, until it is mapped. */
GST_START_TEST (test_memory_that_cannot_be_mapped)
{
  g_autoptr (TestStream) stream = test_stream_new ("on-bad-frame=error", CAPS);
  GstAllocator *allocator = gst_fd_allocator_new ();
  GstBuffer *frame = gst_buffer_new ();
  g_autoptr (GError) error = NULL;
  gint ends[2];

  fail_unless_equals_int (pipe (ends), 0);
  gst_buffer_append_memory (frame,
      gst_fd_allocator_alloc (
          allocator, ends[0], GST_VIDEO_INFO_SIZE (&stream->info), GST_FD_MEMORY_FLAG_NONE));
  error = test_stream_push_bad (stream, frame);
  fail_unless (strstr (error->message, "in fd cannot be read as I420 of 48x32") != NULL, "%s",
      error->message);
  close (ends[1]);
  gst_object_unref (allocator);
}

GST_END_TEST;

static GstBuffer *
frame_with_layout (const GstVideoInfo *info, const gsize *offsets, const gint *strides)
{
  GstBuffer *frame = test_frame_noise (info, 1);

  gst_buffer_add_video_meta_full (frame, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (info),
      (guint) GST_VIDEO_INFO_WIDTH (info), (guint) GST_VIDEO_INFO_HEIGHT (info),
      GST_VIDEO_INFO_N_PLANES (info), (gsize *) offsets, (gint *) strides);
  return frame;
}

GST_START_TEST (test_layouts_that_cannot_be)
{
  static const struct {
    const gchar *what;
    gsize offsets[4];
    gint strides[4];
  } layouts[] = {
    { "stride smaller than a row of Y", { 0, 1536, 1920 }, { 47, 24, 24 } },
    { "stride smaller than a row of U", { 0, 1536, 1920 }, { 48, 23, 24 } },
    { "stride 0", { 0, 1536, 1920 }, { 0, 24, 24 } },
    { "negative stride", { 0, 1536, 1920 }, { -48, 24, 24 } },
    { "stride that leads out of the buffer", { 0, 1536, 1920 }, { 100, 24, 24 } },
    { "plane that leads out of the buffer", { 0, 1536, 1921 }, { 48, 24, 24 } },
    { "plane far outside", { 0, 1536, G_MAXSIZE - 10 }, { 48, 24, 24 } },
    { "huge stride", { 0, 1536, 1920 }, { G_MAXINT, G_MAXINT, G_MAXINT } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++) {
    g_autoptr (TestStream) stream = test_stream_new ("mad=true", CAPS);
    check_frame_refused (stream,
        frame_with_layout (&stream->info, layouts[i].offsets, layouts[i].strides), layouts[i].what);
  }
}

GST_END_TEST;

/* The message names the format of the meta, which may have no name. */
GST_START_TEST (test_metas_of_other_formats)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_UNKNOWN, GST_VIDEO_FORMAT_ENCODED,
    GST_VIDEO_FORMAT_RGB, (GstVideoFormat) 255 };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autoptr (TestStream) stream = test_stream_new ("mad=true", CAPS);
    GstBuffer *frame = test_frame_noise (&stream->info, 1);
    gsize offsets[GST_VIDEO_MAX_PLANES] = { 0, 1536, 1920 };
    gint strides[GST_VIDEO_MAX_PLANES] = { 48, 24, 24 };

    gst_buffer_add_video_meta_full (
        frame, GST_VIDEO_FRAME_FLAG_NONE, formats[i], 48, 32, 3, offsets, strides);
    check_frame_refused (stream, frame, "another format");
  }
}

GST_END_TEST;

GST_START_TEST (test_crops_outside_the_picture)
{
  static const guint crops[][4] = { { 0, 0, 49, 32 }, { 0, 0, 48, 33 }, { 48, 0, 1, 1 },
    { 0, 0, 0, 0 }, { 1, 0, 48, 32 }, { G_MAXUINT, 0, 2, 2 }, { 0, G_MAXUINT - 1, 48, 32 } };

  for (guint i = 0; i < G_N_ELEMENTS (crops); i++) {
    g_autoptr (TestStream) stream = test_stream_new ("mad=true", CAPS);
    GstBuffer *frame = test_frame_noise (&stream->info, 1);
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (frame);
    g_autofree gchar *what = g_strdup_printf ("crop %u", i);

    crop->x = crops[i][0];
    crop->y = crops[i][1];
    crop->width = crops[i][2];
    crop->height = crops[i][3];
    check_frame_refused (stream, frame, what);
  }
}

GST_END_TEST;

/* A frame before caps is an error of the caller and must not crash. */
GST_START_TEST (test_buffer_before_caps)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, NULL);
  GstVideoInfo info;
  GstFlowReturn flow;

  test_info_from_string (&info, CAPS);
  gst_harness_set_src_caps_str (stream->harness, CAPS);
  gst_buffer_unref (test_stream_push (stream, test_frame_noise (&info, 1)));
  /* and after a stop, when caps have to come again */
  gst_element_set_state (stream->element, GST_STATE_READY);
  gst_element_set_state (stream->element, GST_STATE_PLAYING);
  flow = gst_harness_push (stream->harness, test_frame_noise (&info, 1));
  fail_if (flow == GST_FLOW_ERROR);
}

GST_END_TEST;

static Suite *
gleshistogram_bad_suite (void)
{
  Suite *suite = suite_create ("gleshistogram-bad");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_numbers_out_of_range);
  tcase_add_test (tcase, test_regions_that_do_not_fit);
  tcase_add_test (tcase, test_grids_that_do_not_fit);
  tcase_add_test (tcase, test_too_many_counters);
  tcase_add_test (tcase, test_caps_that_are_not_supported);
  tcase_add_test (tcase, test_memory_out_of_reach);
  tcase_add_test (tcase, test_truncated_buffers);
  tcase_add_test (tcase, test_memory_that_cannot_be_mapped);
  tcase_add_test (tcase, test_layouts_that_cannot_be);
  tcase_add_test (tcase, test_metas_of_other_formats);
  tcase_add_test (tcase, test_crops_outside_the_picture);
  tcase_add_test (tcase, test_buffer_before_caps);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, gleshistogram_bad_suite);
}
