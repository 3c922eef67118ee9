/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The thread that owns a device's context: the order of submissions, where their errors go, and
 * every way in which a device can end. Each test has a device of its own. */
#include <gst/gles/gl/readback-info.h>
#include <gst/gles/gl/submission.h>

#include "gl-common.h"

static void
set_up (gpointer fixture, gconstpointer user_data)
{
  assert_ok (device = gst_gles_device_new (g_getenv ("GLES_TEST_DEVICE"), &error));
  queue = gst_gles_device_get_queue (device);
}

/* A test that drops the device itself leaves NULL. */
static void
tear_down (gpointer fixture, gconstpointer user_data)
{
  gst_clear_object (&device);
}

static void
upload_word (GstGlesBuffer *buffer, GstGlesQueue *on, guint32 value)
{
  GError *failure = NULL;

  gst_gles_buffer_upload (buffer, on, 0, &value, 4, &failure);
  g_assert_no_error (failure);
}

static guint32
read_word (GstGlesBuffer *buffer, GstGlesQueue *on)
{
  guint32 value = 0;

  assert_ok (gst_gles_buffer_download (buffer, on, 0, &value, 4, &error));
  return value;
}

/* ---- order ---- */

/* Submissions are executed in the order of their ends, whichever began first. */
static void
test_order_of_ends (void)
{
  g_autoptr (GstGlesQueue) second = gst_gles_queue_new (device, NULL);
  g_autoptr (GstGlesBuffer) buffer = words (1, 1);

  assert_ok (gst_gles_queue_begin (queue, &error));
  upload_word (buffer, queue, 2);
  upload_word (buffer, second, 3);
  g_assert_cmpuint (read_word (buffer, second), ==, 3);
  assert_ok (gst_gles_queue_end (queue, &error));
  g_assert_cmpuint (read_word (buffer, second), ==, 2);
}

/* What was recorded before a download in the same submission is in it, what comes after is not. */
static void
test_download_inside (void)
{
  g_autoptr (GstGlesBuffer) buffer = words (1, 1);

  assert_ok (gst_gles_queue_begin (queue, &error));
  assert_ok (gst_gles_queue_begin (queue, &error));
  upload_word (buffer, queue, 2);
  g_assert_cmpuint (read_word (buffer, queue), ==, 2);
  upload_word (buffer, queue, 3);
  assert_ok (gst_gles_queue_end (queue, &error));
  g_assert_cmpuint (read_word (buffer, queue), ==, 3);
  assert_ok (gst_gles_queue_end (queue, &error));
}

/* A download leaves nothing on its way that would keep the queue. */
static void
test_download_leaves_nothing (void)
{
  g_autoptr (GstGlesBuffer) buffer = words (1, 1);

  for (guint i = 0; i < 200; i++) {
    g_autoptr (GstGlesQueue) own = gst_gles_queue_new (device, NULL);

    g_assert_cmpuint (read_word (buffer, own), ==, 1);
    g_assert_cmpuint (G_OBJECT (own)->ref_count, ==, 1);
  }
}

/* ---- together ---- */

/* Submissions wait together while the thread is held by one: for @release, an atomic flag. */
static void
hold_thread (GstGlesQueue *on, gint *release)
{
  assert_ok (gst_gles_queue_begin (on, &error));
  gst_gles_queue_record_call (on, wait_for_flag, release);
  assert_ok (gst_gles_queue_end (on, &error));
}

static void
copy_word (GstGlesQueue *on, GstGlesBuffer *from, GstGlesBuffer *to)
{
  assert_ok (gst_gles_queue_begin (on, &error));
  assert_ok (gst_gles_queue_copy (
      on, &(GstGlesCopy){ .source = from, .target = to, .size_bytes = 4 }, &error));
  assert_ok (gst_gles_queue_end (on, &error));
}

