/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gleshistogram on streams with events: new caps, flushes, seeks, gaps, EOS, and properties that
 * change while playing. */
#include "gleshistogram-common.h"

#define CAPS "video/x-raw,format=I420,width=48,height=32,framerate=25/1"

static void
push_and_check (
    TestStream *stream, const TestConfig *config, guint64 frame, guint32 seed, const gchar *what)
{
  GstBuffer *out = test_stream_push_noise (stream, seed);

  test_check_buffer (out, &stream->info, config, frame, what);
  gst_buffer_unref (out);
}

/* How much the frame differs from the one before, by its result. */
static gdouble
push_and_get_difference (TestStream *stream, guint32 seed)
{
  GstBuffer *out = test_stream_push_noise (stream, seed);
  g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (out);
  GstGlesHistogramStatistics statistics;

  fail_unless (gst_gles_histogram_result_get_statistics (result, 0, &statistics, NULL));
  gst_buffer_unref (out);
  return statistics.difference;
}

GST_START_TEST (test_caps_change_mid_stream)
{
  static const gchar *caps[] = { "video/x-raw,format=I420,width=48,height=32,framerate=25/1",
    "video/x-raw,format=I420,width=64,height=20,framerate=25/1",
    "video/x-raw,format=NV12,width=64,height=20,framerate=25/1",
    "video/x-raw,format=RGB,width=9,height=7,framerate=25/1",
    "video/x-raw,format=GRAY16_LE,width=200,height=3,framerate=25/1",
    "video/x-raw,format=I420,width=48,height=32,framerate=30/1" };
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream = test_stream_new ("post-messages=true", NULL);
  guint n_messages = 0;
  GstMessage *message;

  for (guint i = 0; i < 12; i++) {
    test_stream_set_caps (stream, caps[i % G_N_ELEMENTS (caps)]);
    /* the frame before had other caps: nothing to compare with */
    fail_unless_equals_float (push_and_get_difference (stream, 2 * i), 0.0);
    push_and_check (stream, &config, 2 * i + 1, 2 * i + 1, caps[i % G_N_ELEMENTS (caps)]);
  }
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_eos ()));
  while ((message = test_stream_pop_message (stream)) != NULL) {
    n_messages++;
    gst_message_unref (message);
  }
  fail_unless_equals_int (n_messages, 24);
}

GST_END_TEST;

static void
flush (TestStream *stream)
{
  GstSegment segment;

  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_segment (&segment)));
}

GST_START_TEST (test_flush)
{
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream = test_stream_new ("interval=2 post-messages=true", CAPS);

  for (guint round = 0; round < 3; round++) {
    /* numbers, interval and differences begin anew */
    fail_unless_equals_float (push_and_get_difference (stream, 1), 0.0);
    gst_buffer_unref (test_stream_push_noise (stream, 2));
    fail_unless (push_and_get_difference (stream, 3) > 0.0);
    gst_buffer_unref (test_stream_push_noise (stream, 4));
    push_and_check (stream, &config, 2, 5, "after a flush");
    flush (stream);
  }
}

GST_END_TEST;

typedef struct {
  GMutex lock;
  GCond cond;
  guint n_messages;
  gboolean closed; /* messages wait */
} Gate;

static GstBusSyncReply
pass_gate (GstBus *bus, GstMessage *message, gpointer data)
{
  Gate *gate = data;

  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_ELEMENT)
    return GST_BUS_PASS;
  g_mutex_lock (&gate->lock);
  gate->n_messages++;
  g_cond_broadcast (&gate->cond);
  while (gate->closed)
    g_cond_wait (&gate->cond, &gate->lock);
  g_mutex_unlock (&gate->lock);
  return GST_BUS_PASS;
}

static void
gate_set (Gate *gate, gboolean closed)
{
  g_mutex_lock (&gate->lock);
  gate->closed = closed;
  g_cond_broadcast (&gate->cond);
  g_mutex_unlock (&gate->lock);
}

/* While the element's thread is held in the first message, a flush does not wait for it, and later
 * messages are dropped. */
