/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/histogram.h>

#include <string.h>

#include <gst/gles/meta/result-private.h>
#include <gst/gles/meta/serial-private.h>

GType
gst_gles_histogram_meta_api_get_type (void)
{
  /* converters, scalers and encoders keep a meta whose only tag is "video": a size, orientation or
   * colorspace tag would make one of them drop it */
  static const gchar *tags[] = { GST_META_TAG_VIDEO_STR, NULL };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, gst_meta_api_type_register ("GstGlesHistogramMetaAPI", tags));
  return type;
}

static gboolean
meta_init (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  ((GstGlesHistogramMeta *) meta)->result = NULL;
  return TRUE;
}

static void
meta_free (GstMeta *meta, GstBuffer *buffer)
{
  g_clear_pointer (&((GstGlesHistogramMeta *) meta)->result, gst_gles_histogram_result_unref);
}

static gboolean
has_result (GstBuffer *buffer, GstGlesHistogramResult *result)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_GLES_HISTOGRAM_META_API_TYPE)) != NULL) {
    if (((GstGlesHistogramMeta *) meta)->result == result)
      return TRUE;
  }
  return FALSE;
}

/* Shares the result, whatever happens to the picture: it tells of the picture that was analysed.
 * Some elements copy a buffer's metas twice (a base class and the element itself). */
static gboolean
meta_transform (GstBuffer *target, GstMeta *meta, GstBuffer *buffer, GQuark type, gpointer data)
{
  GstGlesHistogramResult *result = ((GstGlesHistogramMeta *) meta)->result;

  if (!has_result (target, result))
    gst_buffer_add_gles_histogram_meta (target, result);
  return TRUE;
}

#if GST_CHECK_VERSION(1, 24, 0)

#define SERIAL_VERSION 1
#define SERIAL_WORDS 24 /* before the channels: five numbers of 64 bits, fourteen of 32 */
#define NAME_BYTES 16
#define CHANNEL_WORDS (NAME_BYTES / 4 + 6)
#define MAX_CELLS (1 << 24)

static void
put_info (const GstGlesHistogramInfo *info, guint64 n_words, guint32 *words)
{
  const guint64 longs[] = { info->frame, info->pts, info->duration, info->running_time,
    info->stream_time };
  const guint32 rest[] = { info->width, info->height, info->format, info->range, info->x, info->y,
    info->region_width, info->region_height, info->columns, info->rows, info->bins, info->luma,
    info->n_channels, (guint32) n_words };

  for (guint i = 0; i < G_N_ELEMENTS (longs); i++)
    gst_gles_serial_put_64 (words + 2 * i, longs[i]);
  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    words[2 * G_N_ELEMENTS (longs) + i] = GUINT32_TO_LE (rest[i]);
}

static void
put_channel (const GstGlesHistogramChannelInfo *channel, guint32 *words)
{
  const guint32 rest[] = { channel->depth, channel->native_offset, channel->difference_offset,
    channel->cells_offset };

  memset (words, 0, NAME_BYTES);
  memcpy (words, channel->name, MIN (strlen (channel->name), NAME_BYTES - 1));
  words += NAME_BYTES / 4;
  gst_gles_serial_put_64 (words, channel->n_samples);
  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    words[2 + i] = GUINT32_TO_LE (rest[i]);
}

/* FALSE when it cannot be one. Names stay in @words. */
static gboolean
get_channel (guint32 *words, GstGlesHistogramChannelInfo *channel)
{
  gchar *name = (gchar *) words;

  name[NAME_BYTES - 1] = '\0';
  for (const gchar *at = name; *at != '\0'; at++)
    if (!g_ascii_isprint (*at))
      return FALSE;
  words += NAME_BYTES / 4;
  *channel = (GstGlesHistogramChannelInfo){ name, GUINT32_FROM_LE (words[2]),
    gst_gles_serial_get_64 (words), GUINT32_FROM_LE (words[3]), GUINT32_FROM_LE (words[4]),
    GUINT32_FROM_LE (words[5]) };
  return channel->depth >= 1 && channel->depth <= 16;
}

/* FALSE when it cannot be one. Without channels. */
static gboolean
get_info (const guint32 *words, GstGlesHistogramInfo *info, guint32 *n_words)
{
  guint32 rest[14];

  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    rest[i] = GUINT32_FROM_LE (words[10 + i]);
  *info = (GstGlesHistogramInfo){ gst_gles_serial_get_64 (words),
    gst_gles_serial_get_64 (words + 2), gst_gles_serial_get_64 (words + 4),
    gst_gles_serial_get_64 (words + 6), gst_gles_serial_get_64 (words + 8), rest[0], rest[1],
    (GstVideoFormat) rest[2], (GstVideoColorRange) rest[3], rest[4], rest[5], rest[6], rest[7],
    rest[8], rest[9], rest[10], rest[11] != 0, rest[12] };
  *n_words = rest[13];
  return info->columns >= 1 && info->rows >= 1 &&
      (guint64) info->columns * info->rows <= MAX_CELLS && info->bins >= 2 && info->bins <= 65536 &&
      info->n_channels >= 1 && info->n_channels <= GST_GLES_HISTOGRAM_MAX_CHANNELS;
}

