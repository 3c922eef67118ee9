/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties of gleshistogram: which frames are analysed, where results go, and the content of
 * messages and stats. */
#include "gleshistogram-common.h"

#include <gst/controller/controller.h>

#define FRAME_BYTES (48 * 32 * 3 / 2)

static GstMessage *
pop_message (TestStream *stream)
{
  return gst_bus_pop_filtered (stream->bus, GST_MESSAGE_ELEMENT);
}

/* Values out of the range are refused by GObject. */
GST_START_TEST (test_ranges)
{
  static const struct {
    const gchar *name;
    guint min, max, initial;
  } ranges[] = {
    { "bins", 2, 65536, 256 },
    { "grid-columns", 1, 65535, 1 },
    { "grid-rows", 1, 65535, 1 },
    { "interval", 1, G_MAXUINT, 1 },
  };
  GstElement *element = gst_element_factory_make ("gleshistogram", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++) {
    const GParamSpecUInt *range = G_PARAM_SPEC_UINT (
        g_object_class_find_property (G_OBJECT_GET_CLASS (element), ranges[i].name));

    fail_unless (range->minimum == ranges[i].min && range->maximum == ranges[i].max);
    fail_unless_equals_int (range->default_value, ranges[i].initial);
  }
  gst_object_unref (gst_object_ref_sink (element));
}

GST_END_TEST;

/* The difference is one from the frame analysed before, not from the frame before, with or without
 * its distance. A gap is not counted; that it has no result, analyzers-times.py tests. */
GST_START_TEST (test_interval)
{
  g_autoptr (TestStream) stream = test_stream_new ("interval=3", TEST_CAPS);
  g_autoptr (TestExpected) previous = NULL;
  const TestConfig config = { 0 };

  for (guint i = 0; i < 12; i++) {
    GstBuffer *frame = test_frame_noise (&stream->info, i), *gap = gst_buffer_new ();
    g_autoptr (GstBuffer) out = NULL;

    g_object_set (stream->element, "emd", i % 9 != 3, NULL);
    if (i % 3 == 0)
      test_stream_check_frame (stream, frame, &config, &previous, "interval");
    else
      fail_unless (test_stream_push_for_result (stream, frame) == NULL);
    GST_BUFFER_FLAG_SET (gap, GST_BUFFER_FLAG_GAP);
    out = i % 3 == 1 ? test_stream_push (stream, gap) : gap;
    fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_GAP));
  }
  test_stream_check_noise (stream, &config, 4, "interval");
  fail_unless_equals_uint64 (test_get_stat (stream->element, "frames"), 5);
  fail_unless (test_get_stat (stream->element, "upload-waits") <= 5);
  fail_unless (test_get_stat (stream->element, "readback-waits") <= 5);
  if (!test_device_is_cpu ())
    fail_unless (test_get_stat (stream->element, "bytes-uploaded") >= 5 * FRAME_BYTES);
  if (!test_device_is_cpu ())
    fail_unless (test_get_stat (stream->element, "device-bytes") >= 5 * 3 * 257 * 4);
  /* three channels of 256 counters and a difference */
  fail_unless (test_get_stat (stream->element, "bytes-read-back") >= 5 * 3 * 257 * 4);
}

GST_END_TEST;

