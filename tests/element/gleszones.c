/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gleszones on a stream: what ends with it, other zones while playing, texts that are refused, and
 * cost. tests/zones/scenes.py tests which events tracks make. */
#include <gst/gles/meta/tracks-info.h>
#include <gst/gles/meta/zones.h>

#include <string.h>

#include "lines.h"

#define CAPS "video/x-raw,format=GRAY8,width=128,height=96,framerate=25/1"
#define ELEMENT "gleszones name=z "
#define YARD "yard: 0px,0px 64px,0px 64px,96px 0px,96px"
#define ZONES "zones=\"" YARD "\" lines=\"gate: 64px,0px 64px,96px\" "

/* A frame of @width x 96 pixels with a track @id of 10x10 pixels at @x, or without one if @id is
 * 0. */
static GstBuffer *
new_frame (guint width, guint64 id, guint x, GstGlesTrackState state)
{
  static const gchar *const labels[] = { "car", NULL };
  const GstGlesTrack track = { .id = id,
    .x = x,
    .y = 40,
    .width = 10,
    .height = 10,
    .state = state,
    .velocity_x = -3,
    .velocity_y = 4 };
  const GstGlesTracksInfo info = { .frame = { .pts = GST_CLOCK_TIME_NONE,
                                       .duration = GST_CLOCK_TIME_NONE,
                                       .running_time = GST_CLOCK_TIME_NONE,
                                       .stream_time = GST_CLOCK_TIME_NONE,
                                       .utc = GST_CLOCK_TIME_NONE,
                                       .width = width,
                                       .height = 96 } };
  g_autoptr (GBytes) bytes = g_bytes_new (&track, id > 0 ? sizeof track : 0);
  g_autoptr (GstGlesTracksResult) result =
      gst_gles_tracks_result_new_complete (&info, labels, bytes, NULL, id > 0 ? 1 : 0);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, width * 96, NULL);

  gst_buffer_add_gles_tracks_meta (buffer, result);
  return buffer;
}

static void
push (TestStream *stream, guint64 id, guint x)
{
  gst_buffer_unref (test_stream_push (stream, new_frame (128, id, x, GST_GLES_TRACK_CONFIRMED)));
}

/* "enter yard, leave yard lost, ..." of the messages since the last call. */
static void
check_events (TestStream *stream, const gchar *expected)
{
  g_autoptr (GPtrArray) posted = line_take_posted (stream);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < posted->len; i++) {
    const GstStructure *event = g_ptr_array_index (posted, i);
    const gchar *zone = gst_structure_get_string (event, "zone");
    const gchar *more = gst_structure_get_string (event, "direction");

    if (more == NULL)
      more = gst_structure_get_string (event, "cause");
    g_string_append_printf (text, "%s%s %s%s%s", i > 0 ? ", " : "",
        gst_structure_get_string (event, "event"),
        zone != NULL ? zone : gst_structure_get_string (event, "line"), more != NULL ? " " : "",
        more != NULL ? more : "");
  }
  fail_unless_equals_string (text->str, expected);
}

/* Each event is told in a message and on its frame; those of a visit have one id. */
GST_START_TEST (test_visit)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, ELEMENT ZONES);
  g_autoptr (GPtrArray) pushed = NULL;
  const GstStructure *enter, *leave;
  gdouble speed, heading;
  guint64 n_in;

  /* frames stay downstream until their events are taken */
  for (guint x = 30; x <= 100; x += 70)
    fail_unless (
        line_try_push (stream, new_frame (128, 7, x, GST_GLES_TRACK_CONFIRMED)) == GST_FLOW_OK);
  check_events (stream,
      "enter yard, occupied yard, leave yard condition, cross gate out, empty yard condition");
  pushed = line_take_pushed (stream);
  fail_unless_equals_int (pushed->len, 5);
  enter = g_ptr_array_index (pushed, 0);
  leave = g_ptr_array_index (pushed, 2);
  fail_unless_equals_string (
      gst_structure_get_string (enter, "id"), gst_structure_get_string (leave, "id"));
  fail_unless (gst_structure_get (enter, "speed", G_TYPE_DOUBLE, &speed, "heading", G_TYPE_DOUBLE,
      &heading, "n-in", G_TYPE_UINT64, &n_in, NULL));
  fail_unless_equals_float (speed, 5);
  fail_unless (heading > 216.86 && heading < 216.88, "%f degrees", heading);
  fail_unless_equals_uint64 (n_in, 1);
}

GST_END_TEST;