GST_START_TEST (test_flush_discards_messages)
{
  g_autoptr (TestStream) stream = test_stream_new ("post-messages=true", CAPS);
  Gate gate = { .closed = TRUE };

  g_mutex_init (&gate.lock);
  g_cond_init (&gate.cond);
  gst_bus_set_sync_handler (stream->bus, pass_gate, &gate, NULL);
  for (guint i = 0; i < 10; i++)
    gst_buffer_unref (test_stream_push_noise (stream, i));
  g_mutex_lock (&gate.lock);
  while (gate.n_messages == 0)
    g_cond_wait (&gate.cond, &gate.lock);
  g_mutex_unlock (&gate.lock);
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_flush_start ()));
  gate_set (&gate, FALSE);
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_flush_stop (TRUE)));
  fail_unless_equals_int (gate.n_messages, 1);

  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_eos ()));
  fail_unless_equals_int (gate.n_messages, 1);
  gst_bus_set_sync_handler (stream->bus, NULL, NULL, NULL);
  g_mutex_clear (&gate.lock);
  g_cond_clear (&gate.cond);
}

GST_END_TEST;

/* a flush without a frame, twice over, before caps: nothing to discard */
GST_START_TEST (test_flush_of_nothing)
{
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream = test_stream_new (NULL, NULL);

  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_flush_stop (TRUE)));
  test_stream_set_caps (stream, CAPS);
  flush (stream);
  push_and_check (stream, &config, 0, 1, "after flushes");
}

GST_END_TEST;

/* results that were out before the flush stay what they are */
GST_START_TEST (test_results_outlive_a_flush)
{
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream = test_stream_new (NULL, CAPS);
  GstBuffer *kept = test_stream_push_noise (stream, 1);

  flush (stream);
  for (guint i = 0; i < 20; i++)
    push_and_check (stream, &config, i, i, "after a flush");
  test_check_buffer (kept, &stream->info, &config, 0, "before the flush");
  gst_buffer_unref (kept);
}

GST_END_TEST;

GST_START_TEST (test_gaps)
{
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream = test_stream_new ("interval=2", CAPS);
  GstEvent *event;

  push_and_check (stream, &config, 0, 1, "before gaps");
  for (guint i = 0; i < 3; i++) {
    GstBuffer *gap = gst_buffer_new ();
    GstBuffer *out;

    GST_BUFFER_FLAG_SET (gap, GST_BUFFER_FLAG_GAP);
    out = test_stream_push (stream, gap);
    fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_GAP));
    fail_unless (gst_buffer_get_gles_histogram_meta (out) == NULL);
    gst_buffer_unref (out);
  }
  fail_unless (gst_harness_push_event (
      stream->harness, gst_event_new_gap (4 * TEST_FRAME_DURATION, TEST_FRAME_DURATION)));
  while ((event = gst_harness_try_pull_event (stream->harness)) != NULL &&
      GST_EVENT_TYPE (event) != GST_EVENT_GAP)
    gst_event_unref (event);
  fail_unless (event != NULL);
  gst_event_unref (event);
  /* The property "interval" does not count a gap. */
  gst_buffer_unref (test_stream_push_noise (stream, 5));
  push_and_check (stream, &config, 1, 6, "after gaps");
}

GST_END_TEST;

/* Downstream elements decide how pictures are stored, so a decoder need not copy for this
 * element. */
