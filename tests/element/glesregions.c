/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glesregions behind glescompact, on the device of GLES_TEST_DEVICE: boxes, what is left out,
 * regions of interest, scaled frames, messages. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "config.h"

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#include <gst/gles/meta/points.h>
#include <gst/gles/meta/regions.h>

#define WIDTH 160
#define HEIGHT 120

/* A rectangle of one value. */
typedef struct {
  guint x, y, width, height, value;
} Patch;

static GstHarness *
new_harness (const gchar *regions)
{
  const gchar *device = g_getenv ("GLES_TEST_DEVICE");
  g_autofree gchar *line = g_strdup_printf ("glescompact device=%s lower=100 ! "
                                            "glesregions device=%s validate=true %s",
      device, device, regions);
  GstHarness *harness = gst_harness_new_parse (line);

  gst_harness_set_src_caps_str (
      harness, "video/x-raw,format=GRAY8,width=160,height=120,framerate=25/1");
  return harness;
}

static GstBuffer *
new_frame (const Patch *patches, guint n)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, WIDTH * HEIGHT, NULL);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  memset (map.data, 0, map.size);
  for (guint i = 0; i < n; i++) {
    for (guint y = patches[i].y; y < patches[i].y + patches[i].height; y++)
      memset (map.data + y * WIDTH + patches[i].x, patches[i].value, patches[i].width);
  }
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static void
check_region (GstGlesRegionsResult *result, guint i, const Patch *patch)
{
  const GstGlesRegion *region = gst_gles_regions_result_get_region (result, i, NULL);
  guint x, y, width, height;
  gdouble centroid_x, centroid_y;

  fail_unless (region != NULL);
  gst_gles_region_get_box (region, &x, &y, &width, &height);
  fail_unless_equals_int (x, patch->x);
  fail_unless_equals_int (y, patch->y);
  fail_unless_equals_int (width, patch->width);
  fail_unless_equals_int (height, patch->height);
  fail_unless_equals_int (region->pixels, patch->width * patch->height);
  fail_unless_equals_int (region->max_value, patch->value);
  fail_unless_equals_float (gst_gles_region_get_mean (region), patch->value);
  gst_gles_region_get_centroid (region, &centroid_x, &centroid_y);
  fail_unless_equals_float (centroid_x, patch->x + (patch->width - 1) / 2.0);
  fail_unless_equals_float (centroid_y, patch->y + (patch->height - 1) / 2.0);
}

/* Boxes are exact, though cells are not; the largest comes first. */
GST_START_TEST (test_boxes)
{
  static const Patch patches[] = { { 101, 57, 31, 23, 200 }, { 3, 5, 17, 9, 130 },
    { 60, 100, 5, 2, 255 } };
  GstHarness *harness = new_harness ("label=car");
  GstBuffer *buffer = gst_harness_push_and_pull (harness, new_frame (patches, 3));
  GstGlesRegionsResult *result = gst_gles_regions_result_from_buffer (buffer);
  guint width, height;

  fail_unless (result != NULL);
  fail_unless_equals_uint64 (gst_gles_regions_result_get_total (result), 3);
  fail_unless_equals_int (gst_gles_regions_result_get_count (result), 3);
  fail_if (gst_gles_regions_result_is_truncated (result));
  fail_unless_equals_string (gst_gles_regions_result_get_label (result), "car");
  gst_gles_regions_result_get_size (result, &width, &height);
  fail_unless_equals_int (width, WIDTH);
  fail_unless_equals_int (height, HEIGHT);
  for (guint i = 0; i < 3; i++)
    check_region (result, i, &patches[i]);
  fail_unless (gst_gles_regions_result_get_region (result, 3, NULL) == NULL);
  gst_gles_regions_result_unref (result);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}
GST_END_TEST

static guint
count_regions (const gchar *properties, const Patch *patches, guint n, guint64 *total)
{
  GstHarness *harness = new_harness (properties);
  GstBuffer *buffer = gst_harness_push_and_pull (harness, new_frame (patches, n));
  GstGlesRegionsResult *result = gst_gles_regions_result_from_buffer (buffer);
  guint count;

  fail_unless (result != NULL);
  count = gst_gles_regions_result_get_count (result);
  *total = gst_gles_regions_result_get_total (result);
  gst_gles_regions_result_unref (result);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
  return count;
}

