/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glescompact reference=background and glesregions behind it, on the device of GLES_TEST_DEVICE: an
 * object is one region without a hole, also after it has stopped, until it has become background;
 * and what makes the element forget the background. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include <gst/gles/meta/points.h>
#include <gst/gles/meta/regions.h>

#define WIDTH 161
#define HEIGHT 119
#define ROAD 60
#define CAR 160
#define CAR_WIDTH 48
#define CAR_HEIGHT 24
#define FRAME_NS (40 * GST_MSECOND)
#define CAPS "video/x-raw,format=GRAY8,width=161,height=119,framerate=25/1"
#define NOWHERE G_MAXUINT

typedef struct {
  GstHarness *harness;
  guint64 n_pushed;
  GstClockTime shift; /* of the timestamps */
} Road;

static void
road_open (Road *road, const gchar *properties)
{
  const gchar *device = g_getenv ("GLES_TEST_DEVICE");
  g_autofree gchar *line =
      g_strdup_printf ("glescompact device=%s validate=true predicate=motion lower=24 %s ! "
                       "glesregions device=%s cell-width=4 cell-height=4",
          device, properties, device);

  *road = (Road){ .harness = gst_harness_new_parse (line) };
  gst_harness_set_src_caps_str (road->harness, CAPS);
}

/* Pushes a frame with a car whose left edge is @x, and returns how many points there are. Stores
 * the largest region in *@largest, if there is one. */
static guint64
road_push (Road *road, guint x, GstBufferFlags flags, GstGlesRegion *largest)
{
  const gsize stride = GST_ROUND_UP_4 (WIDTH);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, stride * HEIGHT, NULL);
  g_autoptr (GstGlesPointsResult) points = NULL;
  g_autoptr (GstGlesRegionsResult) regions = NULL;
  GstMapInfo map;
  guint64 total;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  memset (map.data, ROAD, map.size);
  for (guint y = 40; y < 40 + CAR_HEIGHT && x != NOWHERE; y++)
    memset (map.data + y * stride + x, CAR, CAR_WIDTH);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = road->shift + road->n_pushed++ * FRAME_NS;
  GST_BUFFER_DURATION (buffer) = FRAME_NS;
  GST_BUFFER_FLAG_SET (buffer, flags);
  buffer = gst_harness_push_and_pull (road->harness, buffer);
  fail_unless (buffer != NULL);
  points = gst_gles_points_result_from_buffer (buffer);
  regions = gst_gles_regions_result_from_buffer (buffer);
  total = gst_gles_points_result_get_total (points);
  fail_unless_equals_int (gst_gles_regions_result_get_count (regions) > 0, total > 0);
  if (largest != NULL && total > 0)
    *largest = *gst_gles_regions_result_get_region (regions, 0, NULL);
  gst_buffer_unref (buffer);
  return total;
}

static void
road_close (Road *road)
{
  gst_harness_teardown (road->harness);
}

/* The whole car is one region: no pixel of its roof is missing. */
GST_START_TEST (test_a_uniform_roof_has_no_hole)
{
  GstGlesRegion region = { 0 };
  Road road;

  road_open (&road, "reference=background adaptation=1000");
  for (guint i = 0; i < 10; i++)
    fail_unless_equals_uint64 (road_push (&road, NOWHERE, 0, NULL), 0);
  for (guint i = 0; i < 20; i++) {
    fail_unless_equals_uint64 (
        road_push (&road, 5 * i, 0, &region), (guint64) CAR_WIDTH * CAR_HEIGHT);
    fail_unless_equals_int (region.left, 5 * i);
    fail_unless_equals_int (region.right, 5 * i + CAR_WIDTH - 1);
    fail_unless_equals_int (region.pixels, CAR_WIDTH * CAR_HEIGHT);
  }
  road_close (&road);
  /* Of two frames, only the ends differ. */
  road_open (&road, "");
  for (guint i = 0; i < 3; i++)
    road_push (&road, 5 * i, 0, NULL);
  fail_unless_equals_uint64 (road_push (&road, 15, 0, NULL), 2 * 5 * CAR_HEIGHT);
  road_close (&road);
}

GST_END_TEST;

