/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties of gleshistogram: which frames are analysed, where results go, and the content of
 * messages and stats. */
#include "gleshistogram-common.h"

#include <gst/controller/controller.h>

#define CAPS "video/x-raw,format=I420,width=48,height=32,framerate=25/1"
#define FRAME_BYTES (48 * 32 * 3 / 2)

static gboolean
has_result (GstBuffer *buffer)
{
  g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (buffer);

  return result != NULL;
}

GST_START_TEST (test_interval)
{
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream = test_stream_new ("interval=3", CAPS);

  for (guint i = 0; i < 10; i++) {
    GstBuffer *out = test_stream_push_noise (stream, i);
    fail_unless_equals_int (has_result (out), i % 3 == 0);
    if (i % 3 == 0)
      test_check_buffer (out, &stream->info, &config, i / 3, "interval");
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* the difference is one from the frame analysed before, not from the frame before */
GST_START_TEST (test_difference_over_an_interval)
{
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream = test_stream_new ("interval=2", CAPS);
  g_autoptr (TestExpected) previous = NULL;

  for (guint i = 0; i < 6; i++) {
    GstBuffer *frame = test_frame_noise (&stream->info, i);
    g_autoptr (TestExpected) expected = test_expect (frame, &stream->info, &config);
    GstBuffer *out = test_stream_push (stream, frame);
    g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (out);

    if (i % 2 == 0) {
      test_check_result (result, expected, previous, "difference");
      g_clear_pointer (&previous, test_expected_free);
      previous = g_steal_pointer (&expected);
    }
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* With neither meta nor message the same buffer goes on, even one that is shared. */
GST_START_TEST (test_passthrough)
{
  g_autoptr (TestStream) stream = test_stream_new ("attach-meta=false", CAPS);
  GstBuffer *frame = test_frame_noise (&stream->info, 1);
  GstStructure *stats = NULL;
  guint64 frames;
  GstBuffer *out;

  fail_unless (gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (stream->element)));
  gst_buffer_ref (frame);
  out = test_stream_push (stream, frame);
  fail_unless (out == frame);
  fail_if (has_result (out));
  gst_buffer_unref (out);
  gst_buffer_unref (frame);
  g_object_get (stream->element, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "frames", &frames));
  fail_unless_equals_uint64 (frames, 0);
  gst_structure_free (stats);

  /* and back */
  g_object_set (stream->element, "attach-meta", TRUE, NULL);
  out = test_stream_push_noise (stream, 2);
  fail_unless (has_result (out));
  gst_buffer_unref (out);
}

GST_END_TEST;

/* Attaching a result copies no pixels, even if the buffer is shared. */
GST_START_TEST (test_pictures_are_not_copied)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, CAPS);
  GstBuffer *frame = test_frame_noise (&stream->info, 1);
  GstMemory *memory = gst_buffer_peek_memory (frame, 0);
  GstBuffer *out;

  out = test_stream_push (stream, frame);
  fail_unless (out == frame);
  fail_unless (gst_buffer_peek_memory (out, 0) == memory);
  gst_buffer_unref (out);

  frame = test_frame_noise (&stream->info, 2);
  memory = gst_buffer_peek_memory (frame, 0);
  gst_buffer_ref (frame);
  out = test_stream_push (stream, frame);
  fail_if (out == frame);
  fail_unless (has_result (out));
  fail_if (has_result (frame));
  fail_unless (gst_buffer_peek_memory (out, 0) == memory);
  gst_buffer_unref (out);
  gst_buffer_unref (frame);
}

GST_END_TEST;

GST_START_TEST (test_no_readback)
{
  g_autoptr (TestStream) stream = test_stream_new ("readback=false post-messages=true", CAPS);
  GstBuffer *out = test_stream_push_noise (stream, 1);
  g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (out);
  g_autoptr (GError) error = NULL;
  GstStructure *stats = NULL;
  guint64 bytes;
  guint n;

  fail_unless (result != NULL);
  fail_if (gst_gles_histogram_result_is_ready (result));
  fail_unless (gst_gles_histogram_result_get_counts (result, 0, 0, &n, &error) == NULL);
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  fail_unless (gst_gles_histogram_result_get_device_buffer (result) != NULL);
  gst_buffer_unref (out);
  g_object_get (stream->element, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "bytes-read-back", &bytes));
  fail_unless_equals_uint64 (bytes, 0);
  gst_structure_free (stats);
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_eos ()));
  fail_unless (test_stream_pop_message (stream) == NULL);
}

GST_END_TEST;

