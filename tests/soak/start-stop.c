/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Starts and stops a pipeline of one frame again and again: heap, descriptors and threads must not
 * grow. Prints the resources of the process every hundredth of the runs.
 *
 * start-stop [RUNS] [DEVICE] [WHAT...]: what is started is one or more of the names below, or
 * `all`. `device` opens and closes a device without a pipeline, `buffer` also makes a buffer on
 * it. */
#include "soak.h"

#include <stdio.h>
#include <stdlib.h>

/* what GLib's and GStreamer's own caches may take after the first fifth */
#define HEAP_SLACK_KIB 256

#define SOURCE "videotestsrc num-buffers=1 ! video/x-raw,format=I420,width=64,height=48 ! "

/* What is started and stopped: @line is a pipeline with the device in place of %s; NULL: a device. */
typedef struct {
  const gchar *name, *line;
  gsize buffer_bytes; /* of a buffer that is made on the device; 0: none */
} Kind;

static gboolean
run_device (const gchar *spec, gsize buffer_bytes)
{
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (spec, NULL);
  g_autoptr (GstGlesBuffer) buffer = NULL;

  if (device != NULL && buffer_bytes > 0)
    buffer = gst_gles_buffer_new (device, buffer_bytes, NULL);
  return device != NULL && (buffer_bytes == 0 || buffer != NULL);
}

static const Kind kinds[] = {
  { "device", NULL, 0 },
  { "buffer", NULL, 65536 },
  { "histogram", "gleshistogram device=%s post-messages=true ! glesjson ! fakesink" },
  { "profile", "gleshistogram device=%s profile=true ! fakesink" },
  { "points", "glescompact device=%s lower=100 ! fakesink" },
  { "motion", "glescompact device=%s predicate=motion lower=1 ! fakesink" },
  { "tiles", "glescompact device=%s lower=100 ! glestiles device=%s ! fakesink" },
  { "regions", "glescompact device=%s lower=100 ! glesregions device=%s ! fakesink" },
  { "events", "gleshistogram device=%s mad=true ! glesevents ! fakesink" },
};

static const Kind *
find_kind (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (g_str_equal (kinds[i].name, name))
      return &kinds[i];
  }
  g_printerr ("start-stop: there is no %s\n", name);
  exit (2);
}

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
make_pipeline (const Kind *kind, const gchar *device)
{
  g_auto (GStrv) parts = g_strsplit (kind->line, "%s", -1);
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
start_and_stop (const Kind *kind, gint n_runs, const gchar *device)
{
  GstElement *pipeline = NULL;
  SoakUsage early = { 0 }, usage = { 0 };
  gint i, n_early = 0;

  for (i = 1; i <= n_runs; i++) {
    g_autofree gchar *text = NULL;

    /* every other time the elements are new, too */
    if (kind->line != NULL && pipeline == NULL)
      pipeline = make_pipeline (kind, device);
    if (!(kind->line != NULL ? run_once (pipeline) : run_device (device, kind->buffer_bytes))) {
      g_print ("%s: run %d failed\n", kind->name, i);
      gst_clear_object (&pipeline);
      return FALSE;
    }
    if (i % 2 == 0)
      gst_clear_object (&pipeline);
    if (i % MAX (n_runs / 100, 2) != 0)
      continue;
    measure (&usage, early.n[SOAK_THREADS]);
    text = soak_usage_text (&usage);
    g_print ("%s: %d runs: %s\n", kind->name, i, text);
    if (early.n[SOAK_THREADS] == 0 && i >= n_runs / 5) {
      early = usage;
      n_early = i;
    }
  }
  gst_clear_object (&pipeline);
  g_print ("%s: %d runs on %s: %.0f bytes of heap a run after the first %d\n", kind->name, n_runs,
      device, 1024.0 * (gdouble) (usage.heap_kib - early.heap_kib) / MAX (n_runs - n_early, 1),
      n_early);
  if (usage.heap_kib <= early.heap_kib + HEAP_SLACK_KIB &&
      usage.n[SOAK_DESCRIPTORS] <= early.n[SOAK_DESCRIPTORS] &&
      usage.n[SOAK_THREADS] <= early.n[SOAK_THREADS] + 1)
    return TRUE;
  g_print ("%s: the process grew\n", kind->name);
  return FALSE;
}

int
main (int argc, char **argv)
{
  const gint n_runs = argc > 1 ? atoi (argv[1]) : 1000;
  const gchar *device = argc > 2 ? argv[2] : "cpu";
  gboolean ok = TRUE;

  gst_init (NULL, NULL);
  setvbuf (stdout, NULL, _IOLBF, 0);
  if (argc <= 3)
    ok = start_and_stop (find_kind ("histogram"), n_runs, device);
  for (gint i = 3; i < argc; i++) {
    if (!g_str_equal (argv[i], "all")) {
      ok &= start_and_stop (find_kind (argv[i]), n_runs, device);
      continue;
    }
    for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
      ok &= start_and_stop (&kinds[k], n_runs, device);
  }
  if (ok)
    g_print ("nothing grew\n");
  return ok ? 0 : 1;
}
