/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The smallest program: prints mean, minimum and maximum of every frame's first channel.
 * Usage: gst-gles-histogram-print VIDEO */
#include <gst/gles/gles.h>

static GstPadProbeReturn
print_frame (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  g_autoptr (GstGlesHistogramResult) result =
      gst_gles_histogram_result_from_buffer (GST_PAD_PROBE_INFO_BUFFER (info));
  GstGlesHistogramStatistics luma;

  if (result != NULL && gst_gles_histogram_result_get_statistics (result, 0, &luma, NULL))
    g_print ("frame %" G_GUINT64_FORMAT ": mean %.2f, min %u, max %u\n",
        gst_gles_histogram_result_get_frame (result)->number, luma.mean, luma.min, luma.max);
  return GST_PAD_PROBE_OK;
}

/* decodebin reports nothing else for a short file without video. */
static void
check_video (GstElement *decode, gpointer user_data)
{
  for (GList *pad = decode->srcpads; pad != NULL; pad = pad->next) {
    if (gst_pad_is_linked (pad->data))
      return;
  }
  GST_ELEMENT_ERROR (decode, STREAM, WRONG_TYPE, ("There is no video in this file."), (NULL));
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  gst_init (&argc, &argv);
  g_autoptr (GstElement) pipeline = gst_parse_launch (
      "filesrc name=file ! decodebin name=decode ! videoconvert ! gleshistogram ! queue ! "
      "fakesink name=sink",
      &error);
  if (error != NULL || argc != 2)
    g_error ("%s", error != NULL ? error->message : "usage: gst-gles-histogram-print VIDEO");
  gst_child_proxy_set (GST_CHILD_PROXY (pipeline), "file::location", argv[1], NULL);
  g_autoptr (GstElement) decode = gst_bin_get_by_name (GST_BIN (pipeline), "decode");
  g_signal_connect (decode, "no-more-pads", G_CALLBACK (check_video), NULL);

  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, print_frame, NULL, NULL);

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
