/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What every analyser guarantees when a stream ends, changes or is flushed: EOS, new caps and
 * PAUSED to READY wait until all results were posted; a flush discards results that were not. The
 * handler of messages is slow here, so that results are always late. */
#include "gleshistogram-common.h"

#include <string.h>

#define N_FRAMES 8
#define CAPS(size) "video/x-raw,format=I420,width=" #size ",height=48,framerate=25/1"

/* device, device; "e" is looked at */
static const gchar *const lines[] = {
  "gleshistogram name=e device=%s post-messages=true",
  "glescompact name=e device=%s lower=100 post-messages=true",
  "glescompact device=%s lower=100 ! glestiles name=e device=%s post-messages=true",
};
static const gchar *const names[] = { "gleshistogram", "glescompact", "glestiles" };

typedef struct {
  GstHarness *harness;
  GstBus *bus;
  const gchar *name;
  /* of the element's own thread, in the sync handler */
  GMutex lock;
  GCond cond;
  gboolean closed; /* messages wait until it opens */
  GArray *frames;  /* guint64: the numbers of frames whose messages came */
} Stream;

static GstBusSyncReply
take_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  const GstStructure *structure = gst_message_get_structure (message);
  Stream *stream = user_data;
  guint64 frame;

  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_ELEMENT ||
      !gst_structure_has_name (structure, stream->name))
    return GST_BUS_PASS;
  fail_unless (gst_structure_get_uint64 (structure, "frame", &frame));
  g_mutex_lock (&stream->lock);
  g_array_append_val (stream->frames, frame);
  g_cond_broadcast (&stream->cond);
  while (stream->closed)
    g_cond_wait (&stream->cond, &stream->lock);
  g_mutex_unlock (&stream->lock);
  g_usleep (3000);
  return GST_BUS_PASS;
}

static void
stream_init (Stream *stream, guint element)
{
  g_autofree gchar *line = g_strdup_printf (lines[element], test_device (), test_device ());

  memset (stream, 0, sizeof *stream);
  stream->name = names[element];
  g_mutex_init (&stream->lock);
  g_cond_init (&stream->cond);
  stream->frames = g_array_new (FALSE, FALSE, sizeof (guint64));
  stream->bus = gst_bus_new ();
  gst_bus_set_sync_handler (stream->bus, take_message, stream, NULL);
  stream->harness = gst_harness_new_parse (line);
  gst_element_set_bus (stream->harness->element, stream->bus);
  gst_harness_set_src_caps_str (stream->harness, CAPS (64));
}

static void
stream_clear (Stream *stream)
{
  g_autoptr (GError) error = test_bus_pop_error (stream->bus);

  test_no_error (error);
  gst_bus_set_flushing (stream->bus, TRUE);
  gst_harness_teardown (stream->harness);
  gst_bus_set_sync_handler (stream->bus, NULL, NULL, NULL);
  gst_object_unref (stream->bus);
  g_array_unref (stream->frames);
  g_mutex_clear (&stream->lock);
  g_cond_clear (&stream->cond);
}

static void
push_frames (Stream *stream, const gchar *caps)
{
  GstVideoInfo info;

  test_info_from_string (&info, caps);
  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *frame = test_frame_noise (&info, i);

    GST_BUFFER_PTS (frame) = i * TEST_FRAME_DURATION;
    GST_BUFFER_DURATION (frame) = TEST_FRAME_DURATION;
    fail_unless_equals_int (gst_harness_push (stream->harness, frame), GST_FLOW_OK);
  }
}

/* Messages of frames 0 to @n - 1 have come, in order, and no other. */
static void
expect_frames (Stream *stream, guint n, const gchar *when)
{
  g_mutex_lock (&stream->lock);
  fail_unless (stream->frames->len == n, "%s, %s: %u messages, not %u", stream->name, when,
      stream->frames->len, n);
  for (guint i = 0; i < n; i++)
    fail_unless (
        g_array_index (stream->frames, guint64, i) == i, "%s, %s: order", stream->name, when);
  g_mutex_unlock (&stream->lock);
}

GST_START_TEST (test_eos_drains)
{
  Stream stream;

  stream_init (&stream, __i__);
  push_frames (&stream, CAPS (64));
  fail_unless (gst_harness_push_event (stream.harness, gst_event_new_eos ()));
  expect_frames (&stream, N_FRAMES, "EOS");
  stream_clear (&stream);
}

GST_END_TEST;

GST_START_TEST (test_stop_drains)
{
  Stream stream;

  stream_init (&stream, __i__);
  push_frames (&stream, CAPS (64));
  fail_unless_equals_int (
      gst_element_set_state (stream.harness->element, GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  expect_frames (&stream, N_FRAMES, "READY");
  stream_clear (&stream);
}

GST_END_TEST;

/* New caps wait for the results of the old ones; frames are numbered on. */
GST_START_TEST (test_caps_drain)
{
  Stream stream;

  stream_init (&stream, __i__);
  push_frames (&stream, CAPS (64));
  gst_harness_set_src_caps_str (stream.harness, CAPS (98));
  expect_frames (&stream, N_FRAMES, "caps");
  push_frames (&stream, CAPS (98));
  fail_unless (gst_harness_push_event (stream.harness, gst_event_new_eos ()));
  expect_frames (&stream, 2 * N_FRAMES, "EOS after other caps");
  stream_clear (&stream);
}

GST_END_TEST;

/* While the element's thread is held in its first message, a flush does not wait for it, and later
 * messages are dropped. Numbers start again. */
GST_START_TEST (test_flush_discards)
{
  GstSegment segment;
  Stream stream;

  stream_init (&stream, __i__);
  stream.closed = TRUE;
  push_frames (&stream, CAPS (64));
  g_mutex_lock (&stream.lock);
  while (stream.frames->len == 0)
    g_cond_wait (&stream.cond, &stream.lock);
  g_mutex_unlock (&stream.lock);
  fail_unless (gst_harness_push_event (stream.harness, gst_event_new_flush_start ()));
  g_mutex_lock (&stream.lock);
  stream.closed = FALSE;
  g_cond_broadcast (&stream.cond);
  g_mutex_unlock (&stream.lock);
  fail_unless (gst_harness_push_event (stream.harness, gst_event_new_flush_stop (TRUE)));
  expect_frames (&stream, 1, "flush");
  g_array_set_size (stream.frames, 0);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (stream.harness, gst_event_new_segment (&segment)));
  push_frames (&stream, CAPS (64));
  fail_unless (gst_harness_push_event (stream.harness, gst_event_new_eos ()));
  expect_frames (&stream, N_FRAMES, "EOS after a flush");
  stream_clear (&stream);
}

GST_END_TEST;

static Suite *
analyzers_drain_suite (void)
{
  Suite *suite = suite_create ("analyzers-drain");
  TCase *tcase = tcase_create ("drain");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 240);
  tcase_add_loop_test (tcase, test_eos_drains, 0, G_N_ELEMENTS (lines));
  tcase_add_loop_test (tcase, test_stop_drains, 0, G_N_ELEMENTS (lines));
  tcase_add_loop_test (tcase, test_caps_drain, 0, G_N_ELEMENTS (lines));
  tcase_add_loop_test (tcase, test_flush_discards, 0, G_N_ELEMENTS (lines));
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, analyzers_drain_suite);
}
