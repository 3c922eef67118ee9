/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glesevents behind a live source: events arrive while the stream plays, frames that are dropped
 * upstream do no harm, QoS passes upstream, and EOS ends what is open. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

#define TIMEOUT (20 * GST_SECOND)

/* The sink is slower than the source, so the leaky queue drops frames, and the sink sends QoS
 * events. */
#define LINE                                                                                       \
  "videotestsrc name=source is-live=true pattern=black ! "                                         \
  "video/x-raw,format=GRAY8,width=64,height=48,framerate=50/1 ! "                                  \
  "queue leaky=downstream max-size-buffers=1 ! gleshistogram device=cpu mad=true ! "               \
  "glesevents name=events black-min-duration=0.2 white-min-duration=0.2 freeze-duration=1000 ! "   \
  "identity sleep-time=45000 ! fakesink name=sink sync=true qos=true max-lateness=20000000"

/* Waits for the next message of @event and @phase. Cuts between are not asked for. */
static void
wait_for (
    GstBus *bus, const gchar *event, const gchar *phase, GstClockTime *start, GstClockTime *time)
{
  for (;;) {
    g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (bus, TIMEOUT,
        GST_MESSAGE_ELEMENT | GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
    const GstStructure *structure;

    fail_unless (message != NULL, "no %s of %s", phase, event);
    fail_unless (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT, "%s before the %s of %s",
        GST_MESSAGE_TYPE_NAME (message), phase, event);
    structure = gst_message_get_structure (message);
    if (g_strcmp0 (gst_structure_get_string (structure, "event"), event) != 0)
      continue;
    fail_unless_equals_string (gst_structure_get_string (structure, "phase"), phase);
    fail_unless (gst_structure_get_clock_time (structure, "running-time", time));
    if (start != NULL)
      fail_unless (gst_structure_get_clock_time (structure, "start", start));
    return;
  }
}

static GstPadProbeReturn
count_qos (GstPad *pad, GstPadProbeInfo *info, gpointer n_qos)
{
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_QOS)
    g_atomic_int_inc ((gint *) n_qos);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
count_frames (GstPad *pad, GstPadProbeInfo *info, gpointer n_frames)
{
  g_atomic_int_inc ((gint *) n_frames);
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_live)
{
  GstElement *pipeline = gst_parse_launch (LINE, NULL);
  g_autoptr (GstElement) source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  g_autoptr (GstElement) events = gst_bin_get_by_name (GST_BIN (pipeline), "events");
  g_autoptr (GstPad) source_pad = gst_element_get_static_pad (source, "src");
  g_autoptr (GstPad) events_pad = gst_element_get_static_pad (events, "sink");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;
  gint n_qos = 0, n_source = 0, n_events = 0;
  GstClockTime black, end, start, white;

  gst_pad_add_probe (events_pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, count_qos, &n_qos, NULL);
  gst_pad_add_probe (source_pad, GST_PAD_PROBE_TYPE_BUFFER, count_frames, &n_source, NULL);
  gst_pad_add_probe (events_pad, GST_PAD_PROBE_TYPE_BUFFER, count_frames, &n_events, NULL);
  fail_unless (gst_element_set_state (pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE);
  wait_for (bus, "black", "start", NULL, &black);
  gst_util_set_object_arg (G_OBJECT (source), "pattern", "white");
  wait_for (bus, "black", "end", &start, &end);
  fail_unless_equals_uint64 (start, black);
  fail_unless (end - black >= 200 * GST_MSECOND);
  wait_for (bus, "white", "start", NULL, &white);
  fail_unless_equals_uint64 (white, end);
  fail_unless (gst_element_send_event (pipeline, gst_event_new_eos ()));
  wait_for (bus, "white", "end", &start, &end);
  fail_unless_equals_uint64 (start, white);
  fail_unless (end - white >= 200 * GST_MSECOND);
  message = gst_bus_timed_pop_filtered (bus, TIMEOUT, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  fail_unless (g_atomic_int_get (&n_events) < g_atomic_int_get (&n_source),
      "%d of %d frames: none was dropped", n_events, n_source);
  fail_unless (g_atomic_int_get (&n_qos) > 0);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static Suite *
live_suite (void)
{
  Suite *suite = suite_create ("glesevents-live");
  TCase *tcase = tcase_create ("live");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, test_live);
  return suite;
}

GST_CHECK_MAIN (live);
