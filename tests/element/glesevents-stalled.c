/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The event stalled of glesevents, on a clock that the test moves: when its message comes, what
 * frames carry, and what ends or prevents it. */
#include "lines.h"

#define CAPS "video/x-raw,format=GRAY8,width=16,height=16,framerate=25/1"
#define LINE "glesevents events=stalled stall-timeout=2"

typedef struct {
  TestStream *stream;
  GstTestClock *clock;
} Fixture;

static void
start (Fixture *f, const gchar *line, gboolean live)
{
  f->stream = line_stream (CAPS, "%s", line);
  gst_harness_set_live (f->stream->harness, live);
  /* the element asks again, after it asked for the harness's default */
  gst_harness_push_event (f->stream->harness, gst_event_new_stream_start ("test"));
  gst_harness_use_testclock (f->stream->harness);
  f->clock = gst_harness_get_testclock (f->stream->harness);
}

static void
finish (Fixture *f)
{
  test_stream_free (f->stream);
  /* nothing waits any more, so that nothing refers to the element */
  fail_unless_equals_int (gst_test_clock_peek_id_count (f->clock), 0);
  gst_object_unref (f->clock);
}

static void
push (Fixture *f)
{
  GstBuffer *frame = test_frame_noise (&f->stream->info, 1);

  fail_unless_equals_int (line_try_push (f->stream, frame), GST_FLOW_OK);
}

/* Moves the clock by @ms, and lets all that waits until then happen. */
static void
pass (Fixture *f, guint ms)
{
  const GstClockTime end = gst_clock_get_time (GST_CLOCK (f->clock)) + ms * GST_MSECOND;
  GstClockID id;

  while (gst_test_clock_peek_next_pending_id (f->clock, &id)) {
    const GstClockTime due = gst_clock_id_get_time (id);

    gst_clock_id_unref (id);
    if (due > end)
      break;
    gst_test_clock_set_time (f->clock, MAX (due, gst_clock_get_time (GST_CLOCK (f->clock))));
    id = gst_test_clock_process_next_clock_id (f->clock);
    gst_clock_id_unref (id);
  }
  gst_test_clock_set_time (f->clock, end);
}

static void
add_text (GString *text, const GstStructure *event)
{
  const gchar *cause = gst_structure_get_string (event, "cause");
  gdouble score = 0.0;

  fail_unless (gst_structure_get_double (event, "score", &score));
  fail_unless (g_str_equal (gst_structure_get_string (event, "event"), "stalled"));
  g_string_append_printf (text, "%s%s%s%s %.1f", text->len > 0 ? "; " : "",
      gst_structure_get_string (event, "phase"), cause != NULL ? " " : "",
      cause != NULL ? cause : "", score);
}

/* "start 2.0; end condition 3.5": events and the seconds without a frame. Frees @taken. */
static void
expect (GPtrArray *taken, const gchar *events)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < taken->len; i++)
    add_text (text, g_ptr_array_index (taken, i));
  g_ptr_array_unref (taken);
  fail_unless_equals_string (text->str, events);
}

static void
expect_posted (Fixture *f, const gchar *events)
{
  expect (line_take_posted (f->stream), events);
}

/* What the frames and events that arrived downstream carry. */
static void
expect_pushed (Fixture *f, const gchar *events)
{
  expect (line_take_pushed (f->stream), events);
}

/* The message comes with the clock, the rest with the next frame. */
GST_START_TEST (test_stall)
{
  Fixture f;

  start (&f, LINE, TRUE);
  push (&f);
  pass (&f, 1900);
  push (&f);
  pass (&f, 1900);
  expect_posted (&f, "");
  pass (&f, 200);
  expect_posted (&f, "start 2.0");
  expect_pushed (&f, "");
  pass (&f, 1400);
  push (&f);
  expect_posted (&f, "end condition 3.5");
  expect_pushed (&f, "start 2.0; end condition 3.5");
  push (&f);
  pass (&f, 1999);
  expect_posted (&f, "");
  pass (&f, 1);
  expect_posted (&f, "start 2.0");
  finish (&f);
}

GST_END_TEST;

/* Where the events lie in the stream: the stall starts where the last frame ended. */
GST_START_TEST (test_times)
{
  Fixture f;
  g_autoptr (GPtrArray) events = NULL;
  const GstStructure *begin, *end;
  GstClockTime time;
  guint64 number;

  start (&f, LINE, TRUE);
  push (&f);
  push (&f);
  pass (&f, 5000);
  f.stream->n_pushed = 125;
  push (&f);
  events = line_take_posted (f.stream);
  fail_unless_equals_int (events->len, 2);
  begin = g_ptr_array_index (events, 0);
  end = g_ptr_array_index (events, 1);
  fail_unless (gst_structure_get_clock_time (begin, "pts", &time));
  fail_unless_equals_uint64 (time, 2 * TEST_FRAME_DURATION);
  fail_unless (gst_structure_get_uint64 (begin, "frame", &number));
  fail_unless_equals_uint64 (number, 2);
  fail_unless (gst_structure_get_clock_time (end, "start", &time));
  fail_unless_equals_uint64 (time, 2 * TEST_FRAME_DURATION);
  fail_unless (gst_structure_get_clock_time (end, "pts", &time));
  fail_unless_equals_uint64 (time, 125 * TEST_FRAME_DURATION);
  fail_unless (gst_structure_get_clock_time (end, "duration", &time));
  fail_unless_equals_uint64 (time, 123 * TEST_FRAME_DURATION);
  fail_unless_equals_string (
      gst_structure_get_string (begin, "id"), gst_structure_get_string (end, "id"));
  finish (&f);
}

GST_END_TEST;