GST_START_TEST (test_allocation_is_asked_behind)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, CAPS);
  GstPad *pad = gst_element_get_static_pad (stream->element, "sink");
  GstCaps *caps = gst_pad_get_current_caps (pad);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);

  /* If downstream does not know GstVideoMeta, it is not offered upstream. */
  fail_unless (gst_pad_query (pad, query));
  fail_if (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
  gst_query_unref (query);

  gst_harness_add_propose_allocation_meta (stream->harness, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_add_propose_allocation_meta (
      stream->harness, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE, NULL);
  query = gst_query_new_allocation (caps, TRUE);
  fail_unless (gst_pad_query (pad, query));
  fail_unless (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
  fail_unless (
      gst_query_find_allocation_meta (query, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE, NULL));
  gst_query_unref (query);
  gst_caps_unref (caps);
  gst_object_unref (pad);
}

GST_END_TEST;

/* other flags and metas pass */
GST_START_TEST (test_buffers_keep_what_they_carry)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, CAPS);
  GstBuffer *frame = test_frame_noise (&stream->info, 1);
  GstBuffer *out;

  GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_DISCONT | GST_BUFFER_FLAG_MARKER);
  GST_BUFFER_OFFSET (frame) = 77;
  gst_buffer_add_video_region_of_interest_meta (frame, "thing", 1, 2, 3, 4);
  out = test_stream_push (stream, gst_buffer_ref (frame));
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_DISCONT));
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_MARKER));
  fail_unless_equals_uint64 (GST_BUFFER_OFFSET (out), 77);
  fail_unless (gst_buffer_get_video_region_of_interest_meta (out) != NULL);
  gst_buffer_unref (out);
  gst_buffer_unref (frame);
}

GST_END_TEST;

/* ---- properties that change while frames come ---- */

#define N_CHANGES 300

/* in turns: every result is that of the settings when its frame came */
GST_START_TEST (test_properties_change_between_frames)
{
  static const gchar *caps[] = { CAPS, "video/x-raw,format=RGB,width=50,height=33,framerate=25/1" };
  g_autoptr (TestStream) stream = test_stream_new (NULL, CAPS);
  TestSettings now = { .interval = 1, .attach_meta = TRUE, .readback = TRUE };
  GRand *rand = g_rand_new_with_seed (20240229);
  guint n_checked = 0;

  for (guint i = 0; i < N_CHANGES; i++) {
    GstBuffer *out;

    test_change_something (stream->element, rand, &now);
    if (i % 50 == 49)
      test_stream_set_caps (stream, caps[i / 50 % G_N_ELEMENTS (caps)]);
    out = test_stream_push_noise (stream, i);
    if (!now.attach_meta)
      fail_unless (gst_buffer_get_gles_histogram_meta (out) == NULL);
    if (now.interval == 1 && now.attach_meta)
      fail_unless (gst_buffer_get_gles_histogram_meta (out) != NULL);
    if (gst_buffer_get_gles_histogram_meta (out) != NULL && now.readback) {
      g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (out);
      g_autofree gchar *what = g_strdup_printf ("change %u", i);
      test_check_buffer (out, &stream->info, &now.config,
          gst_gles_histogram_result_get_frame_number (result), what);
      n_checked++;
    }
    gst_buffer_unref (out);
  }
  fail_unless (n_checked > N_CHANGES / 4, "%u results", n_checked);
  g_rand_free (rand);
}

GST_END_TEST;

typedef struct {
  GstElement *element;
  gint stop;      /* atomic */
  gint n_changes; /* atomic */
} Changer;

static gpointer
change_until_told (gpointer data)
{
  Changer *changer = data;
  GRand *rand = g_rand_new_with_seed (7);
  TestSettings ignored = { 0 };

  while (!g_atomic_int_get (&changer->stop)) {
    g_autofree gchar *description = NULL;
    GstStructure *stats = NULL;

    test_change_something (changer->element, rand, &ignored);
    g_atomic_int_inc (&changer->n_changes);
    g_object_get (changer->element, "stats", &stats, "device-description", &description, NULL);
    gst_structure_free (stats);
    g_usleep (g_rand_int_range (rand, 0, 1000));
  }
  g_rand_free (rand);
  return NULL;
}

/* Changed from another thread: every result is right for the settings that it names. */
GST_START_TEST (test_properties_change_while_frames_come)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, CAPS);
  Changer changer = { stream->element, FALSE, 0 };
  GThread *thread = g_thread_new ("changer", change_until_told, &changer);
  guint n_checked = 0;

  for (guint i = 0; i < N_CHANGES || g_atomic_int_get (&changer.n_changes) < N_CHANGES; i++) {
    GstBuffer *out = test_stream_push_noise (stream, i);
    g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (out);

    if (result != NULL && gst_gles_histogram_result_wait (result, G_MAXUINT64, NULL)) {
      const TestConfig config = test_config_of (result);
      test_check_buffer (out, &stream->info, &config,
          gst_gles_histogram_result_get_frame_number (result), "changed by another thread");
      n_checked++;
    }
    gst_buffer_unref (out);
  }
  g_atomic_int_set (&changer.stop, TRUE);
  g_thread_join (thread);
  fail_unless (n_checked > 0);
}

