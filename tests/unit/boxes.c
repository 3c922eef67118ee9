/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The reader of boxes on frames to which a detector attached both kinds of metas. */
#include "config.h"

#include <gst/check/gstcheck.h>
#include <gst/video/video.h>

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#include "gst/elements/base/boxes.h"

static UpstreamBoxes boxes;

static GstVideoRegionOfInterestMeta *
add_roi (GstBuffer *buffer, const gchar *type, gint id, gint x, gint y, guint width, guint height)
{
  GstVideoRegionOfInterestMeta *roi = gst_buffer_add_video_region_of_interest_meta (
      buffer, type, (guint) x, (guint) y, width, height);

  roi->id = id;
  return roi;
}

static void
check_box (guint at, const gchar *type, gint id, gint x, gint y, gint width, gint height)
{
  const UpstreamBox *box = &boxes.box[at];

  fail_unless (at < boxes.n);
  fail_unless_equals_string (g_quark_to_string (box->type), type);
  fail_unless_equals_int (box->id, id);
  fail_unless_equals_int (box->x, x);
  fail_unless_equals_int (box->y, y);
  fail_unless_equals_int (box->width, width);
  fail_unless_equals_int (box->height, height);
}

/* Reads the boxes of types @types, and compares their ids with @ids: a digit each. */
static void
check_types (GstBuffer *buffer, const gchar *types, const gchar *ids)
{
  boxes_read (&boxes, buffer, BOXES_ROI, types);
  fail_unless_equals_int (boxes.n, strlen (ids));
  for (guint i = 0; i < boxes.n; i++)
    fail_unless_equals_int (boxes.box[i].id, ids[i] - '0');
}

GST_START_TEST (interests_in_their_order)
{
  GstBuffer *buffer = gst_buffer_new ();

  add_roi (buffer, "person", 7, 10, 20, 30, 40);
  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_GRAY8, 64, 64);
  add_roi (buffer, "car", -2, -5, -6, 0, G_MAXUINT);
  boxes_read (&boxes, buffer, BOXES_ALL, "");
  fail_unless_equals_int (boxes.n, 2);
  fail_if ((boxes.n_found > boxes.n));
  check_box (0, "person", 7, 10, 20, 30, 40);
  check_box (1, "car", -2, -5, -6, 0, G_MAXINT);
  fail_unless_equals_int (boxes.box[0].source, BOXES_ROI);

  boxes_read (&boxes, buffer, BOXES_NONE, "");
  fail_unless_equals_int (boxes.n, 0);
  boxes_read (&boxes, buffer, BOXES_ANALYTICS, "");
  fail_unless_equals_int (boxes.n, 0);
  gst_buffer_unref (buffer);
}
GST_END_TEST

GST_START_TEST (types_are_whole_names)
{
  GstBuffer *buffer = gst_buffer_new ();

  add_roi (buffer, "person", 1, 0, 0, 1, 1);
  add_roi (buffer, "car", 2, 0, 0, 1, 1);
  add_roi (buffer, "cart", 3, 0, 0, 1, 1);
  add_roi (buffer, "traffic light", 4, 0, 0, 1, 1);
  add_roi (buffer, "person", 5, 0, 0, 1, 1);
  gst_buffer_add_video_region_of_interest_meta_id (buffer, 0, 0, 0, 1, 1)->id = 6;
  check_types (buffer, "", "123456");
  check_types (buffer, " , ,", "123456");
  check_types (buffer, "person", "15");
  check_types (buffer, "car", "2");
  check_types (buffer, "cart,person", "135");
  check_types (buffer, " traffic light ,, car", "24");
  check_types (buffer, "ca", "");
  check_types (buffer, "Person", "");
  gst_buffer_unref (buffer);
}
GST_END_TEST

GST_START_TEST (boxes_over_the_limit)
{
  for (guint n = BOXES_MAX - 1; n <= BOXES_MAX + 1; n++) {
    GstBuffer *buffer = gst_buffer_new ();

    for (guint i = 0; i < n; i++) {
      add_roi (buffer, "person", (gint) i, 0, 0, 1, 1);
      add_roi (buffer, "car", (gint) i, 0, 0, 1, 1);
    }
    boxes_read (&boxes, buffer, BOXES_ROI, "car");
    fail_unless_equals_int (boxes.n, MIN (n, BOXES_MAX));
    fail_unless_equals_int ((boxes.n_found > boxes.n), n > BOXES_MAX);
    check_box (boxes.n - 1, "car", (gint) boxes.n - 1, 0, 0, 1, 1);
    /* nothing of it is in the next result */
    boxes_read (&boxes, buffer, BOXES_ROI, "bicycle");
    fail_unless_equals_int (boxes.n, 0);
    fail_if ((boxes.n_found > boxes.n));
    gst_buffer_unref (buffer);
  }
}
GST_END_TEST

#if HAVE_ANALYTICS
static void
add_detection (GstBuffer *buffer, const gchar *type, gint x, gint y, gint width, gint height)
{
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsODMtd detection;

  if (meta == NULL)
    meta = gst_buffer_add_analytics_relation_meta (buffer);
  fail_unless (gst_analytics_relation_meta_add_od_mtd (
      meta, g_quark_from_string (type), x, y, width, height, 0.5f, &detection));
}

GST_START_TEST (both_kinds)
{
  GstBuffer *buffer = gst_buffer_new ();

  add_detection (buffer, "person", -1, 2, 3, 4);
  add_roi (buffer, "car", 5, 6, 7, 8, 9);
  add_detection (buffer, "car", 1, 1, -1, 1);
  boxes_read (&boxes, buffer, BOXES_ANALYTICS, "");
  fail_unless_equals_int (boxes.n, 2);
  check_box (0, "person", 0, -1, 2, 3, 4);
  check_box (1, "car", 1, 1, 1, 0, 1);
  fail_unless_equals_int (boxes.box[0].source, BOXES_ANALYTICS);
  boxes_read (&boxes, buffer, BOXES_ALL, "car");
  fail_unless_equals_int (boxes.n, 2);
  check_box (0, "car", 1, 1, 1, 0, 1);
  check_box (1, "car", 5, 6, 7, 8, 9);
  gst_buffer_unref (buffer);
}
GST_END_TEST

GST_START_TEST (own_regions_once)
{
  GstBuffer *buffer = gst_buffer_new ();

  gst_video_region_of_interest_meta_add_param (
      add_roi (buffer, "motion", 0, 1, 2, 3, 4), gst_structure_new_empty ("gles-region"));
  add_roi (buffer, "car", 1, 5, 6, 7, 8);
  add_detection (buffer, "motion", 1, 2, 3, 4);
  add_detection (buffer, "car", 5, 6, 7, 8);
  boxes_read (&boxes, buffer, BOXES_ALL, "");
  fail_unless_equals_int (boxes.n, 3);
  check_box (2, "car", 1, 5, 6, 7, 8);
  boxes_read (&boxes, buffer, BOXES_ANALYTICS, "");
  fail_unless_equals_int (boxes.n, 2);
  gst_buffer_unref (buffer);
}
GST_END_TEST
#endif

static Suite *
boxes_suite (void)
{
  Suite *suite = suite_create ("boxes");
  TCase *cases = tcase_create ("reader");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, interests_in_their_order);
  tcase_add_test (cases, types_are_whole_names);
  tcase_add_test (cases, boxes_over_the_limit);
#if HAVE_ANALYTICS
  tcase_add_test (cases, both_kinds);
  tcase_add_test (cases, own_regions_once);
#endif
  return suite;
}

GST_CHECK_MAIN (boxes)
