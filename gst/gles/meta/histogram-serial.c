/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/histogram-info.h>
#include <gst/gles/meta/serial.h>

/* Behind the frame: numbers of 32 bits, the channels, the counters. */
#define N_WORDS 10
#define CHANNEL_WORDS 6
#define MAX_NAME_BYTES 15
#define MAX_CELLS (1 << 24)

gboolean
gst_gles_histogram_serialize (GstGlesHistogramResult *result, GstByteWriter *writer)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  const guint64 n_words = gst_gles_histogram_info_get_n_words (info);
  const guint32 head[N_WORDS] = { info->x, info->y, info->region_width, info->region_height,
    info->columns, info->rows, info->bins, info->luma, info->n_channels, (guint32) n_words };
  guint n;
  const guint32 *counts = gst_gles_histogram_result_get_native_counts (result, 0, &n, NULL);

  if (counts == NULL)
    return FALSE;
  gst_gles_serial_put_frame (writer, &info->frame);
  gst_gles_serial_put (writer, head, sizeof head);
  for (guint i = 0; i < info->n_channels; i++) {
    const GstGlesHistogramChannelInfo *channel = &info->channels[i];
    const guint32 words[CHANNEL_WORDS] = { channel->depth, channel->native_offset,
      channel->difference_offset, channel->cells_offset, channel->emd_offset, channel->mad_offset };

    gst_gles_serial_put_text (writer, channel->name, MAX_NAME_BYTES);
    gst_gles_serial_put (writer, &channel->n_samples, sizeof channel->n_samples);
    gst_gles_serial_put (writer, words, sizeof words);
  }
  gst_gles_serial_put (writer, counts - info->channels[0].native_offset, 4 * n_words);
  return TRUE;
}

static gboolean
get_channel (GstByteReader *reader, GstGlesHistogramChannelInfo *channel)
{
  guint32 words[CHANNEL_WORDS];
  const gchar *name;
  guint64 n_samples;

  if (!gst_gles_serial_get_text (reader, MAX_NAME_BYTES, &name) || name == NULL ||
      !gst_gles_serial_get (reader, &n_samples, sizeof n_samples) ||
      !gst_gles_serial_get (reader, words, sizeof words))
    return FALSE;
  for (const gchar *at = name; *at != '\0'; at++)
    if (!g_ascii_isprint (*at))
      return FALSE;
  *channel = (GstGlesHistogramChannelInfo){ name, words[0], n_samples, words[1], words[2], words[3],
    words[4], words[5] };
  return name[0] != '\0' && channel->depth >= 1 && channel->depth <= 16;
}

/* All behind the frame but the counters. */
static gboolean
get_head (GstByteReader *reader, GstGlesHistogramInfo *info, guint32 *n_words)
{
  guint32 head[N_WORDS];

  if (!gst_gles_serial_get (reader, head, sizeof head))
    return FALSE;
  info->x = head[0];
  info->y = head[1];
  info->region_width = head[2];
  info->region_height = head[3];
  info->columns = head[4];
  info->rows = head[5];
  info->bins = head[6];
  info->luma = head[7] != 0;
  info->n_channels = head[8];
  *n_words = head[9];
  if (!gst_gles_serial_check_region (&info->frame, head) || info->columns < 1 || info->rows < 1 ||
      (guint64) info->columns * info->rows > MAX_CELLS || info->bins < 2 || info->bins > 65536 ||
      info->n_channels < 1 || info->n_channels > GST_GLES_HISTOGRAM_MAX_CHANNELS)
    return FALSE;
  for (guint i = 0; i < info->n_channels; i++)
    if (!get_channel (reader, &info->channels[i]))
      return FALSE;
  return gst_gles_histogram_info_get_n_words (info) <= *n_words;
}

GstGlesHistogramResult *
gst_gles_histogram_parse (GstByteReader *reader)
{
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autoptr (GstGlesOrigin) origin = NULL;
  GstGlesHistogramInfo info = { 0 };
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
  if (!gst_gles_histogram_info_check (&info, g_bytes_get_data (counts, NULL)))
    return NULL;
  return gst_gles_histogram_result_new_queued (&info, readback, NULL);
}
