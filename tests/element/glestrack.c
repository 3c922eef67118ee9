/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glestrack on a stream: frames that nobody looked at, caps, times, gaps, flushes and seeks.
 * glestrack-boxes.c tests single frames, tests/unit/track-tracker.c which boxes become one track,
 * and tests/tracks how well. */
#include "config.h"

#include <math.h>

#include "glestrack-frames.h"
#include "results-samples.h"

/* A detector that looks at every third frame: tracks are confirmed, go on as predicted between its
 * frames, and are lost in one that it looked at in vain. */
GST_START_TEST (test_detect_every)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack detect-every=3");

  for (guint i = 0; i < 13; i++) {
    GstBuffer *buffer = new_frame ();
    g_autoptr (GstGlesTracksResult) result = NULL;

    if (i % 3 == 0 && i < 12)
      add_box (buffer, "car", 10 + 2 * i, 20, 10, 8);
    result = push (stream, buffer, NULL);
    fail_unless_equals_int (gst_gles_tracks_result_get_count (result), i % 3 == 0 || i > 6 ? 1 : 0);
    if (i <= 6)
      continue;
    fail_unless_equals_int (get (result, 0)->state,
        i == 12          ? GST_GLES_TRACK_LOST
            : i % 3 == 0 ? GST_GLES_TRACK_CONFIRMED
                         : GST_GLES_TRACK_PREDICTED);
    fail_unless_equals_uint64 (get (result, 0)->id, 1);
    fail_unless (ABS ((gint) get (result, 0)->x - (gint) (10 + 2 * i)) <= 1);
  }
}

GST_END_TEST;

/* Frames of an element that analyses every second one: those without regions are not looked at.
 * Without an element that makes regions, no box means that nothing is there. */
GST_START_TEST (test_frames_without_result)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack");

  check_box (stream, 10, 1);
  check_box (stream, 12, 1);
  check_box (stream, 14, 1);
  g_autoptr (GstGlesTracksResult) empty = push (stream, new_frame (), NULL);
  fail_unless_equals_int (get (empty, 0)->state, GST_GLES_TRACK_LOST);
  fail_unless_equals_int (get (empty, 0)->x, 16);
  fail_unless_equals_uint64 (get (empty, 0)->lost, 40 * GST_MSECOND);
  for (guint i = 0; i < 10; i++) {
    GstBuffer *buffer = new_frame ();
    g_autoptr (GstGlesTracksResult) result = NULL;

    if (i % 2 == 0)
      add_region (buffer, 50 + 2 * i, 50, 128);
    result = push (stream, buffer, NULL);
    if (i % 2 == 0) {
      fail_unless_equals_uint64 (get (result, 1)->id, 2);
    } else if (i > 4) {
      fail_unless_equals_int (get (result, 1)->state, GST_GLES_TRACK_PREDICTED);
    }
    if (i == 8)
      fail_unless (ABS (get (result, 1)->velocity_x - 50) < 1e-6);
  }
}

GST_END_TEST;

/* An empty frame that stands for a missing one passes, and is no frame without boxes. */
GST_START_TEST (test_gap)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack");
  GstBuffer *gap = gst_buffer_new ();

  check_box (stream, 10, 1);
  GST_BUFFER_FLAG_SET (gap, GST_BUFFER_FLAG_GAP);
  fail_unless (push (stream, gap, NULL) == NULL);
  check_box (stream, 14, 1);
}

GST_END_TEST;

/* A flush, as of a seek, and another size forget all tracks, other tags do not; ids go on. */
GST_START_TEST (test_flush_and_caps)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack");
  GstSegment segment;

  check_box (stream, 10, 1);
  test_stream_flush (stream);
  check_box (stream, 10, 2);
  line_set_caps (stream, CAPS ",pixel-aspect-ratio=2/1");
  check_box (stream, 10, 2);
  line_set_caps (stream, "video/x-raw,format=I420,width=128,height=100,framerate=25/1");
  check_box (stream, 10, 3);
  test_stream_push_event (stream, gst_event_new_stream_start ("another"));
  line_set_caps (stream, "video/x-raw,format=I420,width=128,height=100,framerate=25/1");
  gst_segment_init (&segment, GST_FORMAT_TIME);
  test_stream_push_event (stream, gst_event_new_segment (&segment));
  check_box (stream, 10, 4);
}

GST_END_TEST;