/* Submissions that wait together are executed interleaved, those that share a buffer in order. */
static void
test_together (void)
{
  const gboolean interleaves = g_getenv ("GST_GLES_INTERLEAVE") != NULL ||
      gst_gles_device_get_kind (device) == GST_GLES_DEVICE_HARDWARE;
  g_autoptr (GstGlesQueue) second = gst_gles_queue_new (device, NULL);
  const GstGlesShare *share = gst_gles_device_get_share (device);
  GstGlesBuffer *all[4];
  gint release = FALSE;
  guint64 n_batches;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    all[i] = words (1, 0);
  assert_ok (gst_gles_queue_finish (queue, &error));
  n_batches = share->n_batches;
  hold_thread (queue, &release);
  upload_word (all[0], queue, 1);
  upload_word (all[1], second, 2);
  copy_word (queue, all[0], all[2]);
  copy_word (second, all[1], all[3]);
  upload_word (all[0], queue, 3);
  g_atomic_int_set (&release, TRUE);
  g_assert_true (gst_gles_queue_finish (queue, NULL) && gst_gles_queue_finish (second, NULL));
  g_assert_cmpuint (share->n_batches - n_batches, ==, 1 + (interleaves ? 1 : 5));
  g_assert_cmpuint (read_word (all[0], queue), ==, 3);
  g_assert_cmpuint (read_word (all[2], queue), ==, 1);
  g_assert_cmpuint (read_word (all[3], queue), ==, 2);

  /* the last submission shares a buffer with each of the others */
  release = FALSE;
  n_batches = share->n_batches;
  hold_thread (queue, &release);
  upload_word (all[0], queue, 5);
  upload_word (all[1], second, 6);
  copy_word (queue, all[0], all[1]);
  g_atomic_int_set (&release, TRUE);
  g_assert_true (gst_gles_queue_finish (queue, NULL) && gst_gles_queue_finish (second, NULL));
  g_assert_cmpuint (share->n_batches - n_batches, ==, 1 + (interleaves ? 2 : 3));
  g_assert_cmpuint (read_word (all[1], queue), ==, 5);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    gst_gles_buffer_unref (all[i]);
}

/* Several threads have submissions open on one queue at a time. */
static gint n_open; /* atomic */

static gpointer
record_words (gpointer data)
{
  for (guint i = 0; i < 50; i++) {
    g_assert_true (gst_gles_queue_begin (queue, NULL));
    g_atomic_int_inc (&n_open);
    while (i == 0 && g_atomic_int_get (&n_open) < 4)
      g_usleep (100);
    upload_word (data, queue, i);
    g_assert_true (gst_gles_queue_end (queue, NULL));
  }
  return data;
}

static void
test_one_queue_many_threads (void)
{
  GThread *threads[4];

  n_open = 0;
  for (guint i = 0; i < 4; i++)
    threads[i] = g_thread_new ("record", record_words, words (1, 100 + i));
  for (guint i = 0; i < 4; i++) {
    g_autoptr (GstGlesBuffer) buffer = g_thread_join (threads[i]);

    g_assert_cmpuint (read_word (buffer, queue), ==, 49);
  }
}

/* Far more submissions than the thread takes at once. */
static void
test_backlog (void)
{
  g_autoptr (GstGlesBuffer) buffer = words (1, 0);

  for (guint i = 1; i <= 3000; i++)
    upload_word (buffer, queue, i);
  g_assert_cmpuint (read_word (buffer, queue), ==, 3000);
}

/* ---- errors ---- */

static gboolean
fail_with_no_memory (GstGlesShare *share, gpointer user_data, GError **failure)
{
  g_set_error (failure, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY, "a test says so");
  return FALSE;
}

static void
count_failure (const GError *failure, gpointer user_data)
{
  g_assert_error (failure, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY);
  g_atomic_int_inc ((gint *) user_data);
}

/* An error of a replay reaches the results of its submission and its queue, and no others. */
static void
test_error_of_a_replay (void)
{
  g_autoptr (GstGlesQueue) other = gst_gles_queue_new (device, NULL);
  GstGlesReadbackRing *ring = gst_gles_readback_ring_new (queue, 2, 16, NULL);
  GstGlesReadbackRing *other_ring = gst_gles_readback_ring_new (other, 2, 16, NULL);
  g_autoptr (GstGlesBuffer) buffer = words (1, 7);
  GstGlesReadback *bad, *good;
  gint n_failures = 0;

  gst_gles_queue_set_failure_func (queue, count_failure, &n_failures);
  assert_ok (gst_gles_queue_begin (queue, &error));
  gst_gles_queue_record_call (queue, fail_with_no_memory, NULL);
  bad = gst_gles_readback_ring_copy (
      ring, &(GstGlesReadbackCopy){ .source = buffer, .size_bytes = 4 }, NULL, &error);
  /* without mapped memory it was waited for */
  if (bad == NULL)
    assert_fails (bad, NO_MEMORY);
  assert_ok (gst_gles_queue_end (queue, &error));
  assert_ok (good = gst_gles_readback_ring_copy (other_ring,
                 &(GstGlesReadbackCopy){ .source = buffer, .size_bytes = 4 }, NULL, &error));

  if (bad != NULL)
    assert_fails (gst_gles_readback_get (bad, GST_GLES_WAIT_FOREVER, NULL, &error), NO_MEMORY);
  assert_ok (gst_gles_readback_get (good, GST_GLES_WAIT_FOREVER, NULL, &error));
  assert_ok (gst_gles_queue_finish (other, &error));
  assert_fails (gst_gles_queue_finish (queue, &error), NO_MEMORY);
  g_assert_cmpint (g_atomic_int_get (&n_failures), ==, 1);
  assert_ok (gst_gles_queue_finish (queue, &error));
  gst_gles_queue_set_failure_func (queue, NULL, NULL);
  gst_gles_readback_unref (bad);
  gst_gles_readback_unref (good);
  gst_gles_readback_ring_free (ring);
  gst_gles_readback_ring_free (other_ring);
}

