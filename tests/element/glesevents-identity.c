/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What events of glesevents say about themselves: whose they are, which belong together, and when
 * they are, in each of the stream's times. */
#include "config.h"

#include "lines.h"

#include <string.h>

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#define CAPS "video/x-raw,format=GRAY8,width=16,height=16,framerate=25/1,colorimetry=2:3:5:1"
#define FRAME TEST_FRAME_DURATION
#define LINE                                                                                       \
  "gleshistogram ! glesevents name=e events=cut+black black-min-duration=0 cut-threshold=3 "
#define UTC (G_GUINT64_CONSTANT (1790000000) * GST_SECOND)

/* Pushes @n frames with a time of day, each of one grey value, @value and the next ones. */
static void
push_frames (TestStream *chain, guint n, guint value)
{
  g_autoptr (GstCaps) unix_time = gst_caps_new_empty_simple ("timestamp/x-unix");

  for (guint i = 0; i < n; i++) {
    GstBuffer *frame = test_frame_noise (&chain->info, 0);

    gst_buffer_memset (frame, 0, (guint8) (value + i), gst_buffer_get_size (frame));
    gst_buffer_add_reference_timestamp_meta (
        frame, unix_time, UTC + chain->n_pushed * FRAME, GST_CLOCK_TIME_NONE);
    line_try_push (chain, frame);
  }
}

static void
set_stream (TestStream *chain, const gchar *stream_id)
{
  gst_harness_push_event (chain->harness, gst_event_new_stream_start (stream_id));
}

static const gchar *
get_text (GPtrArray *events, guint i, const gchar *field)
{
  return gst_structure_get_string (g_ptr_array_index (events, i), field);
}

static GstClockTime
get_time (GPtrArray *events, guint i, const gchar *field)
{
  GstClockTime time;

  fail_unless (gst_structure_get_clock_time (g_ptr_array_index (events, i), field, &time));
  return time;
}

/* A cut, and two black events, the second of which ends with the stream. */
static GPtrArray *
run (const gchar *line, const gchar *stream_id)
{
  g_autoptr (TestStream) chain = line_stream (NULL, "%s", line);

  set_stream (chain, stream_id);
  line_set_caps (chain, CAPS);
  for (guint i = 0; i < 4; i++)
    push_frames (chain, 16, i % 2 == 0 ? 200 : 16);
  gst_harness_push_event (chain->harness, gst_event_new_eos ());
  return line_take_posted (chain);
}

/* The places of these events in what run() returns. */
enum {
  START_1,
  CUT_1,
  END_1,
  CUT_2,
  START_2,
  CUT_3,
  END_2,
  N_EVENTS
};

GST_START_TEST (test_ids)
{
  g_autoptr (GPtrArray) events = run (LINE, "street");
  g_autoptr (GPtrArray) again = run (LINE, "street");
  g_autoptr (GPtrArray) other_session = run (LINE "session=b", "street");
  g_autoptr (GPtrArray) other_stream = run (LINE, "yard");
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);

  fail_unless_equals_int (events->len, N_EVENTS);
  for (guint i = 0; i < N_EVENTS; i++) {
    const gchar *id = get_text (events, i, "id");

    fail_unless_equals_int (strlen (id), 16);
    fail_unless_equals_int (strspn (id, "0123456789abcdef"), 16);
    g_hash_table_add (ids, (gpointer) id);
    fail_unless_equals_string (get_text (again, i, "id"), id);
    fail_if (g_str_equal (get_text (other_session, i, "id"), id));
    fail_if (g_str_equal (get_text (other_stream, i, "id"), id));
    fail_unless_equals_string (get_text (events, i, "element"), "e");
    fail_unless_equals_string (get_text (events, i, "stream-id"), "street");
  }
  /* three cuts, and two events of two messages each */
  fail_unless_equals_int (g_hash_table_size (ids), 5);
  fail_unless_equals_string (get_text (events, START_1, "id"), get_text (events, END_1, "id"));
  fail_unless_equals_string (get_text (events, START_2, "id"), get_text (events, END_2, "id"));
}

GST_END_TEST;

GST_START_TEST (test_times)
{
  g_autoptr (GPtrArray) events = run (LINE, "street");
  const guint at[N_EVENTS] = { 16, 16, 32, 32, 48, 48, 64 };

  for (guint i = 0; i < N_EVENTS; i++) {
    const GstClockTime time = at[i] * FRAME;

    fail_unless_equals_clocktime (get_time (events, i, "pts"), time);
    fail_unless_equals_clocktime (get_time (events, i, "timestamp"), time);
    fail_unless_equals_clocktime (get_time (events, i, "stream-time"), time);
    fail_unless_equals_clocktime (get_time (events, i, "running-time"), time);
    fail_unless_equals_clocktime (get_time (events, i, "utc"), UTC + time);
  }
}

GST_END_TEST;

