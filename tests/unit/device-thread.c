/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The thread that owns a device's context: the order of submissions, where their errors go, and
 * every way in which a device can end. */
#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/readback.h>
#include <gst/gles/gl/submission.h>

#include "gles-test.h"

static const gchar *spec;

static GstGlesDevice *
open_device (void)
{
  GError *error = NULL;
  GstGlesDevice *device = gst_gles_device_new (spec, &error);

  g_assert_no_error (error);
  return device;
}

static GstGlesBuffer *
new_word (GstGlesDevice *device, guint32 value)
{
  GError *error = NULL;
  GstGlesBuffer *buffer = gst_gles_buffer_new (device, 4, &error);

  g_assert_no_error (error);
  g_assert_true (
      gst_gles_buffer_upload (buffer, gst_gles_device_get_queue (device), 0, &value, 4, &error));
  return buffer;
}

static void
upload_word (GstGlesBuffer *buffer, GstGlesQueue *queue, guint32 value)
{
  GError *error = NULL;

  g_assert_true (gst_gles_buffer_upload (buffer, queue, 0, &value, 4, &error));
  g_assert_no_error (error);
}

static guint32
read_word (GstGlesBuffer *buffer, GstGlesQueue *queue)
{
  GError *error = NULL;
  guint32 value = 0;

  g_assert_true (gst_gles_buffer_download (buffer, queue, 0, &value, 4, &error));
  g_assert_no_error (error);
  return value;
}

/* ---- order ---- */

/* Submissions are executed in the order of their ends, whichever began first. */
static void
test_order_of_ends (void)
{
  GstGlesDevice *device = open_device ();
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  GstGlesQueue *second = gst_gles_queue_new (device, NULL);
  GstGlesBuffer *buffer = new_word (device, 1);

  g_assert_true (gst_gles_queue_begin (queue, NULL));
  upload_word (buffer, queue, 2);
  upload_word (buffer, second, 3);
  g_assert_cmpuint (read_word (buffer, second), ==, 3);
  g_assert_true (gst_gles_queue_end (queue, NULL));
  g_assert_cmpuint (read_word (buffer, second), ==, 2);
  gst_gles_buffer_unref (buffer);
  gst_object_unref (second);
  gst_object_unref (device);
}

/* What was recorded before a download in the same submission is in it, what comes after is not. */
static void
test_download_inside (void)
{
  GstGlesDevice *device = open_device ();
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  GstGlesBuffer *buffer = new_word (device, 1);

  g_assert_true (gst_gles_queue_begin (queue, NULL));
  g_assert_true (gst_gles_queue_begin (queue, NULL));
  upload_word (buffer, queue, 2);
  g_assert_cmpuint (read_word (buffer, queue), ==, 2);
  upload_word (buffer, queue, 3);
  g_assert_true (gst_gles_queue_end (queue, NULL));
  g_assert_cmpuint (read_word (buffer, queue), ==, 3);
  g_assert_true (gst_gles_queue_end (queue, NULL));
  gst_gles_buffer_unref (buffer);
  gst_object_unref (device);
}

/* ---- together ---- */

/* Keeps the device's thread busy, so that submissions wait for it together. */
typedef struct {
  GstGlesShare *share;
  GThread *caller;
  gint is_held, release; /* atomic */
} Hold;

static gboolean
hold_thread (gpointer data, GError **error)
{
  Hold *hold = data;

  g_atomic_int_set (&hold->is_held, TRUE);
  while (!g_atomic_int_get (&hold->release))
    g_usleep (100);
  return TRUE;
}

static gpointer
call_hold (gpointer data)
{
  g_assert_true (gst_gles_thread_call (((Hold *) data)->share->thread, hold_thread, data, NULL));
  return NULL;
}

static void
hold_begin (Hold *hold, GstGlesDevice *device)
{
  *hold = (Hold){ .share = gst_gles_device_get_share (device) };
  hold->caller = g_thread_new ("hold", call_hold, hold);
  while (!g_atomic_int_get (&hold->is_held))
    g_usleep (100);
}

static void
hold_end (Hold *hold)
{
  g_atomic_int_set (&hold->release, TRUE);
  g_thread_join (hold->caller);
}

static void
copy_word (GstGlesQueue *queue, GstGlesBuffer *from, GstGlesBuffer *to)
{
  g_assert_true (gst_gles_queue_begin (queue, NULL));
  g_assert_true (gst_gles_queue_copy (queue, from, 0, to, 0, 4, NULL));
  g_assert_true (gst_gles_queue_end (queue, NULL));
}