/* Pushes a frame of which there is another reference, if it @is_shared; checks what comes out. */
static void
check_copies (TestStream *stream, gboolean is_shared, gboolean analyses)
{
  GstBuffer *frame = test_frame_noise (&stream->info, 1);
  GstMemory *memory = gst_buffer_peek_memory (frame, 0);
  g_autoptr (GstBuffer) other = NULL, out = NULL;

  GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_DISCONT | GST_BUFFER_FLAG_MARKER);
  GST_BUFFER_OFFSET (frame) = 77;
  gst_buffer_add_video_region_of_interest_meta (frame, "thing", 1, 2, 3, 4);
  if (is_shared)
    other = gst_buffer_ref (frame);
  out = test_stream_push (stream, frame);
  fail_unless (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_DISCONT | GST_BUFFER_FLAG_MARKER));
  fail_unless_equals_uint64 (GST_BUFFER_OFFSET (out), 77);
  fail_unless (gst_buffer_get_video_region_of_interest_meta (out) != NULL);
  fail_unless ((out == frame) == (!is_shared || !analyses));
  fail_unless (gst_buffer_peek_memory (out, 0) == memory);
  fail_unless ((gst_buffer_get_gles_histogram_meta (out) != NULL) == analyses);
  fail_unless (!is_shared || gst_buffer_get_gles_histogram_meta (other) == NULL);
}

/* Attaching a result copies no pixels, even if the buffer is shared, and keeps what the buffer
 * carries; with neither meta nor message the same buffer goes on. */
GST_START_TEST (test_pictures_are_not_copied)
{
  g_autoptr (TestStream) stream = test_stream_new ("attach-meta=false", TEST_CAPS);

  fail_unless (gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (stream->element)));
  check_copies (stream, TRUE, FALSE);
  fail_unless_equals_uint64 (test_get_stat (stream->element, "frames"), 0);
  g_object_set (stream->element, "attach-meta", TRUE, NULL);
  check_copies (stream, FALSE, TRUE);
  check_copies (stream, TRUE, TRUE);
}

GST_END_TEST;

GST_START_TEST (test_no_readback)
{
  g_autoptr (TestStream) stream = test_stream_new ("readback=false post-messages=true", TEST_CAPS);
  g_autoptr (GstGlesHistogramResult) result =
      test_stream_push_for_result (stream, test_frame_noise (&stream->info, 1));
  g_autoptr (GstGlesBuffer) buffer = NULL;
  g_autoptr (GError) error = NULL;
  guint n;

  fail_if (gst_gles_histogram_result_is_ready (result));
  fail_unless (gst_gles_histogram_result_get_counts (result, 0, 0, &n, &error) == NULL);
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  buffer = gst_gles_histogram_result_get_device_buffer (result);
  fail_unless (buffer != NULL);
  fail_unless_equals_uint64 (test_get_stat (stream->element, "bytes-read-back"), 0);
  test_stream_push_event (stream, gst_event_new_eos ());
  fail_unless (pop_message (stream) == NULL);
}

GST_END_TEST;

/* ---- messages ---- */

#define SEGMENT_START (7 * GST_SECOND)
#define SEGMENT_TIME (100 * GST_SECOND)
#define SEGMENT_BASE (3 * GST_SECOND)
#define N_FRAMES 20

/* The message of frame @number, whose @result it tells: (transfer full). */
static GstStructure *
expect_message (GstGlesHistogramResult *result, guint64 number)
{
  const GstClockTime later = number * TEST_FRAME_DURATION;
  GstStructure *message = gst_structure_new ("gleshistogram", "timestamp", GST_TYPE_CLOCK_TIME,
      SEGMENT_START + later, "stream-time", GST_TYPE_CLOCK_TIME, SEGMENT_TIME + later,
      "running-time", GST_TYPE_CLOCK_TIME, SEGMENT_BASE + later, "duration", GST_TYPE_CLOCK_TIME,
      TEST_FRAME_DURATION, "frame", G_TYPE_UINT64, number, NULL);

  for (guint i = 0; i < gst_gles_histogram_result_get_n_channels (result); i++) {
    const gchar *name = gst_gles_histogram_result_get_channel_name (result, i);
    g_autoptr (GstStructure) channel = NULL;
    GstGlesHistogramStatistics s;

    fail_unless (gst_gles_histogram_result_get_statistics (result, i, &s, NULL));
    channel = gst_structure_new (name, "count", G_TYPE_UINT64, s.count, "min", G_TYPE_UINT, s.min,
        "max", G_TYPE_UINT, s.max, "mean", G_TYPE_DOUBLE, s.mean, "stddev", G_TYPE_DOUBLE, s.stddev,
        "entropy", G_TYPE_DOUBLE, s.entropy, "p1", G_TYPE_UINT, s.p1, "p5", G_TYPE_UINT, s.p5,
        "p10", G_TYPE_UINT, s.p10, "p50", G_TYPE_UINT, s.p50, "p90", G_TYPE_UINT, s.p90, "p95",
        G_TYPE_UINT, s.p95, "p99", G_TYPE_UINT, s.p99, "difference", G_TYPE_DOUBLE, s.difference,
        "emd", G_TYPE_DOUBLE, s.emd, "mad", G_TYPE_DOUBLE, s.mad, "mad-previous", G_TYPE_DOUBLE,
        s.mad_previous, NULL);
    gst_structure_set (message, name, GST_TYPE_STRUCTURE, channel, NULL);
  }
  return message;
}