/* Buffers without timestamps are counted, and velocities are those of the framerate. */
GST_START_TEST (test_no_timestamps)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack");
  g_autoptr (GstGlesTracksResult) result = NULL;

  for (guint i = 0; i < 5; i++) {
    GstBuffer *buffer = new_frame ();

    add_box (buffer, "car", 10 + 4 * i, 20, 10, 8);
    g_clear_pointer (&result, gst_gles_tracks_result_unref);
    fail_unless_equals_int (gst_harness_push (stream->harness, buffer), GST_FLOW_OK);
    buffer = gst_harness_pull (stream->harness);
    result = gst_gles_tracks_result_from_buffer (buffer);
    gst_buffer_unref (buffer);
  }
  fail_unless_equals_uint64 (get (result, 0)->age, 160 * GST_MSECOND);
  fail_unless (ABS (get (result, 0)->velocity_x - 100) < 1e-6);
}

GST_END_TEST;

/* A buffer that others hold too is not changed, and its memory is not copied. */
GST_START_TEST (test_shared_buffer)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack");
  GstBuffer *buffer = new_frame ();
  g_autoptr (GstBuffer) kept = NULL;
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (GstGlesTracksResult) result = NULL;

  add_box (buffer, "car", 10, 20, 10, 8);
  GST_BUFFER_PTS (buffer) = 0;
  kept = gst_buffer_ref (buffer);
  fail_unless_equals_int (gst_harness_push (stream->harness, buffer), GST_FLOW_OK);
  out = gst_harness_pull (stream->harness);
  result = gst_gles_tracks_result_from_buffer (out);
  fail_unless (out != kept && result != NULL);
  fail_unless (gst_buffer_get_gles_tracks_meta (kept) == NULL);
  fail_unless (gst_buffer_peek_memory (out, 0) == gst_buffer_peek_memory (kept, 0));
  fail_unless_equals_int (gst_buffer_get_video_region_of_interest_meta_id (kept, 0)->x, 10);
  fail_unless_equals_int (gst_buffer_get_video_region_of_interest_meta_id (out, 1)->x, 10);
}

GST_END_TEST;

/* Regions that stayed on the device are an error that says what to do. */
GST_START_TEST (test_no_readback)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack");
  const GstGlesRegionsInfo info = { SAMPLE_FRAME (128, 96), .label = "car" };
  g_autoptr (GstGlesRegionsResult) regions =
      gst_gles_regions_result_new_queued (&info, NULL, NULL, NULL);
  GstBuffer *buffer = new_frame ();
  g_autoptr (GError) error = NULL;

  gst_buffer_add_gles_regions_meta (buffer, regions);
  error = line_push_bad (stream, buffer, GST_FLOW_ERROR);
  fail_unless (strstr (error->message, "readback=true") != NULL, "%s", error->message);
}

GST_END_TEST;

/* The thing goes left by 8 pixels a frame, and would be outside of the picture from frame 7 on. */
static GstGlesTracksResult *
push_leaving (TestStream *stream, guint i, gboolean seen)
{
  GstBuffer *buffer = new_frame ();

  if (seen)
    add_box (buffer, "car", 40 - 8 * i, 20, 10, 8);
  return push (stream, buffer, NULL);
}

/* glestrack.md: "Listed are all tracks that have a box in this frame, and of the others those that
 * are lost or predicted, as long as their predicted box is in the picture, of which the part inside
 * is told. New tracks that were missed are not listed." */
GST_START_TEST (test_listed)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack detect-every=2");
  g_autoptr (TestStream) early = line_stream (CAPS, "glestrack min-hits=4");

  for (guint i = 0; i < 9; i++) {
    g_autoptr (GstGlesTracksResult) result = push_leaving (stream, i, i < 3);
    /* frame 3 was not looked at, and in frame 6 two pixels are inside */
    const guint n = gst_gles_tracks_result_get_count (result);

    fail_unless_equals_int (n, i <= 6 ? 1 : 0);
    if (i == 3)
      fail_unless_equals_int (get (result, 0)->state, GST_GLES_TRACK_PREDICTED);
    if (i == 4)
      fail_unless_equals_int (get (result, 0)->state, GST_GLES_TRACK_LOST);
    if (i == 6)
      fail_unless (get (result, 0)->x == 0 && get (result, 0)->width == 2);
  }
  for (guint i = 0; i < 5; i++) {
    g_autoptr (GstGlesTracksResult) result = push_leaving (early, i, i != 3);

    fail_unless_equals_int (gst_gles_tracks_result_get_count (result), i != 3 ? 1 : 0);
    fail_unless (i == 3 || get (result, 0)->id == 1);
  }
}

