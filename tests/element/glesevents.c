/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glesevents after gleshistogram, on frames of one grey value each: which events start and end at
 * which frames, and which interruptions of the stream end them. */
#include "lines.h"

#define CAPS_OF(format, rate, colorimetry)                                                         \
  "video/x-raw,format=" format ",width=16,height=16,framerate=" rate "/1,colorimetry=" colorimetry
#define CAPS CAPS_OF ("GRAY8", "25", "2:3:5:1")
#define FRAME TEST_FRAME_DURATION
#define ANALYSER "gleshistogram mad=true ! "
/* in place of a grey value: noise; a plain grey with a few white samples, as a road with its marks
 * */
#define NOISE -1
#define MARKS -2

static void
push_frame (TestStream *chain, gint value)
{
  GstBuffer *frame = test_frame_noise (&chain->info, (guint32) chain->n_pushed);

  if (value != NOISE)
    gst_buffer_memset (
        frame, 0, (guint8) (value == MARKS ? 100 : value), gst_buffer_get_size (frame));
  if (value == MARKS)
    gst_buffer_memset (frame, 0, 220, 2);
  line_try_push (chain, frame);
}

/* ---- events as text ---- */

static guint
get_frame (const GstStructure *event, const gchar *field)
{
  GstClockTime time = 1;

  fail_unless (gst_structure_get_clock_time (event, field, &time));
  fail_unless_equals_uint64 (time % FRAME, 0);
  return (guint) (time / FRAME);
}

/* "cut 8; black 10-; black 10+4; black 10-19; black 20-25 eos": an instant, a start, an update, and
 * ends, with their cause if it is not that the condition no longer holds. */
static void
add_text (GString *text, const GstStructure *event)
{
  const gchar *phase = gst_structure_get_string (event, "phase");
  const guint at = get_frame (event, "timestamp");

  g_string_append_printf (
      text, "%s%s ", text->len > 0 ? "; " : "", gst_structure_get_string (event, "event"));
  if (g_str_equal (phase, "end")) {
    const guint start = get_frame (event, "start");
    const gchar *cause = gst_structure_get_string (event, "cause");

    fail_unless_equals_int (get_frame (event, "duration"), at - start);
    g_string_append_printf (text, "%u-%u", start, at);
    if (!g_str_equal (cause, "condition"))
      g_string_append_printf (text, " %s", cause);
  } else if (g_str_equal (phase, "update")) {
    const guint start = get_frame (event, "start");

    fail_unless_equals_int (get_frame (event, "duration"), at - start);
    g_string_append_printf (text, "%u+%u", start, at - start);
  } else {
    fail_unless (g_str_equal (phase, "start") || g_str_equal (phase, "instant"));
    g_string_append_printf (text, "%u%s", at, g_str_equal (phase, "start") ? "-" : "");
  }
}

static gchar *
get_texts (GPtrArray *events)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < events->len; i++) {
    fail_unless (gst_structure_has_name (g_ptr_array_index (events, i), "glesevents"));
    add_text (text, g_ptr_array_index (events, i));
  }
  return g_string_free (text, FALSE);
}

/* Exactly @events were posted since the last call, and went downstream if @on_pad: with the frames,
 * or by themselves. */
static void
expect (TestStream *chain, const gchar *events, gboolean on_pad)
{
  g_autoptr (GPtrArray) posted = line_take_posted (chain), pushed = line_take_pushed (chain);
  g_autofree gchar *posted_text = get_texts (posted), *pushed_text = get_texts (pushed);

  fail_unless_equals_string (posted_text, events);
  fail_unless_equals_string (pushed_text, on_pad ? events : "");
}

/* ---- what happens to a stream ---- */

static void
send_eos (TestStream *chain)
{
  gst_harness_push_event (chain->harness, gst_event_new_eos ());
}

static void
send_gap (TestStream *chain)
{
  gst_harness_push_event (chain->harness, gst_event_new_gap (8 * FRAME, FRAME));
}

