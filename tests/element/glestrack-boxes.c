/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glestrack: which boxes of a frame it follows, and what it puts on the buffer. */
#include "config.h"

#include <time.h>

#include "glestrack-frames.h"

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

/* A box at @x, of which its detector is sure by @score. */
static void
add_scored_box (GstBuffer *buffer, guint x, gdouble score)
{
  GstVideoRegionOfInterestMeta *meta =
      gst_buffer_add_video_region_of_interest_meta (buffer, "car", x, 20, 10, 8);

  gst_video_region_of_interest_meta_add_param (
      meta, gst_structure_new ("detection", "confidence", G_TYPE_DOUBLE, score, NULL));
}

/* A detector that is never sure of anything begins tracks, too: what is less sure than its best
 * boxes begins none. */
GST_START_TEST (test_scores_are_relative)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack");
  GstBuffer *buffer = new_frame ();
  g_autoptr (GstGlesTracksResult) result = NULL;

  add_scored_box (buffer, 20, 0.4);
  add_scored_box (buffer, 80, 0.37);
  result = push (stream, buffer, NULL);
  fail_unless_equals_int (gst_gles_tracks_result_get_count (result), 1);
  fail_unless_equals_int (get (result, 0)->x, 20);
}

GST_END_TEST;

/* Ids stay while a box moves; the result describes the frame. */
GST_START_TEST (test_ids_stay)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack");
  g_autoptr (GstGlesTracksResult) result = NULL;
  const GstGlesTracksInfo *info;

  for (guint i = 0; i < 10; i++) {
    GstBuffer *buffer = new_frame ();

    add_box (buffer, "car", 10 + 4 * i, 20, 10, 8);
    add_box (buffer, "bus", 100 - 3 * i, 60, 20, 18);
    g_clear_pointer (&result, gst_gles_tracks_result_unref);
    result = push (stream, buffer, NULL);
    fail_unless_equals_int (gst_gles_tracks_result_get_count (result), 2);
    for (guint t = 0; t < 2; t++) {
      const GstGlesTrack *track = get (result, t);

      fail_unless_equals_uint64 (track->id, t + 1);
      fail_unless_equals_int (track->state, i < 2 ? GST_GLES_TRACK_NEW : GST_GLES_TRACK_CONFIRMED);
      fail_unless_equals_int (track->x, t == 0 ? 10 + 4 * i : 100 - 3 * i);
      fail_unless_equals_int (track->age_frames, i);
      fail_unless_equals_int (track->hits, i + 1);
      fail_unless_equals_uint64 (track->age, i * 40 * GST_MSECOND);
      fail_unless_equals_uint64 (track->lost, 0);
      fail_unless_equals_string (
          gst_gles_tracks_result_get_label (result, track->label), t == 0 ? "car" : "bus");
    }
  }
  fail_unless (ABS (get (result, 0)->velocity_x - 100) < 1e-6);
  fail_unless (ABS (get (result, 1)->velocity_x + 75) < 1e-6);
  fail_unless (ABS (get (result, 1)->path_length - 27) < 1e-6);
  info = gst_gles_tracks_result_get_info (result);
  fail_unless_equals_uint64 (info->frame.number, 9);
  fail_unless_equals_uint64 (info->frame.pts, 9 * 40 * GST_MSECOND);
  fail_unless_equals_uint64 (info->frame.running_time, 9 * 40 * GST_MSECOND);
  fail_unless_equals_int (info->frame.width, 128);
  fail_unless_equals_int (info->frame.format, GST_VIDEO_FORMAT_NV12);
  fail_unless (g_str_has_prefix (info->frame.origin->element, "glestrack"));
}

GST_END_TEST;

/* A region and the boxes that repeat it are one track, whose id the metas get; a region without
 * gets one. */
