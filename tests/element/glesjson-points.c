/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What glesjson writes of points and tiles, byte for byte, and how long it takes. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

#include <string.h>

#include "glesjson-samples.h"
#include "results-samples.h"

#define HEADER(number, pts, running_time, size, format)                                            \
  "{\"version\":1,\"frame\":" number ",\"pts\":" pts                                               \
  ",\"duration\":null,\"running_time\":" running_time                                              \
  ",\"stream_time\":null,\"utc\":null,\"stream_id\":null,\"width\":" size ",\"height\":" size      \
  ",\"format\":\"" format "\",\"range\":null,\"matrix\":null"
#define POINTS_HEADER HEADER ("7", "40000000", "0", "65536", "NV12")
#define POINTS                                                                                     \
  ",\"points\":{\"element\":null,\"predicate\":\"motion\",\"reference\":\"previous\","             \
  "\"channel\":\"luma\",\"depth\":8,"                                                              \
  "\"lower\":24,\"upper\":255,\"unit\":\"code\",\"region\":[0,0,65536,65536],"
#define LIST                                                                                       \
  ",\"points\":[[0,0,0],[9,10,99],[100,999,1000],[9999,10000,99999],[65535,65535,4294967295]]"

static GstHarness *
harness_new (const gchar *description)
{
  GstHarness *harness = gst_harness_new_parse (description);

  gst_harness_set_src_caps_str (harness, "video/x-raw,format=NV12,width=1920,height=1080");
  return harness;
}

/* @points: (transfer full). The line: (transfer full). */
static gchar *
line_of (GstHarness *harness, GstGlesPointsResult *points, gboolean with_histogram)
{
  GstBuffer *buffer = gst_buffer_new ();
  gchar *line;
  gsize size;

  gst_buffer_add_gles_points_meta (buffer, points);
  gst_gles_points_result_unref (points);
  if (with_histogram) {
    g_autoptr (GstGlesHistogramResult) histogram = sample_empty ();

    gst_buffer_add_gles_histogram_meta (buffer, histogram);
  }
  buffer = gst_harness_push_and_pull (harness, buffer);
  ck_assert (buffer != NULL);
  size = gst_buffer_get_size (buffer);
  line = g_malloc (size + 1);
  gst_buffer_extract (buffer, 0, line, size);
  line[size] = '\0';
  gst_buffer_unref (buffer);
  return line;
}

static void
check_line (GstHarness *harness, GstGlesPointsResult *points, const gchar *expected)
{
  g_autofree gchar *line = line_of (harness, points, FALSE);

  ck_assert_str_eq (line, expected);
}

GST_START_TEST (test_points)
{
  GstHarness *harness = harness_new ("glesjson");

  check_line (harness, sample_points (),
      POINTS_HEADER POINTS "\"total\":5,\"count\":5,\"truncated\":false" LIST "}}\n");
  gst_harness_teardown (harness);
}
GST_END_TEST

GST_START_TEST (test_points_left_out)
{
  GstHarness *harness = harness_new ("glesjson points=false");

  check_line (harness, sample_points (),
      POINTS_HEADER POINTS "\"total\":5,\"count\":5,\"truncated\":false}}\n");
  gst_harness_teardown (harness);
}
GST_END_TEST

GST_START_TEST (test_no_points)
{
  GstHarness *harness = harness_new ("glesjson");

  check_line (harness, sample_points_new (65536, 65536, NULL, 0, 0),
      POINTS_HEADER POINTS "\"total\":0,\"count\":0,\"truncated\":false,\"points\":[]}}\n");
  gst_harness_teardown (harness);
}
GST_END_TEST

/* max-points cut the list */
GST_START_TEST (test_truncated_points)
{
  static const GstGlesPoint points[] = { { 3, 4, 5 } };
  GstHarness *harness = harness_new ("glesjson");

  check_line (harness, sample_points_new (65536, 65536, points, 1, G_MAXUINT32 + 1ull),
      POINTS_HEADER POINTS "\"total\":4294967296,\"count\":1,\"truncated\":true,"
                           "\"points\":[[3,4,5]]}}\n");
  gst_harness_teardown (harness);
}
GST_END_TEST

/* The parts keep their order; the first one tells of the frame. */
GST_START_TEST (test_histogram_and_points)
{
  GstHarness *harness = harness_new ("glesjson counts=false");
  g_autofree gchar *line = line_of (harness, sample_points (), TRUE);

  ck_assert_msg (
      g_str_has_prefix (line,
          "{\"version\":1,\"frame\":0,\"pts\":null,\"duration\":null,\"running_time\":null,"
          "\"stream_time\":null,\"utc\":null,\"stream_id\":null,\"width\":8,\"height\":4,"
          "\"format\":\"GRAY8\",\"range\":null,\"matrix\":null,\"histogram\":{"),
      "%s", line);
  ck_assert_msg (g_str_has_suffix (
                     line, "}]}" POINTS "\"total\":5,\"count\":5,\"truncated\":false" LIST "}}\n"),
      "%s", line);
  gst_harness_teardown (harness);
}
GST_END_TEST

#define TILES_OF(total)                                                                            \
  ",\"tiles\":{\"element\":null,\"source\":\"points\",\"size\":[16,16],\"grid\":[4,3],"            \
  "\"total\":" total
#define OCCUPIED ",\"occupied\":2,\"max_per_tile\":2"
#define TILES TILES_OF ("3") ",\"truncated\":false" OCCUPIED
#define TILE_LISTS ",\"offsets\":[0,0,2,2,2,2,2,2,2,2,2,2,3],\"indices\":[5,0,4000000000]"

