/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Analysers in streams whose buffers have the flag GAP, no timestamps, or come in reverse. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

#include <glib/gstdio.h>
#include <string.h>

#define SIZE 16
#define CAPS "video/x-raw,format=GRAY8,width=16,height=16"

typedef struct {
  GstHarness *harness;
  GstBus *bus;
} Stream;

static void
stream_init (Stream *stream, const gchar *line, const gchar *caps)
{
  stream->harness = gst_harness_new_parse (line);
  stream->bus = gst_bus_new ();
  gst_element_set_bus (stream->harness->element, stream->bus);
  gst_harness_set_src_caps_str (stream->harness, caps);
}

static void
stream_clear (Stream *stream)
{
  gst_element_set_bus (stream->harness->element, NULL);
  gst_harness_teardown (stream->harness);
  gst_bus_set_flushing (stream->bus, TRUE);
  gst_object_unref (stream->bus);
}

/* A black picture without timestamps. */
static GstBuffer *
new_frame (void)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, SIZE * SIZE, NULL);

  gst_buffer_memset (buffer, 0, 0, SIZE * SIZE);
  return buffer;
}

/* Pushes @buffer (transfer full). Returns the line: (transfer full), NULL if there is none. */
static gchar *
push_for_line (Stream *stream, GstBuffer *buffer)
{
  GstBuffer *out;
  gchar *line;
  gsize size;

  fail_unless_equals_int (gst_harness_push (stream->harness, buffer), GST_FLOW_OK);
  out = gst_harness_try_pull (stream->harness);
  if (out == NULL)
    return NULL;
  size = gst_buffer_get_size (out);
  line = g_malloc0 (size + 1);
  gst_buffer_extract (out, 0, line, size);
  gst_buffer_unref (out);
  return line;
}

#define CHECK_HAS(line, part)                                                                      \
  fail_unless (line != NULL && strstr (line, part) != NULL, "no %s in %s", part, line)

/* ---- the flag GAP ---- */

#define POINTS "glescompact device=cpu lower=0 ! "

static const struct {
  const gchar *elements, *part;
} analysers[] = {
  { "gleshistogram device=cpu ! ", ",\"histogram\":" },
  { POINTS, ",\"points\":" },
  { POINTS "glesregions device=cpu ! ", ",\"regions\":" },
  { POINTS "glestiles device=cpu ! ", ",\"tiles\":" },
};

/* videorate and intervideosrc mark pictures that they repeat. A buffer without memory is a gap. */
GST_START_TEST (test_only_empty_gaps_are_left_out)
{
  g_autofree gchar *elements = g_strdup_printf ("%s glesjson", analysers[__i__].elements);
  Stream stream;

  stream_init (&stream, elements, CAPS ",framerate=25/1");
  for (guint i = 0; i < 3; i++) {
    GstBuffer *frame = new_frame (), *gap = gst_buffer_new ();
    g_autofree gchar *number = g_strdup_printf ("\"frame\":%u,", i);
    g_autofree gchar *line = NULL;

    if (i > 0)
      GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_GAP);
    line = push_for_line (&stream, frame);
    CHECK_HAS (line, number);
    CHECK_HAS (line, analysers[__i__].part);
    GST_BUFFER_FLAG_SET (gap, GST_BUFFER_FLAG_GAP);
    fail_unless (push_for_line (&stream, gap) == NULL);
  }
  stream_clear (&stream);
}

GST_END_TEST;

/* ---- buffers without timestamps ---- */

static guint
count_warnings (Stream *stream)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (stream->bus, GST_MESSAGE_WARNING)) != NULL) {
    n++;
    gst_message_unref (message);
  }
  return n;
}

/* Frames, counted from 0, and their times in lines. */
static const struct {
  const gchar *caps;
  guint frame;
  const gchar *times;
} counted[] = {
  { CAPS ",framerate=25/1", 2,
      "\"pts\":80000000,\"duration\":40000000,\"running_time\":80000000," },
  { CAPS ",framerate=0/1", 2, "\"pts\":80000000,\"duration\":40000000,\"running_time\":80000000," },
  { CAPS, 2, "\"pts\":80000000,\"duration\":40000000,\"running_time\":80000000," },
  { CAPS ",framerate=30000/1001", 2, "\"pts\":66733333,\"duration\":33366667," },
  { CAPS ",framerate=30000/1001", 300, "\"pts\":10010000000,\"duration\":33366666," },
};

/* Frames that `interval` leaves out have their times, too. One analyser says once that times are
 * counted, but not for a single picture. */
GST_START_TEST (test_times_are_counted)
{
  Stream stream;

  stream_init (&stream,
      "gleshistogram device=cpu interval=2 ! glescompact device=cpu interval=2 ! glesjson",
      counted[__i__].caps);
  for (guint i = 0; i <= counted[__i__].frame; i++) {
    g_autofree gchar *line = push_for_line (&stream, new_frame ());

    if (i == 0) {
      CHECK_HAS (line, "\"pts\":0,");
      fail_unless_equals_int (count_warnings (&stream), 0);
    } else if (i == counted[__i__].frame) {
      CHECK_HAS (line, counted[__i__].times);
    }
  }
  fail_unless_equals_int (count_warnings (&stream), 1);
  stream_clear (&stream);
}

GST_END_TEST;