GST_START_TEST (test_interests)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack min-hits=1");
  GstBuffer *buffer = new_frame (), *out = NULL;
  g_autoptr (GstGlesTracksResult) result = NULL;
  gpointer state = NULL;
  guint n = 0;
  GstMeta *meta;

  check_box (stream, 90, 1);
  add_region (buffer, 10, 20, 128);
  add_box (buffer, "motion", 10, 20, 10, 8)->id = 77;
  add_box (buffer, "motion", 10, 20, 10, 8)->id = 78;
  add_box (buffer, "face", 10, 20, 10, 8)->id = 79;
  result = push (stream, buffer, &out);
  fail_unless_equals_int (gst_gles_tracks_result_get_count (result), 3);
  fail_unless_equals_int (get (result, 0)->state, GST_GLES_TRACK_LOST);
  while ((meta = gst_buffer_iterate_meta_filtered (
              out, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;
    const GstStructure *track = gst_video_region_of_interest_meta_get_param (roi, "gles-track");
    const gboolean is_face = g_str_equal (g_quark_to_string (roi->roi_type), "face");
    guint64 id = 0;

    fail_unless (gst_structure_get_uint64 (track, "id", &id));
    fail_unless_equals_uint64 (id, is_face ? 3 : 2);
    fail_unless_equals_int (roi->id, (gint) id);
    fail_unless_equals_string (gst_structure_get_string (track, "state"), "confirmed");
    n++;
  }
  fail_unless_equals_int (n, 3);
  gst_buffer_unref (out);

  buffer = new_frame ();
  add_region (buffer, 11, 20, 128);
  g_clear_pointer (&result, gst_gles_tracks_result_unref);
  result = push (stream, buffer, &out);
  fail_unless_equals_int (
      gst_buffer_get_n_meta (out, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), 1);
  fail_unless_equals_int (gst_buffer_get_video_region_of_interest_meta_id (out, 2)->x, 11);
  gst_buffer_unref (out);

  line_set (stream, "glestrack", "roi", "false");
  buffer = new_frame ();
  add_region (buffer, 12, 20, 128);
  g_clear_pointer (&result, gst_gles_tracks_result_unref);
  result = push (stream, buffer, &out);
  fail_unless_equals_int (
      gst_buffer_get_n_meta (out, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), 0);
  gst_buffer_unref (out);
}

GST_END_TEST;

#if HAVE_ANALYTICS
static void
add_detection_of_size (GstBuffer *buffer, const gchar *type, gint x, gint y, gint width)
{
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsODMtd detection;

  if (meta == NULL)
    meta = gst_buffer_add_analytics_relation_meta (buffer);
  fail_unless (gst_analytics_relation_meta_add_od_mtd (
      meta, g_quark_from_string (type), x, y, width, 8, 0.5f, &detection));
}

static void
add_detection (GstBuffer *buffer, const gchar *type, gint x, gint y)
{
  add_detection_of_size (buffer, type, x, y, 10);
}

/* Asserts that the detection @index of @buffer is related to a track @id, which began at @begin
 * and was last seen at @end. */
static void
check_tracking (GstBuffer *buffer, guint index, guint64 id, GstClockTime begin, GstClockTime end)
{
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsTrackingMtd tracking;
  GstClockTime found_begin, found_end;
  gpointer state = NULL;
  gboolean lost = TRUE;
  guint64 found = 0;

  fail_unless (
      gst_analytics_relation_meta_get_direct_related (meta, index, GST_ANALYTICS_REL_TYPE_RELATE_TO,
          gst_analytics_tracking_mtd_get_mtd_type (), &state, &tracking));
  fail_unless (
      gst_analytics_tracking_mtd_get_info (&tracking, &found, &found_begin, &found_end, &lost));
  fail_unless_equals_uint64 (found, id);
  fail_unless_equals_uint64 (found_begin, begin);
  fail_unless_equals_uint64 (found_end, end);
  fail_if (lost);
}

/* Detections are followed, those that a region of interest repeats once, and get the tracks that
 * they are related to. A lost track is on its own. */
GST_START_TEST (test_analytics)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack min-hits=1");
  g_autoptr (GstGlesTracksResult) result = NULL;
  GstAnalyticsTrackingMtd tracking;
  GstBuffer *out = NULL;
  GstClockTime begin, end;
  gpointer state = NULL;
  gboolean lost = FALSE;
  guint64 id;

  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = new_frame ();

    add_detection (buffer, "car", (gint) i - 2, 20);
    add_box (buffer, "bus", 60, 20, 10, 8);
    add_detection (buffer, "bus", 60, 20);
    g_clear_pointer (&result, gst_gles_tracks_result_unref);
    gst_clear_buffer (&out);
    result = push (stream, buffer, &out);
    fail_unless_equals_int (gst_gles_tracks_result_get_count (result), 2);
    check_tracking (out, 0, 1, 0, i * 40 * GST_MSECOND);
    check_tracking (out, 1, 2, 0, i * 40 * GST_MSECOND);
    fail_unless_equals_int (
        gst_analytics_relation_get_length (gst_buffer_get_analytics_relation_meta (out)), 4);
  }
  gst_clear_buffer (&out);
  g_clear_pointer (&result, gst_gles_tracks_result_unref);
  {
    GstBuffer *buffer = new_frame ();

    add_detection (buffer, "car", 1, 20);
    result = push (stream, buffer, &out);
  }
  check_tracking (out, 0, 1, 0, 120 * GST_MSECOND);
  while (gst_analytics_relation_meta_iterate (gst_buffer_get_analytics_relation_meta (out), &state,
      gst_analytics_tracking_mtd_get_mtd_type (), &tracking)) {
    fail_unless (gst_analytics_tracking_mtd_get_info (&tracking, &id, &begin, &end, &lost));
    fail_unless_equals_int (lost, id == 2);
    fail_unless_equals_uint64 (end, (id == 2 ? 80 : 120) * GST_MSECOND);
  }
  gst_clear_buffer (&out);
  line_set (stream, "glestrack", "analytics", "false");
  {
    GstBuffer *buffer = new_frame ();

    add_detection (buffer, "car", 2, 20);
    g_clear_pointer (&result, gst_gles_tracks_result_unref);
    result = push (stream, buffer, &out);
  }
  fail_unless_equals_int (
      gst_analytics_relation_get_length (gst_buffer_get_analytics_relation_meta (out)), 1);
  gst_clear_buffer (&out);
}

