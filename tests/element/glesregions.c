/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glesregions behind glescompact, on the device of GLES_TEST_DEVICE: boxes, what is left out,
 * regions of interest, detections, scaled frames. */
#include "lines.h"

#include <string.h>

#include "config.h"

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#include <gst/gles/meta/points.h>
#include <gst/gles/meta/regions.h>

#define WIDTH 160
#define HEIGHT 120
#define CAPS "video/x-raw,format=GRAY8,width=160,height=120,framerate=25/1"
#define COMPACT "glescompact lower=100 ! "
#define REGIONS "glesregions validate=true merge-distance=0 min-size=1 "

/* A rectangle of one value. */
typedef struct {
  guint x, y, width, height, value;
} Patch;

/* Boxes are exact, though cells are not; the largest comes first. */
static const Patch usual[] = { { 101, 57, 31, 23, 200 }, { 3, 5, 17, 9, 130 },
  { 60, 100, 5, 2, 255 } };

static GstBuffer *
new_frame (const Patch *patches, guint n)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, WIDTH * HEIGHT, NULL);

  gst_buffer_memset (buffer, 0, 0, WIDTH * HEIGHT);
  for (guint i = 0; i < n; i++) {
    for (guint y = patches[i].y; y < patches[i].y + patches[i].height; y++)
      gst_buffer_memset (
          buffer, y * WIDTH + patches[i].x, (guint8) patches[i].value, patches[i].width);
  }
  return buffer;
}

/* Returns what comes out for a picture of @patches: (transfer full). */
static GstBuffer *
push (TestStream *chain, const Patch *patches, guint n)
{
  return test_stream_push (chain, new_frame (patches, n));
}

static void
check_region (GstGlesRegionsResult *result, guint i, const Patch *patch)
{
  const GstGlesRegion *region = gst_gles_regions_result_get_region (result, i, NULL);
  guint x, y, width, height;
  gdouble centroid_x, centroid_y;

  fail_unless (region != NULL);
  gst_gles_region_get_box (region, &x, &y, &width, &height);
  fail_unless (x == patch->x && y == patch->y && width == patch->width && height == patch->height,
      "%u,%u %ux%u", x, y, width, height);
  fail_unless_equals_int (region->pixels, patch->width * patch->height);
  fail_unless_equals_int (region->max_value, patch->value);
  fail_unless_equals_float (gst_gles_region_get_mean (region), patch->value);
  gst_gles_region_get_centroid (region, &centroid_x, &centroid_y);
  fail_unless_equals_float (centroid_x, patch->x + (patch->width - 1) / 2.0);
  fail_unless_equals_float (centroid_y, patch->y + (patch->height - 1) / 2.0);
}

/* Asserts that @buffer has a box of interest for each of @patches, whose parameters are those of
 * the regions. */
static void
check_boxes (GstBuffer *buffer, const Patch *patches, guint n)
{
  g_autoptr (GstGlesRegionsResult) result = gst_gles_regions_result_from_buffer (buffer);

  fail_unless_equals_int (
      gst_buffer_get_n_meta (buffer, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), n);
  for (guint i = 0; i < n; i++) {
    const GstGlesRegion *region = gst_gles_regions_result_get_region (result, i, NULL);
    GstVideoRegionOfInterestMeta *roi =
        gst_buffer_get_video_region_of_interest_meta_id (buffer, (gint) i);
    g_autoptr (GstStructure) expected = NULL;
    gdouble x, y;

    fail_unless (roi != NULL);
    fail_unless_equals_string (g_quark_to_string (roi->roi_type), "car");
    fail_unless (roi->x == patches[i].x && roi->y == patches[i].y && roi->w == patches[i].width &&
        roi->h == patches[i].height);
    gst_gles_region_get_centroid (region, &x, &y);
    expected = gst_structure_new ("gles-region", "pixels", G_TYPE_UINT, region->pixels,
        "centroid-x", G_TYPE_DOUBLE, x, "centroid-y", G_TYPE_DOUBLE, y, "mean", G_TYPE_DOUBLE,
        gst_gles_region_get_mean (region), "max", G_TYPE_UINT, region->max_value, "index",
        G_TYPE_UINT, i, "element", G_TYPE_STRING,
        gst_gles_regions_result_get_frame (result)->origin->element, NULL);
    /* to the last bit */
    fail_unless (gst_structure_is_equal (
        gst_video_region_of_interest_meta_get_param (roi, "gles-region"), expected));
  }
}

