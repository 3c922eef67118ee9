/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Starts and stops a pipeline of one frame again and again: heap, descriptors and threads must not
 * grow. Prints the resources of the process every thousand runs. */
#include "soak.h"

#include <stdio.h>
#include <stdlib.h>

/* what GLib's and GStreamer's own caches may take after the first fifth */
#define HEAP_SLACK_KIB 256

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

int
main (int argc, char **argv)
{
  const gint n_runs = argc > 1 ? atoi (argv[1]) : 1000;
  const gchar *device = argc > 2 ? argv[2] : "cpu";
  g_autofree gchar *line =
      g_strdup_printf ("videotestsrc num-buffers=1 ! video/x-raw,format=I420,width=64,height=48 ! "
                       "gleshistogram device=%s post-messages=true ! glesjson ! fakesink",
          device);
  g_autoptr (GError) error = NULL;
  SoakUsage early = { 0 }, usage;

  gst_init (NULL, NULL);
  setvbuf (stdout, NULL, _IOLBF, 0);
  for (gint i = 1; i <= n_runs; i++) {
    /* every other time the elements are new, too */
    static GstElement *pipeline;

    if (pipeline == NULL)
      pipeline = gst_parse_launch (line, &error);
    g_assert_no_error (error);
    if (!run_once (pipeline)) {
      g_print ("run %d failed\n", i);
      return 1;
    }
    if (i % 2 == 0)
      gst_clear_object (&pipeline);
    if (i % MAX (n_runs / 100, 2) != 0)
      continue;
    /* Threads need a moment to end. */
    for (guint k = 0; k < 50; k++) {
      soak_measure (&usage);
      if (early.threads == 0 || usage.threads <= early.threads)
        break;
      g_usleep (10000);
    }
    g_print ("%d runs: %" G_GINT64_FORMAT " KiB resident, %" G_GINT64_FORMAT
             " KiB of heap, %d descriptors, %d threads\n",
        i, usage.resident_kib, usage.heap_kib, usage.descriptors, usage.threads);
    if (early.threads == 0 && i >= n_runs / 5)
      early = usage;
  }
  if (usage.heap_kib > early.heap_kib + HEAP_SLACK_KIB || usage.descriptors > early.descriptors ||
      usage.threads > early.threads + 1) {
    g_print ("the process grew\n");
    return 1;
  }
  g_print ("%d runs on %s: nothing grew\n", n_runs, device);
  return 0;
}
