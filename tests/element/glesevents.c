/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glesevents after gleshistogram, on frames of one grey value each: which events start and end at
 * which frames, and which interruptions of the stream end them. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#define SIZE 16
#define CAPS "video/x-raw,format=GRAY8,width=16,height=16,framerate=25/1,colorimetry=2:3:5:1"
#define OTHER_CAPS "video/x-raw,format=GRAY8,width=16,height=16,framerate=30/1,colorimetry=2:3:5:1"
#define DEEP_CAPS                                                                                  \
  "video/x-raw,format=GRAY16_LE,width=16,height=16,framerate=25/1,colorimetry=2:3:5:1"
#define FRAME (40 * GST_MSECOND)
#define ANALYSER "gleshistogram device=cpu mad=true ! "

typedef struct {
  GstHarness *harness;
  GstBus *bus;
  guint64 n_pushed;
  gsize bytes;          /* of a frame */
  GPtrArray *on_frames; /* of GstStructure: events from the metas of frames */
} Stream;

static void
stream_init_line (Stream *stream, const gchar *before_events, const gchar *properties)
{
  g_autofree gchar *line = g_strdup_printf ("%s glesevents %s", before_events, properties);

  *stream = (Stream){
    .harness = gst_harness_new_parse (line), .bus = gst_bus_new (), .bytes = SIZE * SIZE
  };
  stream->on_frames = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_structure_free);
  gst_element_set_bus (stream->harness->element, stream->bus);
  gst_harness_set_src_caps_str (stream->harness, CAPS);
}

static void
stream_init (Stream *stream, const gchar *properties)
{
  stream_init_line (stream, ANALYSER, properties);
}

static void
stream_clear (Stream *stream)
{
  gst_element_set_bus (stream->harness->element, NULL);
  gst_harness_teardown (stream->harness);
  gst_bus_set_flushing (stream->bus, TRUE);
  gst_object_unref (stream->bus);
  g_ptr_array_unref (stream->on_frames);
}

static void
collect_meta (Stream *stream, GstBuffer *buffer)
{
  GstCustomMeta *meta = gst_meta_get_info ("glesevents") != NULL
      ? gst_buffer_get_custom_meta (buffer, "glesevents")
      : NULL;
  const GValue *list;

  if (meta == NULL)
    return;
  list = gst_structure_get_value (gst_custom_meta_get_structure (meta), "events");
  for (guint i = 0; i < gst_value_list_get_size (list); i++)
    g_ptr_array_add (stream->on_frames,
        gst_structure_copy (gst_value_get_structure (gst_value_list_get_value (list, i))));
}

static GstBuffer *
make_frame (Stream *stream, guint8 value)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, stream->bytes, NULL);

  gst_buffer_memset (buffer, 0, value, stream->bytes);
  GST_BUFFER_PTS (buffer) = stream->n_pushed++ * FRAME;
  GST_BUFFER_DURATION (buffer) = FRAME;
  return buffer;
}

/* Pushes @n frames. Each is brighter by @step than the previous one. */
static void
push_ramp (Stream *stream, guint n, guint8 value, gint step)
{
  for (guint i = 0; i < n; i++) {
    GstBuffer *out = gst_harness_push_and_pull (
        stream->harness, make_frame (stream, (guint8) (value + (gint) i * step)));

    collect_meta (stream, out);
    gst_buffer_unref (out);
  }
}

static void
push (Stream *stream, guint n, guint8 value)
{
  push_ramp (stream, n, value, 0);
}

/* The next message reports @phase of @event at frame @at. An end also reports frame @from as the
 * start. */
static void
expect (Stream *stream, const gchar *event, const gchar *phase, guint64 at, guint64 from)
{
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (stream->bus, GST_MESSAGE_ELEMENT);
  const GstStructure *structure;
  GstClockTime time, start, duration;

  fail_unless (message != NULL, "no message of %s %s", event, phase);
  structure = gst_message_get_structure (message);
  fail_unless_equals_string (gst_structure_get_name (structure), "glesevents");
  fail_unless_equals_string (gst_structure_get_string (structure, "event"), event);
  fail_unless_equals_string (gst_structure_get_string (structure, "phase"), phase);
  fail_unless (gst_structure_get_clock_time (structure, "timestamp", &time));
  fail_unless_equals_uint64 (time, at * FRAME);
  if (strcmp (phase, "end") != 0)
    return;
  fail_unless (gst_structure_get_clock_time (structure, "start", &start));
  fail_unless (gst_structure_get_clock_time (structure, "duration", &duration));
  fail_unless_equals_uint64 (start, from * FRAME);
  fail_unless_equals_uint64 (duration, (at - from) * FRAME);
}