GST_START_TEST (test_regions)
{
  const guint n = G_N_ELEMENTS (usual);
  TestStream *chain = line_stream (CAPS, COMPACT REGIONS "label=car");
  GstBuffer *buffer = push (chain, usual, n);
  g_autoptr (GstBuffer) copy = gst_buffer_copy (buffer);
  g_autoptr (GstGlesRegionsResult) result = gst_gles_regions_result_from_buffer (copy);
  guint width, height;

  check_boxes (buffer, usual, n);
  /* a copy keeps the meta, and the result outlives the element */
  gst_buffer_unref (buffer);
  test_stream_free (chain);
  fail_unless (result != NULL);
  fail_unless_equals_uint64 (gst_gles_regions_result_get_total (result), n);
  fail_unless_equals_int (gst_gles_regions_result_get_count (result), n);
  fail_if (gst_gles_regions_result_is_truncated (result));
  fail_unless_equals_string (gst_gles_regions_result_get_info (result)->label, "car");
  width = gst_gles_regions_result_get_frame (result)->width;
  height = gst_gles_regions_result_get_frame (result)->height;
  fail_unless (width == WIDTH && height == HEIGHT);
  for (guint i = 0; i < n; i++)
    check_region (result, i, &usual[i]);
  fail_unless (gst_gles_regions_result_get_region (result, n, NULL) == NULL);
}
GST_END_TEST

/* Frames are scaled behind glescompact: boxes of interest are those of the picture that has them,
 * rounded outwards. */
GST_START_TEST (test_scaled)
{
  /* of 160x120 in 80x90: the left edge halved, down, the right one up; 3/4 of the others */
  static const guint expected[][4] = { { 50, 42, 16, 18 }, { 1, 3, 9, 8 } };
  g_autoptr (TestStream) chain = line_stream (
      CAPS, COMPACT "videoscale ! video/x-raw,width=80,height=90 ! " REGIONS "label=car");
  g_autoptr (GstBuffer) buffer = push (chain, usual, 2);
  g_autoptr (GstGlesRegionsResult) result = gst_gles_regions_result_from_buffer (buffer);

  for (gint i = 0; i < 2; i++) {
    const GstVideoRegionOfInterestMeta *roi =
        gst_buffer_get_video_region_of_interest_meta_id (buffer, i);
    const guint *box = expected[i];
    gdouble x, y;

    check_region (result, i, &usual[i]);
    fail_unless (roi->x == box[0] && roi->y == box[1] && roi->w == box[2] && roi->h == box[3],
        "%u,%u %ux%u", roi->x, roi->y, roi->w, roi->h);
    fail_unless (gst_structure_get (gst_video_region_of_interest_meta_get_param (
                                        (GstVideoRegionOfInterestMeta *) roi, "gles-region"),
        "centroid-x", G_TYPE_DOUBLE, &x, "centroid-y", G_TYPE_DOUBLE, &y, NULL));
    fail_unless_equals_float (x, (usual[i].x + (usual[i].width - 1) / 2.0) / 2);
    fail_unless_equals_float (y, (usual[i].y + (usual[i].height - 1) / 2.0) * 3 / 4);
  }
}
GST_END_TEST