/* Decoders of raw streams give a timestamp to the first frame, and durations to some. */
GST_START_TEST (test_times_are_counted_from_the_last)
{
  Stream stream;
  GstBuffer *frame = new_frame ();

  stream_init (&stream, "gleshistogram device=cpu ! glesjson", CAPS ",framerate=50/1");
  GST_BUFFER_PTS (frame) = GST_SECOND;
  g_free (push_for_line (&stream, frame));
  for (guint i = 1; i < 4; i++) {
    static const gchar *const times[] = { NULL, "\"pts\":1020000000,\"duration\":20000000,",
      "\"pts\":1040000000,\"duration\":30000000,", "\"pts\":1070000000,\"duration\":20000000," };
    g_autofree gchar *line = NULL;

    frame = new_frame ();
    if (i == 2)
      GST_BUFFER_DURATION (frame) = 30 * GST_MSECOND;
    line = push_for_line (&stream, frame);
    CHECK_HAS (line, times[i]);
  }
  fail_unless_equals_int (count_warnings (&stream), 1);
  stream_clear (&stream);
}

GST_END_TEST;

/* ---- events ---- */

/* Checks that the next message of @event at its end has these times. */
static void
expect_end (
    GstBus *bus, const gchar *event, GstClockTime start, GstClockTime end, GstClockTime duration)
{
  for (;;) {
    g_autoptr (GstMessage) message =
        gst_bus_timed_pop_filtered (bus, 20 * GST_SECOND, GST_MESSAGE_ELEMENT | GST_MESSAGE_EOS);
    const GstStructure *structure;
    GstClockTime time;

    fail_unless (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT,
        "no end of %s", event);
    structure = gst_message_get_structure (message);
    if (g_strcmp0 (gst_structure_get_string (structure, "event"), event) != 0 ||
        !gst_structure_get_clock_time (structure, "duration", &time))
      continue;
    fail_unless_equals_clocktime (time, duration);
    fail_unless (gst_structure_get_clock_time (structure, "start", &time));
    fail_unless_equals_clocktime (time, start);
    fail_unless (gst_structure_get_clock_time (structure, "timestamp", &time));
    fail_unless_equals_clocktime (time, end);
    return;
  }
}

#define EVENTS                                                                                     \
  "gleshistogram device=cpu mad=true ! "                                                           \
  "glesevents black-min-duration=1 freeze-duration=1 exposure-min-duration=1000"

GST_START_TEST (test_events_without_timestamps)
{
  Stream stream;

  stream_init (&stream, EVENTS, CAPS ",framerate=0/1");
  for (guint i = 0; i < 26; i++)
    gst_buffer_unref (gst_harness_push_and_pull (stream.harness, new_frame ()));
  gst_harness_push_event (stream.harness, gst_event_new_eos ());
  expect_end (stream.bus, "black", 0, 1040 * GST_MSECOND, 1040 * GST_MSECOND);
  expect_end (stream.bus, "freeze", 0, 1040 * GST_MSECOND, 1040 * GST_MSECOND);
  stream_clear (&stream);
}

GST_END_TEST;

static GstElement *
launch (const gchar *format, const gchar *path)
{
  g_autofree gchar *line = g_strdup_printf (format, path);
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  fail_unless (error == NULL, "%s", error != NULL ? error->message : "");
  return pipeline;
}

#define SOURCE(n, pattern)                                                                         \
  "videotestsrc num-buffers=" #n " pattern=" #pattern                                              \
  " ! video/x-raw,format=GRAY8,width=16,height=16,framerate=25/1 ! c. "

/* Black for one second, noise for half of it, black for one second. */
static void
make_clip (const gchar *path)
{
  GstElement *pipeline =
      launch ("concat name=c ! jpegenc ! matroskamux ! filesink location=%s " SOURCE (25, black)
                  SOURCE (12, snow) SOURCE (25, black),
          path);
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 20 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

/* Plays a clip from its end to its start. The last frame after the seek is the first of the
 * clip, and its event ends before time 0, which no timestamp can tell, though its duration does. */
GST_START_TEST (test_reverse)
{
  g_autofree gchar *folder = g_dir_make_tmp ("gst-gles-reverse-XXXXXX", NULL);
  g_autofree gchar *path = g_build_filename (folder, "clip.mkv", NULL);
  GstElement *pipeline;
  GstBus *bus;

  make_clip (path);
  pipeline = launch ("filesrc location=%s ! matroskademux ! jpegdec ! " EVENTS " ! fakesink", path);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  fail_unless_equals_int (
      gst_element_get_state (pipeline, NULL, NULL, 20 * GST_SECOND), GST_STATE_CHANGE_SUCCESS);
  fail_unless (gst_element_seek (pipeline, -1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
      GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_SET, 62 * 40 * GST_MSECOND));
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  expect_end (bus, "black", 61 * 40 * GST_MSECOND, 36 * 40 * GST_MSECOND, GST_SECOND);
  expect_end (bus, "freeze", 61 * 40 * GST_MSECOND, 36 * 40 * GST_MSECOND, GST_SECOND);
  expect_end (bus, "black", 24 * 40 * GST_MSECOND, 0, GST_SECOND);
  expect_end (bus, "freeze", 24 * 40 * GST_MSECOND, 0, GST_SECOND);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
  g_remove (path);
  g_rmdir (folder);
}

GST_END_TEST;

static Suite *
analyzers_times_suite (void)
{
  Suite *suite = suite_create ("analyzers-times");
  TCase *tcase = tcase_create ("times");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_only_empty_gaps_are_left_out, 0, G_N_ELEMENTS (analysers));
  tcase_add_loop_test (tcase, test_times_are_counted, 0, G_N_ELEMENTS (counted));
  tcase_add_test (tcase, test_times_are_counted_from_the_last);
  tcase_add_test (tcase, test_events_without_timestamps);
  tcase_add_test (tcase, test_reverse);
  return suite;
}

GST_CHECK_MAIN (analyzers_times);