static void
check_time (const GstStructure *structure, const gchar *field, GstClockTime wanted)
{
  GstClockTime time;

  fail_unless (gst_structure_get_clock_time (structure, field, &time), "no %s", field);
  fail_unless_equals_clocktime (time, wanted);
}

static void
check_channel_of_message (const GstStructure *message, const TestExpected *expected,
    const TestExpected *previous, guint channel)
{
  const GValue *value = gst_structure_get_value (message, expected->names[channel]);
  const GstStructure *statistics;
  GstGlesHistogramStatistics wanted;
  guint64 count;
  guint number;
  gdouble mean, difference;

  fail_unless (value != NULL && GST_VALUE_HOLDS_STRUCTURE (value));
  statistics = gst_value_get_structure (value);
  test_expect_statistics (expected, previous, channel, &wanted);
  fail_unless (gst_structure_get_uint64 (statistics, "count", &count));
  fail_unless_equals_uint64 (count, wanted.count);
  fail_unless (gst_structure_get_uint (statistics, "min", &number));
  fail_unless_equals_int (number, wanted.min);
  fail_unless (gst_structure_get_uint (statistics, "max", &number));
  fail_unless_equals_int (number, wanted.max);
  fail_unless (gst_structure_get_uint (statistics, "p50", &number));
  fail_unless_equals_int (number, wanted.p50);
  fail_unless (gst_structure_get_uint (statistics, "p99", &number));
  fail_unless_equals_int (number, wanted.p99);
  fail_unless (gst_structure_get_double (statistics, "mean", &mean));
  fail_unless (ABS (mean - wanted.mean) < 1e-9);
  fail_unless (gst_structure_get_double (statistics, "difference", &difference));
  fail_unless (ABS (difference - wanted.difference) < 1e-9);
  fail_unless (gst_structure_has_field (statistics, "stddev"));
  fail_unless (gst_structure_has_field (statistics, "entropy"));
  fail_if (gst_structure_has_field (statistics, "counts"));
}

#define SEGMENT_START (7 * GST_SECOND)
#define SEGMENT_TIME (100 * GST_SECOND)
#define SEGMENT_BASE (3 * GST_SECOND)

static void
push_segment (TestStream *stream)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = SEGMENT_START;
  segment.time = SEGMENT_TIME;
  segment.base = SEGMENT_BASE;
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_segment (&segment)));
}

/* one message per frame, in order, all there when EOS has passed, with the frame's times */
GST_START_TEST (test_messages)
{
  const TestConfig config = { 0 };
  g_autoptr (TestStream) stream = test_stream_new ("post-messages=true attach-meta=false", CAPS);
  TestExpected *expected[20] = { NULL };

  push_segment (stream);
  for (guint i = 0; i < 20; i++) {
    GstBuffer *frame = test_frame_noise (&stream->info, i);
    GstBuffer *out;

    expected[i] = test_expect (frame, &stream->info, &config);
    stream->n_pushed = 175 + i; /* 7 s and on */
    out = test_stream_push (stream, frame);
    fail_if (has_result (out));
    gst_buffer_unref (out);
  }
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_eos ()));
  for (guint i = 0; i < 20; i++) {
    GstMessage *message = test_stream_pop_message (stream);
    const GstStructure *structure;
    guint64 frame;

    fail_unless (message != NULL, "no message for frame %u after EOS", i);
    fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (stream->element));
    structure = gst_message_get_structure (message);
    fail_unless_equals_string (gst_structure_get_name (structure), "gleshistogram");
    check_time (structure, "timestamp", SEGMENT_START + i * TEST_FRAME_DURATION);
    check_time (structure, "stream-time", SEGMENT_TIME + i * TEST_FRAME_DURATION);
    check_time (structure, "running-time", SEGMENT_BASE + i * TEST_FRAME_DURATION);
    check_time (structure, "duration", TEST_FRAME_DURATION);
    fail_unless (gst_structure_get_uint64 (structure, "frame", &frame));
    fail_unless_equals_uint64 (frame, i);
    for (guint channel = 0; channel < 3; channel++)
      check_channel_of_message (structure, expected[i], i > 0 ? expected[i - 1] : NULL, channel);
    gst_message_unref (message);
  }
  fail_unless (test_stream_pop_message (stream) == NULL);
  for (guint i = 0; i < 20; i++)
    test_expected_free (expected[i]);
}

GST_END_TEST;

/* sparse live video: the message of a frame does not wait for the next frame */
GST_START_TEST (test_messages_are_not_late)
{
  g_autoptr (TestStream) stream = test_stream_new ("post-messages=true", CAPS);
  GstMessage *message;

  gst_buffer_unref (test_stream_push_noise (stream, 1));
  message = gst_bus_timed_pop_filtered (stream->bus, 30 * GST_SECOND, GST_MESSAGE_ELEMENT);
  fail_unless (message != NULL);
  gst_message_unref (message);
}