/* Properties change while frames go by. */
GST_START_TEST (test_properties)
{
  /* the first two meet at a corner of cells of 8; the third has 6 points */
  static const Patch patches[] = { { 8, 8, 8, 8, 200 }, { 16, 16, 8, 8, 200 },
    { 80, 80, 3, 2, 200 } };
  static const struct {
    const gchar *property, *value;
    guint n, count, total; /* patches, regions */
  } cases[] = {
    { "label", "car", 3, 2, 2 },
    { "label", "car", 0, 0, 0 },
    { "connectivity", "4", 3, 3, 3 },
    { "max-regions", "1", 3, 1, 3 },
    { "connectivity", "8", 3, 1, 2 },
    { "max-regions", "100", 3, 2, 2 },
    { "min-size", "6", 3, 2, 2 },
    { "min-size", "7", 3, 1, 1 },
    { "min-size", "1", 3, 2, 2 },
    { "min-points", "6", 3, 2, 2 },
    { "min-points", "7", 3, 1, 1 },
    { "min-points", "1", 3, 2, 2 },
    { "cell-width", "1", 3, 2, 2 },
    { "cell-height", "1", 3, 2, 2 },
    { "connectivity", "4", 3, 3, 3 },
    { "cell-width", "160", 3, 2, 2 },
    { "cell-height", "120", 3, 1, 1 },
  };
  g_autoptr (TestStream) chain = line_stream (CAPS, COMPACT REGIONS);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstGlesRegionsResult) result = NULL;
    g_autoptr (GstBuffer) buffer = NULL;

    line_set (chain, "glesregions", cases[i].property, cases[i].value);
    buffer = push (chain, patches, cases[i].n);
    result = gst_gles_regions_result_from_buffer (buffer);
    fail_unless (gst_gles_regions_result_get_count (result) == cases[i].count &&
            gst_gles_regions_result_get_total (result) == cases[i].total,
        "%s=%s: %u regions", cases[i].property, cases[i].value,
        gst_gles_regions_result_get_count (result));
  }
}
GST_END_TEST

/* Fragments become one box, by properties that change while frames go by; validate merges, too. */
GST_START_TEST (test_merging)
{
  /* two with a gap of their own width, and a small one */
  static const Patch patches[] = { { 0, 0, 20, 20, 200 }, { 40, 0, 20, 20, 200 },
    { 100, 60, 8, 8, 200 } };
  static const struct {
    const gchar *property, *value;
    guint count, total;
    guint box[4]; /* of the largest: x, y, width, height */
  } cases[] = {
    { "merge-distance", "0", 3, 3, { 0, 0, 20, 20 } },
    { "merge-distance", "auto", 3, 3, { 0, 0, 20, 20 } },
    { "merge-distance", "19", 3, 3, { 0, 0, 20, 20 } },
    { "merge-distance", "20", 2, 2, { 0, 0, 60, 20 } },
    { "merge-distance", "99%", 3, 3, { 0, 0, 20, 20 } },
    { "merge-distance", "100%", 2, 2, { 0, 0, 60, 20 } },
    { "expand", "3", 2, 2, { 0, 0, 63, 23 } },
    /* glesregions.md: "rounded down": 8.4 and 2.8 pixels */
    { "expand", "14%", 2, 2, { 0, 0, 68, 22 } },
    { "expand", "10%", 2, 2, { 0, 0, 66, 22 } },
    { "max-regions", "1", 1, 2, { 0, 0, 66, 22 } },
    { "max-regions", "256", 2, 2, { 0, 0, 66, 22 } },
    /* measured after merging: each of the two has 400 */
    { "min-size", "800", 1, 1, { 0, 0, 66, 22 } },
    { "min-size", "801", 0, 0, { 0 } },
    { "min-size", "1", 2, 2, { 0, 0, 66, 22 } },
    /* 800 of 1200 pixels, before the box grows */
    { "min-density", "66", 2, 2, { 0, 0, 66, 22 } },
    { "min-density", "67", 1, 1, { 100, 60, 8, 8 } },
  };
  g_autoptr (TestStream) chain = line_stream (CAPS, COMPACT REGIONS);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstGlesRegionsResult) result = NULL;
    g_autoptr (GstBuffer) buffer = NULL;
    guint box[4] = { 0 };

    if (cases[i].box[0] == 100)
      line_set (chain, "glesregions", "expand", "0");
    line_set (chain, "glesregions", cases[i].property, cases[i].value);
    buffer = push (chain, patches, 3);
    result = gst_gles_regions_result_from_buffer (buffer);
    if (gst_gles_regions_result_get_count (result) > 0)
      gst_gles_region_get_box (
          gst_gles_regions_result_get_region (result, 0, NULL), &box[0], &box[1], &box[2], &box[3]);
    fail_unless (gst_gles_regions_result_get_count (result) == cases[i].count &&
            gst_gles_regions_result_get_total (result) == cases[i].total &&
            memcmp (box, cases[i].box, sizeof box) == 0,
        "%s=%s: %u regions, %u,%u %ux%u", cases[i].property, cases[i].value,
        gst_gles_regions_result_get_count (result), box[0], box[1], box[2], box[3]);
  }
}
GST_END_TEST

