/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glescompact with reference=background and reference=samples, and glesregions behind it, on the
 * device of GLES_TEST_DEVICE: an object is one region without a hole, also after it has stopped,
 * until it has become background; what makes the element forget the background; and noise. */
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
/* of a smoothed picture: with the pixels around it, but for the corners and those beside them */
#define SMOOTH_CAR_PIXELS (CAR_PIXELS + 2 * (CAR_WIDTH + CAR_HEIGHT) - 8)
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
  if (largest != NULL && gst_gles_regions_result_get_count (regions) > 0)
    *largest = *gst_gles_regions_result_get_region (regions, 0, NULL);
  return total;
}

/* The same, of which @n points have to come, and a region. */
static void
expect (TestStream *road, guint x, guint64 n)
{
  GstGlesRegion region = { 0 };

  fail_unless_equals_uint64 (push (road, x, 0, &region), n);
  fail_unless_equals_int (region.pixels > 0, n > 0);
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

/* ---- samples ---- */

/* Frames that samples are learnt from, in which nothing passes. */
#define N_LEARNT 4

/* The car is one region, wherever it is. */
GST_START_TEST (test_samples_find_the_whole_car)
{
  g_autoptr (TestStream) road = open_road ("reference=samples");
  GstGlesRegion region = { 0 };

  for (guint i = 0; i < 5; i++)
    expect (road, NOWHERE, 0);
  for (guint i = 0; i < 12; i++) {
    fail_unless_equals_uint64 (push (road, 8 * i + 1, 0, &region), SMOOTH_CAR_PIXELS);
    fail_unless_equals_int (region.left, 8 * i);
    fail_unless_equals_int (region.right, 8 * i + CAR_WIDTH + 1);
  }
  expect (road, NOWHERE, 0);
}

GST_END_TEST;

/* How long that takes is the adaptation. */
GST_START_TEST (test_samples_take_in_a_car_that_stops)
{
  g_autoptr (TestStream) fast = open_road ("reference=samples adaptation=30");
  g_autoptr (TestStream) slow = open_road ("reference=samples adaptation=10000");

  for (guint i = 0; i < N_LEARNT; i++) {
    expect (fast, NOWHERE, 0);
    expect (slow, NOWHERE, 0);
  }
  for (guint i = 0; i < 80; i++) {
    push (fast, 80, 0, NULL);
    push (slow, 80, 0, NULL);
  }
  fail_unless (push (fast, 80, 0, NULL) < CAR_PIXELS / 10);
  fail_unless (push (slow, 80, 0, NULL) > CAR_PIXELS * 9 / 10);
}

GST_END_TEST;

/* A ghost: the car was there in the first frames. */
GST_START_TEST (test_samples_forget)
{
  g_autoptr (TestStream) road = open_road ("reference=samples");

  for (guint turn = 0; turn < 2; turn++) {
    for (guint i = 0; i < N_LEARNT; i++)
      expect (road, 80, 0);
    fail_unless (push (road, NOWHERE, 0, NULL) > CAR_PIXELS * 3 / 4);
    if (turn == 0)
      test_stream_flush (road);
  }
  line_set (road, "glescompact", "reference", "previous");
  expect (road, 80, 0);
  expect (road, NOWHERE, CAR_PIXELS);
  line_set (road, "glescompact", "reference", "samples");
  for (guint i = 0; i < N_LEARNT; i++)
    expect (road, 80, 0);
  fail_unless (push (road, NOWHERE, 0, NULL) > CAR_PIXELS * 3 / 4);
}

GST_END_TEST;

/* A car that is there in the first frame only is no ghost: of the eight samples six are of the
 * road. One that comes while the road is learnt does not pass, and then does. */
GST_START_TEST (test_samples_are_learnt_from_four_frames)
{
  g_autoptr (TestStream) leaving = open_road ("reference=samples");
  g_autoptr (TestStream) coming = open_road ("reference=samples");

  expect (leaving, 80, 0);
  for (guint i = 0; i < 6; i++)
    expect (leaving, NOWHERE, 0);
  for (guint i = 0; i < N_LEARNT; i++)
    expect (coming, i == 1 ? 20 : NOWHERE, 0);
  fail_unless_equals_uint64 (push (coming, 100, 0, NULL), SMOOTH_CAR_PIXELS);
}

GST_END_TEST;

/* Background, whose value is 0, never passes. */
GST_START_TEST (test_samples_with_any_lower_bound)
{
  static const gchar *const bounds[] = { "reference=samples lower=0",
    "reference=samples lower=300" };
  g_autoptr (TestStream) road = open_road (bounds[__i__]);

  for (guint i = 0; i < N_LEARNT; i++)
    expect (road, NOWHERE, 0);
  fail_unless_equals_int (push (road, 80, 0, NULL) > CAR_PIXELS, __i__ == 0);
}

GST_END_TEST;

/* Switched light, and darkness at once, are another picture, not motion, and what moves in it is
 * seen as soon as it is learnt. */
GST_START_TEST (test_samples_follow_the_light)
{
  g_autoptr (TestStream) stream =
      line_stream (CAPS "25/1", "glescompact validate=true predicate=motion reference=samples");
  static const guint8 lights[] = { 60, 60, 160, 160, 160, 160, 160, 40, 40 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (lights); i++) {
    const gsize stride = GST_ROUND_UP_4 (WIDTH);
    GstBuffer *frame = gst_buffer_new_allocate (NULL, stride * HEIGHT, NULL);
    const gboolean has_car =
        i >= G_N_ELEMENTS (lights) && i % G_N_ELEMENTS (lights) == 2 + N_LEARNT;
    g_autoptr (GstGlesPointsResult) points = NULL;
    g_autoptr (GstBuffer) out = NULL;

    gst_buffer_memset (frame, 0, lights[i % G_N_ELEMENTS (lights)], stride * HEIGHT);
    for (guint y = 40; y < 40 + CAR_HEIGHT && has_car; y++)
      gst_buffer_memset (frame, y * stride + 50, 0, CAR_WIDTH);
    out = test_stream_push (stream, frame);
    points = gst_gles_points_result_from_buffer (out);
    fail_unless_equals_int (gst_gles_points_result_get_total (points) >= CAR_PIXELS, has_car);
    fail_unless (has_car || gst_gles_points_result_get_total (points) == 0);
  }
}

GST_END_TEST;

/* Pushes a frame whose left part is brighter by 40 from frame N_LEARNT on, and the part beside it,
 * which ends at column @some_end, by 10. Returns how many points there are. */
static guint64
push_infrared (TestStream *stream, guint frame, guint some_end)
{
  const gsize stride = GST_ROUND_UP_4 (WIDTH);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, stride * HEIGHT, NULL);
  g_autoptr (GstGlesPointsResult) points = NULL;
  g_autoptr (GstBuffer) out = NULL;

  gst_buffer_memset (buffer, 0, 100, stride * HEIGHT);
  for (guint y = 0; y < HEIGHT && frame >= N_LEARNT; y++) {
    gst_buffer_memset (buffer, y * stride, 110, some_end);
    gst_buffer_memset (buffer, y * stride, 140, WIDTH / 5);
  }
  out = test_stream_push (stream, buffer);
  points = gst_gles_points_result_from_buffer (out);
  return gst_gles_points_result_get_total (points);
}