/* Another stream ends events, although segment and caps stay. Frames are counted on, but after a
 * flush anew, which makes no id twice. */
GST_START_TEST (test_streams)
{
  g_autoptr (TestStream) chain = line_stream (NULL, "%s", LINE);
  g_autoptr (GPtrArray) events = NULL, later = NULL;

  set_stream (chain, "one");
  line_set_caps (chain, CAPS);
  push_frames (chain, 4, 16);
  set_stream (chain, "two");
  push_frames (chain, 4, 16);
  events = line_take_posted (chain);
  fail_unless_equals_int (events->len, 3);
  fail_unless_equals_string (get_text (events, 0, "stream-id"), "one");
  fail_unless_equals_string (get_text (events, 1, "stream-id"), "one");
  fail_unless_equals_string (get_text (events, 1, "cause"), "segment");
  fail_unless_equals_string (get_text (events, 1, "id"), get_text (events, 0, "id"));
  fail_unless_equals_string (get_text (events, 2, "stream-id"), "two");

  chain->n_pushed = 0;
  test_stream_flush (chain);
  push_frames (chain, 1, 16);
  chain->n_pushed += 100;
  test_stream_flush (chain);
  push_frames (chain, 1, 16);
  later = line_take_posted (chain);
  fail_unless_equals_int (later->len, 4);
  fail_unless_equals_string (get_text (later, 0, "cause"), "flush");
  fail_unless_equals_string (get_text (later, 2, "cause"), "flush");
  /* both begin with frame 0 */
  fail_if (g_str_equal (get_text (later, 1, "id"), get_text (later, 3, "id")));
}

GST_END_TEST;

/* The stop of the element is said of the stream that it had. */
GST_START_TEST (test_stop)
{
  g_autoptr (TestStream) chain = line_stream (NULL, "%s", LINE);
  g_autoptr (GPtrArray) events = NULL;

  set_stream (chain, "one");
  line_set_caps (chain, CAPS);
  push_frames (chain, 4, 16);
  gst_element_set_state (chain->harness->element, GST_STATE_READY);
  events = line_take_posted (chain);
  fail_unless_equals_int (events->len, 2);
  fail_unless_equals_string (get_text (events, 1, "cause"), "stopped");
  fail_unless_equals_string (get_text (events, 1, "stream-id"), "one");
  fail_unless_equals_string (get_text (events, 1, "id"), get_text (events, 0, "id"));
}

GST_END_TEST;

#if HAVE_ANALYTICS
/* The classes of the next frame that comes out, such as "cut black " */
static gchar *
pull_classes (TestStream *chain)
{
  g_autoptr (GstBuffer) buffer = gst_harness_pull (chain->harness);
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);
  GString *text = g_string_new (NULL);
  GstAnalyticsClsMtd classes;

  if (meta == NULL)
    return g_string_free (text, FALSE);
  fail_unless_equals_int (gst_analytics_relation_get_length (meta), 1);
  fail_unless (gst_analytics_relation_meta_get_cls_mtd (meta, 0, &classes));
  for (gsize i = 0; i < gst_analytics_cls_mtd_get_length (&classes); i++) {
    const gchar *name = g_quark_to_string (gst_analytics_cls_mtd_get_quark (&classes, i));
    const gfloat level = gst_analytics_cls_mtd_get_level (&classes, i);

    /* all of a black picture is black; a cut changes 207 to 16, or 23 to 200, of 256 */
    fail_unless (g_str_equal (name, "black") ? level == 1.0f : level > 60.0f, "%s %g", name, level);
    g_string_append_printf (text, "%s ", name);
  }
  return g_string_free (text, FALSE);
}

GST_START_TEST (test_analytics)
{
  static const struct {
    guint n; /* frames */
    const gchar *classes;
  } expected[] = { { 8, "" }, { 4, "black " }, { 1, "cut black " }, { 3, "black " }, { 4, "" },
    { 1, "cut " }, { 3, "" } }; /* a cut is reported four pictures later */
  g_autoptr (TestStream) chain = line_stream (CAPS, "%s", LINE "analytics=true");
  g_autoptr (TestStream) without = line_stream (CAPS, "%s", LINE);
  g_autofree gchar *none = NULL;

  push_frames (chain, 8, 200);
  push_frames (chain, 8, 16);
  push_frames (chain, 8, 200);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    for (guint k = 0; k < expected[i].n; k++) {
      g_autofree gchar *classes = pull_classes (chain);

      fail_unless_equals_string (classes, expected[i].classes);
    }
  }
  push_frames (without, 1, 16);
  none = pull_classes (without);
  fail_unless_equals_string (none, "");
}

GST_END_TEST;
#endif

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_ids);
  tcase_add_test (tcase, test_times);
  tcase_add_test (tcase, test_streams);
  tcase_add_test (tcase, test_stop);
#if HAVE_ANALYTICS
  tcase_add_test (tcase, test_analytics);
#endif
}

LINES_MAIN (add_tests)