/* @tiles: (transfer full) */
static void
check_tiles (const gchar *description, GstGlesTilesResult *tiles, const gchar *expected)
{
  GstHarness *harness = harness_new (description);
  GstBuffer *buffer = gst_buffer_new ();
  GstMapInfo map;

  gst_buffer_add_gles_tiles_meta (buffer, tiles);
  gst_gles_tiles_result_unref (tiles);
  buffer = gst_harness_push_and_pull (harness, buffer);
  ck_assert (buffer != NULL && gst_buffer_map (buffer, &map, GST_MAP_READ));
  ck_assert_msg (map.size == strlen (expected) && memcmp (map.data, expected, map.size) == 0,
      "%.*s instead of %s", (gint) map.size, (gchar *) map.data, expected);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}

#define TILES_HEADER                                                                               \
  "{\"version\":1,\"frame\":7,\"pts\":40000000,\"duration\":null,\"running_time\":0,"              \
  "\"stream_time\":null,\"utc\":null,\"stream_id\":null,\"width\":64,\"height\":48,"               \
  "\"format\":\"NV12\",\"range\":null,\"matrix\":null"

GST_START_TEST (test_tiles)
{
  check_tiles ("glesjson", sample_tiles (3), TILES_HEADER TILES TILE_LISTS "}}\n");
}
GST_END_TEST

#define TILE_COUNTS ",\"counts\":[0,2,0,0,0,0,0,0,0,0,0,1]"

/* indices=false leaves how long the lists are */
GST_START_TEST (test_tiles_left_out)
{
  check_tiles ("glesjson indices=false", sample_tiles (3), TILES_HEADER TILES TILE_COUNTS "}}\n");
}
GST_END_TEST

GST_START_TEST (test_truncated_tiles)
{
  check_tiles ("glesjson indices=false", sample_tiles (5000000000),
      TILES_HEADER TILES_OF ("5000000000") ",\"truncated\":true" OCCUPIED TILE_COUNTS "}}\n");
}
GST_END_TEST

/* A tenth of 1080p in points: checks every number of a long list, and prints the time of a line.
 * docs/performance/log/streams.md has measurements. */
GST_START_TEST (test_a_tenth_of_1080p)
{
  const guint n = 190000;
  g_autofree GstGlesPoint *points = g_new (GstGlesPoint, n);
  GstHarness *harness = harness_new ("glesjson");
  GString *expected = g_string_new (NULL);
  gint64 best_us = G_MAXINT64;

  for (guint i = 0; i < n; i++) {
    points[i] = (GstGlesPoint){ i * 10 % 1920, i / 192, 24 + i * 7919 % 100003 };
    g_string_append_printf (expected, "%s[%u,%u,%u]", i == 0 ? "\"points\":[" : ",", points[i].x,
        points[i].y, points[i].value);
  }
  g_string_append (expected, "]}}\n");
  for (guint run = 0; run < 10; run++) {
    GstBuffer *buffer = gst_buffer_new ();
    g_autoptr (GstGlesPointsResult) result = sample_points_new (1920, 1080, points, n, n);
    gint64 started_us;
    GstMapInfo map;

    gst_buffer_add_gles_points_meta (buffer, result);
    started_us = g_get_monotonic_time ();
    buffer = gst_harness_push_and_pull (harness, buffer);
    best_us = MIN (best_us, g_get_monotonic_time () - started_us);
    fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
    fail_unless (map.size > expected->len);
    fail_unless_equals_int (
        memcmp (map.data + map.size - expected->len, expected->str, expected->len), 0);
    gst_buffer_unmap (buffer, &map);
    gst_buffer_unref (buffer);
  }
  g_print ("%u points: %.2f ms\n", n, best_us / 1e3);
  g_string_free (expected, TRUE);
  gst_harness_teardown (harness);
}
GST_END_TEST

/* What an element with readback=false left on the device is left out, where there is something
 * else. */
GST_START_TEST (test_what_stayed_on_the_device_is_left_out)
{
  GstHarness *harness = harness_new ("glesjson");
  GstBuffer *buffer = gst_buffer_new ();
  const GstGlesHistogramInfo info = sample_info (8, 256, 1, 1);
  g_autoptr (GstGlesHistogramResult) on_device = gst_gles_histogram_result_new (&info, NULL, NULL);
  g_autoptr (GstGlesPointsResult) points = sample_points ();

  gst_buffer_add_gles_histogram_meta (buffer, on_device);
  gst_buffer_add_gles_points_meta (buffer, points);
  buffer = gst_harness_push_and_pull (harness, buffer);
  ck_assert (buffer != NULL);
  {
    GstMapInfo map;
    const gchar *end = POINTS "\"total\":5,\"count\":5,\"truncated\":false" LIST "}}\n";

    ck_assert (gst_buffer_map (buffer, &map, GST_MAP_READ));
    ck_assert (g_strstr_len ((const gchar *) map.data, map.size, "histogram") == NULL);
    ck_assert (map.size > strlen (end));
    ck_assert (memcmp (map.data + map.size - strlen (end), end, strlen (end)) == 0);
    gst_buffer_unmap (buffer, &map);
  }
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}
GST_END_TEST

static Suite *
points_suite (void)
{
  Suite *suite = suite_create ("glesjson-points");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_points);
  tcase_add_test (tcase, test_points_left_out);
  tcase_add_test (tcase, test_no_points);
  tcase_add_test (tcase, test_truncated_points);
  tcase_add_test (tcase, test_histogram_and_points);
  tcase_add_test (tcase, test_what_stayed_on_the_device_is_left_out);
  tcase_add_test (tcase, test_tiles);
  tcase_add_test (tcase, test_tiles_left_out);
  tcase_add_test (tcase, test_truncated_tiles);
  tcase_add_test (tcase, test_a_tenth_of_1080p);
  return suite;
}
GST_CHECK_MAIN (points)
