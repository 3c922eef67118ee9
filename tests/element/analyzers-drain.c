/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What every analyser guarantees when a stream ends, changes or is flushed: EOS, new caps and
 * PAUSED to READY wait until all results were posted; a flush discards results that were not. The
 * handler of messages is slow here, so that results are always late. */
#include "lines.h"

#include <string.h>

#define N_FRAMES 8
#define CAPS(size) "video/x-raw,format=I420,width=" #size ",height=48,framerate=25/1"

/* messages of the last element are looked at */
static const gchar *const lines[][2] = {
  { "gleshistogram", "gleshistogram post-messages=true" },
  { "glescompact", "glescompact lower=100 post-messages=true" },
  { "glestiles", "glescompact lower=100 ! glestiles post-messages=true" },
};

typedef struct {
  Stream stream;
  const gchar *name;
  /* of the element's own thread, in the sync handler */
  GMutex lock;
  GCond cond;
  gboolean closed; /* messages wait until it opens */
  GArray *frames;  /* guint64: the numbers of frames whose messages came */
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
  g_mutex_lock (&posts->lock);
  g_array_append_val (posts->frames, frame);
  g_cond_broadcast (&posts->cond);
  while (posts->closed)
    g_cond_wait (&posts->cond, &posts->lock);
  g_mutex_unlock (&posts->lock);
  g_usleep (3000);
  return GST_BUS_PASS;
}

static void
posts_init (Posts *posts, guint line)
{
  *posts = (Posts){ .name = lines[line][0] };
  g_mutex_init (&posts->lock);
  g_cond_init (&posts->cond);
  posts->frames = g_array_new (FALSE, FALSE, sizeof (guint64));
  stream_init (&posts->stream, lines[line][1], CAPS (64));
  gst_bus_set_sync_handler (posts->stream.bus, take_message, posts, NULL);
}

static void
posts_clear (Posts *posts)
{
  stream_clear (&posts->stream);
  g_array_unref (posts->frames);
  g_mutex_clear (&posts->lock);
  g_cond_clear (&posts->cond);
}

static void
push_frames (Posts *posts)
{
  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *frame = test_frame_noise (&posts->stream.info, i);

    GST_BUFFER_PTS (frame) = i * TEST_FRAME_DURATION;
    GST_BUFFER_DURATION (frame) = TEST_FRAME_DURATION;
    fail_unless_equals_int (gst_harness_push (posts->stream.harness, frame), GST_FLOW_OK);
  }
}

static void
push_event (Posts *posts, GstEvent *event)
{
  fail_unless (gst_harness_push_event (posts->stream.harness, event));
}

/* Messages of frames 0 to @n - 1 have come, in order, and no other. */
static void
expect_frames (Posts *posts, guint n, const gchar *when)
{
  g_mutex_lock (&posts->lock);
  fail_unless (posts->frames->len == n, "%s, %s: %u messages, not %u", posts->name, when,
      posts->frames->len, n);
  for (guint i = 0; i < n; i++)
    fail_unless (
        g_array_index (posts->frames, guint64, i) == i, "%s, %s: order", posts->name, when);
  g_mutex_unlock (&posts->lock);
}

/* New caps wait for the results of the old ones; frames are numbered on. */
GST_START_TEST (test_caps_and_eos_drain)
{
  Posts posts;

  posts_init (&posts, __i__);
  push_frames (&posts);
  stream_set_caps (&posts.stream, CAPS (98));
  expect_frames (&posts, N_FRAMES, "caps");
  push_frames (&posts);
  push_event (&posts, gst_event_new_eos ());
  expect_frames (&posts, 2 * N_FRAMES, "EOS");
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
  posts.closed = TRUE;
  push_frames (&posts);
  g_mutex_lock (&posts.lock);
  while (posts.frames->len == 0)
    g_cond_wait (&posts.cond, &posts.lock);
  g_mutex_unlock (&posts.lock);
  push_event (&posts, gst_event_new_flush_start ());
  g_mutex_lock (&posts.lock);
  posts.closed = FALSE;
  g_cond_broadcast (&posts.cond);
  g_mutex_unlock (&posts.lock);
  push_event (&posts, gst_event_new_flush_stop (TRUE));
  expect_frames (&posts, 1, "flush");
  g_array_set_size (posts.frames, 0);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  push_event (&posts, gst_event_new_segment (&segment));
  push_frames (&posts);
  fail_unless_equals_int (gst_element_set_state (posts.stream.harness->element, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  expect_frames (&posts, N_FRAMES, "READY after a flush");
  posts_clear (&posts);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_caps_and_eos_drain, 0, G_N_ELEMENTS (lines));
  tcase_add_loop_test (tcase, test_flush_discards_and_stop_drains, 0, G_N_ELEMENTS (lines));
}

int
main (int argc, char **argv)
{
  return lines_main (argc, argv, add_tests);
}