/* Waits for the counters: another process cannot. */
static gboolean
meta_serialize (const GstMeta *meta, GstByteArrayInterface *data, guint8 *version)
{
  GstGlesHistogramResult *result = ((const GstGlesHistogramMeta *) meta)->result;
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  const guint64 n_words = gst_gles_histogram_info_get_n_words (info);
  guint32 words[SERIAL_WORDS + GST_GLES_HISTOGRAM_MAX_CHANNELS * CHANNEL_WORDS];
  const guint32 *counts;
  guint n;

  counts = gst_gles_histogram_result_get_native_counts (result, 0, &n, NULL);
  if (counts == NULL)
    return FALSE;
  put_info (info, n_words, words);
  for (guint i = 0; i < info->n_channels; i++)
    put_channel (&info->channels[i], words + SERIAL_WORDS + i * CHANNEL_WORDS);
  *version = SERIAL_VERSION;
  return gst_byte_array_interface_append_data (
             data, (const guint8 *) words, 4 * (SERIAL_WORDS + info->n_channels * CHANNEL_WORDS)) &&
      gst_gles_serial_append (data, counts - info->channels[0].native_offset, n_words);
}

static GstMeta *
meta_deserialize (
    const GstMetaInfo *info, GstBuffer *buffer, const guint8 *data, gsize size, guint8 version)
{
  guint32 words[SERIAL_WORDS], channels[GST_GLES_HISTOGRAM_MAX_CHANNELS][CHANNEL_WORDS];
  g_autoptr (GstGlesHistogramResult) result = NULL;
  g_autoptr (GstGlesReadback) readback = NULL;
  GstGlesHistogramInfo described;
  guint32 n_words;
  gsize head;

  if (version != SERIAL_VERSION || size < sizeof words)
    return NULL;
  memcpy (words, data, sizeof words);
  if (!get_info (words, &described, &n_words))
    return NULL;
  head = sizeof words + described.n_channels * sizeof channels[0];
  if (size < head || (size - head) / 4 < n_words)
    return NULL;
  memcpy (channels, data + sizeof words, head - sizeof words);
  for (guint i = 0; i < described.n_channels; i++)
    if (!get_channel (channels[i], &described.channels[i]))
      return NULL;
  if (gst_gles_histogram_info_get_n_words (&described) > n_words)
    return NULL;
  readback = gst_gles_readback_new_complete (gst_gles_serial_take (data + head, n_words));
  result = gst_gles_histogram_result_new (&described, readback, NULL);
  return (GstMeta *) gst_buffer_add_gles_histogram_meta (buffer, result);
}

static const GstMetaInfo *
register_meta (void)
{
  return gst_gles_serial_register (GST_GLES_HISTOGRAM_META_API_TYPE, "GstGlesHistogramMeta",
      sizeof (GstGlesHistogramMeta), meta_init, meta_free, meta_transform, meta_serialize,
      meta_deserialize);
}

#else

static const GstMetaInfo *
register_meta (void)
{
  return gst_meta_register (GST_GLES_HISTOGRAM_META_API_TYPE, "GstGlesHistogramMeta",
      sizeof (GstGlesHistogramMeta), meta_init, meta_free, meta_transform);
}

#endif

const GstMetaInfo *
gst_gles_histogram_meta_get_info (void)
{
  static const GstMetaInfo *info = NULL;

  if (g_once_init_enter (&info))
    g_once_init_leave ((GstMetaInfo **) &info, (GstMetaInfo *) register_meta ());
  return info;
}

GstGlesHistogramMeta *
gst_buffer_add_gles_histogram_meta (GstBuffer *buffer, GstGlesHistogramResult *result)
{
  GstGlesHistogramMeta *meta;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (result != NULL, NULL);

  meta = (GstGlesHistogramMeta *) gst_buffer_add_meta (buffer, GST_GLES_HISTOGRAM_META_INFO, NULL);
  meta->result = gst_gles_histogram_result_ref (result);
  return meta;
}

GstGlesHistogramMeta *
gst_buffer_get_gles_histogram_meta (GstBuffer *buffer)
{
  gpointer state = NULL;
  GstMeta *meta, *last = NULL;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_GLES_HISTOGRAM_META_API_TYPE)) != NULL)
    last = meta;
  return (GstGlesHistogramMeta *) last;
}

GstGlesHistogramResult *
gst_gles_histogram_result_from_buffer (GstBuffer *buffer)
{
  GstGlesHistogramMeta *meta;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  meta = gst_buffer_get_gles_histogram_meta (buffer);
  return meta != NULL ? gst_gles_histogram_result_ref (meta->result) : NULL;
}
