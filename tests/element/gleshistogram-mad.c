/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* mad=true: samples compared with those of an earlier frame, against a plain loop over the
 * bytes. */
#include "gleshistogram-common.h"

#define WIDTH 48
#define HEIGHT 32
#define CAPS "video/x-raw,format=I420,width=48,height=32,framerate=25/1"
#define FRAME_BYTES (WIDTH * HEIGHT * 3 / 2)

/* Where a plane begins, and how many bytes it has. */
static const gsize plane_offsets[] = { 0, WIDTH *HEIGHT, WIDTH *HEIGHT * 5 / 4 };
static const gsize plane_sizes[] = { WIDTH * HEIGHT, WIDTH *HEIGHT / 4, WIDTH *HEIGHT / 4 };

static GstBuffer *
make_frame (const guint8 *bytes)
{
  return gst_buffer_new_memdup (bytes, FRAME_BYTES);
}

/* The sum in the stream's result for @bytes is the distance of @bytes from @reference (nullable:
 * 0). */
static void
push_and_check (TestStream *stream, const guint8 *bytes, const guint8 *reference)
{
  GstBuffer *out = test_stream_push (stream, make_frame (bytes));
  g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (out);

  fail_unless (gst_gles_histogram_result_has_mad (result));
  for (guint plane = 0; plane < 3; plane++) {
    GstGlesHistogramStatistics statistics;
    guint64 sum = 0;

    for (gsize i = 0; i < plane_sizes[plane] && reference != NULL; i++) {
      const gsize at = plane_offsets[plane] + i;
      sum += (guint64) ABS (bytes[at] - reference[at]);
    }
    fail_unless (gst_gles_histogram_result_get_statistics (result, plane, &statistics, NULL));
    fail_unless (statistics.mad == (gdouble) sum / (gdouble) plane_sizes[plane]);
    fail_unless (reference != NULL || statistics.mad == 0.0);
  }
  gst_buffer_unref (out);
}

static void
fill_noise (guint8 *bytes, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  for (gsize i = 0; i < FRAME_BYTES; i++)
    bytes[i] = (guint8) g_rand_int (rand);
}

GST_START_TEST (test_off_by_default)
{
  g_autoptr (TestStream) stream = test_stream_new ("", CAPS);
  GstBuffer *out = test_stream_push_noise (stream, 1);
  g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (out);

  fail_if (gst_gles_histogram_result_has_mad (result));
  gst_buffer_unref (out);
}

GST_END_TEST;

GST_START_TEST (test_frame_before)
{
  g_autoptr (TestStream) stream = test_stream_new ("mad=true validate=true", CAPS);
  guint8 frames[4][FRAME_BYTES];
  GstSegment segment;

  for (guint i = 0; i < 4; i++) {
    fill_noise (frames[i], i);
    push_and_check (stream, frames[i], i > 0 ? frames[i - 1] : NULL);
  }
  push_and_check (stream, frames[3], frames[3]);
  /* After a flush there is no reference. */
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_flush_stop (TRUE)));
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_segment (&segment)));
  push_and_check (stream, frames[0], NULL);
  push_and_check (stream, frames[1], frames[0]);
}

GST_END_TEST;

/* Each frame moves one luma sample by 100: 100 of 2304 * 256 is a share of 0.00017. */
GST_START_TEST (test_noise)
{
  g_autoptr (TestStream) stream = test_stream_new ("mad=true mad-noise=0.0004 validate=true", CAPS);
  guint8 first[FRAME_BYTES] = { 0 }, now[FRAME_BYTES] = { 0 }, reference[FRAME_BYTES];

  push_and_check (stream, first, NULL);
  for (guint i = 0; i < 2; i++) {
    now[i * 7] = 100;
    push_and_check (stream, now, first);
  }
  /* Three samples differ: that is above the limit, so the next frame is compared with this one. */
  now[14] = 100;
  push_and_check (stream, now, first);
  memcpy (reference, now, sizeof now);
  now[1000] = 100;
  push_and_check (stream, now, reference);
  push_and_check (stream, first, reference);
  push_and_check (stream, now, first);
}

GST_END_TEST;

GST_START_TEST (test_messages)
{
  g_autoptr (TestStream) stream = test_stream_new ("mad=true post-messages=true", CAPS);
  guint8 frame[FRAME_BYTES] = { 0 };

  push_and_check (stream, frame, NULL);
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_eos ()));
  {
    g_autoptr (GstMessage) message = test_stream_pop_message (stream);
    const GstStructure *structure = gst_message_get_structure (message);
    const GstStructure *luma = gst_value_get_structure (gst_structure_get_value (structure, "Y"));
    gdouble mad = -1.0;

    fail_unless (gst_structure_get_double (luma, "mad", &mad));
    fail_unless (mad == 0.0);
  }
}

GST_END_TEST;

/* Switched on while playing, it works from the next frame on; a new region has no reference. */
GST_START_TEST (test_changes)
{
  g_autoptr (TestStream) stream = test_stream_new ("mad=true", CAPS);
  guint8 frames[3][FRAME_BYTES];

  for (guint i = 0; i < 3; i++)
    fill_noise (frames[i], i);
  push_and_check (stream, frames[0], NULL);
  push_and_check (stream, frames[1], frames[0]);
  g_object_set (stream->element, "mad", FALSE, NULL);
  gst_buffer_unref (test_stream_push (stream, make_frame (frames[0])));
  g_object_set (stream->element, "mad", TRUE, NULL);
  push_and_check (stream, frames[1], NULL);
  push_and_check (stream, frames[2], frames[1]);
}

GST_END_TEST;

static Suite *
mad_suite (void)
{
  Suite *suite = suite_create ("gleshistogram-mad");
  TCase *tcase = tcase_create ("mad");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_off_by_default);
  tcase_add_test (tcase, test_frame_before);
  tcase_add_test (tcase, test_noise);
  tcase_add_test (tcase, test_messages);
  tcase_add_test (tcase, test_changes);
  return suite;
}

gint
main (gint argc, gchar **argv)
{
  return test_main (&argc, &argv, mad_suite);
}