/* What a result of TEST_CAPS tells about the picture. */
static void
check_picture (GstGlesHistogramResult *result, guint64 number)
{
  const GstClockTime later = number * TEST_FRAME_DURATION;
  const TestConfig config = test_config_of (result);
  guint width, height;

  fail_unless_equals_uint64 (gst_gles_histogram_result_get_frame (result)->number, number);
  fail_unless (gst_gles_histogram_result_get_frame (result)->pts == SEGMENT_START + later);
  fail_unless (gst_gles_histogram_result_get_frame (result)->stream_time == SEGMENT_TIME + later);
  fail_unless (gst_gles_histogram_result_get_frame (result)->running_time == SEGMENT_BASE + later);
  fail_unless (gst_gles_histogram_result_get_frame (result)->duration == TEST_FRAME_DURATION);
  fail_unless_equals_int (
      gst_gles_histogram_result_get_frame (result)->format, GST_VIDEO_FORMAT_I420);
  fail_unless_equals_int (
      gst_gles_histogram_result_get_frame (result)->range, GST_VIDEO_COLOR_RANGE_16_235);
  width = gst_gles_histogram_result_get_frame (result)->width;
  height = gst_gles_histogram_result_get_frame (result)->height;
  fail_unless (width == 48 && height == 32);
  fail_unless (config.columns == 1 && config.rows == 1 && !config.luma);
}

/* One message per frame, in order, all there when EOS has passed, with the frame's times. Without
 * timestamps times are counted, from the start of the segment. */
GST_START_TEST (test_messages)
{
  const gboolean has_times = __i__ == 0;
  g_autoptr (TestStream) stream =
      test_stream_new ("post-messages=true mad=true", TEST_CAPS ",colorimetry=bt709");
  GstGlesHistogramResult *results[N_FRAMES];
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = SEGMENT_START;
  segment.time = SEGMENT_TIME;
  segment.base = SEGMENT_BASE;
  test_stream_push_event (stream, gst_event_new_segment (&segment));
  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *frame = test_frame_noise (&stream->info, i);
    g_autoptr (GstBuffer) out = NULL;

    if (has_times) {
      stream->n_pushed = SEGMENT_START / TEST_FRAME_DURATION + i;
      out = test_stream_push (stream, frame);
    } else {
      out = gst_harness_push_and_pull (stream->harness, frame);
      fail_if (GST_BUFFER_PTS_IS_VALID (out));
    }
    results[i] = gst_gles_histogram_result_from_buffer (out);
  }
  test_stream_push_event (stream, gst_event_new_eos ());
  for (guint i = 0; i < N_FRAMES; i++) {
    g_autoptr (GstMessage) message = pop_message (stream);
    g_autoptr (GstStructure) wanted = expect_message (results[i], i);
    g_autofree gchar *text = gst_structure_to_string (wanted), *got = NULL;

    fail_unless (message != NULL, "no message of frame %u", i);
    got = gst_structure_to_string (gst_message_get_structure (message));
    fail_unless_equals_string (got, text);
    check_picture (results[i], i);
    fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (stream->element));
    gst_gles_histogram_result_unref (results[i]);
  }
  fail_unless (pop_message (stream) == NULL);
}