GST_END_TEST;

/* Returns how many tracks of @buffer are set lost. */
static guint
count_lost (GstBuffer *buffer)
{
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsTrackingMtd tracking;
  GstClockTime begin, end;
  gpointer state = NULL;
  guint64 id;
  gboolean lost;
  guint n = 0;

  while (gst_analytics_relation_meta_iterate (
      meta, &state, gst_analytics_tracking_mtd_get_mtd_type (), &tracking)) {
    fail_unless (gst_analytics_tracking_mtd_get_info (&tracking, &id, &begin, &end, &lost));
    n += lost ? 1 : 0;
  }
  return n;
}

/* glestrack.md: "A frame was looked at if it has boxes, a result of `glesregions`, or a
 * `GstAnalyticsRelationMeta` (GStreamer 1.24 and later), even an empty one." The result and the
 * GstAnalyticsTrackingMtd tell of the same lost tracks, until these are expected outside. */
GST_START_TEST (test_empty_relations)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack");
  guint n_listed = 0;

  for (guint i = 0; i < 20; i++) {
    const gboolean looked = i != 5;
    GstBuffer *buffer = new_frame (), *out;
    g_autoptr (GstGlesTracksResult) result = NULL;
    guint n;

    if (looked)
      gst_buffer_add_analytics_relation_meta (buffer);
    if (i < 4)
      add_detection (buffer, "car", 90 + 4 * (gint) i, 20);
    result = push (stream, buffer, &out);
    n = gst_gles_tracks_result_get_count (result);
    if (i >= 4) {
      n_listed += n;
      /* the box of the frame i begins at 90 + 4 i */
      fail_unless_equals_int (n, 90 + 4 * i < 128 ? 1 : 0);
      if (looked)
        fail_unless_equals_int (count_lost (out), n);
      if (n > 0)
        fail_unless_equals_int (get (result, 0)->state, GST_GLES_TRACK_LOST);
    }
    gst_buffer_unref (out);
  }
  fail_unless_equals_int (n_listed, 6);
}

GST_END_TEST;

/* Two regions that are near to each other, and their metas, which videoscale rounded otherwise:
 * each thing is one track, with all of its metas. */
GST_START_TEST (test_two_ways)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack min-hits=1");
  const GstGlesRegion regions[] = {
    { .left = 101, .top = 20, .right = 110, .bottom = 27, .pixels = 1, .sum_x = 101, .sum_y = 20 },
    { .left = 103, .top = 20, .right = 112, .bottom = 27, .pixels = 1, .sum_x = 103, .sum_y = 20 },
  };
  g_autoptr (GstGlesOrigin) origin = gst_gles_origin_new ("r", NULL);
  const GstGlesFrameInfo frame = { .width = 256, .height = 96, .origin = origin };
  g_autoptr (GBytes) bytes = g_bytes_new (regions, sizeof regions);
  g_autoptr (GstGlesRegionsResult) made =
      gst_gles_regions_result_new (&frame, "motion", bytes, 2, NULL);
  GstBuffer *buffer = new_frame (), *out;
  g_autoptr (GstGlesTracksResult) result = NULL;

  gst_buffer_add_gles_regions_meta (buffer, made);
  for (guint i = 0; i < 2; i++) {
    /* 50 to 56, and 51 to 57 in the result */
    gst_video_region_of_interest_meta_add_param (add_box (buffer, "motion", 51 + i, 20, 5, 8),
        gst_structure_new (
            "gles-region", "index", G_TYPE_UINT, i, "element", G_TYPE_STRING, "r", NULL));
    add_detection_of_size (buffer, "motion", 51 + (gint) i, 20, 5);
  }
  result = push (stream, buffer, &out);
  fail_unless_equals_int (gst_gles_tracks_result_get_count (result), 2);
  fail_unless_equals_int (
      gst_buffer_get_n_meta (out, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), 2);
  for (guint i = 0; i < 2; i++) {
    fail_unless_equals_int (
        gst_buffer_get_video_region_of_interest_meta_id (out, (gint) i + 1)->x, 51 + i);
    check_tracking (out, i, i + 1, 0, 0);
  }
  gst_buffer_unref (out);
}