/* Submissions that wait together are executed interleaved, those that share a buffer in order. */
static void
test_together (void)
{
  GstGlesDevice *device = open_device ();
  const gboolean interleaves = g_getenv ("GST_GLES_INTERLEAVE") != NULL ||
      gst_gles_device_get_kind (device) == GST_GLES_DEVICE_HARDWARE;
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  GstGlesQueue *second = gst_gles_queue_new (device, NULL);
  GstGlesShare *share = gst_gles_device_get_share (device);
  GstGlesBuffer *words[4];
  guint64 n_batches;
  Hold hold;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    words[i] = new_word (device, 0);
  g_assert_true (gst_gles_queue_finish (queue, NULL));
  hold_begin (&hold, device);
  n_batches = share->n_batches;
  upload_word (words[0], queue, 1);
  upload_word (words[1], second, 2);
  copy_word (queue, words[0], words[2]);
  copy_word (second, words[1], words[3]);
  upload_word (words[0], queue, 3);
  hold_end (&hold);
  g_assert_true (gst_gles_queue_finish (queue, NULL) && gst_gles_queue_finish (second, NULL));
  g_assert_cmpuint (share->n_batches - n_batches, ==, interleaves ? 1 : 5);
  g_assert_cmpuint (read_word (words[0], queue), ==, 3);
  g_assert_cmpuint (read_word (words[2], queue), ==, 1);
  g_assert_cmpuint (read_word (words[3], queue), ==, 2);

  /* the last submission shares a buffer with each of the others */
  hold_begin (&hold, device);
  n_batches = share->n_batches;
  upload_word (words[0], queue, 5);
  upload_word (words[1], second, 6);
  copy_word (queue, words[0], words[1]);
  hold_end (&hold);
  g_assert_true (gst_gles_queue_finish (queue, NULL) && gst_gles_queue_finish (second, NULL));
  g_assert_cmpuint (share->n_batches - n_batches, ==, interleaves ? 2 : 3);
  g_assert_cmpuint (read_word (words[1], queue), ==, 5);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    gst_gles_buffer_unref (words[i]);
  gst_object_unref (second);
  gst_object_unref (device);
}

/* Several threads have submissions open on one queue at a time. */
typedef struct {
  GstGlesQueue *queue;
  GstGlesBuffer *buffer;
  guint32 value;
  gint *n_open, n_threads;
} Recording;

static gpointer
record_word (gpointer data)
{
  Recording *recording = data;
  GError *error = NULL;

  for (guint i = 0; i < 50; i++) {
    g_assert_true (gst_gles_queue_begin (recording->queue, &error));
    g_atomic_int_inc (recording->n_open);
    while (i == 0 && g_atomic_int_get (recording->n_open) < recording->n_threads)
      g_usleep (100);
    upload_word (recording->buffer, recording->queue, recording->value + i);
    g_assert_true (gst_gles_queue_end (recording->queue, &error));
  }
  return NULL;
}

/* A download leaves nothing on its way that would keep the queue. */
static void
test_download_leaves_nothing (void)
{
  GstGlesDevice *device = open_device ();
  GstGlesBuffer *buffer = new_word (device, 1);

  for (guint i = 0; i < 200; i++) {
    GstGlesQueue *queue = gst_gles_queue_new (device, NULL);

    g_assert_cmpuint (read_word (buffer, queue), ==, 1);
    g_assert_cmpuint (G_OBJECT (queue)->ref_count, ==, 1);
    gst_object_unref (queue);
  }
  gst_gles_buffer_unref (buffer);
  gst_object_unref (device);
}

static void
test_one_queue_many_threads (void)
{
  GstGlesDevice *device = open_device ();
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  Recording recordings[4];
  GThread *threads[4];
  gint n_open = 0;

  for (guint i = 0; i < 4; i++) {
    recordings[i] = (Recording){ queue, new_word (device, 0), 1000 * i, &n_open, 4 };
    threads[i] = g_thread_new ("record", record_word, &recordings[i]);
  }
  for (guint i = 0; i < 4; i++) {
    g_thread_join (threads[i]);
    g_assert_cmpuint (read_word (recordings[i].buffer, queue), ==, 1000 * i + 49);
    gst_gles_buffer_unref (recordings[i].buffer);
  }
  gst_object_unref (device);
}

