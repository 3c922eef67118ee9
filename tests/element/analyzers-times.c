/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Analysers in streams whose buffers have the flag GAP, no timestamps, or come in reverse. */
#include "lines.h"

#include <glib/gstdio.h>
#include <string.h>

#define SIZE 16
#define CAPS "video/x-raw,format=GRAY8,width=16,height=16"

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
  g_autoptr (GstBuffer) out = NULL;
  gchar *line;

  fail_unless_equals_int (gst_harness_push (stream->harness, buffer), GST_FLOW_OK);
  out = gst_harness_try_pull (stream->harness);
  if (out == NULL)
    return NULL;
  line = g_malloc0 (gst_buffer_get_size (out) + 1);
  gst_buffer_extract (out, 0, line, gst_buffer_get_size (out));
  return line;
}

#define CHECK_HAS(line, part)                                                                      \
  fail_unless (line != NULL && strstr (line, part) != NULL, "no %s in %s", part, line)

/* ---- the flag GAP ---- */

static const struct {
  const gchar *elements, *part;
} analysers[] = {
  { "gleshistogram ! glesjson", ",\"histogram\":" },
  { "glescompact lower=0 ! glesjson", ",\"points\":" },
  { "glescompact lower=0 ! glesregions ! glesjson", ",\"regions\":" },
  { "glescompact lower=0 ! glestiles ! glesjson", ",\"tiles\":" },
};

/* videorate and intervideosrc mark pictures that they repeat. A buffer without memory is a gap. */
GST_START_TEST (test_only_empty_gaps_are_left_out)
{
  Stream stream;

  stream_init (&stream, analysers[__i__].elements, CAPS ",framerate=25/1");
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

  for (; (message = gst_bus_pop_filtered (stream->bus, GST_MESSAGE_WARNING)) != NULL; n++)
    gst_message_unref (message);
  return n;
}

/* Decoders of raw streams give a timestamp to the first frame, and durations to some: @pts is that
 * of frame 0, and frame 2 then lasts for 30 ms. @times are in the line of @frame. */
static const struct {
  const gchar *caps;
  GstClockTime pts;
  guint frame;
  const gchar *times;
} counted[] = {
  { CAPS ",framerate=25/1", GST_CLOCK_TIME_NONE, 2,
      "\"pts\":80000000,\"duration\":40000000,\"running_time\":80000000," },
  { CAPS ",framerate=0/1", GST_CLOCK_TIME_NONE, 2,
      "\"pts\":80000000,\"duration\":40000000,\"running_time\":80000000," },
  { CAPS, GST_CLOCK_TIME_NONE, 2,
      "\"pts\":80000000,\"duration\":40000000,\"running_time\":80000000," },
  { CAPS ",framerate=30000/1001", GST_CLOCK_TIME_NONE, 2,
      "\"pts\":66733333,\"duration\":33366667," },
  { CAPS ",framerate=30000/1001", GST_CLOCK_TIME_NONE, 300,
      "\"pts\":10010000000,\"duration\":33366666," },
  { CAPS ",framerate=50/1", GST_SECOND, 1, "\"pts\":1020000000,\"duration\":20000000," },
  { CAPS ",framerate=50/1", GST_SECOND, 2, "\"pts\":1040000000,\"duration\":30000000," },
  { CAPS ",framerate=50/1", GST_SECOND, 3, "\"pts\":1070000000,\"duration\":20000000," },
};

/* Frames that `interval` leaves out have their times, too. One analyser says once that times are
 * counted, but not for a single picture. */
GST_START_TEST (test_times_are_counted)
{
  const GstClockTime pts = counted[__i__].pts;
  Stream stream;

  stream_init (&stream,
      GST_CLOCK_TIME_IS_VALID (pts)
          ? "gleshistogram ! glesjson"
          : "gleshistogram interval=2 ! glescompact interval=2 ! glesjson",
      counted[__i__].caps);
  for (guint i = 0; i <= counted[__i__].frame; i++) {
    GstBuffer *frame = new_frame ();
    g_autofree gchar *line = NULL;

    if (i == 0)
      GST_BUFFER_PTS (frame) = pts;
    if (i == 2 && GST_CLOCK_TIME_IS_VALID (pts))
      GST_BUFFER_DURATION (frame) = 30 * GST_MSECOND;
    line = push_for_line (&stream, frame);
    if (i == 0)
      fail_unless_equals_int (count_warnings (&stream), 0);
    if (i == 0 && !GST_CLOCK_TIME_IS_VALID (pts))
      CHECK_HAS (line, "\"pts\":0,");
    if (i == counted[__i__].frame)
      CHECK_HAS (line, counted[__i__].times);
  }
  fail_unless_equals_int (count_warnings (&stream), 1);
  stream_clear (&stream);
}