GST_END_TEST;
#endif

/* Regions of a picture that was twice as wide. */
GST_START_TEST (test_scaled_regions)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack");
  GstBuffer *buffer = new_frame ();
  g_autoptr (GstGlesTracksResult) result = NULL;

  add_region (buffer, 101, 20, 256);
  result = push (stream, buffer, NULL);
  fail_unless_equals_int (get (result, 0)->x, 50);
  fail_unless_equals_int (get (result, 0)->width, 6);
  fail_unless_equals_int (get (result, 0)->y, 20);
}

GST_END_TEST;

/* The most boxes, and more: all are counted. Boxes outside of the picture, across its border and
 * without pixels are none, or what is inside. */
GST_START_TEST (test_many_and_odd_boxes)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack");

  for (guint n = 255; n <= 300; n += 15) {
    GstBuffer *buffer = new_frame ();
    g_autoptr (GstGlesTracksResult) result = NULL;

    for (guint i = 0; i < n; i++)
      add_box (buffer, "car", i % 20 * 6, i / 20 * 6, 4, 4);
    result = push (stream, buffer, NULL);
    fail_unless_equals_int (gst_gles_tracks_result_get_count (result), MIN (n, 256));
    fail_unless_equals_uint64 (gst_gles_tracks_result_get_total (result), n);
    fail_unless_equals_int (gst_gles_tracks_result_is_truncated (result), n > 256);
  }
  for (guint i = 0; i < 2; i++) {
    GstBuffer *buffer = new_frame (), *out;
    g_autoptr (GstGlesTracksResult) result = NULL;
    const GstGlesTrack *last;

    test_stream_flush (stream);
    add_box (buffer, "car", 128, 0, 4, 4);
    add_box (buffer, "car", 0, 4000000000, 4, 4);
    add_box (buffer, "car", 50, 50, 0, 4);
    add_box (buffer, "car", 120, 90, 4000000000, 4000000000);
    result = push (stream, buffer, &out);
    fail_unless_equals_int (
        gst_buffer_get_n_meta (out, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), 4);
    gst_buffer_unref (out);
    fail_unless_equals_int (gst_gles_tracks_result_get_count (result), 1);
    last = get (result, 0);
    fail_unless (last->x == 120 && last->y == 90 && last->width == 8 && last->height == 6);
  }
}

GST_END_TEST;

/* A box without a type, as a detector without labels writes it, is followed. */
GST_START_TEST (test_untyped_box)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack min-hits=1");
  GstBuffer *buffer = new_frame ();
  g_autoptr (GstGlesTracksResult) result = NULL;

  gst_buffer_add_video_region_of_interest_meta_id (buffer, 0, 10, 20, 10, 8);
  result = push (stream, buffer, NULL);
  fail_unless_equals_int (gst_gles_tracks_result_get_count (result), 1);
  fail_unless_equals_string (gst_gles_tracks_result_get_label (result, get (result, 0)->label), "");
}

GST_END_TEST;

/* A region and its meta, which videoscale rounded otherwise, are one track. */
GST_START_TEST (test_scaled_twice)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack min-hits=1");
  const GstGlesRegion region = {
    .left = 101, .top = 20, .right = 110, .bottom = 27, .pixels = 1, .sum_x = 101, .sum_y = 20
  };
  g_autoptr (GstGlesOrigin) origin = gst_gles_origin_new ("r", NULL);
  const GstGlesFrameInfo frame = { .width = 256, .height = 96, .origin = origin };
  g_autoptr (GBytes) bytes = g_bytes_new (&region, sizeof region);
  g_autoptr (GstGlesRegionsResult) regions =
      gst_gles_regions_result_new (&frame, "motion", bytes, 1, NULL);
  GstBuffer *buffer = new_frame (), *out;
  g_autoptr (GstGlesTracksResult) result = NULL;

  gst_buffer_add_gles_regions_meta (buffer, regions);
  gst_video_region_of_interest_meta_add_param (add_box (buffer, "motion", 51, 20, 5, 8),
      gst_structure_new (
          "gles-region", "index", G_TYPE_UINT, 0, "element", G_TYPE_STRING, "r", NULL));
  result = push (stream, buffer, &out);
  fail_unless_equals_int (gst_gles_tracks_result_get_count (result), 1);
  fail_unless_equals_int (
      gst_buffer_get_n_meta (out, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), 1);
  fail_unless_equals_int (gst_buffer_get_video_region_of_interest_meta_id (out, 1)->x, 51);
  gst_buffer_unref (out);
}