GST_END_TEST;

/* Sparse live video: the message of a frame does not wait for the next frame. Without the meta
 * frames are analysed, too. */
GST_START_TEST (test_messages_are_not_late)
{
  g_autoptr (TestStream) stream =
      test_stream_new ("post-messages=true attach-meta=false", TEST_CAPS);
  g_autoptr (GstGlesHistogramResult) result =
      test_stream_push_for_result (stream, test_frame_noise (&stream->info, 1));
  g_autoptr (GstMessage) message =
      gst_bus_timed_pop_filtered (stream->bus, 30 * GST_SECOND, GST_MESSAGE_ELEMENT);

  fail_unless (message != NULL);
  fail_unless (result == NULL);
}

GST_END_TEST;

/* ---- validation and stats ---- */

/* A frame that was not validated must not be used as the previous frame. */
GST_START_TEST (test_validate)
{
  g_autoptr (TestStream) stream =
      test_stream_new ("mad=true mad-noise=0.4 bins=77 grid-columns=3", TEST_CAPS);

  for (guint i = 0; i < 24; i++) {
    g_object_set (stream->element, "validate", i % 4 < 2, "readback", i % 7 != 0, NULL);
    gst_buffer_unref (test_stream_push_noise (stream, i));
  }
}

GST_END_TEST;

/* The sum of the times of all passes in @structure; 0 if it has none. */
static guint64
sum_passes (const GstStructure *structure)
{
  const GValue *value = gst_structure_get_value (structure, "passes");
  const GstStructure *passes = value != NULL ? gst_value_get_structure (value) : NULL;
  guint64 sum = 0, time;

  fail_unless (passes == NULL || gst_structure_n_fields (passes) > 0);
  for (gint i = 0; passes != NULL && i < gst_structure_n_fields (passes); i++) {
    fail_unless (
        gst_structure_get_uint64 (passes, gst_structure_nth_field_name (passes, i), &time));
    sum += time;
  }
  return sum;
}

/* On a device with timers every pass has a time, in messages and in stats, and the sums agree.
 * Mesa's software renderer has timestamps; native code has no passes. */
GST_START_TEST (test_profile)
{
  g_autoptr (TestStream) stream = test_stream_new ("profile=true post-messages=true", TEST_CAPS);
  g_autoptr (GstStructure) stats = NULL;
  guint64 in_messages = 0;
  GstMessage *message;

  for (guint i = 0; i < 5; i++)
    gst_buffer_unref (test_stream_push_noise (stream, i));
  test_stream_push_event (stream, gst_event_new_eos ());
  while ((message = pop_message (stream)) != NULL) {
    in_messages += sum_passes (gst_message_get_structure (message));
    gst_message_unref (message);
  }
  g_object_get (stream->element, "stats", &stats, NULL);
  fail_unless_equals_uint64 (sum_passes (stats), in_messages);
  fail_unless_equals_int (in_messages > 0, !test_device_is_cpu ());
  fail_unless_equals_int (gst_structure_has_field (stats, "passes"), !test_device_is_cpu ());
}

GST_END_TEST;

/* ---- mad ---- */

#define N_PIXELS (48 * 32)

/* A black frame in which @n samples of each plane are 100. */
static GstBuffer *
new_dots (guint n)
{
  static const gsize planes[] = { 0, N_PIXELS, N_PIXELS * 5 / 4 };
  GstBuffer *frame = gst_buffer_new_allocate (NULL, FRAME_BYTES, NULL);

  gst_buffer_memset (frame, 0, 0, FRAME_BYTES);
  for (guint i = 0; i < 3 * n; i++)
    gst_buffer_memset (frame, planes[i % 3] + i / 3 * 7, 100, 1);
  return frame;
}

