/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Elements on every device of this machine at once, two on each, that are flushed, stopped, started
 * and set otherwise while their results are checked. GLES_TEST_SECONDS says for how long. */
#include "../element/gleshistogram-common.h"

#define N_PER_DEVICE 2

static gint64 end_us;

typedef struct {
  const gchar *device;
  guint seed;
  guint64 n_checked;
  gchar *failure; /* GstCheck's assertions work on the main thread only */
} Worker;

static void
push_and_check (Worker *worker, TestStream *stream)
{
  g_autoptr (GstBuffer) out = test_stream_push_noise (stream, (guint32) worker->n_checked);
  g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (out);
  g_autoptr (TestExpected) expected = NULL;
  g_autoptr (GError) error = NULL;
  TestConfig config;

  if (result == NULL || worker->failure != NULL)
    return;
  if (!gst_gles_histogram_result_wait (result, G_MAXUINT64, &error)) {
    /* readback=false is one of the settings */
    if (!g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID))
      worker->failure = g_strdup (error->message);
    return;
  }
  config = test_config_of (result);
  expected = test_expect (out, &stream->info, &config);
  worker->failure = test_find_wrong (result, expected);
  worker->n_checked++;
}

static void
do_something (Worker *worker, TestStream *stream, GRand *rand)
{
  switch (g_rand_int_range (rand, 0, 8)) {
    case 0:
      test_stream_flush (stream);
      break;
    case 1:
      test_stream_restart (stream, g_rand_boolean (rand) ? GST_STATE_READY : GST_STATE_NULL);
      break;
    case 2:
    case 3:
    case 4:
      test_change_something (stream->element, rand);
      break;
    default:
      for (guint i = 0; i < 5; i++)
        push_and_check (worker, stream);
      break;
  }
}

static gpointer
work (gpointer data)
{
  Worker *worker = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (worker->seed);
  g_autofree gchar *properties = g_strdup_printf ("device=%s post-messages=true", worker->device);

  while (g_get_monotonic_time () < end_us && worker->failure == NULL) {
    g_autoptr (TestStream) stream = test_stream_new (properties, TEST_CAPS);

    for (guint i = 0; i < 40 && g_get_monotonic_time () < end_us; i++)
      do_something (worker, stream, rand);
  }
  return NULL;
}

GST_START_TEST (test_parallel)
{
  static const gchar *const specs[] = { "cpu", "software", "surfaceless", "egl:0", "/dev/null" };
  Worker workers[G_N_ELEMENTS (specs) * N_PER_DEVICE];
  GThread *threads[G_N_ELEMENTS (workers)];
  const gchar *seconds = g_getenv ("GLES_TEST_SECONDS");
  guint n = 0;

  end_us = g_get_monotonic_time () +
      (seconds != NULL ? g_ascii_strtoll (seconds, NULL, 10) : 5) * G_TIME_SPAN_SECOND;
  for (guint i = 0; i < G_N_ELEMENTS (specs); i++) {
    g_autoptr (GstGlesDevice) device = gst_gles_device_new (specs[i], NULL);

    for (guint k = 0; k < N_PER_DEVICE && device != NULL; k++, n++)
      workers[n] = (Worker){ specs[i], 1000 + n, 0, NULL };
  }
  for (guint i = 0; i < n; i++)
    threads[i] = g_thread_new ("worker", work, &workers[i]);
  for (guint i = 0; i < n; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < n; i++) {
    fail_unless (workers[i].failure == NULL, "%s: %s", workers[i].device, workers[i].failure);
    fail_unless (workers[i].n_checked > 0, "%s: no result was checked", workers[i].device);
  }
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_parallel);
}

TEST_MAIN (add_tests)
