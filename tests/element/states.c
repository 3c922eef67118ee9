/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* State changes of every element alone, as in GStreamer's generic/states, and of pipelines as in
 * the scenarios of gst-validate: seeks forward and backward, pause and resume, rapid state changes,
 * flushes. No case may hang, post an error or lose later frames. */
#include <gst/check/gstcheck.h>

#include "gleshistogram-common.h"

#define TIMEOUT (30 * GST_SECOND)
#define N_FRAMES 250
#define FRAME_DURATION (GST_SECOND / 25)
#define SOURCE                                                                                     \
  "videotestsrc num-buffers=250 pattern=ball ! video/x-raw,format=I420,width=64,height=48,"        \
  "framerate=25/1 ! "

static const gchar *const elements[] = { "gleshistogram", "glescompact", "glestiles", "glesoverlay",
  "glesjson", "glesevents", "glesregions" };

/* ELEMENT stands for "device=DEVICE". */
static const gchar *const chains[] = {
  "gleshistogram ELEMENT post-messages=true",
  "glescompact ELEMENT predicate=motion lower=20 post-messages=true",
  "glescompact ELEMENT lower=100 ! glestiles ELEMENT post-messages=true",
  "gleshistogram ELEMENT ! queue ! glesoverlay",
  "gleshistogram ELEMENT ! glesevents",
  "glescompact ELEMENT lower=200 ! glesregions ELEMENT post-messages=true ! queue ! glesoverlay",
  "glescompact ELEMENT lower=200 ! glestiles ELEMENT ! queue ! glesjson",
};

/* ---- elements alone ---- */

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

static GstElement *
new_element (const gchar *name)
{
  GstElement *element = gst_element_factory_make (name, name);

  fail_unless (element != NULL, "no element %s", name);
  gst_object_ref_sink (element);
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (element), "device") != NULL)
    g_object_set (element, "device", test_device (), NULL);
  return element;
}

/* generic/states: up and down, by steps and by leaps. */
GST_START_TEST (test_states)
{
  static const GstState sequences[][8] = {
    { GST_STATE_READY, GST_STATE_PAUSED, GST_STATE_PLAYING, GST_STATE_PAUSED, GST_STATE_READY,
        GST_STATE_NULL },
    { GST_STATE_READY, GST_STATE_NULL, GST_STATE_READY, GST_STATE_NULL },
    { GST_STATE_PAUSED, GST_STATE_NULL, GST_STATE_PAUSED, GST_STATE_READY, GST_STATE_PAUSED,
        GST_STATE_NULL },
    { GST_STATE_PLAYING, GST_STATE_NULL, GST_STATE_PLAYING, GST_STATE_READY, GST_STATE_PLAYING,
        GST_STATE_PAUSED, GST_STATE_NULL },
  };
  GstElement *element = new_element (elements[__i__]);

  for (guint i = 0; i < 3 * G_N_ELEMENTS (sequences); i++) {
    const GstState *sequence = sequences[i % G_N_ELEMENTS (sequences)];
    guint step = 0;

    do
      set_state (element, sequence[step]);
    while (sequence[step++] != GST_STATE_NULL || (step < 8 && sequence[step] > GST_STATE_NULL));
  }
  gst_object_unref (element);
}

GST_END_TEST;

/* generic/states, the other half: made and dropped without a state. */
GST_START_TEST (test_no_state)
{
  for (guint i = 0; i < 10; i++)
    gst_object_unref (new_element (elements[__i__]));
}

GST_END_TEST;

/* ---- pipelines ---- */

typedef struct {
  GstElement *pipeline;
  GstBus *bus;
  gint n_buffers;     /* atomic: since it was last set to 0 */
  GstClockTime first; /* the first of them; with the lock */
  GMutex lock;
} Play;

static void
on_handoff (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer user_data)
{
  Play *play = user_data;

  g_mutex_lock (&play->lock);
  if (g_atomic_int_add (&play->n_buffers, 1) == 0)
    play->first = GST_BUFFER_PTS (buffer);
  g_mutex_unlock (&play->lock);
}

/* (transfer full) */
static gchar *
with_device (const gchar *chain)
{
  g_autofree gchar *device = g_strdup_printf ("device=%s", test_device ());
  g_auto (GStrv) parts = g_strsplit (chain, "ELEMENT", -1);

  return g_strjoinv (device, parts);
}

static void
play_init (Play *play, const gchar *chain)
{
  g_autofree gchar *middle = with_device (chain);
  g_autofree gchar *line =
      g_strconcat (SOURCE, middle, " ! fakesink name=sink signal-handoffs=true sync=false", NULL);
  GError *error = NULL;
  GstElement *sink;

  *play = (Play){ .pipeline = gst_parse_launch (line, &error) };
  test_no_error (error);
  g_mutex_init (&play->lock);
  play->bus = gst_element_get_bus (play->pipeline);
  sink = gst_bin_get_by_name (GST_BIN (play->pipeline), "sink");
  g_signal_connect (sink, "handoff", G_CALLBACK (on_handoff), play);
  gst_object_unref (sink);
}