GST_START_TEST (test_properties)
{
  /* the first two meet at a corner of cells of 8; the third has 6 points */
  static const Patch patches[] = { { 8, 8, 8, 8, 200 }, { 16, 16, 8, 8, 200 },
    { 80, 80, 3, 2, 200 } };
  guint64 total;

  fail_unless_equals_int (count_regions ("", patches, 3, &total), 2);
  fail_unless_equals_int (count_regions ("connectivity=4", patches, 3, &total), 3);
  fail_unless_equals_int (count_regions ("min-size=7", patches, 3, &total), 1);
  fail_unless_equals_int (count_regions ("min-points=7", patches, 3, &total), 1);
  fail_unless_equals_int (count_regions ("max-regions=1 connectivity=4", patches, 3, &total), 1);
  fail_unless_equals_uint64 (total, 3);
  fail_unless_equals_int (
      count_regions ("cell-width=1 cell-height=1 connectivity=4", patches, 3, &total), 3);
  fail_unless_equals_int (count_regions ("cell-width=160 cell-height=120", patches, 3, &total), 1);
  fail_unless_equals_int (count_regions ("", patches, 0, &total), 0);
}
GST_END_TEST

/* Regions of interest tell the centroids of the result to the last bit. */
GST_START_TEST (test_roi_has_the_same_centroid)
{
  /* one region, whose centroid times 160, divided by 160, is another double */
  static const Patch patches[] = { { 3, 8, 9, 2, 200 }, { 3, 10, 4, 1, 200 } };
  GstHarness *harness = new_harness ("");
  GstBuffer *buffer = gst_harness_push_and_pull (harness, new_frame (patches, 2));
  GstGlesRegionsResult *result = gst_gles_regions_result_from_buffer (buffer);
  GstStructure *structure = gst_video_region_of_interest_meta_get_param (
      gst_buffer_get_video_region_of_interest_meta_id (buffer, 0), "gles-region");
  gdouble x, y, roi_x, roi_y;

  gst_gles_region_get_centroid (gst_gles_regions_result_get_region (result, 0, NULL), &x, &y);
  fail_unless (x * WIDTH / WIDTH != x);
  fail_unless (gst_structure_get_double (structure, "centroid-x", &roi_x));
  fail_unless (gst_structure_get_double (structure, "centroid-y", &roi_y));
  fail_unless (roi_x == x && roi_y == y, "%.17g,%.17g instead of %.17g,%.17g", roi_x, roi_y, x, y);
  gst_gles_regions_result_unref (result);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}
GST_END_TEST

GST_START_TEST (test_roi)
{
  static const Patch patches[] = { { 101, 57, 31, 23, 200 }, { 3, 5, 17, 9, 130 } };
  GstHarness *harness = new_harness ("label=car");
  GstBuffer *buffer = gst_harness_push_and_pull (harness, new_frame (patches, 2));
  gpointer state = NULL;
  GstMeta *meta;
  guint n = 0;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;
    GstStructure *structure = gst_video_region_of_interest_meta_get_param (roi, "gles-region");
    const Patch *patch = &patches[roi->id];
    gdouble centroid;
    guint pixels;

    fail_unless_equals_string (g_quark_to_string (roi->roi_type), "car");
    fail_unless_equals_int (roi->x, patch->x);
    fail_unless_equals_int (roi->y, patch->y);
    fail_unless_equals_int (roi->w, patch->width);
    fail_unless_equals_int (roi->h, patch->height);
    fail_unless (structure != NULL);
    fail_unless (gst_structure_get_uint (structure, "pixels", &pixels));
    fail_unless_equals_int (pixels, patch->width * patch->height);
    fail_unless (gst_structure_get_double (structure, "centroid-x", &centroid));
    fail_unless_equals_float (centroid, patch->x + (patch->width - 1) / 2.0);
    n++;
  }
  fail_unless_equals_int (n, 2);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);

  harness = new_harness ("roi=false");
  buffer = gst_harness_push_and_pull (harness, new_frame (patches, 2));
  fail_unless (gst_buffer_get_video_region_of_interest_meta_id (buffer, 0) == NULL);
  fail_unless (gst_buffer_get_gles_regions_meta (buffer) != NULL);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}
GST_END_TEST

#if HAVE_ANALYTICS
/* Checks that @meta has the boxes of @patches, after @n_before others, and nothing else. */
static void
check_detections (GstAnalyticsRelationMeta *meta, guint n_before, const Patch *patches, guint n)
{
  GstAnalyticsODMtd detection;

  fail_unless_equals_int (gst_analytics_relation_get_length (meta), n_before + n);
  for (guint i = 0; i < n; i++) {
    gint x, y, width, height;
    gfloat confidence;

    fail_unless (gst_analytics_relation_meta_get_od_mtd (meta, n_before + i, &detection));
    fail_unless (
        gst_analytics_od_mtd_get_location (&detection, &x, &y, &width, &height, &confidence));
    fail_unless (gst_analytics_od_mtd_get_obj_type (&detection) == g_quark_from_string ("car"));
    fail_unless_equals_int (x, patches[i].x);
    fail_unless_equals_int (y, patches[i].y);
    fail_unless_equals_int (width, patches[i].width);
    fail_unless_equals_int (height, patches[i].height);
    fail_unless_equals_float (confidence, 1.0f);
  }
}

