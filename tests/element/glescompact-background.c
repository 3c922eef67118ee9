/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glescompact reference=background and glesregions behind it, on the device of GLES_TEST_DEVICE: an
 * object is one region without a hole, also after it has stopped, until it has become background;
 * and what makes the element forget the background. */
#include "lines.h"

#include <gst/gles/meta/points.h>
#include <gst/gles/meta/regions.h>

#define WIDTH 161
#define HEIGHT 119
#define ROAD 60
#define CAR 160
#define CAR_WIDTH 48
#define CAR_HEIGHT 24
#define CAR_PIXELS (CAR_WIDTH * CAR_HEIGHT)
#define CAPS "video/x-raw,format=GRAY8,width=161,height=119,framerate="
#define NOWHERE G_MAXUINT

static TestStream *
open_road (const gchar *properties)
{
  return line_stream (CAPS "25/1",
      "glescompact validate=true predicate=motion lower=24 %s ! "
      "glesregions cell-width=4 cell-height=4",
      properties);
}

/* Pushes a frame with a car whose left edge is @x, and returns how many points there are. Stores
 * the largest region in *@largest, if there is one. */
static guint64
push (TestStream *road, guint x, GstBufferFlags flags, GstGlesRegion *largest)
{
  const gsize stride = GST_ROUND_UP_4 (WIDTH);
  GstBuffer *frame = gst_buffer_new_allocate (NULL, stride * HEIGHT, NULL);
  g_autoptr (GstGlesPointsResult) points = NULL;
  g_autoptr (GstGlesRegionsResult) regions = NULL;
  g_autoptr (GstBuffer) out = NULL;
  guint64 total;

  gst_buffer_memset (frame, 0, ROAD, stride * HEIGHT);
  for (guint y = 40; y < 40 + CAR_HEIGHT && x != NOWHERE; y++)
    gst_buffer_memset (frame, y * stride + x, CAR, CAR_WIDTH);
  GST_BUFFER_FLAG_SET (frame, flags);
  out = test_stream_push (road, frame);
  points = gst_gles_points_result_from_buffer (out);
  regions = gst_gles_regions_result_from_buffer (out);
  total = gst_gles_points_result_get_total (points);
  fail_unless_equals_int (gst_gles_regions_result_get_count (regions) > 0, total > 0);
  if (largest != NULL && total > 0)
    *largest = *gst_gles_regions_result_get_region (regions, 0, NULL);
  return total;
}

/* The same, of which @n points have to come. */
static void
expect (TestStream *road, guint x, guint64 n)
{
  fail_unless_equals_uint64 (push (road, x, 0, NULL), n);
}

/* Learns the empty road, on which a car appears then. */
static TestStream *
learn (const gchar *properties)
{
  TestStream *road = open_road (properties);

  for (guint i = 0; i < 5; i++)
    expect (road, NOWHERE, 0);
  expect (road, 30, CAR_PIXELS);
  return road;
}

/* The whole car is one region: no pixel of its roof is missing. */
GST_START_TEST (test_a_uniform_roof_has_no_hole)
{
  g_autoptr (TestStream) road = learn ("reference=background adaptation=1000");
  g_autoptr (TestStream) previous = open_road ("");
  GstGlesRegion region = { 0 };

  for (guint i = 0; i < 20; i++) {
    fail_unless_equals_uint64 (push (road, 5 * i, 0, &region), CAR_PIXELS);
    fail_unless_equals_int (region.left, 5 * i);
    fail_unless_equals_int (region.right, 5 * i + CAR_WIDTH - 1);
    fail_unless_equals_int (region.pixels, CAR_PIXELS);
  }
  /* Of two frames, only the ends differ. */
  expect (previous, 0, 0);
  expect (previous, 5, 2 * 5 * CAR_HEIGHT);
  expect (previous, 5, 0);
}

GST_END_TEST;

/* The distance of 100 falls by 6 % a frame, and is below 24 after 24 frames. */
GST_START_TEST (test_a_car_that_stops_becomes_background)
{
  g_autoptr (TestStream) road = open_road ("reference=background adaptation=50");

  expect (road, NOWHERE, 0);
  for (guint i = 0; i < 24; i++)
    expect (road, 80, CAR_PIXELS);
  expect (road, 80, 0);
  /* Where it was is then a region, until the road has become background again. */
  expect (road, NOWHERE, CAR_PIXELS);
}

GST_END_TEST;

/* What the first frame after it had is background from then on. */
static void
check_forgotten (TestStream *road, GstBufferFlags flags)
{
  fail_unless_equals_uint64 (push (road, 80, flags, NULL), 0);
  expect (road, NOWHERE, CAR_PIXELS);
}

GST_START_TEST (test_forgets)
{
  static const gchar *const references[] = { "reference=background", "reference=previous" };
  const guint jump = 5 * GST_SECOND / TEST_FRAME_DURATION;
  g_autoptr (TestStream) road = learn (references[__i__]);

  test_stream_flush (road);
  check_forgotten (road, 0);
  line_set_caps (road, CAPS "50/1");
  check_forgotten (road, 0);
  road->n_pushed += jump;
  check_forgotten (road, GST_BUFFER_FLAG_DISCONT);
  road->n_pushed -= jump;
  check_forgotten (road, GST_BUFFER_FLAG_DISCONT);
}

GST_END_TEST;

/* A queue that drops frames marks the next one as a discontinuity. If that reset the background,
 * a pipeline that is too slow would never see anything. Nor does a jump without the flag. */
GST_START_TEST (test_dropped_frames_keep_the_background)
{
  g_autoptr (TestStream) road = learn ("reference=background adaptation=1000");

  road->n_pushed += GST_SECOND / TEST_FRAME_DURATION;
  fail_unless_equals_uint64 (push (road, 80, GST_BUFFER_FLAG_DISCONT, NULL), CAR_PIXELS);
  road->n_pushed += 5 * GST_SECOND / TEST_FRAME_DURATION;
  expect (road, 20, CAR_PIXELS);
}

GST_END_TEST;

/* Settings take effect with the next frame; a change of reference starts from nothing. */
GST_START_TEST (test_changed_while_playing)
{
  g_autoptr (TestStream) road = learn ("reference=background adaptation=1000");

  line_set (road, "glescompact", "adaptation", "1");
  fail_unless (push (road, 80, 0, NULL) > 0);
  expect (road, 80, 0);
  line_set (road, "glescompact", "reference", "previous");
  expect (road, NOWHERE, 0);
  expect (road, 80, CAR_PIXELS);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_a_uniform_roof_has_no_hole);
  tcase_add_test (tcase, test_a_car_that_stops_becomes_background);
  tcase_add_loop_test (tcase, test_forgets, 0, 2);
  tcase_add_test (tcase, test_dropped_frames_keep_the_background);
  tcase_add_test (tcase, test_changed_while_playing);
}

LINES_MAIN (add_tests)
