/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* More points than fit a storage block of the device (128 MiB where it has only the minimum of
 * OpenGL ES 3.1): glescompact lists all of them; glestiles lists as many as fit and reports the
 * rest. */
#include "gleshistogram-common.h"

#include <gst/gles/meta/points.h>
#include <gst/gles/meta/tiles.h>

#include <string.h>

/* 17.2 million points of 8 bytes: 131 MiB */
#define WIDTH 4160
#define HEIGHT 4128
/* in the second window of 16 Mi points */
#define MAX_POINTS 17000000

typedef struct {
  GstHarness *harness;
  GstBus *bus;
  GstVideoInfo info;
} Chain;

static void
chain_init (Chain *chain, const gchar *behind)
{
  g_autofree gchar *line =
      g_strdup_printf ("glescompact device=%s predicate=threshold lower=0 max-points=%u%s",
          test_device (), MAX_POINTS, behind);

  chain->harness = gst_harness_new_parse (line);
  chain->bus = gst_bus_new ();
  gst_element_set_bus (chain->harness->element, chain->bus);
  gst_video_info_set_format (&chain->info, GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);
  gst_harness_set_src_caps (chain->harness, gst_video_info_to_caps (&chain->info));
}

static void
chain_clear (Chain *chain)
{
  gst_bus_set_flushing (chain->bus, TRUE);
  gst_harness_teardown (chain->harness);
  gst_object_unref (chain->bus);
}

/* The largest range of a binding on this device; no limit on a cpu device. */
static guint64
block_bytes (void)
{
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (test_device (), NULL);

  return test_device_is_cpu () ? G_MAXUINT64
                               : gst_gles_device_get_limits (device)->storage_block_bytes;
}

GST_START_TEST (test_points_over_a_block)
{
  g_autoptr (GstGlesPointsResult) result = NULL;
  g_autoptr (GstBuffer) frame = NULL;
  const GstGlesPoint *points;
  GError *error = NULL;
  GstMapInfo map;
  Chain chain;
  guint n, wrong = 0;

  chain_init (&chain, "");
  frame = gst_harness_push_and_pull (chain.harness, test_frame_noise (&chain.info, 5));
  error = test_bus_pop_error (chain.bus);
  test_no_error (error);
  fail_unless (frame != NULL);
  result = gst_gles_points_result_from_buffer (frame);
  fail_unless (result != NULL);
  points = gst_gles_points_result_get_points (result, &n, &error);
  test_no_error (error);
  fail_unless_equals_int (n, MAX_POINTS);
  fail_unless_equals_uint64 (gst_gles_points_result_get_total (result), WIDTH * HEIGHT);
  fail_unless (gst_gles_points_result_is_truncated (result));
  fail_unless (gst_buffer_map (frame, &map, GST_MAP_READ));
  /* Compared without assertions, as each assertion of GstCheck takes a microsecond. */
  while (wrong < n && points[wrong].x == wrong % WIDTH && points[wrong].y == wrong / WIDTH &&
      points[wrong].value == map.data[wrong])
    wrong++;
  fail_unless (wrong == n, "point %u is %u,%u: %u", wrong, points[wrong].x, points[wrong].y,
      points[wrong].value);
  gst_buffer_unmap (frame, &map);
  chain_clear (&chain);
}

GST_END_TEST;

/* Records of 32 bytes have to fit a block; with fewer, or native code, there are lists. */
GST_START_TEST (test_tiles_say_what_is_too_much)
{
  const gboolean fits = block_bytes () >= 32ull * MAX_POINTS;
  g_autofree gchar *behind = g_strdup_printf (
      " ! glestiles device=%s tile-width=64 tile-height=64 max-items=100", test_device ());
  g_autoptr (GstGlesTilesResult) result = NULL;
  g_autoptr (GstBuffer) frame = NULL;
  g_autoptr (GError) error = NULL;
  GstFlowReturn flow;
  Chain chain;

  chain_init (&chain, behind);
  flow = gst_harness_push (chain.harness, test_frame_noise (&chain.info, 6));
  error = test_bus_pop_error (chain.bus);
  if (fits) {
    test_no_error (error);
    frame = gst_harness_pull (chain.harness);
    result = gst_gles_tiles_result_from_buffer (frame);
    fail_unless_equals_uint64 (gst_gles_tiles_result_get_total (result), MAX_POINTS);
  } else {
    fail_unless_equals_int (flow, GST_FLOW_ERROR);
    fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT),
        "%s", error != NULL ? error->message : "no error");
    fail_unless (strstr (error->message, "cpu") != NULL, "%s", error->message);
  }
  chain_clear (&chain);
}

GST_END_TEST;

static Suite *
analyzers_limits_suite (void)
{
  Suite *suite = suite_create ("analyzers-limits");
  TCase *tcase = tcase_create ("limits");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 240);
  tcase_add_test (tcase, test_points_over_a_block);
  tcase_add_test (tcase, test_tiles_say_what_is_too_much);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, analyzers_limits_suite);
}