GST_END_TEST;

/* glestrack.md: "`path_length` is the length of the line through the positions that the model has
 * in the frames in which the track was seen, from the first to the last: smoothed centres, straight
 * on between them." And: "There is one position for each frame: the last one is that of this
 * frame." The thing is not seen in frames 6 to 8, and turns meanwhile. */
GST_START_TEST (test_path)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack path=40");
  GstGlesTrackPosition last = { 0 };
  gdouble length = 0;

  for (guint i = 0; i < 14; i++) {
    const gboolean seen = i < 6 || i > 8;
    GstBuffer *buffer = new_frame ();
    g_autoptr (GstGlesTracksResult) result = NULL;
    const GstGlesTrackPosition *path;
    guint n;

    if (seen)
      add_box (buffer, "car", 20 + 4 * i, i < 7 ? 20 : 20 + 2 * (i - 6), 16, 8);
    result = push (stream, buffer, NULL);
    fail_unless_equals_int (gst_gles_tracks_result_get_count (result), 1);
    path = gst_gles_tracks_result_get_path (result, 0, &n);
    fail_unless_equals_int (n, i + 1);
    fail_unless (gst_gles_tracks_result_get_path (result, 1, &n) == NULL && n == 0);
    if (i < 9)
      fail_unless (path[i].x == 28 + 4.f * i && path[i].y == 24, "%f %f", path[i].x, path[i].y);
    if (seen && i > 0)
      length += hypot (path[i].x - last.x, path[i].y - last.y);
    if (seen)
      last = path[i];
    /* positions are in sixteenths of a pixel */
    fail_unless (ABS (get (result, 0)->path_length - length) < 0.1, "frame %u", i);
  }
  fail_unless (last.y > 30 && last.y < 38); /* smoothed */
}

GST_END_TEST;

/* Fewer positions than before, and none, while playing. */
GST_START_TEST (test_path_changes)
{
  static const struct {
    const gchar *path;
    guint n;
  } steps[] = { { "3", 1 }, { "3", 2 }, { "3", 3 }, { "3", 3 }, { "2", 2 }, { "0", 0 },
    { "256", 1 } };
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack");

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    GstBuffer *buffer = new_frame ();
    g_autoptr (GstGlesTracksResult) result = NULL;
    const GstGlesTrackPosition *path;
    guint n;

    line_set (stream, "glestrack", "path", steps[i].path);
    add_box (buffer, "car", 10 + 2 * i, 20, 10, 8);
    result = push (stream, buffer, NULL);
    path = gst_gles_tracks_result_get_path (result, 0, &n);
    fail_unless_equals_int (n, steps[i].n);
    fail_unless (n == 0 ? path == NULL : path[n - 1].x == 15 + 2.f * i);
  }
}

GST_END_TEST;

static gint changing; /* atomic */

static gpointer
change_main (gpointer element)
{
  for (guint i = 0; g_atomic_int_get (&changing); i++)
    g_object_set (element, "track-lost", 1.0 + i % 2, "min-hits", 1 + i % 3, "max-distance",
        3.0 + i % 2, "path", i % 5, "roi", i % 2 == 0, NULL);
  return NULL;
}

/* Settings change on another thread; for ThreadSanitizer, too. */
GST_START_TEST (test_settings_while_playing)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "glestrack");
  g_autoptr (GstElement) element = gst_harness_find_element (stream->harness, "glestrack");
  GThread *thread;

  g_atomic_int_set (&changing, TRUE);
  thread = g_thread_new ("settings", change_main, element);
  for (guint i = 0; i < 100; i++)
    check_box (stream, 10 + i, 1);
  g_atomic_int_set (&changing, FALSE);
  g_thread_join (thread);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_detect_every);
  tcase_add_test (tcase, test_frames_without_result);
  tcase_add_test (tcase, test_gap);
  tcase_add_test (tcase, test_flush_and_caps);
  tcase_add_test (tcase, test_no_timestamps);
  tcase_add_test (tcase, test_shared_buffer);
  tcase_add_test (tcase, test_no_readback);
  tcase_add_test (tcase, test_listed);
  tcase_add_test (tcase, test_path);
  tcase_add_test (tcase, test_path_changes);
  tcase_add_test (tcase, test_settings_while_playing);
}

LINES_MAIN (add_tests)
