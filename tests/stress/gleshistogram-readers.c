/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each result read by several threads at once, which wait, poll and drop it as they like, while the
 * stream goes on, flushes and stops. */
#include "../element/gleshistogram-common.h"

#define CAPS "video/x-raw,format=I420,width=160,height=120,framerate=25/1"
#define N_READERS 6
#define N_FRAMES 400

/* A result and what it should say; shared by the readers. */
typedef struct {
  gint refs; /* atomic */
  GstGlesHistogramResult *result;
  TestExpected *expected;
} Item;

typedef struct {
  GAsyncQueue *items;
  guint index;
  guint n_read, n_wrong;
} Reader;

static void
item_unref (Item *item)
{
  if (!g_atomic_int_dec_and_test (&item->refs))
    return;
  gst_gles_histogram_result_unref (item->result);
  test_expected_free (item->expected);
  g_free (item);
}

static gboolean
is_right (const Item *item, guint index)
{
  GstGlesHistogramStatistics statistics;
  gboolean right = TRUE;

  /* every other reader polls first */
  while (index % 2 != 0 && !gst_gles_histogram_result_wait (item->result, 0, NULL))
    g_thread_yield ();
  for (guint i = 0; i < item->expected->n_channels; i++) {
    guint n, sum = 0;
    const guint32 *counts = gst_gles_histogram_result_get_counts (item->result, i, 0, &n, NULL);

    right = right && counts != NULL && n == item->expected->bins &&
        memcmp (counts, item->expected->counts[i], n * sizeof (guint32)) == 0;
    counts = gst_gles_histogram_result_get_native_counts (item->result, i, &n, NULL);
    for (guint value = 0; counts != NULL && value < n; value++)
      sum += counts[value];
    right = right &&
        gst_gles_histogram_result_get_statistics (item->result, i, &statistics, NULL) &&
        statistics.count == sum;
  }
  return right;
}

static gpointer
read_all (gpointer data)
{
  Reader *reader = data;
  Item *item;

  while ((item = g_async_queue_pop (reader->items))->result != NULL) {
    reader->n_wrong += !is_right (item, reader->index);
    reader->n_read++;
    item_unref (item);
  }
  g_free (item);
  return NULL;
}

static void
push_frames (Reader *readers)
{
  const TestConfig config = { .bins = 100 };
  g_autoptr (TestStream) stream = test_stream_new ("bins=100", CAPS);

  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *out = test_stream_push_noise (stream, i);
    Item *item = g_new0 (Item, 1);

    item->refs = N_READERS;
    item->result = gst_gles_histogram_result_from_buffer (out);
    fail_unless (item->result != NULL);
    item->expected = test_expect (out, &stream->info, &config);
    for (guint r = 0; r < N_READERS; r++)
      g_async_queue_push (readers[r].items, item);
    gst_buffer_unref (out);
    if (i % 50 == 49) {
      GstSegment segment;
      gst_segment_init (&segment, GST_FORMAT_TIME);
      gst_harness_push_event (stream->harness, gst_event_new_flush_start ());
      gst_harness_push_event (stream->harness, gst_event_new_flush_stop (TRUE));
      gst_harness_push_event (stream->harness, gst_event_new_segment (&segment));
    }
  }
}

GST_START_TEST (test_readers)
{
  Reader readers[N_READERS] = { { NULL, 0, 0, 0 } };
  GThread *threads[N_READERS];

  for (guint i = 0; i < N_READERS; i++) {
    readers[i].items = g_async_queue_new ();
    readers[i].index = i;
    threads[i] = g_thread_new ("reader", read_all, &readers[i]);
  }
  /* the element is gone before the last results are read */
  push_frames (readers);
  for (guint i = 0; i < N_READERS; i++)
    g_async_queue_push (readers[i].items, g_new0 (Item, 1));
  for (guint i = 0; i < N_READERS; i++) {
    g_thread_join (threads[i]);
    g_async_queue_unref (readers[i].items);
    fail_unless_equals_int (readers[i].n_read, N_FRAMES);
    fail_unless_equals_int (readers[i].n_wrong, 0);
  }
}

GST_END_TEST;

static Suite *
gleshistogram_readers_suite (void)
{
  Suite *suite = suite_create ("gleshistogram-readers");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_readers);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, gleshistogram_readers_suite);
}