static void
send_gap_buffer (TestStream *chain)
{
  GstBuffer *buffer = gst_buffer_new ();

  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
  gst_harness_push (chain->harness, buffer);
}

static void
send_tags (TestStream *chain)
{
  line_set_caps (chain, CAPS_OF ("GRAY8", "25", "2:0:0:0"));
}

static void
send_size (TestStream *chain)
{
  line_set_caps (chain, "video/x-raw,format=GRAY8,width=32,height=24,framerate=25/1");
}

static void
send_format (TestStream *chain)
{
  line_set_caps (chain, "video/x-raw,format=GRAY16_LE,width=16,height=16,framerate=25/1");
}

static void
send_segment_from (TestStream *chain, GstClockTime time, GstClockTime pause)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = segment.time = time;
  segment.base = time + pause;
  gst_harness_push_event (chain->harness, gst_event_new_segment (&segment));
}

/* after a pause, so that the frames do not follow each other */
static void
send_segment (TestStream *chain)
{
  send_segment_from (chain, 8 * FRAME, GST_SECOND);
}

/* caps and a segment that equal the current ones */
static void
send_same (TestStream *chain)
{
  line_set_caps (chain, CAPS);
  send_segment_from (chain, 0, 0);
}

/* as by QoS or a leaky queue upstream */
static void
drop_frames (TestStream *chain)
{
  chain->n_pushed += 3;
}

static void
stop (TestStream *chain)
{
  gst_element_set_state (chain->harness->element, GST_STATE_READY);
}

static void
forget_black (TestStream *chain)
{
  line_set (chain, "glesevents", "events", "cut+freeze+white");
}

static void
ask_for_all (TestStream *chain)
{
  line_set (chain, "glesevents", "events", "all");
}

typedef struct {
  guint n; /* frames; each is brighter by @step than the previous one */
  gint value, step;
  const gchar *events; /* that are reported meanwhile; NULL: none */
  void (*act) (TestStream *chain);
} Step;

typedef struct {
  const gchar *line, *caps;
  Step steps[13]; /* ends with a step without frames or action */
} Case;

#define QUIET ANALYSER "glesevents freeze-duration=1000 exposure-min-duration=1000 "
#define NO_CUTS " cut-threshold=300 cut-mad-threshold=100 "
#define SHORT_BLACK QUIET "black-min-duration=0.08"
#define END(events)                                                                                \
  {                                                                                                \
    0, 0, 0, events, send_eos                                                                      \
  }
/* Frames before and after what ends an event are not compared, so there is no cut. */
#define ENDS_BY(act, cause)                                                                        \
  {                                                                                                \
    SHORT_BLACK, CAPS,                                                                             \
    {                                                                                              \
      { 8, 20, 0, "black 0-" }, { 0, 0, 0, "black 0-8 " cause, act }, { 8, 200 }, END (NULL),      \
    }                                                                                              \
  }
/* Noise, then a black picture, then noise: repetitions change no event. */
#define REPEATED(analyser)                                                                         \
  {                                                                                                \
    analyser "glesevents exposure-min-duration=1000 freeze-duration=0.2 black-min-duration=0.08",  \
        CAPS,                                                                                      \
    {                                                                                              \
      { 20, NOISE }, { 14, 16, 0, "black 20-; freeze 20-; cut 20" },                               \
          { 20, NOISE, 0, "black 20-34; freeze 20-34; cut 34" }, END (NULL),                       \
    }                                                                                              \
  }
#define RATE "videorate ! video/x-raw,framerate=50/1 ! "
#define CLEARED RATE "videoconvert ! video/x-raw,format=GRAY16_LE ! " /* clears the flag GAP */