/* Each region is a detection, beside those of other elements. */
GST_START_TEST (test_analytics)
{
  static const Patch patches[] = { { 100, 56, 32, 24, 200 }, { 4, 6, 18, 10, 130 } };
  GstHarness *harness = new_harness ("label=car analytics=true roi=false");
  GstBuffer *buffer = gst_harness_push_and_pull (harness, new_frame (patches, 2));
  GstBuffer *other = new_frame (patches, 2);
  GstAnalyticsODMtd detection;
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);

  fail_unless (meta != NULL);
  fail_unless (gst_buffer_get_video_region_of_interest_meta_id (buffer, 0) == NULL);
  check_detections (meta, 0, patches, 2);
  gst_buffer_unref (buffer);

  meta = gst_buffer_add_analytics_relation_meta (other);
  fail_unless (gst_analytics_relation_meta_add_od_mtd (
      meta, g_quark_from_string ("dog"), 1, 2, 3, 4, 0.5f, &detection));
  buffer = gst_harness_push_and_pull (harness, other);
  check_detections (gst_buffer_get_analytics_relation_meta (buffer), 1, patches, 2);
  gst_buffer_unref (buffer);

  buffer = gst_harness_push_and_pull (harness, new_frame (NULL, 0));
  fail_unless (gst_buffer_get_analytics_relation_meta (buffer) == NULL);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);

  harness = new_harness ("label=car roi=true");
  buffer = gst_harness_push_and_pull (harness, new_frame (patches, 2));
  fail_unless (gst_buffer_get_analytics_relation_meta (buffer) == NULL);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}
GST_END_TEST
#endif

/* The metas that a copy of the buffer keeps. */
GST_START_TEST (test_copy)
{
  static const Patch patch = { 10, 10, 20, 20, 200 };
  GstHarness *harness = new_harness ("");
  GstBuffer *buffer = gst_harness_push_and_pull (harness, new_frame (&patch, 1));
  GstBuffer *copy = gst_buffer_copy (buffer);
  GstGlesRegionsResult *result = gst_gles_regions_result_from_buffer (copy);

  fail_unless (result != NULL);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
  check_region (result, 0, &patch);
  gst_gles_regions_result_unref (result);
  gst_buffer_unref (copy);
}
GST_END_TEST

/* Frames without points pass, with nothing on them. */
GST_START_TEST (test_no_points)
{
  g_autofree gchar *line = g_strdup_printf ("glesregions device=%s", g_getenv ("GLES_TEST_DEVICE"));
  GstHarness *harness = gst_harness_new_parse (line);
  GstBuffer *buffer;

  gst_harness_set_src_caps_str (
      harness, "video/x-raw,format=GRAY8,width=160,height=120,framerate=25/1");
  buffer = gst_harness_push_and_pull (harness, new_frame (NULL, 0));
  fail_unless (gst_buffer_get_gles_regions_meta (buffer) == NULL);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}
GST_END_TEST

/* Properties that change while frames go by, and points that stay on the device. */
GST_START_TEST (test_changes)
{
  static const Patch patches[] = { { 8, 8, 8, 8, 200 }, { 16, 16, 8, 8, 200 } };
  GstHarness *harness = new_harness ("name=regions");
  GstElement *regions = gst_bin_get_by_name (GST_BIN (harness->element), "regions");

  for (guint i = 0; i < 20; i++) {
    GstBuffer *buffer;
    GstGlesRegionsResult *result;

    g_object_set (regions, "connectivity", i % 2 != 0 ? 4 : 8, "cell-width", 8, "max-regions",
        1 + i % 3, NULL);
    buffer = gst_harness_push_and_pull (harness, new_frame (patches, 2));
    result = gst_gles_regions_result_from_buffer (buffer);
    fail_unless_equals_uint64 (gst_gles_regions_result_get_total (result), i % 2 != 0 ? 2 : 1);
    gst_gles_regions_result_unref (result);
    gst_buffer_unref (buffer);
  }
  gst_object_unref (regions);
  gst_harness_teardown (harness);
}
GST_END_TEST

static Suite *
glesregions_suite (void)
{
  Suite *suite = suite_create ("glesregions");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, test_boxes);
  tcase_add_test (tcase, test_properties);
  tcase_add_test (tcase, test_roi);
  tcase_add_test (tcase, test_roi_has_the_same_centroid);
#if HAVE_ANALYTICS
  tcase_add_test (tcase, test_analytics);
#endif
  tcase_add_test (tcase, test_copy);
  tcase_add_test (tcase, test_no_points);
  tcase_add_test (tcase, test_changes);
  return suite;
}

GST_CHECK_MAIN (glesregions)
