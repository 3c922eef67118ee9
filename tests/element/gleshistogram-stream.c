/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gleshistogram on streams with events: new caps, flushes, stops, and
 * properties that change while playing. Several analysers and writers between them, frames-reuse.c
 * tests; what results do on their way, metadata.py; seeks, states.c; the end, analyzers-drain.c. */
#include "gleshistogram-common.h"

/* How much the frame differs from the one before, by its result. */
static gdouble
push_and_get_difference (TestStream *stream)
{
  g_autoptr (GstGlesHistogramResult) result = test_stream_push_for_result (
      stream, test_frame_noise (&stream->info, (guint32) stream->n_pushed));
  GstGlesHistogramStatistics statistics;

  fail_unless (gst_gles_histogram_result_get_statistics (result, 0, &statistics, NULL));
  return statistics.difference;
}

/* Other tags describe the same samples: frames go on being compared, with mad too. */
GST_START_TEST (test_tags_change_mid_stream)
{
  static const gchar *const tags[] = { "colorimetry=bt709", "colorimetry=bt601", "framerate=30/1",
    "chroma-site=mpeg2,pixel-aspect-ratio=4/3" };
  static const gchar *const formats[] = { "I420", "RGB", "GRAY16_LE" };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    g_autoptr (TestStream) stream = test_stream_new ("mad=true mad-noise=1 validate=true", NULL);

    for (guint i = 0; i < 8; i++) {
      g_autofree gchar *caps = g_strdup_printf (
          "video/x-raw,format=%s,width=48,height=32,%s", formats[f], tags[i % G_N_ELEMENTS (tags)]);
      g_autoptr (GstGlesHistogramResult) result = NULL;
      GstGlesHistogramStatistics statistics;

      test_stream_set_caps (stream, caps);
      result = test_stream_push_for_result (stream, test_frame_noise (&stream->info, i % 2));
      fail_unless (gst_gles_histogram_result_get_statistics (result, 0, &statistics, NULL));
      fail_unless_equals_int (statistics.difference > 0.0, i > 0);
      /* the first frame stays the reference of mad, with this noise */
      fail_unless_equals_int (statistics.mad > 0.0, i % 2 == 1);
    }
  }
}

GST_END_TEST;

GST_START_TEST (test_caps_change_mid_stream)
{
  static const gchar *const caps[] = { TEST_CAPS,
    "video/x-raw,format=I420,width=64,height=20,framerate=25/1",
    "video/x-raw,format=NV12,width=64,height=20,framerate=25/1",
    "video/x-raw,format=RGB,width=9,height=7,framerate=25/1",
    "video/x-raw,format=GRAY16_LE,width=200,height=3,framerate=25/1",
    "video/x-raw,format=I420,width=48,height=34,framerate=30/1" };
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream = test_stream_new (NULL, NULL);

  for (guint i = 0; i < 12; i++) {
    test_stream_set_caps (stream, caps[i % G_N_ELEMENTS (caps)]);
    /* the frame before had other caps: nothing to compare with */
    fail_unless_equals_float (push_and_get_difference (stream), 0.0);
    test_stream_check_noise (stream, &config, 2 * i + 1, caps[i % G_N_ELEMENTS (caps)]);
  }
}

GST_END_TEST;

/* Numbers, interval and differences begin anew with a flush; results that were out before stay what
 * they are. A flush of nothing, before caps, discards nothing. */
GST_START_TEST (test_flush)
{
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream = test_stream_new ("interval=2", NULL);
  g_autoptr (GstBuffer) kept = NULL;

  test_stream_push_event (stream, gst_event_new_flush_start ());
  test_stream_push_event (stream, gst_event_new_flush_stop (TRUE));
  test_stream_set_caps (stream, TEST_CAPS);
  test_stream_flush (stream);
  kept = test_stream_push_noise (stream, 99);
  for (guint round = 0; round < 8; round++) {
    test_stream_flush (stream);
    fail_unless_equals_float (push_and_get_difference (stream), 0.0);
    gst_buffer_unref (test_stream_push_noise (stream, 2));
    fail_unless (push_and_get_difference (stream) > 0.0);
    gst_buffer_unref (test_stream_push_noise (stream, 4));
    test_stream_check_noise (stream, &config, 2, "after a flush");
  }
  test_check_buffer (kept, &stream->info, &config, 0, "before the flush");
}

GST_END_TEST;

/* Numbers and stats begin anew with each start, from NULL or READY. A frame before caps, which have
 * to come again, is an error of the caller and must not crash. */