/* The events of two elements are in one list on the frame. */
GST_START_TEST (test_two_elements)
{
  g_autoptr (TestStream) stream = line_stream (
      CAPS, "gleszones zones=\"" YARD "\" ! gleszones zones=\"all: -1,-1 2,-1 2,2 -1,2\"");
  g_autoptr (GPtrArray) pushed = NULL;

  fail_unless (
      line_try_push (stream, new_frame (128, 7, 30, GST_GLES_TRACK_CONFIRMED)) == GST_FLOW_OK);
  check_events (stream, "enter yard, occupied yard, enter all, occupied all");
  pushed = line_take_pushed (stream);
  fail_unless_equals_int (pushed->len, 4);
}

GST_END_TEST;

/* A flush, another size, another stream and the end of the stream end what lasts. */
GST_START_TEST (test_ends)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, ELEMENT ZONES);
  GstSegment segment;

  push (stream, 1, 30);
  check_events (stream, "enter yard, occupied yard");
  test_stream_flush (stream);
  check_events (stream, "leave yard flush, empty yard flush");
  /* nobody is told to be away, and what appears beyond the line has not crossed it */
  push (stream, 1, 100);
  check_events (stream, "empty yard");
  push (stream, 1, 30);
  check_events (stream, "enter yard, cross gate in, occupied yard");
  gst_buffer_unref (test_stream_push (stream, new_frame (120, 1, 30, GST_GLES_TRACK_CONFIRMED)));
  check_events (stream, "leave yard caps, empty yard caps, enter yard, occupied yard");
  test_stream_push_event (stream, gst_event_new_stream_start ("another"));
  check_events (stream, "leave yard segment, empty yard segment");
  line_set_caps (stream, CAPS);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  test_stream_push_event (stream, gst_event_new_segment (&segment));
  push (stream, 1, 30);
  check_events (stream, "enter yard, occupied yard");
  test_stream_push_event (stream, gst_event_new_eos ());
  check_events (stream, "leave yard eos, empty yard eos");
}

GST_END_TEST;

/* An empty frame that stands for a missing one ends nothing, nor does a frame without tracks. */
GST_START_TEST (test_gap)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, ELEMENT ZONES);
  GstBuffer *gap = gst_buffer_new ();

  push (stream, 1, 30);
  check_events (stream, "enter yard, occupied yard");
  GST_BUFFER_FLAG_SET (gap, GST_BUFFER_FLAG_GAP);
  gst_buffer_unref (test_stream_push (stream, gap));
  gst_buffer_unref (test_stream_push (stream, gst_buffer_new_allocate (NULL, 128 * 96, NULL)));
  push (stream, 1, 31);
  check_events (stream, "");
  push (stream, 1, 100);
  check_events (stream, "leave yard condition, cross gate out, empty yard condition");
}

GST_END_TEST;

/* Before the first result nothing is known; boxes that a detector finds at last tell of presence
 * alone. */
GST_START_TEST (test_boxes)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, ELEMENT ZONES "crowd=1");

  for (guint i = 0; i < 7; i++) {
    GstBuffer *buffer = gst_buffer_new_allocate (NULL, 128 * 96, NULL);
    g_autoptr (GstGlesZonesResult) result = NULL;

    for (guint box = 0; i >= 3 && i < 5 && box < 6 - i; box++)
      gst_buffer_add_video_region_of_interest_meta (buffer, "car", 10 + 60 * (box == 2), 10, 9, 9);
    buffer = test_stream_push (stream, buffer);
    result = gst_gles_zones_result_from_buffer (buffer);
    fail_unless ((result != NULL) == (i >= 3));
    if (i == 3) {
      guint n;

      fail_unless (gst_gles_zones_result_get_members (result, 0, &n)[1].track == 0);
      fail_unless_equals_int (n, 2);
      fail_if (gst_gles_zones_result_get_info (result)->has_tracks);
    }
    gst_buffer_unref (buffer);
    if (i == 3)
      check_events (stream, "occupied yard, crowd yard");
  }
  check_events (stream, "empty yard condition, crowd yard condition");
}

GST_END_TEST;

/* Zones whose text stays keep what is in them; others end and begin. */
GST_START_TEST (test_other_zones)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, ELEMENT ZONES);

  push (stream, 1, 30);
  check_events (stream, "enter yard, occupied yard");
  line_set (stream, "gleszones", "zones", "door: 0,0 1,1 0,1; " YARD);
  push (stream, 1, 30);
  check_events (stream, "enter door, occupied door");
  line_set (stream, "gleszones", "zones", "yard: 0,0 1,0 1,1 0,1");
  line_set (stream, "gleszones", "lines", "");
  push (stream, 1, 100);
  check_events (stream,
      "leave door stopped, empty door stopped, leave yard stopped, empty yard stopped, enter yard, "
      "occupied yard");
}

GST_END_TEST;