GST_END_TEST;

/* ---- events ---- */

/* Checks that the next message of @event at its end has these times, in frames. */
static void
expect_end (GstElement *element, const gchar *event, guint start, guint end, guint duration)
{
  const struct {
    const gchar *field;
    guint frames;
  } times[] = { { "duration", duration }, { "start", start }, { "timestamp", end } };

  for (;;) {
    g_autoptr (GstMessage) message = line_next (element, GST_MESSAGE_ELEMENT | GST_MESSAGE_EOS);
    const GstStructure *structure = gst_message_get_structure (message);
    GstClockTime time;

    fail_unless (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT, "no end of %s", event);
    if (g_strcmp0 (gst_structure_get_string (structure, "event"), event) != 0 ||
        !gst_structure_has_field (structure, "duration"))
      continue;
    for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
      fail_unless (gst_structure_get_clock_time (structure, times[i].field, &time));
      fail_unless_equals_clocktime (time, times[i].frames * TEST_FRAME_DURATION);
    }
    return;
  }
}

#define EVENTS                                                                                     \
  "gleshistogram mad=true ! "                                                                      \
  "glesevents black-min-duration=1 freeze-duration=1 exposure-min-duration=1000"

GST_START_TEST (test_events_without_timestamps)
{
  Stream stream;

  stream_init (&stream, EVENTS, CAPS ",framerate=0/1");
  for (guint i = 0; i < 26; i++)
    gst_buffer_unref (gst_harness_push_and_pull (stream.harness, new_frame ()));
  gst_harness_push_event (stream.harness, gst_event_new_eos ());
  expect_end (stream.harness->element, "black", 0, 26, 26);
  expect_end (stream.harness->element, "freeze", 0, 26, 26);
  stream_clear (&stream);
}

GST_END_TEST;

#define SOURCE(n, pattern)                                                                         \
  "videotestsrc num-buffers=" #n " pattern=" #pattern                                              \
  " ! video/x-raw,format=GRAY8,width=16,height=16,framerate=25/1 ! c. "

/* Black for one second, noise for half of it, black for one second. */
static void
make_clip (const gchar *path)
{
  GstElement *pipeline =
      line_new ("concat name=c ! jpegenc ! matroskamux ! filesink location=%s " SOURCE (25, black)
                    SOURCE (12, snow) SOURCE (25, black),
          path);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  line_wait (pipeline, GST_MESSAGE_EOS);
  line_free (pipeline);
}

/* Plays a clip from its end to its start. The last frame after the seek is the first of the
 * clip, and its event ends before time 0, which no timestamp can tell, though its duration does. */
GST_START_TEST (test_reverse)
{
  g_autofree gchar *folder = g_dir_make_tmp ("gst-gles-reverse-XXXXXX", NULL);
  g_autofree gchar *path = g_build_filename (folder, "clip.mkv", NULL);
  GstElement *pipeline;

  make_clip (path);
  pipeline =
      line_new ("filesrc location=%s ! matroskademux ! jpegdec ! " EVENTS " ! fakesink", path);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  line_wait (pipeline, GST_MESSAGE_ASYNC_DONE);
  fail_unless (gst_element_seek (pipeline, -1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
      GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_SET, 62 * TEST_FRAME_DURATION));
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  expect_end (pipeline, "black", 61, 36, 25);
  expect_end (pipeline, "freeze", 61, 36, 25);
  expect_end (pipeline, "black", 24, 0, 25);
  expect_end (pipeline, "freeze", 24, 0, 25);
  line_free (pipeline);
  g_remove (path);
  g_rmdir (folder);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_only_empty_gaps_are_left_out, 0, G_N_ELEMENTS (analysers));
  tcase_add_loop_test (tcase, test_times_are_counted, 0, G_N_ELEMENTS (counted));
  tcase_add_test (tcase, test_events_without_timestamps);
  tcase_add_test (tcase, test_reverse);
}

int
main (int argc, char **argv)
{
  return lines_main (argc, argv, add_tests);
}