/* The distance of 100 falls by 6 % a frame, and is below 24 after 24 frames. */
GST_START_TEST (test_a_car_that_stops_becomes_background)
{
  guint n = 0;
  Road road;

  road_open (&road, "reference=background adaptation=50");
  for (guint i = 0; i < 10; i++)
    road_push (&road, NOWHERE, 0, NULL);
  while (road_push (&road, 80, 0, NULL) > 0) {
    n++;
    fail_unless (n < 100, "a car that stopped 100 frames ago");
  }
  fail_unless_equals_int (n, 24);
  /* Where it was is then a region, until the road has become background again. */
  fail_unless_equals_uint64 (road_push (&road, NOWHERE, 0, NULL), (guint64) CAR_WIDTH * CAR_HEIGHT);
  road_close (&road);
  road_open (&road, "");
  road_push (&road, NOWHERE, 0, NULL);
  fail_if (road_push (&road, 80, 0, NULL) == 0);
  fail_unless_equals_uint64 (road_push (&road, 80, 0, NULL), 0);
  road_close (&road);
}

GST_END_TEST;

/* Learns the empty road. */
static void
learn (Road *road, const gchar *properties)
{
  road_open (road, properties);
  for (guint i = 0; i < 5; i++)
    road_push (road, NOWHERE, 0, NULL);
  fail_if (road_push (road, 30, 0, NULL) == 0);
}

static void
flush (Road *road)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (road->harness, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (road->harness, gst_event_new_flush_stop (TRUE)));
  fail_unless (gst_harness_push_event (road->harness, gst_event_new_segment (&segment)));
}

static void
check_forgets (const gchar *properties)
{
  Road road;

  learn (&road, properties);
  flush (&road);
  fail_unless_equals_uint64 (road_push (&road, 80, 0, NULL), 0);
  /* What the first frame had is background from then on. */
  fail_unless (road_push (&road, NOWHERE, 0, NULL) > 0);
  road_close (&road);

  learn (&road, properties);
  gst_harness_set_src_caps_str (
      road.harness, "video/x-raw,format=GRAY8,width=161,height=119,framerate=50/1");
  fail_unless_equals_uint64 (road_push (&road, 80, 0, NULL), 0);
  road_close (&road);

  learn (&road, properties);
  road.shift = 5 * GST_SECOND;
  fail_unless_equals_uint64 (road_push (&road, 80, GST_BUFFER_FLAG_DISCONT, NULL), 0);
  fail_unless (road_push (&road, NOWHERE, 0, NULL) > 0);
  road.shift = 0;
  fail_unless_equals_uint64 (road_push (&road, 80, GST_BUFFER_FLAG_DISCONT, NULL), 0);
  road_close (&road);
}

GST_START_TEST (test_forgets)
{
  check_forgets ("reference=background");
  check_forgets ("reference=previous");
}

GST_END_TEST;

/* A queue that drops frames marks the next one as a discontinuity. If that reset the background,
 * a pipeline that is too slow would never see anything. */
GST_START_TEST (test_dropped_frames_keep_the_background)
{
  Road road;

  learn (&road, "reference=background adaptation=1000");
  road.shift = 20 * FRAME_NS;
  fail_unless_equals_uint64 (
      road_push (&road, 80, GST_BUFFER_FLAG_DISCONT, NULL), (guint64) CAR_WIDTH * CAR_HEIGHT);
  road_close (&road);
}

GST_END_TEST;

/* Settings take effect with the next frame; a change of reference starts from nothing. */
GST_START_TEST (test_changed_while_playing)
{
  GstElement *element;
  Road road;

  learn (&road, "reference=background adaptation=1000");
  element = gst_harness_find_element (road.harness, "glescompact");
  g_object_set (element, "adaptation", 1, NULL);
  fail_unless (road_push (&road, 80, 0, NULL) > 0);
  fail_unless_equals_uint64 (road_push (&road, 80, 0, NULL), 0);
  gst_util_set_object_arg (G_OBJECT (element), "reference", "previous");
  fail_unless_equals_uint64 (road_push (&road, NOWHERE, 0, NULL), 0);
  fail_unless_equals_uint64 (road_push (&road, 80, 0, NULL), (guint64) CAR_WIDTH * CAR_HEIGHT);
  gst_object_unref (element);
  road_close (&road);
}

GST_END_TEST;

static Suite *
background_suite (void)
{
  Suite *suite = suite_create ("glescompact-background");
  TCase *tests = tcase_create ("general");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, test_a_uniform_roof_has_no_hole);
  tcase_add_test (tests, test_a_car_that_stops_becomes_background);
  tcase_add_test (tests, test_forgets);
  tcase_add_test (tests, test_dropped_frames_keep_the_background);
  tcase_add_test (tests, test_changed_while_playing);
  return suite;
}

int
main (int argc, char **argv)
{
  gst_check_init (&argc, &argv);
  return gst_check_run_suite (background_suite (), "glescompact-background", __FILE__);
}