static const gchar *const quiet_lines[] = {
  "glesevents events=stalled stall-timeout=0",
  "glesevents events=motion stall-timeout=2",
};

/* A file that is read slowly has not stalled, nor has what nobody watches. */
GST_START_TEST (test_quiet)
{
  Fixture f;

  start (&f, LINE, FALSE);
  push (&f);
  pass (&f, 60000);
  expect_posted (&f, "");
  finish (&f);
  for (guint i = 0; i < G_N_ELEMENTS (quiet_lines); i++) {
    start (&f, quiet_lines[i], TRUE);
    push (&f);
    pass (&f, 60000);
    expect_posted (&f, "");
    finish (&f);
  }
}

GST_END_TEST;

/* In a pause no frames are expected. */
GST_START_TEST (test_pause)
{
  Fixture f;

  start (&f, LINE, TRUE);
  push (&f);
  pass (&f, 1500);
  gst_element_set_state (f.stream->element, GST_STATE_PAUSED);
  fail_unless_equals_int (gst_test_clock_peek_id_count (f.clock), 0);
  pass (&f, 60000);
  expect_posted (&f, "");
  gst_element_set_state (f.stream->element, GST_STATE_PLAYING);
  pass (&f, 1900);
  expect_posted (&f, "");
  pass (&f, 100);
  expect_posted (&f, "start 2.0");
  /* a stall goes on over a pause */
  gst_element_set_state (f.stream->element, GST_STATE_PAUSED);
  gst_element_set_state (f.stream->element, GST_STATE_PLAYING);
  push (&f);
  expect_pushed (&f, "start 2.0; end condition 0.0");
  finish (&f);
}

GST_END_TEST;

GST_START_TEST (test_flush)
{
  Fixture f;

  start (&f, LINE, TRUE);
  push (&f);
  pass (&f, 2500);
  expect_posted (&f, "start 2.0");
  gst_harness_push_event (f.stream->harness, gst_event_new_flush_start ());
  fail_unless_equals_int (gst_test_clock_peek_id_count (f.clock), 0);
  gst_harness_push_event (f.stream->harness, gst_event_new_flush_stop (FALSE));
  expect_posted (&f, "end flush 2.5");
  pass (&f, 1900);
  expect_posted (&f, "");
  pass (&f, 100);
  expect_posted (&f, "start 2.0");
  finish (&f);
}

GST_END_TEST;

GST_START_TEST (test_eos)
{
  Fixture f;

  start (&f, LINE, TRUE);
  push (&f);
  pass (&f, 4000);
  gst_harness_push_event (f.stream->harness, gst_event_new_eos ());
  expect_posted (&f, "start 2.0; end eos 4.0");
  expect_pushed (&f, "start 2.0; end eos 4.0");
  pass (&f, 60000);
  expect_posted (&f, "");
  finish (&f);
}

GST_END_TEST;

/* The pads are inactive when the end is posted. */
GST_START_TEST (test_stop)
{
  Fixture f;

  start (&f, LINE, TRUE);
  push (&f);
  pass (&f, 3000);
  gst_element_set_state (f.stream->element, GST_STATE_READY);
  expect_posted (&f, "start 2.0; end stopped 3.0");
  fail_unless_equals_int (gst_test_clock_peek_id_count (f.clock), 0);
  finish (&f);
}

GST_END_TEST;

/* The property acts on the next wait. */
GST_START_TEST (test_change)
{
  Fixture f;

  start (&f, LINE, TRUE);
  push (&f);
  line_set (f.stream, "glesevents", "stall-timeout", "1");
  push (&f);
  pass (&f, 1000);
  expect_posted (&f, "start 1.0");
  line_set (f.stream, "glesevents", "events", "motion");
  push (&f);
  expect_posted (&f, "end condition 1.0");
  pass (&f, 60000);
  expect_posted (&f, "");
  finish (&f);
}

GST_END_TEST;

/* Elements that hold a frame are slow, not the camera. */
static GstPadProbeReturn
hold (GstPad *pad, GstPadProbeInfo *info, gpointer fixture)
{
  pass (fixture, 10000);
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_slow_sink)
{
  Fixture f;
  g_autoptr (GstPad) pad = NULL;
  gulong probe;

  start (&f, LINE, TRUE);
  push (&f);
  pad = gst_element_get_static_pad (f.stream->element, "src");
  probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, hold, &f, NULL);
  push (&f);
  gst_pad_remove_probe (pad, probe);
  expect_posted (&f, "");
  pass (&f, 2000);
  expect_posted (&f, "start 2.0");
  finish (&f);
}

GST_END_TEST;

/* On the system's clock, whose thread posts while frames arrive and the element stops. */
GST_START_TEST (test_threads)
{
  for (guint i = 0; i < 20; i++) {
    g_autoptr (TestStream) stream =
        line_stream (CAPS, "glesevents events=stalled stall-timeout=0.001");

    gst_harness_set_live (stream->harness, TRUE);
    gst_harness_use_systemclock (stream->harness);
    for (guint n = 0; n < 20; n++) {
      line_try_push (stream, test_frame_noise (&stream->info, n));
      g_usleep (n % 3 * 1000);
    }
    gst_bus_set_flushing (stream->bus, TRUE);
  }
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_stall);
  tcase_add_test (tcase, test_times);
  tcase_add_test (tcase, test_quiet);
  tcase_add_test (tcase, test_pause);
  tcase_add_test (tcase, test_flush);
  tcase_add_test (tcase, test_eos);
  tcase_add_test (tcase, test_stop);
  tcase_add_test (tcase, test_change);
  tcase_add_test (tcase, test_slow_sink);
  tcase_add_test (tcase, test_threads);
}

LINES_MAIN (add_tests)