static void
check_no_error (Play *play)
{
  g_autoptr (GError) error = test_bus_pop_error (play->bus);

  test_no_error (error);
}

static void
play_clear (Play *play)
{
  check_no_error (play);
  set_state (play->pipeline, GST_STATE_NULL);
  gst_object_unref (play->bus);
  gst_object_unref (play->pipeline);
  g_mutex_clear (&play->lock);
}

/* Counts from here on. */
static void
restart_count (Play *play)
{
  g_mutex_lock (&play->lock);
  g_atomic_int_set (&play->n_buffers, 0);
  play->first = GST_CLOCK_TIME_NONE;
  g_mutex_unlock (&play->lock);
}

static void
wait_for_eos (Play *play)
{
  GstMessage *message = gst_bus_timed_pop_filtered (
      play->bus, TIMEOUT, (GstMessageType) (GST_MESSAGE_EOS | GST_MESSAGE_ERROR));

  fail_unless (message != NULL, "no end of the stream");
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    GError *error = NULL;

    gst_message_parse_error (message, &error, NULL);
    test_no_error (error);
  }
  gst_message_unref (message);
}

static void
seek (Play *play, gdouble rate, guint from, guint to)
{
  fail_unless (
      gst_element_seek (play->pipeline, rate, GST_FORMAT_TIME,
          (GstSeekFlags) (GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE), GST_SEEK_TYPE_SET,
          (gint64) (from * FRAME_DURATION), GST_SEEK_TYPE_SET, (gint64) (to * FRAME_DURATION)),
      "no seek from %u to %u", from, to);
}

/* scenarios seek_forward and seek_backward */
GST_START_TEST (test_seeks)
{
  static const guint spans[][2] = { { 50, 60 }, { 200, 250 }, { 10, 30 }, { 0, 5 }, { 240, 250 } };
  Play play;

  play_init (&play, chains[__i__]);
  set_state (play.pipeline, GST_STATE_PAUSED);
  for (guint i = 0; i < G_N_ELEMENTS (spans); i++) {
    const guint from = spans[i][0], to = spans[i][1];

    set_state (play.pipeline, GST_STATE_PAUSED);
    seek (&play, 1.0, from, to);
    gst_element_get_state (play.pipeline, NULL, NULL, TIMEOUT);
    restart_count (&play);
    set_state (play.pipeline, GST_STATE_PLAYING);
    wait_for_eos (&play);
    fail_unless_equals_int (g_atomic_int_get (&play.n_buffers), (gint) (to - from));
    fail_unless_equals_uint64 (play.first, from * FRAME_DURATION);
  }
  play_clear (&play);
}

GST_END_TEST;

/* scenario reverse_playback */
GST_START_TEST (test_reverse)
{
  Play play;

  play_init (&play, chains[__i__]);
  set_state (play.pipeline, GST_STATE_PAUSED);
  seek (&play, -1.0, 20, 40);
  gst_element_get_state (play.pipeline, NULL, NULL, TIMEOUT);
  restart_count (&play);
  set_state (play.pipeline, GST_STATE_PLAYING);
  wait_for_eos (&play);
  fail_unless (g_atomic_int_get (&play.n_buffers) >= 20);
  fail_unless (play.first >= 39 * FRAME_DURATION && play.first <= 40 * FRAME_DURATION);
  play_clear (&play);
}

GST_END_TEST;

/* scenario pause_resume: all frames come, however often they are held up */
GST_START_TEST (test_pause_resume)
{
  Play play;

  play_init (&play, chains[__i__]);
  set_state (play.pipeline, GST_STATE_PAUSED);
  restart_count (&play);
  for (guint i = 0; i < 20; i++) {
    set_state (play.pipeline, GST_STATE_PLAYING);
    g_usleep (500 * (i % 4));
    set_state (play.pipeline, GST_STATE_PAUSED);
  }
  set_state (play.pipeline, GST_STATE_PLAYING);
  wait_for_eos (&play);
  /* the frame that was prerolled may have been counted before */
  fail_unless (g_atomic_int_get (&play.n_buffers) >= N_FRAMES - 1);
  play_clear (&play);
}

GST_END_TEST;

