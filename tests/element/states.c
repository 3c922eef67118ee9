/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* State changes of every element alone, as in GStreamer's generic/states, and of pipelines as in
 * the scenarios of gst-validate: seeks forward and backward, pause and resume, rapid state changes,
 * flushes. No case may hang, post an error or lose later frames. */
#include "lines.h"

#include <gst/elements/elements.h>

#define TIMEOUT (30 * GST_SECOND)
#define N_FRAMES 250

#define ELEMENT_NAME(name) #name,
static const gchar *const elements[] = { GLES_ELEMENTS (ELEMENT_NAME) };

static const gchar *const chains[] = {
  "gleshistogram post-messages=true",
  "glescompact predicate=motion lower=20 post-messages=true",
  "glescompact lower=100 ! glestiles post-messages=true",
  "gleshistogram ! queue ! glesoverlay",
  "gleshistogram ! glesevents",
  "glescompact lower=200 ! glesregions post-messages=true ! queue ! glesoverlay",
  "glescompact lower=200 ! glestiles ! queue ! glesjson",
  "glescompact lower=200 ! glesregions ! queue ! glestrack ! glesoverlay",
  "glescompact ! glesregions ! glestrack ! gleszones zones=\"a:0,0 1,0 1,1\" ! glesoverlay",
  "gleshistogram ! glesevents ! queue ! glespublish address=/dev/null what=both",
};

static void
set_state (GstElement *element, GstState state)
{
  const GstStateChangeReturn result = gst_element_set_state (element, state);

  fail_if (result == GST_STATE_CHANGE_FAILURE, "%s: to %s fails", GST_OBJECT_NAME (element),
      gst_element_state_get_name (state));
  if (result == GST_STATE_CHANGE_ASYNC)
    fail_if (gst_element_get_state (element, NULL, NULL, TIMEOUT) != GST_STATE_CHANGE_SUCCESS,
        "%s: to %s does not end", GST_OBJECT_NAME (element), gst_element_state_get_name (state));
}

/* generic/states: up and down, by steps and by leaps, and dropped without a state. */
GST_START_TEST (test_states)
{
  /* digits of GstState: four ways from NULL (1) to NULL */
  static const gchar sequence[] = "234321"
                                  "2121"
                                  "313231"
                                  "4142431";
  GstElement *element = gst_element_factory_make (elements[__i__], NULL);

  gst_object_unref (gst_object_ref_sink (element));
  element = gst_object_ref_sink (gst_element_factory_make (elements[__i__], NULL));
  if (g_str_equal (elements[__i__], "glespublish"))
    g_object_set (element, "address", "/dev/null", NULL);
  for (guint round = 0; round < 3; round++)
    for (const gchar *state = sequence; *state != '\0'; state++)
      set_state (element, (GstState) (*state - '0'));
  gst_object_unref (element);
}

GST_END_TEST;

/* ---- pipelines ---- */

/* Set by the streaming thread, and read where it waits or has ended. */
static guint n_buffers;
static GstClockTime first_pts;

static GstPadProbeReturn
count_buffer (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  if (n_buffers++ == 0)
    first_pts = GST_BUFFER_PTS (GST_PAD_PROBE_INFO_BUFFER (info));
  return GST_PAD_PROBE_OK;
}

static GstElement *
new_pipeline (guint chain)
{
  GstElement *pipeline = line_new ("videotestsrc num-buffers=%u pattern=ball ! "
                                   "video/x-raw,format=I420,width=64,height=48,framerate=25/1 ! "
                                   "%s ! fakesink name=sink sync=false",
      N_FRAMES, chains[chain]);

  line_probe (pipeline, "sink", "sink", count_buffer, NULL);
  n_buffers = 0;
  return pipeline;
}

static void
play_to_end (GstElement *pipeline)
{
  set_state (pipeline, GST_STATE_PLAYING);
  line_wait (pipeline, GST_MESSAGE_EOS);
}

/* scenarios seek_forward, seek_backward and reverse_playback, of frames @from to @to - 1 */
GST_START_TEST (test_seeks)
{
  static const struct {
    guint from, to;
    gdouble rate;
  } spans[] = { { 50, 60, 1 }, { 200, 250, 1 }, { 10, 30, 1 }, { 0, 5, 1 }, { 240, 250, 1 },
    { 20, 40, -1 } };
  GstElement *pipeline = new_pipeline (__i__);

  for (guint i = 0; i < G_N_ELEMENTS (spans); i++) {
    const guint from = spans[i].from, to = spans[i].to;

    set_state (pipeline, GST_STATE_PAUSED);
    n_buffers = 0;
    fail_unless (gst_element_seek (pipeline, spans[i].rate, GST_FORMAT_TIME,
                     (GstSeekFlags) (GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE),
                     GST_SEEK_TYPE_SET, (gint64) (from * TEST_FRAME_DURATION), GST_SEEK_TYPE_SET,
                     (gint64) (to * TEST_FRAME_DURATION)),
        "no seek from %u to %u", from, to);
    gst_element_get_state (pipeline, NULL, NULL, TIMEOUT);
    play_to_end (pipeline);
    if (spans[i].rate > 0) {
      fail_unless_equals_int (n_buffers, to - from);
      fail_unless_equals_uint64 (first_pts, from * TEST_FRAME_DURATION);
    } else {
      fail_unless (n_buffers >= to - from);
      fail_unless (first_pts >= (to - 1) * TEST_FRAME_DURATION);
      fail_unless (first_pts <= to * TEST_FRAME_DURATION);
    }
  }
  line_free (pipeline);
}

