/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When histogram results wait, and for what. The readback functions in this file complete, fail or
 * never complete, as each test requires. The program is linked with gst/gles/meta alone, so that
 * they replace the real ones. */
#include <gst/check/gstcheck.h>
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/histogram.h>

struct _GstGlesReadback {
  gint refs;
  GMutex lock;
  GCond cond;
  gboolean done;
  GstGlesError failure; /* when done without words */
  guint32 *words;
  gint n_gets; /* calls of gst_gles_readback_get () */
  guint64 last_timeout_ns;
};

GstGlesReadback *
gst_gles_readback_ref (GstGlesReadback *readback)
{
  g_atomic_int_inc (&readback->refs);
  return readback;
}

void
gst_gles_readback_unref (GstGlesReadback *readback)
{
  if (!g_atomic_int_dec_and_test (&readback->refs))
    return;
  g_mutex_clear (&readback->lock);
  g_cond_clear (&readback->cond);
  g_free (readback->words);
  g_free (readback);
}

gboolean
gst_gles_readback_is_ready (GstGlesReadback *readback)
{
  gboolean done;

  g_mutex_lock (&readback->lock);
  done = readback->done;
  g_mutex_unlock (&readback->lock);
  return done;
}

gconstpointer
gst_gles_readback_get (
    GstGlesReadback *readback, guint64 timeout_ns, gsize *size_bytes, GError **error)
{
  gconstpointer words = NULL;

  g_mutex_lock (&readback->lock);
  readback->n_gets++;
  readback->last_timeout_ns = timeout_ns;
  while (!readback->done && timeout_ns == G_MAXUINT64)
    g_cond_wait (&readback->cond, &readback->lock);
  if (!readback->done)
    g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT, "not yet");
  else if (readback->words == NULL)
    g_set_error_literal (error, GST_GLES_ERROR, readback->failure, "never");
  else
    words = readback->words;
  *size_bytes = 257 * sizeof (guint32);
  g_mutex_unlock (&readback->lock);
  return words;
}

/* what the meta of another process is made with; never called here */
GstGlesReadback *
gst_gles_readback_new_complete (GBytes *bytes)
{
  g_assert_not_reached ();
}

/* the device buffer: any mini object will do */
GstGlesBuffer *
gst_gles_buffer_ref (GstGlesBuffer *buffer)
{
  return (GstGlesBuffer *) gst_mini_object_ref (GST_MINI_OBJECT_CAST (buffer));
}

void
gst_gles_buffer_unref (GstGlesBuffer *buffer)
{
  gst_mini_object_unref (GST_MINI_OBJECT_CAST (buffer));
}

static GstGlesReadback *
readback_new (void)
{
  GstGlesReadback *readback = g_new0 (GstGlesReadback, 1);

  readback->refs = 1;
  g_mutex_init (&readback->lock);
  g_cond_init (&readback->cond);
  return readback;
}

/* @words: (transfer full) (nullable): NULL fails with @failure */
static void
readback_finish (GstGlesReadback *readback, guint32 *words, GstGlesError failure)
{
  g_mutex_lock (&readback->lock);
  readback->words = words;
  readback->failure = failure;
  readback->done = TRUE;
  g_cond_broadcast (&readback->cond);
  g_mutex_unlock (&readback->lock);
}

static GstGlesHistogramResult *
result_new (GstGlesReadback *readback, GstGlesBuffer *buffer)
{
  const GstGlesHistogramInfo info = {
    .columns = 1,
    .rows = 1,
    .bins = 256,
    .n_channels = 1,
    .channels = { { .name = "Y", .depth = 8, .difference_offset = 256 } },
  };

  return gst_gles_histogram_result_new (&info, readback, buffer);
}

