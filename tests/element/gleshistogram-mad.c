/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* mad=true: samples compared with those of an earlier frame, against a plain loop over the
 * bytes. */
#include "gleshistogram-common.h"

#define PIXELS (48 * 32)
#define FRAME_BYTES (PIXELS * 3 / 2)

/* The sum in the stream's result for @bytes is the distance of @bytes from @reference (nullable:
 * 0). */
static void
push_and_check (TestStream *stream, const guint8 *bytes, const guint8 *reference)
{
  static const gsize planes[] = { 0, PIXELS, PIXELS * 5 / 4, FRAME_BYTES };
  g_autoptr (GstGlesHistogramResult) result =
      test_stream_push_for_result (stream, gst_buffer_new_memdup (bytes, FRAME_BYTES));

  fail_unless (gst_gles_histogram_result_has_mad (result));
  for (guint i = 0; i < 3; i++) {
    GstGlesHistogramStatistics statistics;
    guint64 sum = 0;

    for (gsize at = planes[i]; at < planes[i + 1] && reference != NULL; at++)
      sum += (guint64) ABS (bytes[at] - reference[at]);
    fail_unless (gst_gles_histogram_result_get_statistics (result, i, &statistics, NULL));
    fail_unless (statistics.mad == (gdouble) sum / (gdouble) (planes[i + 1] - planes[i]));
  }
}

static void
fill_noise (guint8 *bytes, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  for (gsize i = 0; i < FRAME_BYTES; i++)
    bytes[i] = (guint8) g_rand_int (rand);
}

GST_START_TEST (test_frame_before)
{
  g_autoptr (TestStream) stream = test_stream_new ("mad=true validate=true", TEST_CAPS);
  guint8 frames[4][FRAME_BYTES];

  for (guint i = 0; i < 4; i++) {
    fill_noise (frames[i], i);
    push_and_check (stream, frames[i], i > 0 ? frames[i - 1] : NULL);
  }
  push_and_check (stream, frames[3], frames[3]);
  /* After a flush there is no reference. */
  test_stream_flush (stream);
  push_and_check (stream, frames[0], NULL);
  push_and_check (stream, frames[1], frames[0]);
}

GST_END_TEST;

/* Each frame moves one luma sample by 100: 100 of 2304 * 256 is a share of 0.00017. */
GST_START_TEST (test_noise)
{
  g_autoptr (TestStream) stream =
      test_stream_new ("mad=true mad-noise=0.0004 validate=true", TEST_CAPS);
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

/* Off by default; switched on while playing, it works from the next frame on, and starts anew. */
GST_START_TEST (test_changes)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, TEST_CAPS);
  guint8 frames[2][FRAME_BYTES];

  for (guint i = 0; i < 2; i++)
    fill_noise (frames[i], i);
  for (guint round = 0; round < 2; round++) {
    g_autoptr (GstGlesHistogramResult) result =
        test_stream_push_for_result (stream, test_frame_noise (&stream->info, 1));

    fail_if (gst_gles_histogram_result_has_mad (result));
    g_object_set (stream->element, "mad", TRUE, NULL);
    push_and_check (stream, frames[0], NULL);
    push_and_check (stream, frames[1], frames[0]);
    g_object_set (stream->element, "mad", FALSE, NULL);
  }
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_frame_before);
  tcase_add_test (tcase, test_noise);
  tcase_add_test (tcase, test_changes);
}

TEST_MAIN (add_tests)
