/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gleshistogram among other elements: several of them, branches, starts and stops, which elements
 * keep its results, and how long results can be kept. */
#include "gleshistogram-common.h"

#define CAPS "video/x-raw,format=I420,width=48,height=32,framerate=25/1"

static GstElement *pipeline_new (const gchar *format, ...) G_GNUC_PRINTF (1, 2);

static GstElement *
pipeline_new (const gchar *format, ...)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline;
  va_list arguments;
  gchar *line;

  va_start (arguments, format);
  line = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  pipeline = gst_parse_launch (line, &error);
  test_no_error (error);
  g_free (line);
  return pipeline;
}

static void
pipeline_free (GstElement *pipeline)
{
  fail_unless_equals_int (
      gst_element_set_state (pipeline, GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
  gst_object_unref (pipeline);
}

/* Waits for EOS; an error is a failure. */
static void
wait_for_eos (GstElement *pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message =
      gst_bus_timed_pop_filtered (bus, 100 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);

  fail_unless (message != NULL, "the pipeline does not end");
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    g_autoptr (GError) error = NULL;
    gst_message_parse_error (message, &error, NULL);
    test_no_error (error);
  }
  gst_message_unref (message);
  gst_object_unref (bus);
}

/* (transfer full) (nullable): NULL at EOS */
static GstSample *
pull (GstElement *pipeline, const gchar *name)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstSample *sample = NULL;

  g_signal_emit_by_name (sink, "try-pull-sample", (guint64) (100 * GST_SECOND), &sample);
  gst_object_unref (sink);
  return sample;
}

static void
check_sample (GstSample *sample, const TestConfig *config, guint64 frame, const gchar *what)
{
  GstVideoInfo info;

  fail_unless (sample != NULL, "%s: no frame", what);
  fail_unless (gst_video_info_from_caps (&info, gst_sample_get_caps (sample)));
  test_check_buffer (gst_sample_get_buffer (sample), &info, config, frame, what);
}

static guint
count_results (GstBuffer *buffer)
{
  return gst_buffer_get_n_meta (buffer, GST_GLES_HISTOGRAM_META_API_TYPE);
}

/* ---- several ---- */

GST_START_TEST (test_ten_in_a_row)
{
  GString *line = g_string_new ("videotestsrc pattern=snow num-buffers=5 ! " CAPS);
  GstElement *pipeline;

  for (guint i = 0; i < 10; i++)
    g_string_append_printf (line, " ! gleshistogram device=%s bins=%u grid-columns=%u",
        test_device (), 16 + i, 1 + i % 3);
  g_string_append (line, " ! appsink name=sink sync=false");
  pipeline = gst_parse_launch (line->str, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint frame = 0; frame < 5; frame++) {
    GstSample *sample = pull (pipeline, "sink");
    GstBuffer *buffer = gst_sample_get_buffer (sample);
    gpointer state = NULL;
    GstVideoInfo info;

    fail_unless_equals_int (count_results (buffer), 10);
    fail_unless (gst_video_info_from_caps (&info, gst_sample_get_caps (sample)));
    for (guint i = 0; i < 10; i++) {
      const TestConfig config = { .bins = 16 + i, .columns = 1 + i % 3 };
      GstMeta *meta =
          gst_buffer_iterate_meta_filtered (buffer, &state, GST_GLES_HISTOGRAM_META_API_TYPE);
      g_autoptr (TestExpected) expected = test_expect (buffer, &info, &config);
      /* The first frame has no earlier one; statistics of the others are not compared. */
      if (frame == 0)
        test_check_result (((GstGlesHistogramMeta *) meta)->result, expected, NULL, "ten");
      fail_unless_equals_int (
          gst_gles_histogram_result_get_bins (((GstGlesHistogramMeta *) meta)->result), 16 + i);
    }
    gst_sample_unref (sample);
  }
  pipeline_free (pipeline);
  g_string_free (line, TRUE);
}

GST_END_TEST;