GST_END_TEST;

/* scenario change_state_intensive: without waiting for one change to end before the next. Then
 * scenario pause_resume: all frames come, however often they are held up. */
GST_START_TEST (test_states_in_any_order)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) __i__ + 1);
  GstElement *pipeline = new_pipeline (__i__);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 60; i++) {
    const GstState state =
        (GstState) g_rand_int_range (rand, GST_STATE_NULL, GST_STATE_PLAYING + 1);

    fail_if (gst_element_set_state (pipeline, state) == GST_STATE_CHANGE_FAILURE);
    if (g_rand_int_range (rand, 0, 3) == 0)
      g_usleep ((gulong) g_rand_int_range (rand, 0, 3000));
  }
  error = test_bus_pop_error (bus);
  test_no_error (error);
  set_state (pipeline, GST_STATE_NULL);
  n_buffers = 0;
  for (guint i = 0; i < 20; i++) {
    set_state (pipeline, GST_STATE_PAUSED);
    set_state (pipeline, GST_STATE_PLAYING);
    g_usleep (500 * (i % 4));
  }
  line_wait (pipeline, GST_MESSAGE_EOS);
  fail_unless_equals_int (n_buffers, N_FRAMES);
  line_free (pipeline);
}

GST_END_TEST;

/* ---- flushes ---- */

/* Without a queue: GStreamer's own does not survive flushes while it stops, nor do its sources
 * survive seeks then. */
static const gchar *const analysers[] = {
  "gleshistogram post-messages=true",
  "glescompact predicate=motion post-messages=true",
  "glescompact lower=100 ! glestiles post-messages=true",
  "glescompact lower=100 ! glesregions post-messages=true",
  "glescompact lower=100 ! glesregions ! glestrack",
  "glescompact lower=100 ! glesregions ! glestrack ! gleszones zones=\"all:0,0 1,0 1,1 0,1\"",
};

/* AddressSanitizer finds a stop() that frees what flushes read, in three of six runs on cpu. Each
 * start makes a plan, which takes long with OpenGL ES. */
#define N_STOPS (test_device_is_cpu () ? 2000u : 60u)

static gint flushes; /* atomic: another thread goes on */

static gpointer
flush_main (gpointer harness)
{
  /* refused while the element is stopped */
  while (g_atomic_int_get (&flushes)) {
    gst_harness_push_event (harness, gst_event_new_flush_start ());
    g_thread_yield ();
  }
  return NULL;
}

/* A flush ends where data comes from, as its protocol has it. */
static GstFlowReturn
push_frame (TestStream *chain)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (chain->harness, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (chain->harness, gst_event_new_segment (&segment));
  return line_try_push (chain, test_frame_noise (&chain->info, (guint32) chain->n_pushed));
}

/* Flushes come from another thread, without the stream lock, during frames, while results are
 * posted, and during stop(), which once freed memory that flushes read. */
GST_START_TEST (test_flushes_while_it_stops)
{
  const guint n_stops = N_STOPS;
  g_autoptr (TestStream) chain = line_stream (
      "video/x-raw,format=I420,width=64,height=48,framerate=25/1", "%s", analysers[__i__]);
  GThread *thread;

  g_atomic_int_set (&flushes, TRUE);
  thread = g_thread_new ("flushes", flush_main, chain->harness);
  for (guint i = 0; i < n_stops; i++) {
    for (guint k = 0; k < i % 4; k++)
      push_frame (chain);
    fail_if (gst_element_set_state (chain->harness->element,
                 i % 2 == 0 ? GST_STATE_READY : GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  }
  g_atomic_int_set (&flushes, FALSE);
  g_thread_join (thread);
  /* a pad returns an error where a flush stops an event; an element says so */
  fail_unless_equals_int (push_frame (chain), GST_FLOW_OK);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_states, 0, G_N_ELEMENTS (elements));
  tcase_add_loop_test (tcase, test_seeks, 0, G_N_ELEMENTS (chains));
  tcase_add_loop_test (tcase, test_states_in_any_order, 0, G_N_ELEMENTS (chains));
  tcase_add_loop_test (tcase, test_flushes_while_it_stops, 0, G_N_ELEMENTS (analysers));
}

LINES_MAIN (add_tests)
