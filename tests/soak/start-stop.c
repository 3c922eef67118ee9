/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Starts and stops a pipeline of one frame again and again: heap, descriptors and threads must not
 * grow. Prints the resources of the process every hundredth of the runs.
 *
 * start-stop [RUNS] [DEVICE] [ELEMENTS...]: elements as in a gst-launch line, with the device in
 * place of %s. */
#include "soak.h"

#include <stdio.h>
#include <stdlib.h>

/* what GLib's and GStreamer's own caches may take after the first fifth */
#define HEAP_SLACK_KIB 256

#define SOURCE "videotestsrc num-buffers=1 ! video/x-raw,format=I420,width=64,height=48 ! "
#define ELEMENTS "gleshistogram device=%s post-messages=true ! glesjson ! fakesink"

static gboolean
run_once (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  gboolean ended;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (
      bus, SOAK_PATIENCE_SECONDS * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  ended = message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
  g_clear_pointer (&message, gst_message_unref);
  return ended && gst_element_set_state (pipeline, GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS;
}

static GstElement *
make_pipeline (const gchar *elements, const gchar *device)
{
  g_auto (GStrv) parts = g_strsplit (elements, "%s", -1);
  g_autofree gchar *line = g_strjoinv (device, parts);
  g_autofree gchar *full = g_strconcat (SOURCE, line, NULL);
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (full, &error);

  g_assert_no_error (error);
  return pipeline;
}

/* Measures when the threads that the last run left have ended, of which there were @n_threads
 * before, or 0. */
static void
measure (SoakUsage *usage, gint n_threads)
{
  for (guint k = 0; k < 50; k++) {
    soak_measure (usage);
    if (n_threads == 0 || usage->n[SOAK_THREADS] <= n_threads)
      break;
    g_usleep (10000);
  }
}

/* Whether all runs ended well and nothing grew. */
static gboolean
start_and_stop (const gchar *elements, gint n_runs, const gchar *device)
{
  GstElement *pipeline = NULL;
  SoakUsage early = { 0 }, usage = { 0 };
  gint n_early = 0;
  gboolean ok = TRUE;

  for (gint i = 1; i <= n_runs && ok; i++) {
    g_autofree gchar *text = NULL;

    /* every other time the elements are new, too */
    if (pipeline == NULL)
      pipeline = make_pipeline (elements, device);
    ok = run_once (pipeline);
    if (!ok)
      g_print ("%s: run %d failed\n", elements, i);
    if (i % 2 == 0)
      gst_clear_object (&pipeline);
    if (i % MAX (n_runs / 100, 2) != 0)
      continue;
    measure (&usage, early.n[SOAK_THREADS]);
    text = soak_usage_text (&usage);
    g_print ("%s: %d runs: %s\n", elements, i, text);
    if (early.n[SOAK_THREADS] == 0 && i >= n_runs / 5) {
      early = usage;
      n_early = i;
    }
  }
  gst_clear_object (&pipeline);
  g_print ("%s: %d runs on %s: %.0f bytes of heap a run after the first %d\n", elements, n_runs,
      device, 1024.0 * (gdouble) (usage.heap_kib - early.heap_kib) / MAX (n_runs - n_early, 1),
      n_early);
  return ok && usage.heap_kib <= early.heap_kib + HEAP_SLACK_KIB &&
      usage.n[SOAK_DESCRIPTORS] <= early.n[SOAK_DESCRIPTORS] &&
      usage.n[SOAK_THREADS] <= early.n[SOAK_THREADS] + 1;
}

int
main (int argc, char **argv)
{
  const gint n_runs = argc > 1 ? atoi (argv[1]) : 1000;
  const gchar *device = argc > 2 ? argv[2] : "cpu";
  gboolean ok = TRUE;

  gst_init (NULL, NULL);
  setvbuf (stdout, NULL, _IOLBF, 0);
  for (gint i = 3; i < MAX (argc, 4); i++)
    ok &= start_and_stop (i < argc ? argv[i] : ELEMENTS, n_runs, device);
  g_print ("%s\n", ok ? "nothing grew" : "a run failed, or the process grew");
  return ok ? 0 : 1;
}
