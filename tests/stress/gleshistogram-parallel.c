/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pipelines on every device of this machine at once, two on each, that are flushed, stopped,
 * started and set otherwise while their results are checked. GLES_TEST_SECONDS says for how
 * long. */
#include "../element/gleshistogram-common.h"

#define CAPS "video/x-raw,format=I420,width=48,height=32,framerate=25/1"
#define N_PER_DEVICE 2

static gint64 end_us;

typedef struct {
  const gchar *device;
  guint seed;
  guint64 n_checked;
  gchar *failure;
} Worker;

typedef struct {
  Worker *worker;
  GRand *rand;
  GstElement *pipeline, *element, *sink;
  TestSettings settings;
} Run;

static void
set_state (Run *run, GstState state)
{
  if (gst_element_set_state (run->pipeline, state) == GST_STATE_CHANGE_FAILURE &&
      run->worker->failure == NULL)
    run->worker->failure = g_strdup_printf (
        "%s: cannot go to %s", run->worker->device, gst_element_state_get_name (state));
}

/* Prints an error instead of asserting, as GstCheck's assertions work on the main thread only. */
static gchar *
wrong_with (GstGlesHistogramResult *result, const TestExpected *expected)
{
  for (guint i = 0; i < expected->n_channels; i++) {
    g_autoptr (GError) error = NULL;
    guint n;
    const guint32 *counts = gst_gles_histogram_result_get_native_counts (result, i, &n, &error);

    if (counts == NULL)
      return g_strdup (error->message);
    if (memcmp (counts, expected->native[i], n * sizeof (guint32)) != 0)
      return g_strdup_printf ("wrong counts of %s", expected->names[i]);
    for (guint cell = 0; cell < expected->n_cells; cell++) {
      counts = gst_gles_histogram_result_get_counts (result, i, cell, &n, NULL);
      if (memcmp (counts, expected->counts[i] + (gsize) cell * n, n * sizeof (guint32)) != 0)
        return g_strdup_printf ("wrong counts of %s in cell %u", expected->names[i], cell);
    }
  }
  return NULL;
}

static void
check_result (Run *run, GstSample *sample, GstGlesHistogramResult *result)
{
  const TestConfig config = test_config_of (result);
  g_autoptr (TestExpected) expected = NULL;
  g_autoptr (GError) error = NULL;
  gchar *failure = NULL;
  GstVideoInfo info;

  if (!gst_gles_histogram_result_wait (result, G_MAXUINT64, &error)) {
    /* readback=false is one of the settings */
    if (!g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID))
      failure = g_strdup (error->message);
  } else {
    gst_video_info_from_caps (&info, gst_sample_get_caps (sample));
    expected = test_expect (gst_sample_get_buffer (sample), &info, &config);
    failure = wrong_with (result, expected);
    run->worker->n_checked++;
  }
  if (run->worker->failure == NULL)
    run->worker->failure = failure;
}

static void
pull_and_check (Run *run)
{
  g_autoptr (GstGlesHistogramResult) result = NULL;
  GstSample *sample = NULL;

  g_signal_emit_by_name (run->sink, "try-pull-sample", (guint64) (100 * GST_MSECOND), &sample);
  if (sample == NULL)
    return;
  result = gst_gles_histogram_result_from_buffer (gst_sample_get_buffer (sample));
  if (result != NULL)
    check_result (run, sample, result);
  gst_sample_unref (sample);
}

/* Errors of gleshistogram count. Sources post some of their own: a flushing seek while a pipeline
 * is on its way up can end in "Internal data stream error" with GStreamer 1.22, with identity in
 * gleshistogram's place too. */
static void
check_bus (Run *run)
{
  GstBus *bus = gst_element_get_bus (run->pipeline);
  GstMessage *message;

  while ((message = gst_bus_pop (bus)) != NULL) {
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR &&
        GST_MESSAGE_SRC (message) == GST_OBJECT (run->element) && run->worker->failure == NULL) {
      g_autoptr (GError) error = NULL;
      gst_message_parse_error (message, &error, NULL);
      run->worker->failure = g_strdup (error->message);
    }
    gst_message_unref (message);
  }
  gst_object_unref (bus);
}