GST_END_TEST;

/* ---- in a pipeline ---- */

static GstSample *
pull_sample (GstElement *sink)
{
  GstSample *sample = NULL;

  g_signal_emit_by_name (sink, "try-pull-sample", (guint64) (60 * GST_SECOND), &sample);
  return sample;
}

static void
check_sample (GstSample *sample, guint64 frame, GstClockTime pts)
{
  const TestConfig config = { 0 };
  GstVideoInfo info;

  fail_unless (sample != NULL);
  fail_unless (gst_video_info_from_caps (&info, gst_sample_get_caps (sample)));
  test_check_buffer (gst_sample_get_buffer (sample), &info, &config, frame, "pipeline");
  fail_unless_equals_clocktime (GST_BUFFER_PTS (gst_sample_get_buffer (sample)), pts);
  gst_sample_unref (sample);
}

GST_START_TEST (test_seek)
{
  static const GstClockTime places[] = { 5 * GST_SECOND, 0, GST_SECOND };
  g_autofree gchar *line = g_strdup_printf ("videotestsrc pattern=ball ! " CAPS
                                            " ! gleshistogram device=%s post-messages=true ! "
                                            "queue ! appsink name=sink sync=false max-buffers=4",
      test_device ());
  GstElement *pipeline = gst_parse_launch (line, NULL);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");

  fail_unless (pipeline != NULL && sink != NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < 10; i++)
    check_sample (pull_sample (sink), i, i * TEST_FRAME_DURATION);
  for (guint s = 0; s < G_N_ELEMENTS (places); s++) {
    fail_unless (gst_element_seek_simple (
        pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, places[s]));
    for (guint i = 0; i < 10; i++)
      check_sample (pull_sample (sink), i, places[s] + i * TEST_FRAME_DURATION);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* the end of the stream is the last message: all results were posted before it */
GST_START_TEST (test_eos_drains)
{
  g_autofree gchar *line = g_strdup_printf ("videotestsrc num-buffers=60 pattern=snow ! " CAPS
                                            " ! gleshistogram device=%s post-messages=true ! "
                                            "fakesink sync=false",
      test_device ());
  GstElement *pipeline = gst_parse_launch (line, NULL);
  GstBus *bus = gst_element_get_bus (pipeline);
  guint n_results = 0;
  gboolean eos = FALSE;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (!eos) {
    GstMessage *message = gst_bus_timed_pop_filtered (
        bus, 60 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ELEMENT | GST_MESSAGE_ERROR);
    guint64 frame;

    fail_unless (message != NULL);
    fail_if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR);
    eos = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
    if (!eos) {
      fail_unless (gst_structure_get_uint64 (gst_message_get_structure (message), "frame", &frame));
      fail_unless_equals_uint64 (frame, n_results++);
    }
    gst_message_unref (message);
  }
  fail_unless_equals_int (n_results, 60);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static Suite *
gleshistogram_stream_suite (void)
{
  Suite *suite = suite_create ("gleshistogram-stream");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_caps_change_mid_stream);
  tcase_add_test (tcase, test_flush);
  tcase_add_test (tcase, test_flush_discards_messages);
  tcase_add_test (tcase, test_flush_of_nothing);
  tcase_add_test (tcase, test_results_outlive_a_flush);
  tcase_add_test (tcase, test_gaps);
  tcase_add_test (tcase, test_allocation_is_asked_behind);
  tcase_add_test (tcase, test_buffers_keep_what_they_carry);
  tcase_add_test (tcase, test_properties_change_between_frames);
  tcase_add_test (tcase, test_properties_change_while_frames_come);
  tcase_add_test (tcase, test_seek);
  tcase_add_test (tcase, test_eos_drains);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, gleshistogram_stream_suite);
}