static const Case cases[] = {
  /* a cut is certain four frames later, since it is no flash then, and at the end of a stream */
  { QUIET, CAPS, { { 8, 100, 1 }, { 4, 150, 1 }, { 1, 154, 1, "cut 8" } } },
  { QUIET, CAPS, { { 8, 100 }, { 1, 150 }, END ("cut 8") } },
  /* and where it is the start of a still picture, four frames after a quarter of a second */
  { QUIET, CAPS, { { 8, 100, 1 }, { 10, 150 }, { 1, 150, 0, "cut 8" } } },
  /* flashes of one to three frames, a fade, and a shift by one code value, as a keyframe causes
   * it */
  { QUIET, CAPS,
      { { 8, 100 }, { 1, 200 }, { 8, 100 }, { 2, 200 }, { 8, 100 }, { 3, 200 }, { 8, 100 },
          { 10, 100, 8 }, { 10, 172, -8 }, { 8, 100 }, { 8, 101 }, END (NULL) } },
  /* fades to black and from black: from the first frame that differs to the first that no longer
   * does, reported half as many pictures later, after a still picture has lasted for 0.25 s; too
   * short; a picture that only gets darker */
  { QUIET, CAPS,
      { { 8, 116 }, { 11, 106, -9 }, { 18, 16, 0, "transition 8-; transition 8-18" }, { 10, 25, 9 },
          { 18, 106, 0, "transition 37-; transition 37-46" }, END (NULL) } },
  { QUIET, CAPS,
      { { 8, 34 }, { 4, 30, -4 }, { 8, 16 }, { 12, 216, 0, "cut 20" }, { 10, 206, -10 }, { 8, 106 },
          END (NULL) } },
  { QUIET "events=transition ", CAPS,
      { { 8, 116 }, { 9, 106, -9 }, { 1, 25, 0 }, END ("transition 8-; transition 8-17 eos") } },
  /* a flash on two frames, as of a rolling shutter; a light that flickers, four frames on and off
   * */
  { QUIET, CAPS, { { 8, 50 }, { 1, 200 }, { 1, 120 }, { 8, 50 }, END (NULL) } },
  { QUIET, CAPS,
      { { 8, 50 }, { 4, 200 }, { 4, 50 }, { 4, 200 }, { 4, 50 }, { 4, 200 }, { 12, 50 },
          END (NULL) } },
  /* the stronger one of two near cuts, in either order */
  { QUIET, CAPS, { { 8, 50 }, { 2, 60 }, { 8, 200 }, END ("cut 10") } },
  { QUIET, CAPS, { { 8, 200 }, { 2, 60 }, { 8, 50 }, END ("cut 8") } },
  /* 8 pictures a second: a change as large as those around it is none, a larger one is */
  { QUIET, CAPS,
      { { 3, 50 }, { 3, 60 }, { 3, 70 }, { 3, 60 }, { 3, 50 }, { 3, 60 }, { 3, 70 }, { 3, 60 },
          END (NULL) } },
  { QUIET, CAPS,
      { { 3, 50 }, { 3, 54 }, { 3, 58 }, { 3, 54 }, { 3, 150 }, { 3, 154 }, { 3, 158 }, { 3, 154 },
          END ("cut 12") } },
  /* too bright, too short; longer, and exactly as long as it must be */
  { QUIET "black-min-duration=0.2" NO_CUTS, CAPS,
      { { 5, 38 }, { 4, 37 }, { 1, 38 }, { 5, 37 }, { 1, 37, 0, "black 10-" }, { 3, 16 },
          { 1, 200, 0, "black 10-19" }, { 5, 16 }, { 1, 200, 0, "black 20-; black 20-25" } } },
  /* in full range black ends at 25, also where the matrix is unknown */
  { QUIET "black-min-duration=0.08" NO_CUTS, CAPS_OF ("Y444", "25", "1:0:0:0"),
      { { 5, 26 }, { 5, 25, 0, "black 5-" } } },
  { ANALYSER "glesevents white-min-duration=0 exposure-min-duration=0 low-contrast-range=0.5 "
             "freeze-duration=1000" NO_CUTS,
      CAPS,
      { { 2, 230, 0, "white 0-" }, { 2, 100, 0, "white 0-2; low-contrast 2-" },
          END ("low-contrast 2-4 eos") } },
  { ANALYSER "glesevents events=low-contrast exposure-min-duration=0", CAPS,
      { { 2, MARKS }, { 2, 100, 0, "low-contrast 2-" }, { 1, MARKS, 0, "low-contrast 2-4" },
          END (NULL) } },
  /* Half of the noise is bright, the other half dark. */
  { ANALYSER "glesevents pixel-black-th=0.5 pixel-white-th=0.5 exposure-min-duration=0.04 "
             "over-exposed-ratio=0.4 under-exposed-ratio=0.4" NO_CUTS,
      CAPS,
      { { 1, NOISE }, { 1, NOISE, 0, "over-exposed 0-; under-exposed 0-" },
          { 1, 100, 0, "over-exposed 0-2; under-exposed 0-2" }, END (NULL) } },
  { ANALYSER "glesevents freeze-duration=0.2 exposure-min-duration=1000" NO_CUTS, CAPS,
      { { 5, 50, 10 }, { 4, 90 }, { 1, 90, 0, "freeze 4-" }, { 4, 90 },
          { 1, 120, 0, "freeze 4-14" } } },
  /* results of 16 bits are compared in groups of code values: the same events */
  { SHORT_BLACK, CAPS_OF ("GRAY16_LE", "25", "2:3:5:1"),
      { { 8, 100, 1 }, { 5, 150, 1, "cut 8" }, { 12, 20, 0, "black 13-; cut 13" },
          END ("black 13-25 eos") } },
  { SHORT_BLACK, CAPS, { { 8, 20, 0, "black 0-" }, { .act = send_same }, { 1, 20 } } },
  { SHORT_BLACK, CAPS,
      { { 3, 20, 0, "black 0-" }, { .act = drop_frames }, { 2, 20 }, { .act = drop_frames },
          { 1, 200, 0, "black 0-11" } } },
  /* updates once in 0.12 s of an event that was reported, also where frames are missing */
  { SHORT_BLACK " update-interval=0.12", CAPS,
      { { 3, 20, 0, "black 0-" }, { 1, 20, 0, "black 0+3" }, { 2, 20 }, { .act = drop_frames },
          { 1, 20, 0, "black 0+9" }, { 2, 20 }, { 1, 20, 0, "black 0+12" },
          { 2, 200, 0, "black 0-13" }, { 1, 20 }, END (NULL) } },
  { ANALYSER "glesevents black-min-duration=0.12 freeze-duration=0.2 update-interval=0.12 "
             "exposure-min-duration=1000",
      CAPS,
      { { 4, 20, 0, "black 0-" }, { 2, 20, 0, "freeze 0-" }, { 1, 20, 0, "black 0+6; freeze 0+6" },
          END ("black 0-7 eos; freeze 0-7 eos") } },
  /* only kinds that are asked for are reported */
  { SHORT_BLACK " events=cut+white", CAPS, { { 8, 100 }, { 12, 20, 0, "cut 8" }, END (NULL) } },
  { SHORT_BLACK " events=camera", CAPS,
      { { 8, 100 }, { 8, 20, 0, "black 8-" }, END ("black 8-16 eos") } },
  { SHORT_BLACK " events=edit", CAPS,
      { { 8, 20, 0, "black 0-" }, { .act = forget_black }, { 1, 20, 0, "black 0-8 stopped" },
          { 3, 20 }, { .act = ask_for_all }, { 3, 20, 0, "black 12-" }, END ("black 12-15 eos") } },
  /* other tags end nothing; other sizes and formats do, and are cuts where the picture changes */
  { SHORT_BLACK, CAPS,
      { { 8, 20, 0, "black 0-" }, { .act = send_tags }, { 4, 20 }, { 8, 200, 0, "black 0-12" },
          END ("cut 12") } },
  { ANALYSER "glesevents freeze-duration=0.2 exposure-min-duration=1000", CAPS,
      { { 1, 20 }, { 7, 100, 0, "freeze 1-" }, { .act = send_tags }, { 12, 100, 0, "cut 1" },
          END ("freeze 1-20 eos") } },
  { SHORT_BLACK, CAPS,
      { { 8, 20, 0, "black 0-" }, { .act = send_size }, { 8, 200, 0, "black 0-8 caps" },
          END ("cut 8") } },
  { SHORT_BLACK, CAPS,
      { { 8, 20, 0, "black 0-" }, { .act = send_size }, { 8, 20, 0, "black 0-8 caps; black 8-" },
          END ("black 8-16 eos") } },
  { SHORT_BLACK, CAPS,
      { { 8, 100 }, { .act = send_format }, { 8, 100 }, { .act = send_format },
          { 8, 20, 0, "black 16-" }, END ("cut 16; black 16-24 eos") } },
  ENDS_BY (send_gap, "gap"),
  ENDS_BY (send_gap_buffer, "gap"),
  ENDS_BY (send_segment, "segment"),
  ENDS_BY (test_stream_flush, "flush"),
  ENDS_BY (stop, "stopped"),
  REPEATED (ANALYSER),
  REPEATED (RATE ANALYSER),
  REPEATED (CLEARED ANALYSER),
  REPEATED (ANALYSER RATE),
  REPEATED (ANALYSER CLEARED),
};

