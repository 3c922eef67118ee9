/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs a pipeline with brightest, and prints the brightest pixel of each frame.
 * Usage: brightest-print PIPELINE, without a sink */
#include "brightest-meta.h"

static GstPadProbeReturn
print_pixel (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  const BrightestMeta *meta = brightest_meta_get (GST_PAD_PROBE_INFO_BUFFER (info));
  g_autoptr (GError) error = NULL;
  BrightestPixel pixel;

  if (meta == NULL)
    g_print ("no meta\n");
  else if (brightest_meta_read (meta, &pixel, &error))
    g_print ("%u,%u: %u\n", pixel.x, pixel.y, pixel.value);
  else
    g_print ("%s\n", error->message);
  return GST_PAD_PROBE_OK;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *line = NULL;

  gst_init (&argc, &argv);
  line = g_strconcat (argc == 2 ? argv[1] : "", " ! queue ! fakesink name=sink", NULL);
  g_autoptr (GstElement) pipeline = gst_parse_launch (line, &error);
  if (error != NULL)
    g_error ("%s; usage: brightest-print PIPELINE", error->message);
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, print_pixel, NULL, NULL);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message =
      gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  if (error != NULL)
    g_printerr ("%s\n", error->message);
  return error != NULL;
}