GST_START_TEST (test_restart)
{
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream = test_stream_new (NULL, TEST_CAPS);

  for (guint round = 0; round < 4; round++) {
    g_autoptr (GstBuffer) early = NULL;

    for (guint i = 0; i < 6; i++)
      test_stream_check_noise (stream, &config, i, "after a start");
    fail_unless_equals_uint64 (test_get_stat (stream->element, "frames"), 6);
    gst_element_set_state (stream->element, round % 2 == 0 ? GST_STATE_READY : GST_STATE_NULL);
    gst_element_set_state (stream->element, GST_STATE_PLAYING);
    fail_if (
        gst_harness_push (stream->harness, test_frame_noise (&stream->info, 1)) == GST_FLOW_ERROR);
    early = gst_harness_try_pull (stream->harness);
    test_stream_restart (stream, round % 2 == 0 ? GST_STATE_READY : GST_STATE_NULL);
    fail_unless_equals_uint64 (test_get_stat (stream->element, "frames"), 0);
    fail_unless_equals_float (push_and_get_difference (stream), 0.0);
    test_stream_restart (stream, GST_STATE_READY);
  }
}

GST_END_TEST;

/* ---- properties that change while frames come ---- */

#define N_CHANGES 300

typedef struct {
  GstElement *element;
  gint stop;      /* atomic */
  gint n_changes; /* atomic */
} Changer;

static gpointer
change_until_told (gpointer data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  Changer *changer = data;

  while (!g_atomic_int_get (&changer->stop)) {
    g_autofree gchar *description = NULL;
    g_autoptr (GstStructure) stats = NULL;

    test_change_something (changer->element, rand);
    g_atomic_int_inc (&changer->n_changes);
    g_object_get (changer->element, "stats", &stats, "device-description", &description, NULL);
    g_usleep (g_rand_int_range (rand, 0, 1000));
  }
  return NULL;
}

/* Pushes a frame. If its result can be read, it is right for the settings that it names: (transfer
 * full) (nullable). */
static GstGlesHistogramResult *
push_and_check (TestStream *stream, guint number)
{
  g_autoptr (GstBuffer) out = test_stream_push_noise (stream, number);
  GstGlesHistogramResult *result = gst_gles_histogram_result_from_buffer (out);
  TestConfig config;

  if (result == NULL || !gst_gles_histogram_result_wait (result, G_MAXUINT64, NULL))
    return result;
  config = test_config_of (result);
  test_check_buffer (
      out, &stream->info, &config, gst_gles_histogram_result_get_frame (result)->number, "changed");
  return result;
}

/* A result with the current settings: always with interval=1, and never without attach-meta. */
static void
check_settings (GstElement *element, GstGlesHistogramResult *result)
{
  g_autofree gchar *region = NULL, *got_region = NULL;
  guint bins, columns, rows, interval;
  gint luma, attach, readback;
  TestConfig got;

  g_object_get (element, "bins", &bins, "channels", &luma, "grid-columns", &columns, "grid-rows",
      &rows, "region", &region, "attach-meta", &attach, "readback", &readback, "interval",
      &interval, NULL);
  fail_unless (attach ? interval > 1 || result != NULL : result == NULL);
  if (result == NULL)
    return;
  got = test_config_of (result);
  fail_unless (got.bins == bins && got.luma == luma && got.columns == columns && got.rows == rows);
  got_region = g_strdup_printf ("<%u,%u,%u,%u>", got.x, got.y, got.width, got.height);
  fail_unless (g_str_equal (region, got_region) || (g_str_equal (region, "<>") && got.width >= 48));
  fail_unless_equals_int (gst_gles_histogram_result_is_ready (result), readback);
}

GST_START_TEST (test_properties_change_between_frames)
{
  static const gchar *const caps[] = { TEST_CAPS,
    "video/x-raw,format=RGB,width=50,height=33,framerate=25/1" };
  g_autoptr (TestStream) stream = test_stream_new (NULL, TEST_CAPS);
  g_autoptr (GRand) rand = g_rand_new_with_seed (20240229);
  guint n_results = 0;

  for (guint i = 0; i < N_CHANGES; i++) {
    g_autoptr (GstGlesHistogramResult) result = NULL;

    test_change_something (stream->element, rand);
    if (i % 50 == 49)
      test_stream_set_caps (stream, caps[i / 50 % G_N_ELEMENTS (caps)]);
    result = push_and_check (stream, i);
    check_settings (stream->element, result);
    n_results += result != NULL;
  }
  fail_unless (n_results > N_CHANGES / 4, "%u results", n_results);
}

GST_END_TEST;

GST_START_TEST (test_properties_change_while_frames_come)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, TEST_CAPS);
  Changer changer = { stream->element, FALSE, 0 };
  GThread *thread = g_thread_new ("changer", change_until_told, &changer);
  guint n_results = 0;

  for (guint i = 0; i < N_CHANGES || g_atomic_int_get (&changer.n_changes) < N_CHANGES; i++) {
    g_autoptr (GstGlesHistogramResult) result = push_and_check (stream, i);
    n_results += result != NULL;
  }
  g_atomic_int_set (&changer.stop, TRUE);
  g_thread_join (thread);
  fail_unless (n_results > 0);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_tags_change_mid_stream);
  tcase_add_test (tcase, test_caps_change_mid_stream);
  tcase_add_test (tcase, test_flush);
  tcase_add_test (tcase, test_restart);
  tcase_add_test (tcase, test_properties_change_between_frames);
  tcase_add_test (tcase, test_properties_change_while_frames_come);
}

TEST_MAIN (add_tests)