/* In infrared a fifth of the picture is much brighter, and most of it is a little brighter. Where
 * most is as before, a thing has come. */
GST_START_TEST (test_samples_follow_infrared)
{
  const guint ends[] = { WIDTH * 3 / 5, WIDTH * 2 / 5 };
  g_autoptr (TestStream) stream =
      line_stream (CAPS "25/1", "glescompact validate=true predicate=motion reference=samples");

  for (guint i = 0; i < 3 + N_LEARNT; i++) {
    const guint64 n = push_infrared (stream, i, ends[__i__]);

    fail_unless_equals_int (n >= WIDTH / 5 * HEIGHT, __i__ == 1 && i >= N_LEARNT);
    fail_unless (n == 0 || __i__ == 1);
  }
}

GST_END_TEST;

/* Samples have 8 bits in all formats, so bounds and values do. */
GST_START_TEST (test_samples_have_8_bits)
{
  g_autoptr (TestStream) stream =
      line_stream ("video/x-raw,format=P010_10LE,width=64,height=48,framerate=25/1",
          "glescompact predicate=motion reference=samples");

  for (guint i = 0; i <= N_LEARNT; i++) {
    GstBuffer *frame = gst_buffer_new_allocate (NULL, 64 * 48 * 3, NULL);
    const gboolean changed = i == N_LEARNT;
    g_autoptr (GstGlesPointsResult) points = NULL;
    g_autoptr (GstBuffer) out = NULL;
    const GstGlesPointsInfo *info;
    guint n;

    /* 64 of 8 bits, and then 128 in a quarter of the picture */
    gst_buffer_memset (frame, 0, 0x40, gst_buffer_get_size (frame));
    gst_buffer_memset (frame, 0, 0x80, changed * 2 * 64 * 12);
    out = test_stream_push (stream, frame);
    points = gst_gles_points_result_from_buffer (out);
    info = gst_gles_points_result_get_info (points);
    fail_unless (info->samples);
    fail_unless_equals_int (info->depth, 8);
    fail_unless_equals_int (info->lower, 16);
    fail_unless_equals_int (info->adaptation, 500);
    fail_unless_equals_uint64 (gst_gles_points_result_get_total (points), changed * 64 * 13);
    if (changed)
      fail_unless_equals_int (gst_gles_points_result_get_points (points, &n, NULL)->value, 64);
  }
}