static void
expect_nothing (Stream *stream)
{
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (stream->bus, GST_MESSAGE_ELEMENT);

  if (message != NULL) {
    g_autofree gchar *text = gst_structure_to_string (gst_message_get_structure (message));
    fail ("an unexpected message: %s", text);
  }
}

#define QUIET "freeze-duration=1000 exposure-min-duration=1000 "

GST_START_TEST (test_cut)
{
  Stream stream;

  stream_init (&stream, QUIET);
  push_ramp (&stream, 8, 100, 1);
  push_ramp (&stream, 3, 150, 1);
  expect_nothing (&stream);
  /* only three frames later is it certain that this is no flash */
  push_ramp (&stream, 1, 153, 1);
  expect (&stream, "cut", "instant", 8, 0);
  expect_nothing (&stream);
  fail_unless_equals_int (stream.on_frames->len, 1);
  stream_clear (&stream);
}

GST_END_TEST;

/* Flashes of one to three frames, a fade, and a shift by one code value, as a keyframe causes
 * it. */
GST_START_TEST (test_no_cut)
{
  Stream stream;

  stream_init (&stream, QUIET);
  push (&stream, 8, 100);
  for (guint i = 1; i <= 3; i++) {
    push (&stream, i, 200);
    push (&stream, 8, 100);
  }
  push_ramp (&stream, 10, 100, 8);
  push_ramp (&stream, 10, 172, -8);
  push (&stream, 8, 100);
  push (&stream, 8, 101);
  gst_harness_push_event (stream.harness, gst_event_new_eos ());
  expect_nothing (&stream);
  stream_clear (&stream);
}

GST_END_TEST;

GST_START_TEST (test_cut_at_the_end)
{
  Stream stream;

  stream_init (&stream, QUIET);
  push (&stream, 8, 100);
  push (&stream, 1, 150);
  expect_nothing (&stream);
  gst_harness_push_event (stream.harness, gst_event_new_eos ());
  expect (&stream, "cut", "instant", 8, 0);
  expect_nothing (&stream);
  stream_clear (&stream);
}

GST_END_TEST;

GST_START_TEST (test_black)
{
  Stream stream;

  stream_init (&stream, QUIET "black-min-duration=0.2 cut-threshold=300 cut-mad-threshold=100");
  push (&stream, 5, 38);
  push (&stream, 4, 37);
  push (&stream, 1, 38);
  expect_nothing (&stream);
  push (&stream, 5, 37);
  expect_nothing (&stream);
  push (&stream, 1, 37);
  expect (&stream, "black", "start", 10, 0);
  push (&stream, 3, 16);
  expect_nothing (&stream);
  push (&stream, 1, 200);
  expect (&stream, "black", "end", 19, 10);
  /* exactly the minimum duration: start and end are reported together */
  push (&stream, 5, 16);
  expect_nothing (&stream);
  push (&stream, 1, 200);
  expect (&stream, "black", "start", 20, 0);
  expect (&stream, "black", "end", 25, 20);
  expect_nothing (&stream);
  fail_unless_equals_int (stream.on_frames->len, 4);
  stream_clear (&stream);
}

GST_END_TEST;

/* In full range black ends at 25, also where the matrix is unknown. */
GST_START_TEST (test_black_of_full_range)
{
  Stream stream;

  stream_init (&stream, QUIET "black-min-duration=0.08 cut-threshold=300 cut-mad-threshold=100");
  gst_harness_set_src_caps_str (stream.harness,
      "video/x-raw,format=Y444,width=16,height=16,framerate=25/1,colorimetry=1:0:0:0");
  stream.bytes = 3 * SIZE * SIZE;
  push (&stream, 5, 26);
  expect_nothing (&stream);
  push (&stream, 5, 25);
  expect (&stream, "black", "start", 5, 0);
  stream_clear (&stream);
}

GST_END_TEST;

GST_START_TEST (test_white_and_exposure)
{
  Stream stream;

  stream_init (&stream,
      "freeze-duration=1000 cut-threshold=300 cut-mad-threshold=100 white-min-duration=0 "
      "exposure-min-duration=0 low-contrast-range=0.5");
  push (&stream, 2, 230);
  expect (&stream, "white", "start", 0, 0);
  push (&stream, 2, 100);
  expect (&stream, "white", "end", 2, 0);
  expect (&stream, "low-contrast", "start", 2, 0);
  gst_harness_push_event (stream.harness, gst_event_new_eos ());
  expect (&stream, "low-contrast", "end", 4, 2);
  expect_nothing (&stream);
  stream_clear (&stream);
}

GST_END_TEST;

GST_START_TEST (test_freeze)
{
  Stream stream;

  stream_init (&stream,
      "freeze-duration=0.2 exposure-min-duration=1000 cut-threshold=300 cut-mad-threshold=100");
  push_ramp (&stream, 5, 50, 10);
  push (&stream, 5, 90);
  expect (&stream, "freeze", "start", 4, 0);
  push (&stream, 4, 90);
  expect_nothing (&stream);
  push (&stream, 1, 120);
  expect (&stream, "freeze", "end", 14, 4);
  expect_nothing (&stream);
  stream_clear (&stream);
}

