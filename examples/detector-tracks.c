/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A detector's boxes become tracks, with the brightness in each box, and the zone that they are in.
 * A probe attaches the boxes, as a detector that is an element does by itself.
 * Usage: gst-gles-detector-tracks VIDEO */
#include <gst/gles/gles.h>

#define BRIGHT 128

/* Stands for a network: one box, around the bright pixels of a frame of GRAY8. Returns FALSE if
 * there are none. */
static gboolean
detect (const GstVideoFrame *frame, GstVideoRectangle *box)
{
  const guint8 *pixels = GST_VIDEO_FRAME_PLANE_DATA (frame, 0);
  const gint width = GST_VIDEO_FRAME_WIDTH (frame), height = GST_VIDEO_FRAME_HEIGHT (frame);
  gint left = width, top = height, right = -1, bottom = -1;

  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++) {
      if (pixels[y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0) + x] <= BRIGHT)
        continue;
      left = MIN (left, x);
      right = MAX (right, x);
      top = MIN (top, y);
      bottom = y;
    }
  }
  *box = (GstVideoRectangle){ left, top, right - left + 1, bottom - top + 1 };
  return right >= 0;
}

/* Puts the boxes onto the buffer, which the probe may replace by one that is writable. */
static GstPadProbeReturn
attach_boxes (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  GstVideoRectangle box;
  GstVideoFrame frame;
  GstVideoInfo format;
  gboolean found;

  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  if (!gst_video_info_from_caps (&format, caps) ||
      !gst_video_frame_map (&frame, &format, buffer, GST_MAP_READ))
    return GST_PAD_PROBE_OK;
  found = detect (&frame, &box);
  gst_video_frame_unmap (&frame);
  if (found)
    gst_buffer_add_video_region_of_interest_meta (
        buffer, "ball", (guint) box.x, (guint) box.y, (guint) box.w, (guint) box.h);
  return GST_PAD_PROBE_OK;
}

/* Returns the mean in the box of the track @id; glestrack has set the ids of the boxes. */
static gdouble
mean_of (GstGlesHistogramResult *histogram, guint64 id)
{
  GstGlesHistogramStatistics statistics = { 0 };
  guint n = 0;
  const GstGlesBox *boxes = gst_gles_histogram_result_get_boxes (histogram, &n);

  for (guint i = 0; i < n; i++) {
    if ((guint64) boxes[i].id == id)
      gst_gles_histogram_result_get_box_statistics (histogram, i, 0, &statistics, NULL);
  }
  return statistics.mean;
}

static GstPadProbeReturn
print_tracks (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  g_autoptr (GstGlesTracksResult) tracks = gst_gles_tracks_result_from_buffer (buffer);
  g_autoptr (GstGlesHistogramResult) histogram = gst_gles_histogram_result_from_buffer (buffer);
  g_autoptr (GstGlesZonesResult) zones = gst_gles_zones_result_from_buffer (buffer);

  if (tracks == NULL || histogram == NULL || zones == NULL)
    return GST_PAD_PROBE_OK;
  for (guint i = 0; i < gst_gles_tracks_result_get_count (tracks); i++) {
    const GstGlesTrack *track = gst_gles_tracks_result_get_track (tracks, i, NULL);

    g_print ("frame %" G_GUINT64_FORMAT ": %s #%" G_GUINT64_FORMAT " in %ux%u+%u+%u, mean %.1f\n",
        gst_gles_tracks_result_get_frame (tracks)->number,
        gst_gles_tracks_result_get_label (tracks, track->label), track->id, track->width,
        track->height, track->x, track->y, mean_of (histogram, track->id));
  }
  for (guint i = 0; i < gst_gles_zones_result_get_count (zones); i++) {
    const GstGlesZone *zone = gst_gles_zones_result_get_zone (zones, i, NULL);

    g_print ("  %s: %u inside, %" G_GUINT64_FORMAT " entered\n",
        gst_gles_zones_result_get_name (zones, i), zone->n_members, zone->n_in);
  }
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

static void
add_probe (GstElement *pipeline, const gchar *element, const gchar *name, GstPadProbeCallback func)
{
  g_autoptr (GstElement) found = gst_bin_get_by_name (GST_BIN (pipeline), element);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (found, name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, func, NULL, NULL);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  gst_init (&argc, &argv);
  g_autoptr (GstElement) pipeline = gst_parse_launch (
      "filesrc name=file ! decodebin name=decode ! videoconvert ! video/x-raw,format=GRAY8 ! "
      "identity name=detector ! glestrack min-hits=1 ! gleshistogram boxes=roi ! "
      "gleszones zones=\"left: 0,0 0.5,0 0.5,1 0,1; right: 0.5,0 1,0 1,1 0.5,1\" ! "
      "queue ! fakesink name=sink",
      &error);
  if (error != NULL || argc != 2)
    g_error ("%s", error != NULL ? error->message : "usage: gst-gles-detector-tracks VIDEO");
  gst_child_proxy_set (GST_CHILD_PROXY (pipeline), "file::location", argv[1], NULL);
  g_autoptr (GstElement) decode = gst_bin_get_by_name (GST_BIN (pipeline), "decode");
  g_signal_connect (decode, "no-more-pads", G_CALLBACK (check_video), NULL);
  add_probe (pipeline, "detector", "src", attach_boxes);
  add_probe (pipeline, "sink", "sink", print_tracks);

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