/* A device that is lost while work is pending: nothing hangs, and all waiters get the error. */
static void
test_lost_with_work_pending (void)
{
  g_autoptr (GstGlesReadbackRing) ring = gst_gles_readback_ring_new (queue, 2, 16, NULL);
  g_autoptr (GstGlesBuffer) buffer = words (1, 7);
  /* static: nothing waits for the thread of a lost device, which reads it once more */
  static gint flag;
  GstGlesReadback *readback;

  if (!gst_gles_device_get_limits (device)->buffer_storage) {
    g_test_skip ("no mapped memory");
    return;
  }
  hold_thread (queue, &flag);
  readback = gst_gles_readback_ring_copy (
      ring, &(GstGlesReadbackCopy){ .source = buffer, .size_bytes = 4 }, NULL, &error);
  assert_fails (gst_gles_readback_get (readback, 1000, NULL, &error), TIMEOUT);
  gst_gles_device_mark_lost (device, "a test says so");
  g_assert_true (gst_gles_device_is_lost (device));
  g_assert_false (gst_gles_device_matches (device, "auto"));
  assert_fails (gst_gles_buffer_new (device, 16, &error), DEVICE_LOST);
  assert_fails (gst_gles_readback_get (readback, GST_GLES_WAIT_FOREVER, NULL, &error), DEVICE_LOST);
  assert_fails (gst_gles_queue_finish (queue, &error), DEVICE_LOST);
  assert_fails (gst_gles_queue_begin (queue, &error), DEVICE_LOST);
  g_atomic_int_set (&flag, TRUE);
  gst_gles_readback_unref (readback);
}

/* ---- ends ---- */

/* Only a result with pending work remains of the device. */
static void
test_result_outlives_device (void)
{
  for (guint i = 0; i < 20; i++) {
    GstGlesReadbackRing *ring = gst_gles_readback_ring_new (queue, 2, 16, &error);
    GstGlesBuffer *buffer = words (1, 100 + i);
    GstGlesReadback *readback = gst_gles_readback_ring_copy (
        ring, &(GstGlesReadbackCopy){ .source = buffer, .size_bytes = 4 }, NULL, &error);
    const guint32 *word;

    g_assert_no_error (error);
    gst_gles_readback_ring_free (ring);
    gst_gles_buffer_unref (buffer);
    tear_down (NULL, NULL);
    if (i % 2 == 0) {
      assert_ok (word = gst_gles_readback_get (readback, GST_GLES_WAIT_FOREVER, NULL, &error));
      g_assert_cmpuint (*word, ==, 100 + i);
    }
    /* odd: the device's thread drops the last reference of all */
    gst_gles_readback_unref (readback);
    set_up (NULL, NULL);
  }
}

static void
drop_device (const GError *failure, gpointer user_data)
{
  gst_object_unref (user_data);
}

/* The last reference of a device is dropped inside a function that its own thread calls. */
static void
test_last_unref_inside_a_callback (void)
{
  static const GstGlesHook hook = { NULL, drop_device };

  for (guint i = 0; i < 20; i++) {
    g_autoptr (GstGlesQueue) own = gst_object_ref (queue);

    assert_ok (gst_gles_queue_begin (own, &error));
    gst_gles_queue_add_hook (own, &hook, g_steal_pointer (&device));
    assert_ok (gst_gles_queue_end (own, &error));
    set_up (NULL, NULL);
  }
}

int
main (int argc, char **argv)
{
  static const struct {
    const gchar *path;
    void (*func) (void);
  } tests[] = {
    { "/device-thread/order-of-ends", test_order_of_ends },
    { "/device-thread/together", test_together },
    { "/device-thread/download-inside", test_download_inside },
    { "/device-thread/download-leaves-nothing", test_download_leaves_nothing },
    { "/device-thread/one-queue-many-threads", test_one_queue_many_threads },
    { "/device-thread/backlog", test_backlog },
    { "/device-thread/error-of-a-replay", test_error_of_a_replay },
    { "/device-thread/lost-with-work-pending", test_lost_with_work_pending },
    { "/device-thread/result-outlives-device", test_result_outlives_device },
    { "/device-thread/last-unref-inside-a-callback", test_last_unref_inside_a_callback },
  };

  device = gles_test_begin (&argc, &argv, FALSE);
  if (device == NULL)
    return gles_test_no_gl ();
  tear_down (NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add_vtable (tests[i].path, 0, NULL, set_up,
        (GTestFixtureFunc) (void (*) (void)) tests[i].func, tear_down);
  return g_test_run ();
}