GST_END_TEST;

/* ---- noise ---- */

/* Pushes a frame of @luma with noise, the sum of four bytes, whose standard deviation is 12, and
 * with a car whose left edge is @x. Returns how many points there are. Sets *@lower (nullable) to
 * the bound. */
static guint64
push_noise (TestStream *stream, GRand *random, gint luma, guint x, guint *lower)
{
  const gsize stride = GST_ROUND_UP_4 (WIDTH);
  GstBuffer *frame = gst_buffer_new_allocate (NULL, stride * HEIGHT, NULL);
  g_autoptr (GstGlesPointsResult) points = NULL;
  g_autoptr (GstBuffer) out = NULL;
  GstMapInfo map;

  fail_unless (gst_buffer_map (frame, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++) {
    const guint32 r = g_rand_int (random);
    const gint sum = (gint) ((r & 255) + (r >> 8 & 255) + (r >> 16 & 255) + (r >> 24)) - 510;

    map.data[i] = (guint8) (luma + sum * 12 / 148);
  }
  for (guint y = 40; y < 40 + CAR_HEIGHT && x != NOWHERE; y++)
    memset (map.data + y * stride + x, luma + CAR / 2, CAR_WIDTH);
  gst_buffer_unmap (frame, &map);
  out = test_stream_push (stream, frame);
  points = gst_gles_points_result_from_buffer (out);
  if (lower != NULL)
    *lower = gst_gles_points_result_get_info (points)->lower;
  return gst_gles_points_result_get_total (points);
}

/* With a running average and a fixed bound a third of the pixels of this noise is motion. */
GST_START_TEST (test_sensor_noise_is_no_motion_of_samples)
{
  g_autoptr (TestStream) samples =
      line_stream (CAPS "25/1", "glescompact predicate=motion reference=samples");
  g_autoptr (TestStream) average =
      line_stream (CAPS "25/1", "glescompact predicate=motion reference=background lower=16");
  GRand *random = g_rand_new_with_seed (1);
  guint64 n = 0, n_average = 0;

  for (guint i = 0; i < 40; i++) {
    const guint64 points = push_noise (samples, random, 128, NOWHERE, NULL);

    n += i < 30 ? 0 : points;
    n_average += push_noise (average, random, 128, NOWHERE, NULL) * (i >= 30);
  }
  g_rand_free (random);
  fail_unless (n < 10 * WIDTH * HEIGHT / 100);
  fail_unless (n_average > 10 * WIDTH * HEIGHT / 5);
}

GST_END_TEST;

/* The bound is 128 until the noise is known, and then four standard deviations of the difference of
 * two frames: 4 * 12 * sqrt (2). A car is found as before. Light that changes is no noise. */
GST_START_TEST (test_the_bound_follows_the_noise)
{
  static const gchar *const references[] = { "previous", "background" };
  g_autoptr (TestStream) stream = line_stream (
      CAPS "25/1", "glescompact validate=true predicate=motion reference=%s", references[__i__]);
  GRand *random = g_rand_new_with_seed (1);
  guint lower, before;

  for (guint i = 0; i < 12; i++) {
    const guint64 n = push_noise (stream, random, 100, NOWHERE, &lower);

    fail_unless (i < 5 ? lower == 128 : lower >= 64 && lower <= 72);
    fail_unless (n < WIDTH * HEIGHT / 1000);
  }
  fail_unless (push_noise (stream, random, 100, 50, &before) > CAR_PIXELS * 2 / 3);
  for (guint i = 0; i < 12; i++)
    push_noise (stream, random, i % 2 == 0 ? 60 : 160, NOWHERE, &lower);
  fail_unless (lower < before && lower >= 60);
  test_stream_flush (stream);
  push_noise (stream, random, 100, NOWHERE, &lower);
  fail_unless_equals_int (lower, 128);
  g_rand_free (random);
}

GST_END_TEST;

/* A picture that hardly changes, and a bound that is set, have no other. */
GST_START_TEST (test_the_bound_without_noise)
{
  static const gchar *const settings[] = { "", "lower=20" };
  g_autoptr (TestStream) road =
      line_stream (CAPS "25/1", "glescompact predicate=motion %s ! glesregions", settings[__i__]);

  for (guint i = 0; i < 12; i++) {
    const guint x = i % 2 == 0 ? NOWHERE : 20 + 4 * i;
    const gboolean is_found = i >= (__i__ == 0 ? 5 : 1);

    fail_unless_equals_uint64 (push (road, x, 0, NULL), is_found ? CAR_PIXELS : 0);
  }
  if (__i__ == 1) {
    GRand *random = g_rand_new_with_seed (1);
    guint lower;

    for (guint i = 0; i < 8; i++)
      push_noise (road, random, 100, NOWHERE, &lower);
    g_rand_free (random);
    fail_unless_equals_int (lower, 20);
  }
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
  tcase_add_test (tcase, test_samples_find_the_whole_car);
  tcase_add_test (tcase, test_samples_take_in_a_car_that_stops);
  tcase_add_test (tcase, test_samples_forget);
  tcase_add_test (tcase, test_samples_are_learnt_from_four_frames);
  tcase_add_loop_test (tcase, test_samples_with_any_lower_bound, 0, 2);
  tcase_add_test (tcase, test_samples_follow_the_light);
  tcase_add_loop_test (tcase, test_samples_follow_infrared, 0, 2);
  tcase_add_test (tcase, test_samples_have_8_bits);
  tcase_add_test (tcase, test_sensor_noise_is_no_motion_of_samples);
  tcase_add_loop_test (tcase, test_the_bound_follows_the_noise, 0, 2);
  tcase_add_loop_test (tcase, test_the_bound_without_noise, 0, 2);
}

LINES_MAIN (add_tests)
