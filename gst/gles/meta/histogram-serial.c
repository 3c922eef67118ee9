/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/histogram-private.h>
#include <gst/gles/meta/serial-private.h>

/* Before the channels: five numbers of 64 bits, fourteen of 32. */
#define N_LONGS 5
#define N_WORDS 14
#define HEAD_BYTES (8 * N_LONGS + 4 * N_WORDS)
#define NAME_BYTES 16
#define CHANNEL_WORDS 6
#define CHANNEL_BYTES (NAME_BYTES + 8 + 4 * CHANNEL_WORDS)
#define MAX_CELLS (1 << 24)
/* Samples of a channel: sums of squares of code values fit 64 bits (see get_variance() in
 * histogram.c). */
#define MAX_SAMPLES (G_GUINT64_CONSTANT (1) << 31)

/* ---- writing ---- */

gboolean
gst_gles_histogram_serial_get_size (GstGlesHistogramResult *result, gsize *size)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);

  *size = gst_gles_origin_serial_get_size (info->origin) + HEAD_BYTES +
      info->n_channels * CHANNEL_BYTES + 4 * (gsize) gst_gles_histogram_info_get_n_words (info);
  return gst_gles_histogram_result_wait (result, G_MAXUINT64, NULL);
}

static guint8 *
put_head (const GstGlesHistogramInfo *info, guint64 n_words, guint8 *target)
{
  const guint64 longs[N_LONGS] = { info->frame, info->pts, info->duration, info->running_time,
    info->stream_time };
  const guint32 words[N_WORDS] = { info->width, info->height, info->format, info->range, info->x,
    info->y, info->region_width, info->region_height, info->columns, info->rows, info->bins,
    info->luma, info->n_channels, (guint32) n_words };

  for (guint i = 0; i < N_LONGS; i++)
    gst_gles_serial_put_64 (target + 8 * i, longs[i]);
  return gst_gles_serial_put (target + 8 * N_LONGS, words, N_WORDS);
}

static guint8 *
put_channel (const GstGlesHistogramChannelInfo *channel, guint8 *target)
{
  const guint32 words[CHANNEL_WORDS] = { channel->depth, channel->native_offset,
    channel->difference_offset, channel->cells_offset, channel->emd_offset, channel->mad_offset };

  memset (target, 0, NAME_BYTES);
  memcpy (target, channel->name, MIN (strlen (channel->name), NAME_BYTES - 1));
  gst_gles_serial_put_64 (target + NAME_BYTES, channel->n_samples);
  return gst_gles_serial_put (target + NAME_BYTES + 8, words, CHANNEL_WORDS);
}

void
gst_gles_histogram_serial_write (GstGlesHistogramResult *result, guint8 *target)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  const guint64 n_words = gst_gles_histogram_info_get_n_words (info);
  const guint32 *counts;
  guint n;

  counts = gst_gles_histogram_result_get_native_counts (result, 0, &n, NULL);
  target = gst_gles_origin_serial_write (info->origin, info->utc, target);
  target = put_head (info, n_words, target);
  for (guint i = 0; i < info->n_channels; i++)
    target = put_channel (&info->channels[i], target);
  gst_gles_serial_put (target, counts - info->channels[0].native_offset, n_words);
}

/* ---- reading ---- */

/* All but the channels. */
static gboolean
get_head (const guint8 *data, GstGlesHistogramInfo *info, guint32 *n_words)
{
  guint32 words[N_WORDS];

  gst_gles_serial_get (data + 8 * N_LONGS, words, N_WORDS);
  *info = (GstGlesHistogramInfo){ gst_gles_serial_get_64 (data), gst_gles_serial_get_64 (data + 8),
    gst_gles_serial_get_64 (data + 16), gst_gles_serial_get_64 (data + 24),
    gst_gles_serial_get_64 (data + 32), words[0], words[1], (GstVideoFormat) words[2],
    (GstVideoColorRange) words[3], words[4], words[5], words[6], words[7], words[8], words[9],
    words[10], words[11] != 0, words[12] };
  *n_words = words[13];
  return gst_gles_serial_check_picture (info->width, info->height, words[2]) &&
      words[3] <= GST_VIDEO_COLOR_RANGE_16_235 &&
      gst_gles_serial_check_region (
          info->x, info->y, info->region_width, info->region_height, info->width, info->height) &&
      info->columns >= 1 && info->rows >= 1 && (guint64) info->columns * info->rows <= MAX_CELLS &&
      info->bins >= 2 && info->bins <= 65536 && info->n_channels >= 1 &&
      info->n_channels <= GST_GLES_HISTOGRAM_MAX_CHANNELS;
}