GST_START_TEST (test_tee)
{
  const TestConfig left = { .bins = 16 }, right = { .bins = 32, .luma = TRUE };
  GstElement *pipeline = pipeline_new (
      "videotestsrc pattern=snow num-buffers=20 ! " CAPS " ! tee name=t "
      "t. ! queue ! gleshistogram device=%s bins=16 ! appsink name=left sync=false "
      "t. ! queue ! gleshistogram device=%s bins=32 channels=luma ! appsink name=right sync=false",
      test_device (), test_device ());

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < 20; i++) {
    GstSample *a = pull (pipeline, "left"), *b = pull (pipeline, "right");

    check_sample (a, &left, i, "left");
    check_sample (b, &right, i, "right");
    fail_unless_equals_int (count_results (gst_sample_get_buffer (a)), 1);
    fail_unless_equals_int (count_results (gst_sample_get_buffer (b)), 1);
    gst_sample_unref (a);
    gst_sample_unref (b);
  }
  pipeline_free (pipeline);
}

GST_END_TEST;

static gpointer
run_pipeline (gpointer data)
{
  const TestConfig config = { .columns = 1 + GPOINTER_TO_UINT (data) };
  GstElement *pipeline = pipeline_new ("videotestsrc pattern=snow num-buffers=25 ! " CAPS " ! "
                                       "gleshistogram device=%s grid-columns=%u ! "
                                       "appsink name=sink sync=false",
      test_device (), config.columns);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < 25; i++) {
    GstSample *sample = pull (pipeline, "sink");
    check_sample (sample, &config, i, "parallel");
    gst_sample_unref (sample);
  }
  pipeline_free (pipeline);
  return NULL;
}

GST_START_TEST (test_eight_in_parallel)
{
  GThread *threads[8];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("pipeline", run_pipeline, GUINT_TO_POINTER (i));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

GST_END_TEST;

/* ---- starts and stops ---- */

GST_START_TEST (test_hundred_starts)
{
  GstElement *pipeline = pipeline_new (
      "videotestsrc ! " CAPS " ! gleshistogram device=%s post-messages=true ! fakesink sync=false",
      test_device ());

  for (guint i = 0; i < 100; i++) {
    fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
    /* every fourth is stopped while it is still on its way up */
    if (i % 4 != 0)
      fail_unless_equals_int (
          gst_element_get_state (pipeline, NULL, NULL, 60 * GST_SECOND), GST_STATE_CHANGE_SUCCESS);
    fail_unless_equals_int (
        gst_element_set_state (pipeline, i % 3 == 0 ? GST_STATE_READY : GST_STATE_NULL),
        GST_STATE_CHANGE_SUCCESS);
  }
  pipeline_free (pipeline);
}

GST_END_TEST;

/* numbers and stats begin anew with each start, from NULL or READY */
GST_START_TEST (test_restart)
{
  GstElement *pipeline =
      pipeline_new ("videotestsrc pattern=snow num-buffers=6 ! " CAPS
                    " ! gleshistogram name=h device=%s post-messages=true ! fakesink sync=false",
          test_device ());
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), "h");
  GstBus *bus = gst_element_get_bus (pipeline);

  for (guint round = 0; round < 4; round++) {
    GstStructure *stats = NULL;
    guint64 number;

    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    for (guint i = 0; i < 6; i++) {
      GstMessage *message = gst_bus_timed_pop_filtered (
          bus, 60 * GST_SECOND, GST_MESSAGE_ELEMENT | GST_MESSAGE_ERROR);
      fail_unless (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT);
      fail_unless (
          gst_structure_get_uint64 (gst_message_get_structure (message), "frame", &number));
      fail_unless_equals_uint64 (number, i);
      gst_message_unref (message);
    }
    wait_for_eos (pipeline);
    g_object_get (element, "stats", &stats, NULL);
    fail_unless (gst_structure_get_uint64 (stats, "frames", &number));
    fail_unless_equals_uint64 (number, 6);
    gst_structure_free (stats);
    gst_element_set_state (pipeline, round % 2 == 0 ? GST_STATE_READY : GST_STATE_NULL);
  }
  gst_object_unref (bus);
  gst_object_unref (element);
  pipeline_free (pipeline);
}