GST_END_TEST;

GST_START_TEST (test_results_know_their_times)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, CAPS ",colorimetry=bt709");
  g_autoptr (GstGlesHistogramResult) result = NULL;
  guint width, height, columns, rows;
  GstBuffer *out;

  push_segment (stream);
  stream->n_pushed = 200; /* 8 s */
  out = test_stream_push_noise (stream, 1);
  result = gst_gles_histogram_result_from_buffer (out);
  gst_buffer_unref (out);
  fail_unless_equals_clocktime (gst_gles_histogram_result_get_pts (result), 8 * GST_SECOND);
  fail_unless_equals_clocktime (
      gst_gles_histogram_result_get_duration (result), TEST_FRAME_DURATION);
  fail_unless_equals_clocktime (
      gst_gles_histogram_result_get_running_time (result), SEGMENT_BASE + GST_SECOND);
  fail_unless_equals_clocktime (
      gst_gles_histogram_result_get_stream_time (result), SEGMENT_TIME + GST_SECOND);
  fail_unless_equals_int (gst_gles_histogram_result_get_format (result), GST_VIDEO_FORMAT_I420);
  fail_unless_equals_int (
      gst_gles_histogram_result_get_range (result), GST_VIDEO_COLOR_RANGE_16_235);
  gst_gles_histogram_result_get_size (result, &width, &height);
  fail_unless_equals_int (width, 48);
  fail_unless_equals_int (height, 32);
  gst_gles_histogram_result_get_grid (result, &columns, &rows);
  fail_unless_equals_int (columns, 1);
  fail_unless_equals_int (rows, 1);
  fail_if (gst_gles_histogram_result_is_luma (result));
}

GST_END_TEST;

/* buffers without any time */
/* Without timestamps times are counted, from the start of the segment. */
GST_START_TEST (test_no_timestamps)
{
  g_autoptr (TestStream) stream = test_stream_new ("post-messages=true", CAPS);

  push_segment (stream);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *out;

    fail_unless_equals_int (
        gst_harness_push (stream->harness, test_frame_noise (&stream->info, 1)), GST_FLOW_OK);
    out = gst_harness_pull (stream->harness);
    fail_unless (has_result (out));
    fail_if (GST_BUFFER_PTS_IS_VALID (out));
    gst_buffer_unref (out);
  }
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_eos ()));
  for (guint i = 0; i < 3; i++) {
    GstMessage *message = test_stream_pop_message (stream);
    const GstStructure *structure;

    fail_unless (message != NULL);
    structure = gst_message_get_structure (message);
    check_time (structure, "timestamp", SEGMENT_START + i * TEST_FRAME_DURATION);
    check_time (structure, "stream-time", SEGMENT_TIME + i * TEST_FRAME_DURATION);
    check_time (structure, "running-time", SEGMENT_BASE + i * TEST_FRAME_DURATION);
    check_time (structure, "duration", TEST_FRAME_DURATION);
    gst_message_unref (message);
  }
}

GST_END_TEST;

GST_START_TEST (test_validate)
{
  const TestConfig config = { .columns = 3, .rows = 2, .bins = 77 };
  g_autoptr (TestStream) stream =
      test_stream_new ("validate=true bins=77 grid-columns=3 grid-rows=2", CAPS);

  for (guint i = 0; i < 5; i++) {
    GstBuffer *out = test_stream_push_noise (stream, i);
    test_check_buffer (out, &stream->info, &config, i, "validate");
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* A frame that was not validated must not be used as the previous frame. */
GST_START_TEST (test_validate_on_and_off)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, CAPS);

  for (guint i = 0; i < 24; i++) {
    g_object_set (stream->element, "validate", i % 4 < 2, "readback", i % 7 != 0, NULL);
    gst_buffer_unref (test_stream_push_noise (stream, i));
  }
}

GST_END_TEST;

static gboolean
add_pass_time (GQuark field, const GValue *value, gpointer user_data)
{
  guint64 *sum = user_data;

  fail_unless (G_VALUE_HOLDS_UINT64 (value));
  *sum += g_value_get_uint64 (value);
  return TRUE;
}

