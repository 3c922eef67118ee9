/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each result read by several threads at once, which wait or poll as they like, while the stream
 * goes on, flushes and stops. The last thread drops it. */
#include "../element/gleshistogram-common.h"

#define CAPS "video/x-raw,format=I420,width=160,height=120,framerate=25/1"
#define N_READERS 6
#define N_FRAMES 400

static GstGlesHistogramResult *results[N_FRAMES];
static TestExpected *expected[N_FRAMES];
static gint n_frames; /* atomic: how many of them there are */

/* Returns what is wrong first: (transfer full), NULL for nothing. */
static gpointer
read_all (gpointer index)
{
  gchar *wrong = NULL;

  for (gint i = 0; i < N_FRAMES; i++) {
    GstGlesHistogramStatistics statistics;

    while (g_atomic_int_get (&n_frames) <= i)
      g_thread_yield ();
    /* every other reader polls first */
    while (
        GPOINTER_TO_INT (index) % 2 != 0 && !gst_gles_histogram_result_wait (results[i], 0, NULL))
      g_thread_yield ();
    if (wrong == NULL)
      wrong = test_find_wrong (results[i], expected[i]);
    for (guint channel = 0; channel < 3 && wrong == NULL; channel++)
      if (!gst_gles_histogram_result_get_statistics (results[i], channel, &statistics, NULL) ||
          statistics.count != (channel == 0 ? 160 * 120 : 80 * 60))
        wrong = g_strdup_printf ("statistics of channel %u", channel);
    gst_gles_histogram_result_unref (results[i]);
  }
  return wrong;
}

static void
push_frames (void)
{
  const TestConfig config = { .bins = 100 };
  g_autoptr (TestStream) stream = test_stream_new ("bins=100", CAPS);

  for (gint i = 0; i < N_FRAMES; i++) {
    GstBuffer *frame = test_frame_noise (&stream->info, (guint) i);

    expected[i] = test_expect (frame, &stream->info, &config);
    results[i] = test_stream_push_for_result (stream, frame);
    for (guint r = 1; r < N_READERS; r++)
      gst_gles_histogram_result_ref (results[i]);
    g_atomic_int_inc (&n_frames);
    if (i % 50 == 49)
      test_stream_flush (stream);
  }
}

GST_START_TEST (test_readers)
{
  GThread *threads[N_READERS];

  for (gint i = 0; i < N_READERS; i++)
    threads[i] = g_thread_new ("reader", read_all, GINT_TO_POINTER (i));
  /* the element is gone before the last results are read */
  push_frames ();
  for (guint i = 0; i < N_READERS; i++) {
    g_autofree gchar *wrong = g_thread_join (threads[i]);

    fail_unless (wrong == NULL, "%s", wrong);
  }
  for (guint i = 0; i < N_FRAMES; i++)
    test_expected_free (expected[i]);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_readers);
}

TEST_MAIN (add_tests)