/* scenario change_state_intensive: without waiting for one change to end before the next */
GST_START_TEST (test_states_in_any_order)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) __i__ + 1);
  Play play;

  play_init (&play, chains[__i__]);
  for (guint i = 0; i < 60; i++) {
    const GstState state =
        (GstState) g_rand_int_range (rand, GST_STATE_NULL, GST_STATE_PLAYING + 1);

    fail_if (gst_element_set_state (play.pipeline, state) == GST_STATE_CHANGE_FAILURE);
    if (g_rand_int_range (rand, 0, 3) == 0)
      g_usleep ((gulong) g_rand_int_range (rand, 0, 3000));
  }
  check_no_error (&play);
  set_state (play.pipeline, GST_STATE_NULL);
  restart_count (&play);
  set_state (play.pipeline, GST_STATE_PLAYING);
  wait_for_eos (&play);
  fail_unless_equals_int (g_atomic_int_get (&play.n_buffers), N_FRAMES);
  play_clear (&play);
}

GST_END_TEST;

/* ---- flushes ---- */

/* Without a queue: GStreamer's own does not survive flushes while it stops, nor do its sources
 * survive seeks then. */
static const gchar *const analysers[] = {
  "gleshistogram ELEMENT post-messages=true",
  "glescompact ELEMENT predicate=motion post-messages=true",
  "glescompact ELEMENT lower=100 ! glestiles ELEMENT post-messages=true",
  "glescompact ELEMENT lower=100 ! glesregions ELEMENT post-messages=true",
};

/* AddressSanitizer finds a stop() that frees what flushes read, in three of six runs on cpu. Each
 * start makes a plan, which takes long with OpenGL ES. */
#define N_STOPS (test_device_is_cpu () ? 2000u : 60u)

typedef struct {
  GstHarness *harness;
  gint stop; /* atomic */
} Flushes;

static gpointer
flush_main (gpointer user_data)
{
  Flushes *flushes = user_data;

  /* refused while the element is stopped */
  while (!g_atomic_int_get (&flushes->stop)) {
    gst_harness_push_event (flushes->harness, gst_event_new_flush_start ());
    g_thread_yield ();
  }
  return NULL;
}

/* A flush ends where data comes from, as its protocol has it. */
static GstFlowReturn
push_frame (GstHarness *harness, guint number)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 64 * 48 * 3 / 2, NULL);
  GstSegment segment;

  gst_buffer_memset (frame, 0, (guint8) (number * 50), 64 * 48 * 3 / 2);
  GST_BUFFER_PTS (frame) = number * FRAME_DURATION;
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (harness, gst_event_new_segment (&segment));
  return gst_harness_push (harness, frame);
}

/* Flushes come from another thread, without the stream lock, during frames, while results are
 * posted, and during stop(), which once freed memory that flushes read. */
GST_START_TEST (test_flushes_while_it_stops)
{
  g_autofree gchar *line = with_device (analysers[__i__]);
  Flushes flushes = { .harness = gst_harness_new_parse (line) };
  g_autoptr (GError) error = NULL;
  const guint n_stops = N_STOPS;
  GstBus *bus = gst_bus_new ();
  GThread *thread;

  gst_element_set_bus (flushes.harness->element, bus);
  gst_harness_set_src_caps_str (
      flushes.harness, "video/x-raw,format=I420,width=64,height=48,framerate=25/1");
  thread = g_thread_new ("flushes", flush_main, &flushes);
  for (guint i = 0; i < n_stops; i++) {
    for (guint k = 0; k < i % 4; k++)
      push_frame (flushes.harness, k);
    fail_if (gst_element_set_state (flushes.harness->element,
                 i % 2 == 0 ? GST_STATE_READY : GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  }
  g_atomic_int_set (&flushes.stop, TRUE);
  g_thread_join (thread);
  fail_unless_equals_int (push_frame (flushes.harness, 1), GST_FLOW_OK);
  /* a pad returns an error where a flush stops an event; an element says so */
  error = test_bus_pop_error (bus);
  test_no_error (error);
  gst_bus_set_flushing (bus, TRUE);
  gst_harness_teardown (flushes.harness);
  gst_object_unref (bus);
}

GST_END_TEST;

static Suite *
states_suite (void)
{
  Suite *suite = suite_create ("states");
  TCase *tcase = tcase_create ("general");
  const guint n_elements = G_N_ELEMENTS (elements), n_chains = G_N_ELEMENTS (chains);

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_states, 0, n_elements);
  tcase_add_loop_test (tcase, test_no_state, 0, n_elements);
  tcase_add_loop_test (tcase, test_seeks, 0, n_chains);
  tcase_add_loop_test (tcase, test_reverse, 0, n_chains);
  tcase_add_loop_test (tcase, test_pause_resume, 0, n_chains);
  tcase_add_loop_test (tcase, test_states_in_any_order, 0, n_chains);
  tcase_add_loop_test (tcase, test_flushes_while_it_stops, 0, G_N_ELEMENTS (analysers));
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, states_suite);
}