GST_END_TEST;

/* @interrupt ends the open event. Frames before and after it are not compared, so there is no
 * cut. */
static void
check_end (void (*interrupt) (Stream *stream), gboolean on_pad)
{
  Stream stream;
  guint n_events;

  stream_init (&stream, QUIET "black-min-duration=0.08");
  push (&stream, 8, 20);
  expect (&stream, "black", "start", 0, 0);
  g_ptr_array_set_size (stream.on_frames, 0);
  interrupt (&stream);
  expect (&stream, "black", "end", 8, 0);
  for (n_events = 0;;) {
    g_autoptr (GstEvent) event = gst_harness_try_pull_event (stream.harness);
    if (event == NULL)
      break;
    n_events += gst_event_has_name (event, "glesevents") ? 1 : 0;
  }
  fail_unless_equals_int (n_events, on_pad);
  stream.n_pushed = 8;
  push (&stream, 8, 200);
  gst_harness_push_event (stream.harness, gst_event_new_eos ());
  expect_nothing (&stream);
  stream_clear (&stream);
}

static void
send_gap (Stream *stream)
{
  gst_harness_push_event (stream->harness, gst_event_new_gap (8 * FRAME, FRAME));
}

static void
send_gap_buffer (Stream *stream)
{
  GstBuffer *buffer = gst_buffer_new ();

  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  gst_buffer_unref (gst_harness_push_and_pull (stream->harness, buffer));
}

static void
send_caps (Stream *stream)
{
  gst_harness_set_src_caps_str (stream->harness, OTHER_CAPS);
}

static void
send_flush (Stream *stream)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (stream->harness, gst_event_new_flush_start ());
  gst_harness_push_event (stream->harness, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (stream->harness, gst_event_new_segment (&segment));
}

/* A seek without a flush, and the next item of a playlist, begin with another segment. */
static void
send_segment (Stream *stream)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.base = 8 * FRAME;
  segment.start = segment.time = 8 * FRAME;
  gst_harness_push_event (stream->harness, gst_event_new_segment (&segment));
}

GST_START_TEST (test_ends)
{
  check_end (send_gap, TRUE);
  check_end (send_gap_buffer, TRUE);
  check_end (send_caps, TRUE);
  check_end (send_segment, TRUE);
  check_end (send_flush, FALSE);
}

GST_END_TEST;

/* Caps and a segment that equal the current ones end no event. */
GST_START_TEST (test_same_caps_and_segment)
{
  Stream stream;
  GstSegment segment;

  stream_init (&stream, QUIET "black-min-duration=0.08");
  push (&stream, 8, 20);
  expect (&stream, "black", "start", 0, 0);
  gst_harness_set_src_caps_str (stream.harness, CAPS);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (stream.harness, gst_event_new_segment (&segment));
  push (&stream, 1, 20);
  expect_nothing (&stream);
  stream_clear (&stream);
}

GST_END_TEST;

/* ---- repeated pictures ---- */

static void
push_noise (Stream *stream, guint n, GRand *rand)
{
  for (guint i = 0; i < n; i++) {
    GstBuffer *buffer = make_frame (stream, 0);
    GstMapInfo map;

    gst_buffer_map (buffer, &map, GST_MAP_WRITE);
    for (gsize k = 0; k < map.size; k++)
      map.data[k] = (guint8) g_rand_int_range (rand, 0, 256);
    gst_buffer_unmap (buffer, &map);
    gst_harness_push (stream->harness, buffer);
  }
}

#define RATE "videorate ! video/x-raw,framerate=50/1 ! "
#define CLEARED RATE "videoconvert ! video/x-raw,format=GRAY16_LE ! " /* clears the flag GAP */

static const gchar *const repeats[] = { ANALYSER, RATE ANALYSER, CLEARED ANALYSER, ANALYSER RATE,
  ANALYSER CLEARED };

/* Noise, then a black picture, then noise: repetitions change no event. */
GST_START_TEST (test_repeated_pictures)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  Stream stream;

  stream_init_line (&stream, repeats[__i__],
      "exposure-min-duration=1000 freeze-duration=0.2 black-min-duration=0.08");
  push_noise (&stream, 20, rand);
  for (guint i = 0; i < 10; i++)
    gst_harness_push (stream.harness, make_frame (&stream, 16));
  push_noise (&stream, 20, rand);
  gst_harness_push_event (stream.harness, gst_event_new_eos ());
  expect (&stream, "black", "start", 20, 0);
  expect (&stream, "cut", "instant", 20, 0);
  expect (&stream, "freeze", "start", 20, 0);
  expect (&stream, "black", "end", 30, 20);
  expect (&stream, "freeze", "end", 30, 20);
  expect (&stream, "cut", "instant", 30, 0);
  expect_nothing (&stream);
  stream_clear (&stream);
}

