/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The boxes of glescompact: the points of a fake detector's boxes are those that lie in one, with
 * other boxes in every frame. */
#include "config.h"

#include "boxes-frames.h"

#include <gst/gles/meta/points.h>

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

static gboolean
is_inside (const Box *boxes, guint n, gint x, gint y)
{
  for (guint i = 0; i < n; i++) {
    if (x >= boxes[i].x && x < boxes[i].x + boxes[i].width && y >= boxes[i].y &&
        y < boxes[i].y + boxes[i].height)
      return TRUE;
  }
  return FALSE;
}

/* Counts the samples of luma, or of U, from @lower on whose luma position is in one of @boxes, from
 * column @left on. */
static guint
count (TestStream *stream, GstBuffer *buffer, guint component, guint8 lower, gint left,
    const Box *boxes, guint n)
{
  const guint sub = component > 0 ? 2 : 1;
  GstVideoFrame frame;
  guint found = 0;

  fail_unless (gst_video_frame_map (&frame, &stream->info, buffer, GST_MAP_READ));
  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, component); y++) {
    const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, component) +
        y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, component);

    for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, component); x++)
      found += row[x] >= lower && (gint) sub * x >= left &&
          is_inside (boxes, n, (gint) sub * x, (gint) sub * y);
  }
  gst_video_frame_unmap (&frame);
  return found;
}

static guint64
total_of (GstBuffer *buffer)
{
  g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_from_buffer (buffer);

  fail_unless (result != NULL);
  return gst_gles_points_result_get_total (result);
}

/* Boxes beyond the border, empty ones, ones over each other, and none. */
GST_START_TEST (test_random)
{
  static const struct {
    const gchar *properties;
    guint component;
    gint left; /* of the region, or of the mask */
  } cases[] = {
    { "", 0, 0 },
    { "channel=U", 1, 0 },
    { "region=<20,0,130,70>", 0, 20 },
    { "mask=\"0.5,0 1,0 1,1 0.5,1\"", 0, WIDTH / 2 },
    { "predicate=expression expression=\"Y >= 100\"", 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (TestStream) stream =
        line_stream (CAPS, "glescompact boxes=roi lower=100 validate=true %s", cases[i].properties);
    g_autoptr (GRand) rand = g_rand_new_with_seed (i + 1);

    for (guint k = 0; k < 12; k++) {
      Box boxes[6];
      const guint n = make_random (rand, boxes);
      g_autoptr (GstBuffer) out = test_stream_push (stream, frame_new (stream, k, boxes, n));

      fail_unless_equals_uint64 (
          total_of (out), count (stream, out, cases[i].component, 100, cases[i].left, boxes, n));
    }
  }
}

GST_END_TEST;

/* Motion: what lies outside of boxes is part of the reference all the same. */
GST_START_TEST (test_motion)
{
  static const Box left = { 0, 0, 75, HEIGHT, "car" }, right = { 75, 0, 75, HEIGHT, "car" };
  g_autoptr (TestStream) stream =
      line_stream (CAPS, "glescompact boxes=all predicate=motion lower=1 validate=true");
  g_autoptr (GstBuffer) begin = test_stream_push (stream, frame_new (stream, 1, &left, 1));
  g_autoptr (GstBuffer) same = test_stream_push (stream, frame_new (stream, 1, &right, 1));
  g_autoptr (GstBuffer) other = test_stream_push (stream, frame_new (stream, 2, &right, 1));

  fail_unless_equals_uint64 (total_of (begin), 0);
  fail_unless_equals_uint64 (total_of (same), 0);
  fail_unless (total_of (other) > 75 * HEIGHT * 9 / 10 && total_of (other) <= 75 * HEIGHT);
}

GST_END_TEST;

GST_START_TEST (test_types)
{
  static const Box boxes[] = { { 0, 0, 10, 10, "car" }, { 20, 0, 10, 5, "person" },
    { 40, 0, 4, 5, "dog" } };
  static const struct {
    const gchar *boxes, *types;
    guint total;
  } cases[] = { { "all", "", 170 }, { "roi", "car", 100 }, { "roi", "person, dog", 70 },
    { "roi", "cat", 0 }, { "analytics", "", 0 }, { "none", "car", WIDTH * HEIGHT } };
  g_autoptr (TestStream) stream = line_stream (CAPS, "glescompact lower=0 validate=true");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstBuffer) out = NULL;

    line_set (stream, "glescompact", "boxes", cases[i].boxes);
    line_set (stream, "glescompact", "box-type", cases[i].types);
    out = test_stream_push (stream, frame_new (stream, i, boxes, G_N_ELEMENTS (boxes)));
    fail_unless_equals_uint64 (total_of (out), cases[i].total);
  }
}

GST_END_TEST;

/* The first 256 are read, and a warning says so once. */
GST_START_TEST (test_too_many)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glescompact boxes=roi lower=0 validate=true");
  Box boxes[MAX_BOXES];

  for (gint i = 0; i < MAX_BOXES; i++)
    boxes[i] = (Box){ 3 * (i % 40), 3 * (i / 40), 2, 2, "car" };
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) out = test_stream_push (stream, frame_new (stream, i, boxes, MAX_BOXES));

    fail_unless_equals_uint64 (total_of (out), 256 * 4);
    fail_unless_equals_int (line_count (stream, GST_MESSAGE_WARNING), i == 0);
  }
}

GST_END_TEST;

#if HAVE_ANALYTICS
GST_START_TEST (test_analytics)
{
  static const Box region = { 100, 0, 10, 10, "car" };
  g_autoptr (TestStream) stream = line_stream (CAPS, "glescompact lower=0 validate=true");
  static const struct {
    const gchar *boxes;
    guint total;
  } cases[] = { { "analytics", 15 * 20 }, { "roi", 100 }, { "all", 15 * 20 + 100 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstBuffer *buffer = frame_new (stream, i, &region, 1);
    GstAnalyticsRelationMeta *meta = gst_buffer_add_analytics_relation_meta (buffer);
    g_autoptr (GstBuffer) out = NULL;
    GstAnalyticsODMtd found;

    gst_analytics_relation_meta_add_od_mtd (
        meta, g_quark_from_string ("person"), -5, 10, 20, 20, 0.5f, &found);
    line_set (stream, "glescompact", "boxes", cases[i].boxes);
    out = test_stream_push (stream, buffer);
    fail_unless_equals_uint64 (total_of (out), cases[i].total);
  }
}

GST_END_TEST;
#endif

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_random);
  tcase_add_test (tcase, test_motion);
  tcase_add_test (tcase, test_types);
  tcase_add_test (tcase, test_too_many);
#if HAVE_ANALYTICS
  tcase_add_test (tcase, test_analytics);
#endif
}

LINES_MAIN (add_tests)