static void
do_something (Run *run)
{
  switch (g_rand_int_range (run->rand, 0, 10)) {
    case 0:
      gst_element_seek_simple (run->pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
          g_rand_int_range (run->rand, 0, 100) * GST_SECOND);
      break;
    case 1:
      set_state (run, GST_STATE_PAUSED);
      break;
    case 2:
      set_state (run, g_rand_boolean (run->rand) ? GST_STATE_READY : GST_STATE_NULL);
      break;
    case 3:
    case 4:
    case 5:
      test_change_something (run->element, run->rand, &run->settings);
      break;
    default:
      set_state (run, GST_STATE_PLAYING);
      for (guint i = 0; i < 5; i++)
        pull_and_check (run);
      break;
  }
  check_bus (run);
}

static gpointer
work (gpointer data)
{
  Worker *worker = data;
  GRand *rand = g_rand_new_with_seed (worker->seed);

  while (g_get_monotonic_time () < end_us && worker->failure == NULL) {
    g_autofree gchar *line =
        g_strdup_printf ("videotestsrc pattern=snow ! " CAPS
                         " ! gleshistogram name=h device=%s post-messages=true ! "
                         "queue ! appsink name=sink sync=false max-buffers=3 drop=true",
            worker->device);
    Run run = { worker, rand, gst_parse_launch (line, NULL), NULL, NULL, { { 0 }, 0, 0, 0 } };

    run.element = gst_bin_get_by_name (GST_BIN (run.pipeline), "h");
    run.sink = gst_bin_get_by_name (GST_BIN (run.pipeline), "sink");
    set_state (&run, GST_STATE_PLAYING);
    for (guint i = 0; i < 40 && g_get_monotonic_time () < end_us; i++)
      do_something (&run);
    gst_element_set_state (run.pipeline, GST_STATE_NULL);
    gst_object_unref (run.element);
    gst_object_unref (run.sink);
    gst_object_unref (run.pipeline);
  }
  g_rand_free (rand);
  return NULL;
}

GST_START_TEST (test_parallel)
{
  static const gchar *specs[] = { "cpu", "software", "surfaceless", "egl:0", "/dev/null" };
  Worker workers[G_N_ELEMENTS (specs) * N_PER_DEVICE];
  GThread *threads[G_N_ELEMENTS (workers)];
  const gchar *seconds = g_getenv ("GLES_TEST_SECONDS");
  guint n = 0;

  end_us = g_get_monotonic_time () +
      (seconds != NULL ? g_ascii_strtoll (seconds, NULL, 10) : 15) * G_TIME_SPAN_SECOND;
  for (guint i = 0; i < G_N_ELEMENTS (specs); i++) {
    GstGlesDevice *device = gst_gles_device_new (specs[i], NULL);

    if (device == NULL)
      continue;
    gst_object_unref (device);
    for (guint j = 0; j < N_PER_DEVICE; j++, n++)
      workers[n] = (Worker){ specs[i], 1000 + n, 0, NULL };
  }
  for (guint i = 0; i < n; i++)
    threads[i] = g_thread_new ("worker", work, &workers[i]);
  for (guint i = 0; i < n; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < n; i++) {
    g_print (
        "# %s: %" G_GUINT64_FORMAT " results checked\n", workers[i].device, workers[i].n_checked);
    fail_unless (workers[i].failure == NULL, "%s: %s", workers[i].device, workers[i].failure);
    fail_unless (workers[i].n_checked > 0, "%s: no result was checked", workers[i].device);
  }
}

GST_END_TEST;

static Suite *
gleshistogram_parallel_suite (void)
{
  Suite *suite = suite_create ("gleshistogram-parallel");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_parallel);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, gleshistogram_parallel_suite);
}