/* A wrong text is named: by an error at the start, and by a warning while playing. */
GST_START_TEST (test_wrong_texts)
{
  static const struct {
    const gchar *property, *text, *named;
  } cases[] = {
    { "zones", "yard: 0,0 1,0", "zone \"yard\", column 6: expected a polygon of at least three" },
    { "zones", "a: 0,0 1,0 1,1; b: 0,0 1;0 2,2", "zone \"b\", column 25: expected a comma" },
    { "zones", "a: 0,0 1,0 11,1", "zone \"a\", column 12: expected a coordinate" },
    { "zones", "a: 0,0 1,0 1,1;a: 0,0 1,0 1,1", "zone \"a\", column 16: expected another name" },
    { "zones", "a b: 0,0 1,0 1,1", "zone \"a\", column 3: expected types=" },
    { "zones", "a dwell=x: 0,0 1,0 1,1", "zone \"a\", column 3: expected a number" },
    { "zones", "a: 0,0 1,0 1,1x", "zone \"a\", column 15: expected a space" },
    { "zones", ": 0,0 1,0 1,1", "zone \"\", column 1: expected a name" },
    { "zones", "a: 1000001px,0 1,0 1,1", "zone \"a\", column 4: expected a coordinate" },
    { "lines", "gate: 0,0", "line \"gate\", column 6: expected a line of at least two" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstElement) pipeline =
        line_new ("fakesrc num-buffers=1 ! gleszones name=z ! fakesink");
    g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline), "z");
    g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
    g_autoptr (GstMessage) message = NULL;
    g_autoptr (GError) error = NULL;

    g_object_set (element, cases[i].property, cases[i].text, NULL);
    fail_unless (gst_element_set_state (pipeline, GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE);
    message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
    fail_unless (message != NULL);
    gst_message_parse_error (message, &error, NULL);
    fail_unless (strstr (error->message, cases[i].named) != NULL, "%s: \"%s\"", cases[i].text,
        error->message);
    gst_element_set_state (pipeline, GST_STATE_NULL);
  }
}

GST_END_TEST;

GST_START_TEST (test_wrong_text_while_playing)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, ELEMENT ZONES);
  g_autoptr (GstElement) element = gst_harness_find_element (stream->harness, "gleszones");
  g_autofree gchar *text = NULL;

  push (stream, 1, 30);
  check_events (stream, "enter yard, occupied yard");
  line_set (stream, "gleszones", "zones", "yard: 0,0 1,0");
  fail_unless_equals_int (line_count (stream, GST_MESSAGE_WARNING), 1);
  g_object_get (element, "zones", &text, NULL);
  fail_unless_equals_string (text, YARD);
  push (stream, 1, 30);
  check_events (stream, "");
}

GST_END_TEST;

/* Percentages and shares follow the size of the picture, pixels do not; halves are rounded up, also
 * below 0. */
GST_START_TEST (test_places)
{
  static const gint32 expected[] = { 16384, 12288, 16384, 12288, 8192, 4096, -32768, -1, 1, 0 };
  g_autoptr (TestStream) stream = line_stream (CAPS,
      ELEMENT "lines=\"l: 50%%,50%% 0.5,0.5 32px,16px -1,-0.005859375px 0.001954px,-0.001953px\"");
  g_autoptr (GstBuffer) buffer =
      test_stream_push (stream, new_frame (128, 0, 0, GST_GLES_TRACK_NEW));
  g_autoptr (GstGlesZonesResult) result = gst_gles_zones_result_from_buffer (buffer);
  guint n;
  const GstGlesZoneVertex *vertices = gst_gles_zones_result_get_vertices (result, 0, &n);

  fail_unless_equals_int (n, 5);
  for (guint i = 0; i < n; i++)
    fail_unless (vertices[i].x == expected[2 * i] && vertices[i].y == expected[2 * i + 1],
        "vertex %u at %d, %d", i, vertices[i].x, vertices[i].y);
}

GST_END_TEST;

GST_START_TEST (test_large_pictures_are_refused)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, ELEMENT ZONES);
  GstBuffer *buffer = new_frame (65535, 0, 0, GST_GLES_TRACK_NEW);
  g_autoptr (GError) error = NULL;

  gst_buffer_unref (test_stream_push (stream, buffer));
  error = line_push_bad (stream, new_frame (65536, 0, 0, GST_GLES_TRACK_NEW), GST_FLOW_ERROR);
  fail_unless (strstr (error->message, "65536 x 96") != NULL, "%s", error->message);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_visit);
  tcase_add_test (tcase, test_two_elements);
  tcase_add_test (tcase, test_ends);
  tcase_add_test (tcase, test_gap);
  tcase_add_test (tcase, test_boxes);
  tcase_add_test (tcase, test_other_zones);
  tcase_add_test (tcase, test_wrong_texts);
  tcase_add_test (tcase, test_wrong_text_while_playing);
  tcase_add_test (tcase, test_places);
  tcase_add_test (tcase, test_large_pictures_are_refused);
}

int
main (int argc, char **argv)
{
  return lines_main (argc, argv, add_tests);
}