GST_START_TEST (test_events)
{
  const Case *c = &cases[__i__];
  g_autoptr (TestStream) chain = line_stream (c->caps, "%s", c->line);

  g_print ("# %s\n", c->line);
  for (const Step *step = c->steps; step->n > 0 || step->act != NULL; step++) {
    for (guint i = 0; i < step->n; i++)
      push_frame (chain, step->value + (gint) i * step->step);
    if (step->act != NULL)
      step->act (chain);
    /* a pad that flushes or is stopped lets no event through */
    expect (chain, step->events != NULL ? step->events : "",
        step->act != test_stream_flush && step->act != stop);
  }
}

GST_END_TEST;

/* The last picture is shown for longer than when it was analysed, as while a source pauses: the cut
 * to it is reported meanwhile, and the events last until the last repetition ends. */
GST_START_TEST (test_last_picture_is_repeated)
{
  g_autoptr (TestStream) analyser = line_stream (CAPS, "gleshistogram mad=true");
  g_autoptr (TestStream) chain =
      line_stream (CAPS, "glesevents freeze-duration=0.2 black-min-duration=0.2");
  g_autoptr (GstBuffer) out = NULL;

  for (gint i = 0; i < 48; i++) {
    if (i < 8) {
      gst_clear_buffer (&out);
      push_frame (analyser, i < 7 ? 100 + i : 16);
      out = gst_harness_pull (analyser->harness);
    }
    line_try_push (chain, gst_buffer_copy (out));
  }
  expect (chain, "black 7-; freeze 7-; cut 7", TRUE);
  send_eos (chain);
  expect (chain, "black 7-48 eos; freeze 7-48 eos", TRUE);
}

GST_END_TEST;

/* A buffer without results passes unchanged, and QoS passes upstream. */
GST_START_TEST (test_pass)
{
  g_autoptr (TestStream) chain = line_stream ("text/x-raw,format=utf8", "glesevents");
  g_autoptr (GstBuffer) buffer = gst_buffer_new (), out = NULL;
  g_autoptr (GstEvent) event = NULL;

  out = gst_harness_push_and_pull (chain->harness, gst_buffer_ref (buffer));
  fail_unless (out == buffer);
  gst_harness_push_upstream_event (
      chain->harness, gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 2, 1, 0));
  while ((event = gst_harness_try_pull_upstream_event (chain->harness)) != NULL &&
      GST_EVENT_TYPE (event) != GST_EVENT_QOS)
    gst_clear_event (&event);
  fail_unless (event != NULL);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_events, 0, G_N_ELEMENTS (cases));
  tcase_add_test (tcase, test_last_picture_is_repeated);
  tcase_add_test (tcase, test_pass);
}

LINES_MAIN (add_tests)
