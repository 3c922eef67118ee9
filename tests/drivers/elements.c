/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* driver-elements NODE: the elements on a device whose jobs do nothing, two frames in each
 * pipeline, each on a new device. No result is looked at. Prints lines as driver-chip does. Only
 * the plugin brings the library, so that its types exist once. */
#include <stdio.h>
#include <string.h>

#include "step.h"

/* Nobody reads the lists of tiles, whose sizes would be whatever the memory holds. So is the number
 * of regions or points: a pipeline that ends because that is over the capacity has done its
 * work. */
static const struct {
  const gchar *name;
  const gchar *caps;
  const gchar *elements;
} pipelines[] = {
  { "histogram I420", "I420", "gleshistogram ! glesjson" },
  { "histogram NV12", "NV12", "gleshistogram ! glesjson" },
  { "histogram YUY2", "YUY2", "gleshistogram ! glesjson" },
  { "histogram P010", "P010_10LE", "gleshistogram ! glesjson" },
  { "histogram RGBA", "RGBA", "gleshistogram ! glesjson" },
  { "histogram GRAY16", "GRAY16_LE", "gleshistogram ! glesjson" },
  { "histogram, grid", "NV12", "gleshistogram grid-columns=8 grid-rows=8 ! glesjson" },
  { "histogram, events", "NV12", "gleshistogram emd=true mad=true ! glesevents ! glesjson" },
  { "compact NV12", "NV12", "glescompact ! glesjson" },
  { "compact RGBA", "RGBA", "glescompact ! glesjson" },
  { "compact P010", "P010_10LE", "glescompact ! glesjson" },
  { "compact, motion", "NV12", "glescompact predicate=motion lower=24 ! glesjson" },
  { "compact, edges", "NV12", "glescompact predicate=edge lower=50 ! glesjson" },
  { "compact, motion RGB", "RGB", "glescompact predicate=motion lower=24 ! glesjson" },
  { "compact, edges RGB", "RGB", "glescompact predicate=edge lower=50 ! glesjson" },
  { "tiles", "NV12", "glescompact ! glestiles" },
  { "regions", "NV12", "glescompact ! glesregions ! glestrack ! glesjson" },
};

static void
run_pipeline (guint i)
{
  g_autofree gchar *line =
      g_strdup_printf ("videotestsrc num-buffers=2 pattern=ball ! "
                       "video/x-raw,format=%s,width=1280,height=720 ! %s ! fakesink",
          pipelines[i].caps, pipelines[i].elements);
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch (line, &error);
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstMessage) message = NULL;
  gint64 begin, time_us;

  step_begin (pipelines[i].name);
  if (pipeline == NULL || error != NULL) {
    step_print_failure (pipelines[i].name, error->message);
    return;
  }
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_READY);
  begin = step_cpu_us ();
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 300 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  gst_element_set_state (pipeline, GST_STATE_NULL); /* waits for what is queued */
  time_us = step_cpu_us () - begin;
  if (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    step_print_ok ("ELEMENT", pipelines[i].name, time_us);
  else if (message == NULL)
    step_print_failure (pipelines[i].name, "no end after 300 s");
  else {
    gst_message_parse_error (message, &error, NULL);
    if (strstr (error->message, " came back with ") != NULL)
      step_print_ok ("ELEMENT", pipelines[i].name, time_us);
    else
      step_print_failure (pipelines[i].name, error->message);
  }
}

int
main (int argc, char **argv)
{
  if (argc != 2) {
    g_printerr ("usage: driver-elements NODE\n");
    return 2;
  }
  gst_init (NULL, NULL);
  g_setenv ("GST_GLES_DEVICE", argv[1], TRUE);
  gst_plugin_load_by_name ("glescompute"); /* has the category of the driver's messages */
  step_init ();
  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++)
    run_pipeline (i);
  printf ("END\n");
  return 0;
}