/* Boxes of interest tell the centroids of the result to the last bit. */
GST_START_TEST (test_roi_has_the_same_centroid)
{
  /* one region, whose centroid times 160, divided by 160, is another double */
  static const Patch patches[] = { { 3, 8, 9, 2, 200 }, { 3, 10, 4, 1, 200 } };
  static const Patch both = { 3, 8, 9, 3, 200 };
  g_autoptr (TestStream) chain = line_stream (CAPS, COMPACT REGIONS "label=car");
  g_autoptr (GstBuffer) buffer = push (chain, patches, 2);
  g_autoptr (GstGlesRegionsResult) result = gst_gles_regions_result_from_buffer (buffer);
  gdouble x, y;

  gst_gles_region_get_centroid (gst_gles_regions_result_get_region (result, 0, NULL), &x, &y);
  fail_unless (x * WIDTH / WIDTH != x);
  check_boxes (buffer, &both, 1);
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
  g_autoptr (TestStream) chain =
      line_stream (CAPS, COMPACT REGIONS "label=car analytics=true roi=false");
  GstBuffer *other = new_frame (usual, 2);
  g_autoptr (GstBuffer) buffer = push (chain, usual, 2);
  g_autoptr (GstBuffer) empty = push (chain, NULL, 0);
  g_autoptr (GstBuffer) both = NULL;
  GstAnalyticsODMtd detection;

  check_detections (gst_buffer_get_analytics_relation_meta (buffer), 0, usual, 2);
  fail_unless (gst_buffer_get_video_region_of_interest_meta_id (buffer, 0) == NULL);
  fail_unless (gst_buffer_get_analytics_relation_meta (empty) == NULL);
  fail_unless (
      gst_analytics_relation_meta_add_od_mtd (gst_buffer_add_analytics_relation_meta (other),
          g_quark_from_string ("dog"), 1, 2, 3, 4, 0.5f, &detection));
  both = test_stream_push (chain, other);
  check_detections (gst_buffer_get_analytics_relation_meta (both), 1, usual, 2);
}
GST_END_TEST
#endif

/* What is not asked for, or has no points, is not attached. */
GST_START_TEST (test_nothing_else_is_attached)
{
  g_autoptr (TestStream) plain = line_stream (CAPS, COMPACT REGIONS "roi=false");
  g_autoptr (TestStream) lonely = line_stream (CAPS, REGIONS);
  g_autoptr (GstBuffer) buffer = push (plain, usual, 2);
  g_autoptr (GstBuffer) unseen = push (lonely, usual, 2);

  fail_unless (gst_buffer_get_gles_regions_meta (buffer) != NULL);
  fail_unless_equals_int (
      gst_buffer_get_n_meta (buffer, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), 0);
#if HAVE_ANALYTICS
  fail_unless (gst_buffer_get_analytics_relation_meta (buffer) == NULL);
#endif
  fail_unless (gst_buffer_get_gles_regions_meta (unseen) == NULL);
}
GST_END_TEST

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_regions);
  tcase_add_test (tcase, test_scaled);
  tcase_add_test (tcase, test_properties);
  tcase_add_test (tcase, test_merging);
  tcase_add_test (tcase, test_roi_has_the_same_centroid);
#if HAVE_ANALYTICS
  tcase_add_test (tcase, test_analytics);
#endif
  tcase_add_test (tcase, test_nothing_else_is_attached);
}

LINES_MAIN (add_tests)