/* The name goes to @name. */
static gboolean
get_channel (const guint8 *data, gchar name[NAME_BYTES], GstGlesHistogramChannelInfo *channel)
{
  guint32 words[CHANNEL_WORDS];

  memcpy (name, data, NAME_BYTES);
  name[NAME_BYTES - 1] = '\0';
  for (const gchar *at = name; *at != '\0'; at++)
    if (!g_ascii_isprint (*at))
      return FALSE;
  gst_gles_serial_get (data + NAME_BYTES + 8, words, CHANNEL_WORDS);
  *channel = (GstGlesHistogramChannelInfo){ name, words[0],
    gst_gles_serial_get_64 (data + NAME_BYTES), words[1], words[2], words[3], words[4], words[5] };
  return name[0] != '\0' && channel->depth >= 1 && channel->depth <= 16 &&
      channel->n_samples < MAX_SAMPLES;
}

/* Whether a sum of 64 bits at @offset, 0 for none, is that of @n_samples distances of code
 * values. */
static gboolean
check_sum (const guint32 *words, guint offset, guint64 n_samples, guint depth)
{
  return offset == 0 ||
      ((guint64) words[offset + (gsize) 1] << 32 | words[offset]) <=
      n_samples * ((1u << depth) - 1);
}

/* Counters that no picture has would make statistics overflow. @words: at least as many as @info
 * says. */
static gboolean
check_counts (const GstGlesHistogramInfo *info, const guint32 *words)
{
  for (guint i = 0; i < info->n_channels; i++) {
    const GstGlesHistogramChannelInfo *channel = &info->channels[i];
    guint64 sum = 0;

    for (guint value = 0; value < 1u << channel->depth; value++)
      sum += words[channel->native_offset + (gsize) value];
    if (sum >= MAX_SAMPLES || words[channel->difference_offset] > 2 * sum ||
        !check_sum (words, channel->emd_offset, sum, channel->depth) ||
        !check_sum (words, channel->mad_offset, sum, channel->depth))
      return FALSE;
  }
  return TRUE;
}

GstGlesHistogramResult *
gst_gles_histogram_serial_parse (const guint8 *data, gsize size, guint8 version)
{
  gchar names[GST_GLES_HISTOGRAM_MAX_CHANNELS][NAME_BYTES];
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autoptr (GstGlesOrigin) origin = NULL;
  g_autoptr (GBytes) bytes = NULL;
  GstGlesHistogramInfo info;
  GstClockTime utc;
  guint32 n_words;
  gsize head;

  if (version != GST_GLES_SERIAL_VERSION ||
      !gst_gles_origin_serial_parse (&data, &size, &origin, &utc) || size < HEAD_BYTES ||
      !get_head (data, &info, &n_words))
    return NULL;
  info.utc = utc;
  info.origin = origin;
  head = HEAD_BYTES + info.n_channels * (gsize) CHANNEL_BYTES;
  if (size < head || (size - head) / 4 < n_words)
    return NULL;
  for (guint i = 0; i < info.n_channels; i++)
    if (!get_channel (data + HEAD_BYTES + i * CHANNEL_BYTES, names[i], &info.channels[i]))
      return NULL;
  if (gst_gles_histogram_info_get_n_words (&info) > n_words)
    return NULL;
  bytes = gst_gles_serial_take (data + head, n_words);
  if (bytes == NULL || !check_counts (&info, g_bytes_get_data (bytes, NULL)))
    return NULL;
  readback = gst_gles_readback_new_complete (g_steal_pointer (&bytes));
  return gst_gles_histogram_result_new (&info, readback, NULL);
}
