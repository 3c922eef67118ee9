/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/histogram-info.h>
#include <gst/gles/meta/serial.h>

/* Behind the frame: the description, how many words of counters there are, the channels, the
 * counters; with boxes, these and their counters. */
#define MEMBERS(info) GST_GLES_SERIAL_MEMBERS (info, GstGlesHistogramInfo, x, n_channels)
#define CHANNEL_MEMBERS(channel)                                                                   \
  GST_GLES_SERIAL_MEMBERS (channel, GstGlesHistogramChannelInfo, n_samples, computed)
#define MAX_NAME_BYTES 15
#define MAX_CELLS (1 << 24)
#define MAX_BOX_BYTES (4u << 24)

gboolean
gst_gles_histogram_serialize (GstGlesHistogramResult *result, GstByteWriter *writer)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  const guint32 n_words = (guint32) gst_gles_histogram_info_get_n_words (info);
  guint n;
  const guint32 *counts = gst_gles_histogram_result_get_native_counts (result, 0, &n, NULL);
  const GstGlesBox *boxes = gst_gles_histogram_result_get_boxes (result, &n);

  if (counts == NULL)
    return FALSE;
  gst_gles_serial_put_frame (writer, &info->frame);
  gst_gles_serial_put (writer, MEMBERS (info));
  gst_gles_serial_put (writer, &n_words, sizeof n_words);
  for (guint i = 0; i < info->n_channels; i++) {
    gst_gles_serial_put_text (writer, info->channels[i].name, MAX_NAME_BYTES);
    gst_gles_serial_put (writer, CHANNEL_MEMBERS (&info->channels[i]));
  }
  gst_gles_serial_put (writer, counts - info->channels[0].native_offset, 4 * (gsize) n_words);
  gst_gles_serial_put_boxes (writer, boxes, n);
  if (n > 0)
    gst_gles_serial_put (writer, gst_gles_histogram_result_peek_box_words (result),
        gst_gles_histogram_info_get_box_bytes (info));
  return TRUE;
}

static gboolean
get_channel (GstByteReader *reader, GstGlesHistogramChannelInfo *channel)
{
  if (!gst_gles_serial_get_text (reader, MAX_NAME_BYTES, &channel->name) || channel->name == NULL ||
      !gst_gles_serial_get (reader, CHANNEL_MEMBERS (channel)))
    return FALSE;
  channel->computed = channel->computed != 0;
  for (const gchar *at = channel->name; *at != '\0'; at++)
    if (!g_ascii_isprint (*at))
      return FALSE;
  return channel->name[0] != '\0' && channel->depth >= 1 && channel->depth <= 16;
}

/* All behind the frame but the counters. */
static gboolean
get_head (GstByteReader *reader, GstGlesHistogramInfo *info, guint32 *n_words)
{
  if (!gst_gles_serial_get (reader, MEMBERS (info)) ||
      !gst_gles_serial_get (reader, n_words, sizeof *n_words))
    return FALSE;
  info->luma = info->luma != 0;
  info->has_boxes = info->has_boxes != 0;
  info->boxes_truncated = info->boxes_truncated != 0;
  if (!gst_gles_serial_check_region (
          &info->frame, info->x, info->y, info->region_width, info->region_height) ||
      info->columns < 1 || info->rows < 1 || (guint64) info->columns * info->rows > MAX_CELLS ||
      info->bins < 2 || info->bins > 65536 || info->overview_depth > 16 || info->n_channels < 1 ||
      info->n_channels > GST_GLES_HISTOGRAM_MAX_CHANNELS)
    return FALSE;
  for (guint i = 0; i < info->n_channels; i++)
    if (!get_channel (reader, &info->channels[i]))
      return FALSE;
  return gst_gles_histogram_info_get_n_words (info) <= *n_words;
}

/* Sets the members of @made, which are (transfer full). FALSE where there are none such. */
static gboolean
get_boxes (GstByteReader *reader, const GstGlesHistogramInfo *info, GstGlesHistogramBoxes *made)
{
  GBytes *words;
  gsize size_bytes;

  if (info->n_boxes == 0)
    return TRUE;
  made->boxes = gst_gles_serial_get_boxes (reader, info->n_boxes);
  if (made->boxes == NULL)
    return FALSE;
  size_bytes = gst_gles_histogram_info_get_box_bytes (info);
  words = size_bytes <= MAX_BOX_BYTES ? gst_gles_serial_take (reader, size_bytes) : NULL;
  if (words == NULL)
    return FALSE;
  made->readback = gst_gles_readback_new_complete (words);
  return gst_gles_histogram_info_check_boxes (
      info, g_bytes_get_data (made->boxes, NULL), g_bytes_get_data (words, NULL));
}

GstGlesHistogramResult *
gst_gles_histogram_parse (GstByteReader *reader)
{
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autoptr (GstGlesOrigin) origin = NULL;
  GstGlesHistogramInfo info = { 0 };
  GstGlesHistogramBoxes boxes = { NULL };
  GstGlesHistogramResult *result = NULL;
  GBytes *counts = NULL;
  guint32 n_words;

  if (!gst_gles_serial_get_frame (reader, &info.frame))
    return NULL;
  origin = info.frame.origin;
  if (get_head (reader, &info, &n_words))
    counts = gst_gles_serial_take (reader, 4 * (guint64) n_words);
  if (counts == NULL)
    return NULL;
  readback = gst_gles_readback_new_complete (counts);
  if (gst_gles_histogram_info_check (&info, g_bytes_get_data (counts, NULL)) &&
      get_boxes (reader, &info, &boxes))
    result = gst_gles_histogram_result_new_queued (&info, readback, NULL, &boxes);
  g_clear_pointer (&boxes.boxes, g_bytes_unref);
  gst_gles_readback_unref (boxes.readback);
  return result;
}
