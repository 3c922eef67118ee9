/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where something moves: the box around the points of motion of each frame.
 * Usage: gst-gles-motion-box VIDEO */
#include <gst/gles/gles.h>

/* fewer points than this are noise */
#define MIN_POINTS 20

static GstPadProbeReturn
print_box (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  g_autoptr (GstGlesPointsResult) result =
      gst_gles_points_result_from_buffer (GST_PAD_PROBE_INFO_BUFFER (info));
  guint n, left = G_MAXUINT, right = 0;
  const GstGlesPoint *points;

  if (result == NULL)
    return GST_PAD_PROBE_OK;
  /* this is what waits for the device */
  points = gst_gles_points_result_get_points (result, &n, NULL);
  if (points == NULL || n < MIN_POINTS)
    return GST_PAD_PROBE_OK;
  for (guint i = 0; i < n; i++) {
    left = MIN (left, points[i].x);
    right = MAX (right, points[i].x);
  }
  /* points are in raster order: the first is in the topmost row, the last in the lowest */
  g_print ("frame %" G_GUINT64_FORMAT ": %u points in %ux%u+%u+%u\n",
      gst_gles_points_result_get_frame_number (result), n, right - left + 1,
      points[n - 1].y - points[0].y + 1u, left, points[0].y);
  return GST_PAD_PROBE_OK;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  gst_init (&argc, &argv);
  g_autoptr (GstElement) pipeline = gst_parse_launch (
      "filesrc name=file ! decodebin ! videoconvert ! glescompact predicate=motion lower=24 ! "
      "queue ! fakesink name=sink",
      &error);
  if (error != NULL || argc != 2)
    g_error ("%s", error != NULL ? error->message : "usage: gst-gles-motion-box VIDEO");
  gst_child_proxy_set (GST_CHILD_PROXY (pipeline), "file::location", argv[1], NULL);

  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, print_box, NULL, NULL);

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
