/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What every analyser guarantees when a stream ends, changes or is flushed: EOS, new caps and
 * PAUSED to READY wait until all results were posted; a flush discards results that were not. The
 * handler of messages is slow here, so that results are always late. */
#include "lines.h"

#define N_FRAMES 8
#define CAPS(size) "video/x-raw,format=I420,width=" #size ",height=48,framerate=25/1"

/* messages of the last element are looked at */
static const gchar *const lines[][2] = {
  { "gleshistogram", "gleshistogram post-messages=true" },
  { "glescompact", "glescompact lower=100 post-messages=true" },
  { "glestiles", "glescompact lower=100 ! glestiles post-messages=true" },
};

typedef struct {
  TestStream *chain;
  const gchar *name;
  /* of the element's own thread, in the sync handler */
  GMutex gate;         /* messages wait while a test has it */
  GAsyncQueue *frames; /* 1 + the numbers of frames whose messages came */
} Posts;

static GstBusSyncReply
take_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  const GstStructure *structure = gst_message_get_structure (message);
  Posts *posts = user_data;
  guint64 frame;

  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_ELEMENT ||
      !gst_structure_has_name (structure, posts->name))
    return GST_BUS_PASS;
  fail_unless (gst_structure_get_uint64 (structure, "frame", &frame));
  g_async_queue_push (posts->frames, GUINT_TO_POINTER ((guint) frame + 1));
  g_mutex_lock (&posts->gate);
  g_mutex_unlock (&posts->gate);
  g_usleep (3000);
  return GST_BUS_PASS;
}

static void
posts_init (Posts *posts, guint line)
{
  *posts = (Posts){ .name = lines[line][0], .frames = g_async_queue_new () };
  g_mutex_init (&posts->gate);
  posts->chain = line_stream (CAPS (64), "%s", lines[line][1]);
  gst_bus_set_sync_handler (posts->chain->bus, take_message, posts, NULL);
}

static void
posts_clear (Posts *posts)
{
  test_stream_free (posts->chain);
  g_async_queue_unref (posts->frames);
  g_mutex_clear (&posts->gate);
}

static void
push_frames (Posts *posts)
{
  for (guint i = 0; i < N_FRAMES; i++)
    gst_buffer_unref (test_stream_push_noise (posts->chain, i));
}

/* Messages of @n frames from @first on have come, in order, and no other. */
static void
expect_frames (Posts *posts, guint first, guint n, const gchar *when)
{
  for (guint i = first; i < first + n; i++) {
    const guint frame = GPOINTER_TO_UINT (g_async_queue_try_pop (posts->frames));

    fail_unless (
        frame == i + 1, "%s, %s: frame %d, not %u", posts->name, when, (gint) frame - 1, i);
  }
  fail_unless (
      g_async_queue_try_pop (posts->frames) == NULL, "%s, %s: too many", posts->name, when);
}

/* New caps wait for the results of the old ones; frames are numbered on. */
GST_START_TEST (test_caps_and_eos_drain)
{
  Posts posts;

  posts_init (&posts, __i__);
  push_frames (&posts);
  line_set_caps (posts.chain, CAPS (98));
  expect_frames (&posts, 0, N_FRAMES, "caps");
  push_frames (&posts);
  test_stream_push_event (posts.chain, gst_event_new_eos ());
  expect_frames (&posts, N_FRAMES, N_FRAMES, "EOS");
  posts_clear (&posts);
}

GST_END_TEST;

/* While the element's thread is held in its first message, a flush does not wait for it, and later
 * messages are dropped. Numbers start again, and READY waits for their frames. */
GST_START_TEST (test_flush_discards_and_stop_drains)
{
  GstSegment segment;
  Posts posts;

  posts_init (&posts, __i__);
  g_mutex_lock (&posts.gate);
  push_frames (&posts);
  fail_unless_equals_int (GPOINTER_TO_UINT (g_async_queue_pop (posts.frames)), 1);
  test_stream_push_event (posts.chain, gst_event_new_flush_start ());
  g_mutex_unlock (&posts.gate);
  test_stream_push_event (posts.chain, gst_event_new_flush_stop (TRUE));
  expect_frames (&posts, 0, 0, "flush");
  gst_segment_init (&segment, GST_FORMAT_TIME);
  test_stream_push_event (posts.chain, gst_event_new_segment (&segment));
  push_frames (&posts);
  fail_unless_equals_int (gst_element_set_state (posts.chain->harness->element, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  expect_frames (&posts, 0, N_FRAMES, "READY after a flush");
  posts_clear (&posts);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_caps_and_eos_drain, 0, G_N_ELEMENTS (lines));
  tcase_add_loop_test (tcase, test_flush_discards_and_stop_drains, 0, G_N_ELEMENTS (lines));
}

LINES_MAIN (add_tests)