/* Off by default; switched on while playing it works from the next frame on. Frames with at most
 * two dots more or less than the reference (3 * 2 * 100 of 2304 * 256 is a share of 0.00102) do not
 * become the reference; after a flush there is none. */
GST_START_TEST (test_mad)
{
  static const struct {
    gint dots, moved; /* -1: without mad */
    gdouble noise;
    gboolean flush;
  } frames[] = {
    { 5, -1, 0.0, FALSE },
    { 5, 0, 0.0, FALSE },
    { 12, 7, 0.0, FALSE },
    { 11, 1, 0.0, FALSE },
    { 11, 0, 0.0, FALSE },
    { 3, -1, 0.0, FALSE },
    { 9, 0, 0.0, FALSE },
    { 50, 41, 0.0, FALSE },
    { 7, 0, 0.0, TRUE },
    { 8, 1, 0.0, FALSE },
    { 0, 0, 0.0011, TRUE },
    { 1, 1, 0.0011, FALSE },
    { 2, 2, 0.0011, FALSE },
    { 3, 3, 0.0011, FALSE },
    { 4, 1, 0.0011, FALSE },
    { 0, 3, 0.0011, FALSE },
    { 4, 4, 0.0011, FALSE },
  };
  g_autoptr (TestStream) stream = test_stream_new ("validate=true", TEST_CAPS);

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    g_autoptr (GstGlesHistogramResult) result = NULL;

    g_object_set (stream->element, "mad", frames[i].moved >= 0, "mad-noise", frames[i].noise, NULL);
    if (frames[i].flush)
      test_stream_flush (stream);
    result = test_stream_push_for_result (stream, new_dots ((guint) frames[i].dots));
    fail_unless_equals_int (gst_gles_histogram_result_has_mad (result), frames[i].moved >= 0);
    for (guint channel = 0; channel < 3 && frames[i].moved >= 0; channel++) {
      const gdouble n = channel == 0 ? N_PIXELS : N_PIXELS / 4;
      GstGlesHistogramStatistics statistics;

      fail_unless (gst_gles_histogram_result_get_statistics (result, channel, &statistics, NULL));
      fail_unless (statistics.mad == frames[i].moved * 100 / n, "frame %u, %u", i, channel);
    }
  }
}

GST_END_TEST;

/* bins follow a control source, frame by frame in stream time */
GST_START_TEST (test_controlled_property)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, TEST_CAPS);
  g_autoptr (GstControlSource) source = gst_interpolation_control_source_new ();
  GstTimedValueControlSource *points = GST_TIMED_VALUE_CONTROL_SOURCE (source);

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_NONE, NULL);
  gst_timed_value_control_source_set (points, 0, 16);
  gst_timed_value_control_source_set (points, 3 * TEST_FRAME_DURATION, 300);
  fail_unless (gst_object_add_control_binding (GST_OBJECT (stream->element),
      gst_direct_control_binding_new_absolute (GST_OBJECT (stream->element), "bins", source)));
  for (guint i = 0; i < 6; i++) {
    const TestConfig config = { .bins = i < 3 ? 16 : 300 };

    test_stream_check_noise (stream, &config, i, "controlled");
  }
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_ranges);
  tcase_add_test (tcase, test_interval);
  tcase_add_test (tcase, test_pictures_are_not_copied);
  tcase_add_test (tcase, test_no_readback);
  tcase_add_loop_test (tcase, test_messages, 0, 2);
  tcase_add_test (tcase, test_messages_are_not_late);
  tcase_add_test (tcase, test_validate);
  tcase_add_test (tcase, test_profile);
  tcase_add_test (tcase, test_mad);
  tcase_add_test (tcase, test_controlled_property);
}

TEST_MAIN (add_tests)