/* Far more submissions than the thread takes at once. */
static void
test_backlog (void)
{
  GstGlesDevice *device = open_device ();
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  GstGlesBuffer *buffer = new_word (device, 0);

  for (guint i = 1; i <= 3000; i++)
    upload_word (buffer, queue, i);
  g_assert_cmpuint (read_word (buffer, queue), ==, 3000);
  gst_gles_buffer_unref (buffer);
  gst_object_unref (device);
}

/* ---- errors ---- */

static gboolean
fail_with_no_memory (GstGlesShare *share, gpointer user_data, GError **error)
{
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY, "a test says so");
  return FALSE;
}

static void
count_failure (const GError *error, gpointer user_data)
{
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY);
  g_atomic_int_inc ((gint *) user_data);
}

/* An error of a replay reaches the results of its submission and its queue, and no others. */
static void
test_error_of_a_replay (void)
{
  GError *error = NULL;
  GstGlesDevice *device = open_device ();
  GstGlesQueue *queue = gst_gles_queue_new (device, NULL),
               *other = gst_gles_queue_new (device, NULL);
  GstGlesReadbackRing *ring = gst_gles_readback_ring_new (queue, 2, 16, &error);
  GstGlesReadbackRing *other_ring = gst_gles_readback_ring_new (other, 2, 16, &error);
  GstGlesBuffer *buffer = new_word (device, 7);
  GstGlesReadback *bad, *good;
  gint n_failures = 0;

  gst_gles_queue_set_failure_func (queue, count_failure, &n_failures);
  g_assert_true (gst_gles_queue_begin (queue, &error));
  gst_gles_queue_record_call (queue, fail_with_no_memory, NULL);
  bad = gst_gles_readback_ring_copy (ring, buffer, 0, 4, NULL, &error);
  if (bad == NULL) {
    /* without mapped memory it was waited for */
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY);
    g_clear_error (&error);
  }
  g_assert_true (gst_gles_queue_end (queue, &error));
  good = gst_gles_readback_ring_copy (other_ring, buffer, 0, 4, NULL, &error);
  g_assert_no_error (error);

  if (bad != NULL) {
    g_assert_null (gst_gles_readback_get (bad, GST_GLES_WAIT_FOREVER, NULL, &error));
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY);
    g_clear_error (&error);
  }
  g_assert_nonnull (gst_gles_readback_get (good, GST_GLES_WAIT_FOREVER, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (gst_gles_queue_finish (other, &error));
  g_assert_false (gst_gles_queue_finish (queue, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY);
  g_clear_error (&error);
  g_assert_cmpint (g_atomic_int_get (&n_failures), ==, 1);
  g_assert_true (gst_gles_queue_finish (queue, &error));
  gst_gles_queue_set_failure_func (queue, NULL, NULL);

  gst_gles_readback_unref (bad);
  gst_gles_readback_unref (good);
  gst_gles_readback_ring_free (ring);
  gst_gles_readback_ring_free (other_ring);
  gst_gles_buffer_unref (buffer);
  gst_object_unref (queue);
  gst_object_unref (other);
  gst_object_unref (device);
}

static gboolean
wait_for_flag (GstGlesShare *share, gpointer user_data, GError **error)
{
  while (!g_atomic_int_get ((gint *) user_data))
    g_usleep (100);
  return TRUE;
}

/* A device that is lost while work is pending: nothing hangs, and all waiters get the error. */
static void
test_lost_with_work_pending (void)
{
  GError *error = NULL;
  GstGlesDevice *device = open_device ();
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  GstGlesReadbackRing *ring = gst_gles_readback_ring_new (queue, 2, 16, &error);
  GstGlesBuffer *buffer = new_word (device, 7);
  GstGlesReadback *readback;
  gint flag = FALSE;

  if (!gst_gles_device_get_limits (device)->buffer_storage) {
    g_test_skip ("no mapped memory");
    goto out;
  }
  g_assert_true (gst_gles_queue_begin (queue, &error));
  gst_gles_queue_record_call (queue, wait_for_flag, &flag);
  readback = gst_gles_readback_ring_copy (ring, buffer, 0, 4, NULL, &error);
  g_assert_true (gst_gles_queue_end (queue, &error));
  g_assert_null (gst_gles_readback_get (readback, 1000, NULL, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT);
  g_clear_error (&error);
  gst_gles_device_mark_lost (device, "a test says so");
  g_assert_null (gst_gles_readback_get (readback, GST_GLES_WAIT_FOREVER, NULL, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_DEVICE_LOST);
  g_clear_error (&error);
  g_assert_false (gst_gles_queue_finish (queue, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_DEVICE_LOST);
  g_clear_error (&error);
  g_assert_false (gst_gles_queue_begin (queue, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_DEVICE_LOST);
  g_clear_error (&error);
  g_atomic_int_set (&flag, TRUE);
  gst_gles_readback_unref (readback);
out:
  gst_gles_readback_ring_free (ring);
  gst_gles_buffer_unref (buffer);
  gst_object_unref (device);
}

/* ---- ends ---- */

/* Only a result with pending work remains of the device. */
static void
test_result_outlives_device (void)
{
  for (guint i = 0; i < 50; i++) {
    GError *error = NULL;
    GstGlesDevice *device = open_device ();
    GstGlesReadbackRing *ring =
        gst_gles_readback_ring_new (gst_gles_device_get_queue (device), 2, 16, &error);
    GstGlesBuffer *buffer = new_word (device, 100 + i);
    GstGlesReadback *readback = gst_gles_readback_ring_copy (ring, buffer, 0, 4, NULL, &error);
    const guint32 *word;

    g_assert_no_error (error);
    gst_gles_readback_ring_free (ring);
    gst_gles_buffer_unref (buffer);
    gst_object_unref (device);
    if (i % 2 == 0) {
      word = gst_gles_readback_get (readback, GST_GLES_WAIT_FOREVER, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (*word, ==, 100 + i);
    }
    /* odd: the device's thread drops the last reference of all */
    gst_gles_readback_unref (readback);
  }
}

static void
drop_device (const GError *error, gpointer user_data)
{
  gst_object_unref (user_data);
}

/* The last reference of a device is dropped inside a function that its own thread calls. */
static void
test_last_unref_inside_a_callback (void)
{
  static const GstGlesHook hook = { NULL, drop_device };

  for (guint i = 0; i < 50; i++) {
    GstGlesDevice *device = open_device ();
    GstGlesQueue *queue = gst_gles_device_get_queue (device);

    gst_object_ref (queue);
    g_assert_true (gst_gles_queue_begin (queue, NULL));
    gst_gles_queue_add_hook (queue, &hook, device);
    g_assert_true (gst_gles_queue_end (queue, NULL));
    gst_object_unref (queue);
  }
}

static gboolean
sleep_a_moment (GstGlesShare *share, gpointer user_data, GError **error)
{
  g_usleep (20000);
  return TRUE;
}

/* The process exits while its devices work; one is held, one was ended from inside its own
 * thread. */
static void
test_exit_with_work_pending (void)
{
  if (g_test_subprocess ()) {
    for (guint i = 0; i < 2; i++) {
      GstGlesDevice *device = open_device ();
      GstGlesQueue *queue = gst_gles_device_get_queue (device);
      GstGlesBuffer *buffer = new_word (device, 1);

      for (guint k = 0; k < 20; k++) {
        g_assert_true (gst_gles_queue_begin (queue, NULL));
        gst_gles_queue_record_call (queue, sleep_a_moment, NULL);
        upload_word (buffer, queue, k);
        g_assert_true (gst_gles_queue_end (queue, NULL));
      }
      gst_gles_buffer_unref (buffer);
      if (i == 0)
        gst_object_unref (device);
    }
    exit (0);
  }
  g_test_trap_subprocess (NULL, 20 * G_USEC_PER_SEC, 0);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  static const struct {
    const gchar *name;
    void (*func) (void);
  } tests[] = {
    { "order-of-ends", test_order_of_ends },
    { "together", test_together },
    { "download-inside", test_download_inside },
    { "download-leaves-nothing", test_download_leaves_nothing },
    { "one-queue-many-threads", test_one_queue_many_threads },
    { "backlog", test_backlog },
    { "error-of-a-replay", test_error_of_a_replay },
    { "lost-with-work-pending", test_lost_with_work_pending },
    { "result-outlives-device", test_result_outlives_device },
    { "last-unref-inside-a-callback", test_last_unref_inside_a_callback },
    { "exit-with-work-pending", test_exit_with_work_pending },
  };
  GstGlesDevice *device;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  spec = g_getenv ("GLES_TEST_DEVICE");
  device = gles_test_gl_device ();
  if (device == NULL)
    return gles_test_no_gl ();
  gst_object_unref (device);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree gchar *path = g_strconcat ("/device-thread/", tests[i].name, NULL);
    g_test_add_func (path, tests[i].func);
  }
  return g_test_run ();
}
