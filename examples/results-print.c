/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads all three results of each frame in an appsink: what is bright, what moves, and where
 * most of it is.
 * Usage: gst-gles-results-print VIDEO */
#include <gst/app/gstappsink.h>
#include <gst/gles/gles.h>

#define TILE 32

/* The tile with the longest list, and how long it is. */
static guint
find_fullest (GstGlesTilesResult *tiles, guint *entries)
{
  guint n, fullest = 0;
  const guint32 *offsets = gst_gles_tiles_result_get_offsets (tiles, &n, NULL);

  *entries = 0;
  for (guint i = 0; i + 1 < n; i++) {
    if (offsets[i + 1] - offsets[i] > *entries) {
      *entries = offsets[i + 1] - offsets[i];
      fullest = i;
    }
  }
  return fullest;
}

static void
print_buffer (GstBuffer *buffer)
{
  g_autoptr (GstGlesHistogramResult) histogram = gst_gles_histogram_result_from_buffer (buffer);
  g_autoptr (GstGlesPointsResult) points = gst_gles_points_result_from_buffer (buffer);
  g_autoptr (GstGlesTilesResult) tiles = gst_gles_tiles_result_from_buffer (buffer);
  GstGlesHistogramStatistics luma;
  guint columns, entries, fullest;

  if (histogram == NULL || points == NULL || tiles == NULL)
    return;
  /* the getters wait for the device */
  if (!gst_gles_histogram_result_get_statistics (histogram, 0, &luma, NULL))
    return;
  g_print ("frame %" G_GUINT64_FORMAT ": mean %.1f, %" G_GUINT64_FORMAT " points moved",
      gst_gles_histogram_result_get_frame (histogram)->number, luma.mean,
      gst_gles_points_result_get_total (points));
  columns = gst_gles_tiles_result_get_info (tiles)->columns;
  fullest = find_fullest (tiles, &entries);
  if (entries > 0)
    g_print (", most of them (%u) in the tile at %u,%u", entries, fullest % columns * TILE,
        fullest / columns * TILE);
  g_print ("\n");
}

/* The next sample; NULL at the end, and with the error message that ended the stream: an appsink
 * is not told of errors in other elements. */
static GstSample *
pull_sample (GstAppSink *sink, GstBus *bus, GstMessage **error)
{
  while (*error == NULL && !gst_app_sink_is_eos (sink)) {
    GstSample *sample = gst_app_sink_try_pull_sample (sink, 100 * GST_MSECOND);

    if (sample != NULL)
      return sample;
    *error = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  }
  if (*error == NULL)
    *error = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  return NULL;
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
  GstSample *sample;

  gst_init (&argc, &argv);
  g_autoptr (GstElement) pipeline = gst_parse_launch (
      "filesrc name=file ! decodebin name=decode ! videoconvert ! gleshistogram ! "
      "glescompact predicate=motion lower=24 ! glestiles tile-width=32 tile-height=32 ! "
      "queue ! appsink name=sink sync=false",
      &error);
  if (error != NULL || argc != 2)
    g_error ("%s", error != NULL ? error->message : "usage: gst-gles-results-print VIDEO");
  gst_child_proxy_set (GST_CHILD_PROXY (pipeline), "file::location", argv[1], NULL);
  g_autoptr (GstElement) decode = gst_bin_get_by_name (GST_BIN (pipeline), "decode");
  g_signal_connect (decode, "no-more-pads", G_CALLBACK (check_video), NULL);

  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((sample = pull_sample (GST_APP_SINK (sink), bus, &message)) != NULL) {
    print_buffer (gst_sample_get_buffer (sample));
    gst_sample_unref (sample);
  }
  if (message != NULL)
    gst_message_parse_error (message, &error, NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  if (error != NULL)
    g_printerr ("%s\n", error->message);
  return error != NULL;
}