GST_START_TEST (test_timeout_then_ready)
{
  g_autoptr (GstGlesReadback) readback = readback_new ();
  g_autoptr (GstGlesHistogramResult) result = result_new (readback, NULL);
  GError *error = NULL;
  guint n;

  fail_if (gst_gles_histogram_result_is_ready (result));
  fail_if (gst_gles_histogram_result_wait (result, 12345, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT);
  g_clear_error (&error);
  fail_unless_equals_uint64 (readback->last_timeout_ns, 12345);

  readback_finish (readback, g_new0 (guint32, 257), 0);
  fail_unless (gst_gles_histogram_result_is_ready (result));
  fail_unless (gst_gles_histogram_result_wait (result, 0, &error));
  g_assert_no_error (error);

  /* The readback is not called again once its bytes are there. */
  fail_unless_equals_int (readback->n_gets, 2);
  fail_unless (gst_gles_histogram_result_get_counts (result, 0, 0, &n, NULL) == readback->words);
  fail_unless (gst_gles_histogram_result_wait (result, 0, NULL));
  fail_unless_equals_int (readback->n_gets, 2);
}

GST_END_TEST;

static gpointer
finish_later (gpointer data)
{
  g_usleep (50000);
  readback_finish (data, g_new0 (guint32, 257), 0);
  return NULL;
}

GST_START_TEST (test_getters_wait)
{
  g_autoptr (GstGlesReadback) readback = readback_new ();
  g_autoptr (GstGlesHistogramResult) result = result_new (readback, NULL);
  GThread *thread = g_thread_new ("device", finish_later, readback);
  GstGlesHistogramStatistics statistics;

  fail_unless (gst_gles_histogram_result_get_statistics (result, 0, &statistics, NULL));
  fail_unless_equals_uint64 (readback->last_timeout_ns, G_MAXUINT64);
  g_thread_join (thread);
}

GST_END_TEST;

GST_START_TEST (test_failures_reach_every_getter)
{
  static const GstGlesError failures[] = { GST_GLES_ERROR_DEVICE_LOST, GST_GLES_ERROR_CANCELLED };

  for (guint i = 0; i < G_N_ELEMENTS (failures); i++) {
    g_autoptr (GstGlesReadback) readback = readback_new ();
    g_autoptr (GstGlesHistogramResult) result = result_new (readback, NULL);
    GstGlesHistogramStatistics statistics;
    GError *error = NULL;
    guint n;

    readback_finish (readback, NULL, failures[i]);
    fail_if (gst_gles_histogram_result_wait (result, G_MAXUINT64, &error));
    g_assert_error (error, GST_GLES_ERROR, (gint) failures[i]);
    g_clear_error (&error);
    fail_unless (gst_gles_histogram_result_get_counts (result, 0, 0, &n, &error) == NULL);
    g_assert_error (error, GST_GLES_ERROR, (gint) failures[i]);
    g_clear_error (&error);
    fail_unless (gst_gles_histogram_result_get_native_counts (result, 0, &n, &error) == NULL);
    g_assert_error (error, GST_GLES_ERROR, (gint) failures[i]);
    g_clear_error (&error);
    fail_if (gst_gles_histogram_result_get_statistics (result, 0, &statistics, &error));
    g_assert_error (error, GST_GLES_ERROR, (gint) failures[i]);
    g_clear_error (&error);
  }
}

GST_END_TEST;

/* copying a buffer, and throwing one away, must not wait for the device */
GST_START_TEST (test_buffers_never_wait)
{
  g_autoptr (GstGlesReadback) readback = readback_new ();
  GstGlesHistogramResult *result = result_new (readback, NULL);
  GstBuffer *buffer = gst_buffer_new ();
  GstBuffer *copy;

  gst_buffer_add_gles_histogram_meta (buffer, result);
  gst_gles_histogram_result_unref (result);
  copy = gst_buffer_copy_deep (buffer);
  fail_unless (gst_buffer_get_gles_histogram_meta (copy)->result == result);
  gst_buffer_unref (buffer);
  fail_unless_equals_int (readback->refs, 2);
  gst_buffer_unref (copy);
  fail_unless_equals_int (readback->refs, 1);
  fail_unless_equals_int (readback->n_gets, 0);
}

GST_END_TEST;

GST_START_TEST (test_device_buffer_is_kept)
{
  GstMiniObject *object = GST_MINI_OBJECT_CAST (gst_buffer_new ());
  GstGlesHistogramResult *result = result_new (NULL, (GstGlesBuffer *) object);

  ASSERT_MINI_OBJECT_REFCOUNT (object, "device buffer", 2);
  fail_unless (gst_gles_histogram_result_get_device_buffer (result) == (GstGlesBuffer *) object);
  gst_gles_histogram_result_unref (result);
  ASSERT_MINI_OBJECT_REFCOUNT (object, "device buffer", 1);
  gst_mini_object_unref (object);
}

GST_END_TEST;

static Suite *
histogram_result_wait_suite (void)
{
  Suite *suite = suite_create ("histogram-result-wait");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_timeout_then_ready);
  tcase_add_test (tcase, test_getters_wait);
  tcase_add_test (tcase, test_failures_reach_every_getter);
  tcase_add_test (tcase, test_buffers_never_wait);
  tcase_add_test (tcase, test_device_buffer_is_kept);
  return suite;
}

GST_CHECK_MAIN (histogram_result_wait);