GST_END_TEST;

/* A parent_id goes with the id that it names. A box left of the picture is not added again. */
GST_START_TEST (test_parents_and_negative)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack min-hits=1");
  GstBuffer *buffer = new_frame (), *out;
  GstVideoRegionOfInterestMeta *face;
  g_autoptr (GstGlesTracksResult) result = NULL;

  check_box (stream, 90, 1);
  add_box (buffer, "person", (guint) -10, 5, 60, 60)->id = 77;
  face = add_box (buffer, "face", 20, 10, 10, 10);
  face->id = 78;
  face->parent_id = 77;
  result = push (stream, buffer, &out);
  fail_unless_equals_int (
      gst_buffer_get_n_meta (out, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), 2);
  fail_unless_equals_int (gst_buffer_get_video_region_of_interest_meta_id (out, 2)->w, 60);
  fail_unless_equals_int (gst_buffer_get_video_region_of_interest_meta_id (out, 3)->parent_id, 2);
  gst_buffer_unref (out);
}

GST_END_TEST;

/* 600 boxes of which 120 differ are 120 tracks. */
GST_START_TEST (test_total_of_equal_boxes)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack");
  GstBuffer *buffer = new_frame ();
  g_autoptr (GstGlesTracksResult) result = NULL;

  for (guint i = 0; i < 600; i++)
    add_box (buffer, "car", i % 120, i % 2, 4, 4);
  result = push (stream, buffer, NULL);
  fail_unless_equals_int (gst_gles_tracks_result_get_count (result), 120);
  fail_unless_equals_uint64 (gst_gles_tracks_result_get_total (result), 120);
}

GST_END_TEST;

/* Returns the processor time, in clocks, of 20 frames of 200 boxes, each of which has a label of @n
 * digits that no other box had, while there are as many lost tracks as are kept. */
static clock_t
time_labels (gint n)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack min-hits=1 roi=false");
  clock_t sum = 0;

  for (guint i = 0; i < 23; i++) {
    GstBuffer *buffer = new_frame ();
    g_autoptr (GstGlesTracksResult) result = NULL;
    clock_t start;

    for (guint b = 0; b < 200; b++) {
      g_autofree gchar *label = g_strdup_printf ("%0*u", n, b + 200 * i);

      add_box (buffer, label, b % 20 * 6, b / 20 * 6, 4, 4);
    }
    start = clock ();
    result = push (stream, buffer, NULL);
    if (i >= 3)
      sum += clock () - start;
    fail_unless_equals_int (gst_gles_tracks_result_get_count (result), MIN (200 * (i + 1), 512));
    fail_unless_equals_int (
        (gint) strlen (gst_gles_tracks_result_get_label (result, 0)), MIN (n, 255));
  }
  return sum;
}

/* Boxes that each have a new and long label took 77 ms a frame: labels were compared with all
 * others, as long as they were. */
GST_START_TEST (test_new_labels)
{
  const clock_t of_short = time_labels (8), of_long = time_labels (4000);

  fail_unless (of_long < 4 * of_short, "%ld clocks with long labels, %ld with short ones",
      (glong) of_long, (glong) of_short);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_scores_are_relative);
  tcase_add_test (tcase, test_ids_stay);
  tcase_add_test (tcase, test_interests);
#if HAVE_ANALYTICS
  tcase_add_test (tcase, test_analytics);
  tcase_add_test (tcase, test_empty_relations);
  tcase_add_test (tcase, test_two_ways);
#endif
  tcase_add_test (tcase, test_scaled_regions);
  tcase_add_test (tcase, test_many_and_odd_boxes);
  tcase_add_test (tcase, test_untyped_box);
  tcase_add_test (tcase, test_scaled_twice);
  tcase_add_test (tcase, test_parents_and_negative);
  tcase_add_test (tcase, test_total_of_equal_boxes);
  tcase_add_test (tcase, test_new_labels);
}

LINES_MAIN (add_tests)