GST_END_TEST;

/* ---- results on their way ---- */

/* Runs frames through gleshistogram and @rest. The output carries the results of the input. */
static void
check_survival (const gchar *rest)
{
  const TestConfig config = { .bins = 50 };
  GstElement *pipeline = pipeline_new (
      "videotestsrc pattern=snow num-buffers=8 ! " CAPS " ! tee name=t "
      "t. ! queue max-size-buffers=100 ! appsink name=raw sync=false "
      "t. ! queue ! gleshistogram device=%s bins=50 ! %s ! appsink name=out sync=false",
      test_device (), rest);
  guint n = 0;
  GstSample *out;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((out = pull (pipeline, "out")) != NULL) {
    g_autoptr (GstGlesHistogramResult) result =
        gst_gles_histogram_result_from_buffer (gst_sample_get_buffer (out));
    GstSample *raw = pull (pipeline, "raw");
    g_autoptr (TestExpected) expected = NULL;
    const guint32 *counts;
    GstVideoInfo info;
    guint n_bins;

    fail_unless (result != NULL, "%s: the result is lost", rest);
    fail_unless_equals_int (count_results (gst_sample_get_buffer (out)), 1);
    fail_unless (gst_video_info_from_caps (&info, gst_sample_get_caps (raw)));
    expected = test_expect (gst_sample_get_buffer (raw), &info, &config);
    fail_unless_equals_uint64 (gst_gles_histogram_result_get_frame_number (result), n);
    fail_unless_equals_int (gst_gles_histogram_result_get_format (result), GST_VIDEO_FORMAT_I420);
    counts = gst_gles_histogram_result_get_counts (result, 0, 0, &n_bins, NULL);
    fail_unless_equals_int (n_bins, 50);
    fail_unless (memcmp (counts, expected->counts[0], n_bins * sizeof (guint32)) == 0,
        "%s: frame %u has another frame's result", rest, n);
    gst_sample_unref (raw);
    gst_sample_unref (out);
    n++;
  }
  fail_unless_equals_int (n, 8);
  pipeline_free (pipeline);
}

GST_START_TEST (test_results_survive_queue)
{
  check_survival ("queue ! identity ! queue");
}

GST_END_TEST;

GST_START_TEST (test_results_survive_conversion)
{
  check_survival ("videoconvert ! video/x-raw,format=BGRA");
  check_survival ("videoscale ! video/x-raw,width=100,height=20");
  check_survival ("videoconvert ! videoscale ! video/x-raw,format=RGB,width=10,height=70 ! queue");
}

GST_END_TEST;

static gboolean
has_element (const gchar *name)
{
  GstElementFactory *factory = gst_element_factory_find (name);
  gboolean found = factory != NULL;

  gst_clear_object (&factory);
  return found;
}

GST_START_TEST (test_results_survive_encoders)
{
  static const struct {
    const gchar *element, *line;
  } encoders[] = { { "jpegenc", "jpegenc" }, { "x264enc", "x264enc tune=zerolatency" },
    { "openh264enc", "openh264enc" }, { "pngenc", "videoconvert ! pngenc" },
    { "avenc_mpeg4", "avenc_mpeg4" } };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (encoders); i++) {
    if (!has_element (encoders[i].element))
      continue;
    GST_INFO ("with %s", encoders[i].element);
    check_survival (encoders[i].line);
    n++;
  }
  if (n == 0)
    g_print ("# no encoder is installed: nothing was tried\n");
}

GST_END_TEST;

/* ---- who may keep results ---- */

#define N_KEPT 300