GST_END_TEST;

/* The last picture is shown for longer than when it was analysed, as while a source pauses: the cut
 * to it is reported meanwhile, and the events last until the last repetition ends. */
GST_START_TEST (test_last_picture_is_repeated)
{
  GstHarness *analyser = gst_harness_new_parse ("gleshistogram device=cpu mad=true");
  GstBuffer *out = NULL;
  Stream stream;

  stream_init_line (&stream, "", "freeze-duration=0.2 black-min-duration=0.2");
  gst_harness_set_src_caps_str (analyser, CAPS);
  for (guint i = 0; i < 48; i++) {
    if (i < 8) {
      gst_clear_buffer (&out);
      out = gst_harness_push_and_pull (
          analyser, make_frame (&stream, i < 7 ? (guint8) (100 + i) : 16));
    } else {
      out = gst_buffer_make_writable (out);
      GST_BUFFER_PTS (out) = i * FRAME;
    }
    gst_buffer_unref (gst_harness_push_and_pull (stream.harness, gst_buffer_copy (out)));
  }
  expect (&stream, "black", "start", 7, 0);
  expect (&stream, "freeze", "start", 7, 0);
  expect (&stream, "cut", "instant", 7, 0);
  expect_nothing (&stream);
  gst_harness_push_event (stream.harness, gst_event_new_eos ());
  expect (&stream, "black", "end", 48, 7);
  expect (&stream, "freeze", "end", 48, 7);
  expect_nothing (&stream);
  gst_buffer_unref (out);
  gst_harness_teardown (analyser);
  stream_clear (&stream);
}

GST_END_TEST;

/* Results of 16 bits are compared in groups of code values: the same events. */
GST_START_TEST (test_deep)
{
  Stream stream;

  stream_init (&stream, QUIET "black-min-duration=0.08");
  gst_harness_set_src_caps_str (stream.harness, DEEP_CAPS);
  stream.bytes = 2 * SIZE * SIZE;
  push_ramp (&stream, 8, 100, 1);
  push_ramp (&stream, 4, 150, 1);
  expect (&stream, "cut", "instant", 8, 0);
  push (&stream, 8, 20);
  expect (&stream, "black", "start", 12, 0);
  expect (&stream, "cut", "instant", 12, 0);
  gst_harness_push_event (stream.harness, gst_event_new_eos ());
  expect (&stream, "black", "end", 20, 12);
  expect_nothing (&stream);
  stream_clear (&stream);
}

GST_END_TEST;

/* Stopping in the middle of an event posts its end. */
GST_START_TEST (test_stop)
{
  Stream stream;

  stream_init (&stream, QUIET "black-min-duration=0.08");
  push (&stream, 8, 20);
  expect (&stream, "black", "start", 0, 0);
  gst_element_set_state (stream.harness->element, GST_STATE_READY);
  expect (&stream, "black", "end", 8, 0);
  stream_clear (&stream);
}

GST_END_TEST;

/* A buffer without results passes through unchanged. */
GST_START_TEST (test_pass)
{
  GstHarness *harness = gst_harness_new ("glesevents");
  GstBuffer *buffer = gst_buffer_new (), *out;

  gst_harness_set_src_caps_str (harness, "text/x-raw,format=utf8");
  gst_buffer_ref (buffer);
  out = gst_harness_push_and_pull (harness, buffer);
  fail_unless (out == buffer);
  gst_buffer_unref (out);
  gst_buffer_unref (buffer);
  gst_harness_teardown (harness);
}

GST_END_TEST;

static Suite *
events_suite (void)
{
  Suite *suite = suite_create ("glesevents");
  TCase *tcase = tcase_create ("events");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_cut);
  tcase_add_test (tcase, test_no_cut);
  tcase_add_test (tcase, test_cut_at_the_end);
  tcase_add_test (tcase, test_black);
  tcase_add_test (tcase, test_black_of_full_range);
  tcase_add_test (tcase, test_white_and_exposure);
  tcase_add_test (tcase, test_freeze);
  tcase_add_test (tcase, test_ends);
  tcase_add_test (tcase, test_same_caps_and_segment);
  tcase_add_loop_test (tcase, test_repeated_pictures, 0, G_N_ELEMENTS (repeats));
  tcase_add_test (tcase, test_last_picture_is_repeated);
  tcase_add_test (tcase, test_deep);
  tcase_add_test (tcase, test_stop);
  tcase_add_test (tcase, test_pass);
  return suite;
}

GST_CHECK_MAIN (events);