/* on a device with timers every pass has a time, in messages and in stats, and the sums agree */
GST_START_TEST (test_profile)
{
  g_autoptr (TestStream) stream = test_stream_new ("profile=true post-messages=true", CAPS);
  guint64 in_messages = 0, in_stats = 0;
  GstStructure *stats = NULL;
  gboolean timed = FALSE;
  GstMessage *message;

  for (guint i = 0; i < 5; i++)
    gst_buffer_unref (test_stream_push_noise (stream, i));
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_eos ()));
  while ((message = test_stream_pop_message (stream)) != NULL) {
    const GValue *passes = gst_structure_get_value (gst_message_get_structure (message), "passes");
    if (passes != NULL) {
      const GstStructure *times = gst_value_get_structure (passes);
      fail_unless (gst_structure_n_fields (times) > 0);
      gst_structure_foreach (times, add_pass_time, &in_messages);
      timed = TRUE;
    }
    gst_message_unref (message);
  }
  g_object_get (stream->element, "stats", &stats, NULL);
  if (timed)
    gst_structure_foreach (gst_value_get_structure (gst_structure_get_value (stats, "passes")),
        add_pass_time, &in_stats);
  else
    fail_if (gst_structure_has_field (stats, "passes"));
  fail_unless_equals_uint64 (in_stats, in_messages);
  /* Mesa's software renderer has timestamps; native code has no passes */
  fail_unless_equals_int (timed, !test_device_is_cpu ());
  fail_unless_equals_int (in_messages > 0, timed);
  gst_structure_free (stats);
}

GST_END_TEST;

static guint64
get_stat (const GstStructure *stats, const gchar *field)
{
  guint64 number = 0;

  fail_unless (gst_structure_get_uint64 (stats, field, &number), "no %s", field);
  return number;
}

GST_START_TEST (test_stats)
{
  g_autoptr (TestStream) stream = test_stream_new ("interval=2", CAPS);
  GstStructure *stats = NULL;
  g_autofree gchar *description = NULL;

  for (guint i = 0; i < 9; i++)
    gst_buffer_unref (test_stream_push_noise (stream, i));
  g_object_get (stream->element, "stats", &stats, "device-description", &description, NULL);
  fail_unless (description != NULL && description[0] != '\0');
  fail_unless_equals_uint64 (get_stat (stats, "frames"), 5);
  fail_unless (get_stat (stats, "upload-waits") <= 5);
  fail_unless (get_stat (stats, "readback-waits") <= 5);
  if (!test_device_is_cpu ())
    fail_unless (get_stat (stats, "bytes-uploaded") >= 5 * FRAME_BYTES);
  /* three channels of 256 counters and a difference */
  fail_unless (get_stat (stats, "bytes-read-back") >= 5 * 3 * 257 * 4);
  fail_if (gst_structure_has_field (stats, "passes"));
  gst_structure_free (stats);
}

GST_END_TEST;

/* bins follow a control source, frame by frame in stream time */
GST_START_TEST (test_controlled_property)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, CAPS);
  GstControlSource *source = gst_interpolation_control_source_new ();
  GstTimedValueControlSource *points = GST_TIMED_VALUE_CONTROL_SOURCE (source);

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_NONE, NULL);
  gst_timed_value_control_source_set (points, 0, 16);
  gst_timed_value_control_source_set (points, 3 * TEST_FRAME_DURATION, 300);
  fail_unless (gst_object_add_control_binding (GST_OBJECT (stream->element),
      gst_direct_control_binding_new_absolute (GST_OBJECT (stream->element), "bins", source)));
  for (guint i = 0; i < 6; i++) {
    const TestConfig config = { .bins = i < 3 ? 16 : 300 };
    GstBuffer *out = test_stream_push_noise (stream, i);
    test_check_buffer (out, &stream->info, &config, i, "controlled");
    gst_buffer_unref (out);
  }
  gst_object_unref (source);
}

GST_END_TEST;

static Suite *
gleshistogram_properties_suite (void)
{
  Suite *suite = suite_create ("gleshistogram-properties");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_interval);
  tcase_add_test (tcase, test_difference_over_an_interval);
  tcase_add_test (tcase, test_passthrough);
  tcase_add_test (tcase, test_pictures_are_not_copied);
  tcase_add_test (tcase, test_no_readback);
  tcase_add_test (tcase, test_messages);
  tcase_add_test (tcase, test_messages_are_not_late);
  tcase_add_test (tcase, test_results_know_their_times);
  tcase_add_test (tcase, test_no_timestamps);
  tcase_add_test (tcase, test_validate);
  tcase_add_test (tcase, test_validate_on_and_off);
  tcase_add_test (tcase, test_profile);
  tcase_add_test (tcase, test_stats);
  tcase_add_test (tcase, test_controlled_property);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, gleshistogram_properties_suite);
}