GST_START_TEST (test_queue_of_300)
{
  const TestConfig config = { 0 };
  GstElement *pipeline =
      pipeline_new ("videotestsrc pattern=snow num-buffers=320 ! " CAPS " ! "
                    "gleshistogram device=%s ! "
                    "queue name=q max-size-buffers=300 max-size-bytes=0 max-size-time=0 ! "
                    "appsink name=sink sync=false max-buffers=1",
          test_device ());
  GstElement *queue = gst_bin_get_by_name (GST_BIN (pipeline), "q");
  gint64 end = g_get_monotonic_time () + 100 * G_TIME_SPAN_SECOND;
  guint level = 0;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (level < N_KEPT && g_get_monotonic_time () < end) {
    g_usleep (2000);
    g_object_get (queue, "current-level-buffers", &level, NULL);
  }
  fail_unless_equals_int (level, N_KEPT);
  for (guint i = 0; i < 320; i++) {
    GstSample *sample = pull (pipeline, "sink");
    check_sample (sample, &config, i, "queue of 300");
    gst_sample_unref (sample);
  }
  gst_object_unref (queue);
  pipeline_free (pipeline);
}

GST_END_TEST;

/* kept frames can be read when the pipeline that made them is gone */
GST_START_TEST (test_kept_results)
{
  const TestConfig config = { 0 };
  GstElement *pipeline = pipeline_new ("videotestsrc pattern=snow num-buffers=300 ! " CAPS " ! "
                                       "gleshistogram device=%s ! appsink name=sink sync=false",
      test_device ());
  GstSample *kept[N_KEPT];

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < N_KEPT; i++) {
    kept[i] = pull (pipeline, "sink");
    fail_unless (kept[i] != NULL, "stalled at frame %u", i);
  }
  wait_for_eos (pipeline);
  pipeline_free (pipeline);
  for (guint i = 0; i < N_KEPT; i++) {
    check_sample (kept[i], &config, i, "kept");
    gst_sample_unref (kept[i]);
  }
}

GST_END_TEST;

/* A downstream element that writes into the picture must not change the counts. */
GST_START_TEST (test_in_place_elements_behind)
{
  const TestConfig config = { .luma = TRUE };
  g_autofree gchar *line = g_strdup_printf ("gleshistogram device=%s channels=luma ! videobalance "
                                            "brightness=0.5 contrast=0.4 saturation=0.1",
      test_device ());
  GstHarness *harness = gst_harness_new_parse (line);
  GstBuffer *before[40], *after[40];
  GstVideoInfo info;

  test_info_from_string (&info, "video/x-raw,format=I420,width=640,height=360,framerate=25/1");
  gst_harness_set_src_caps (harness, gst_video_info_to_caps (&info));
  for (guint i = 0; i < G_N_ELEMENTS (after); i++) {
    GstBuffer *frame = test_frame_noise (&info, i);
    before[i] = gst_buffer_copy_deep (frame);
    after[i] = gst_harness_push_and_pull (harness, frame);
    fail_unless (after[i] != NULL);
  }
  for (guint i = 0; i < G_N_ELEMENTS (after); i++) {
    g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (after[i]);
    g_autoptr (TestExpected) expected = test_expect (before[i], &info, &config);
    g_autoptr (TestExpected) changed = test_expect (after[i], &info, &config);
    guint n;

    fail_unless (memcmp (changed->native[0], expected->native[0], 256 * 4) != 0,
        "videobalance did nothing: this test cannot fail");
    fail_unless (memcmp (gst_gles_histogram_result_get_native_counts (result, 0, &n, NULL),
                     expected->native[0], 256 * 4) == 0,
        "frame %u was counted after videobalance", i);
    gst_buffer_unref (before[i]);
    gst_buffer_unref (after[i]);
  }
  gst_harness_teardown (harness);
}

GST_END_TEST;

static Suite *
gleshistogram_pipelines_suite (void)
{
  Suite *suite = suite_create ("gleshistogram-pipelines");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_ten_in_a_row);
  tcase_add_test (tcase, test_tee);
  tcase_add_test (tcase, test_eight_in_parallel);
  tcase_add_test (tcase, test_hundred_starts);
  tcase_add_test (tcase, test_restart);
  tcase_add_test (tcase, test_results_survive_queue);
  tcase_add_test (tcase, test_results_survive_conversion);
  tcase_add_test (tcase, test_results_survive_encoders);
  tcase_add_test (tcase, test_queue_of_300);
  tcase_add_test (tcase, test_kept_results);
  tcase_add_test (tcase, test_in_place_elements_behind);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, gleshistogram_pipelines_suite);
}
