/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/tiles.h>

#include <string.h>

#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/serial-private.h>

GType
gst_gles_tiles_meta_api_get_type (void)
{
  /* whoever moves pixels knows by these tags that coordinates go wrong */
  static const gchar *tags[] = { GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
    GST_META_TAG_VIDEO_ORIENTATION_STR, NULL };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, gst_meta_api_type_register ("GstGlesTilesMetaAPI", tags));
  return type;
}

static gboolean
meta_init (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  ((GstGlesTilesMeta *) meta)->result = NULL;
  return TRUE;
}

static void
meta_free (GstMeta *meta, GstBuffer *buffer)
{
  g_clear_pointer (&((GstGlesTilesMeta *) meta)->result, gst_gles_tiles_result_unref);
}

static gboolean
has_result (GstBuffer *buffer, GstGlesTilesResult *result)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state, GST_GLES_TILES_META_API_TYPE)) !=
      NULL) {
    if (((GstGlesTilesMeta *) meta)->result == result)
      return TRUE;
  }
  return FALSE;
}

/* Copies and scaled pictures share the result, which tells the size its coordinates are of. A part of
 * a buffer is no picture. Some elements copy a buffer's metas twice. */
static gboolean
meta_transform (GstBuffer *target, GstMeta *meta, GstBuffer *buffer, GQuark type, gpointer data)
{
  GstGlesTilesResult *result = ((GstGlesTilesMeta *) meta)->result;

  if (GST_META_TRANSFORM_IS_COPY (type)) {
    if (((GstMetaTransformCopy *) data)->region)
      return FALSE;
  } else if (!GST_VIDEO_META_TRANSFORM_IS_SCALE (type)) {
    return FALSE;
  }
  if (!has_result (target, result))
    gst_buffer_add_gles_tiles_meta (target, result);
  return TRUE;
}

#if GST_CHECK_VERSION(1, 24, 0)

#define SERIAL_VERSION 1
/* before the offsets, indices and keys: six numbers of 64 bits, ten of 32, padding */
#define SERIAL_WORDS 24

static void
put_info (const GstGlesTilesInfo *info, guint64 total, guint32 count, guint32 *words)
{
  const guint64 longs[] = { info->frame, info->pts, info->duration, info->running_time,
    info->stream_time, total };
  const guint32 rest[] = { info->width, info->height, info->format, info->tile_width,
    info->tile_height, info->input, info->sort_by, info->descending, info->max_items, count };

  memset (words, 0, SERIAL_WORDS * sizeof (guint32));
  for (guint i = 0; i < G_N_ELEMENTS (longs); i++)
    gst_gles_serial_put_64 (words + 2 * i, longs[i]);
  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    words[2 * G_N_ELEMENTS (longs) + i] = GUINT32_TO_LE (rest[i]);
}

/* FALSE when it cannot be one. */
static gboolean
get_info (const guint32 *words, GstGlesTilesInfo *info, GstGlesCounted *counted, guint64 *n_tiles)
{
  guint32 rest[10];

  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    rest[i] = GUINT32_FROM_LE (words[12 + i]);
  *info = (GstGlesTilesInfo){ gst_gles_serial_get_64 (words), gst_gles_serial_get_64 (words + 2),
    gst_gles_serial_get_64 (words + 4), gst_gles_serial_get_64 (words + 6),
    gst_gles_serial_get_64 (words + 8), rest[0], rest[1], (GstVideoFormat) rest[2], rest[3],
    rest[4], (GstGlesTilesInput) rest[5], (GstGlesTilesSortBy) rest[6], rest[7] != 0, rest[8] };
  *counted = (GstGlesCounted){ gst_gles_serial_get_64 (words + 10), rest[9], 0 };
  if (info->width == 0 || info->height == 0 || info->tile_width == 0 || info->tile_height == 0 ||
      rest[5] > GST_GLES_TILES_INPUT_SPLATS || rest[6] > GST_GLES_TILES_SORT_BY_DEPTH)
    return FALSE;
  *n_tiles = (guint64) ((info->width - 1) / info->tile_width + 1) *
      ((info->height - 1) / info->tile_height + 1);
  return TRUE;
}

/* Waits for the arrays: another process cannot. */
static gboolean
meta_serialize (const GstMeta *meta, GstByteArrayInterface *data, guint8 *version)
{
  GstGlesTilesResult *result = ((const GstGlesTilesMeta *) meta)->result;
  const guint32 *offsets, *indices, *keys;
  guint32 words[SERIAL_WORDS];
  guint n, n_offsets;

  offsets = gst_gles_tiles_result_get_offsets (result, &n_offsets, NULL);
  indices = gst_gles_tiles_result_get_indices (result, &n, NULL);
  keys = gst_gles_tiles_result_get_keys (result, &n, NULL);
  if (offsets == NULL || indices == NULL || keys == NULL)
    return FALSE;
  put_info (
      gst_gles_tiles_result_get_info (result), gst_gles_tiles_result_get_total (result), n, words);
  *version = SERIAL_VERSION;
  return gst_byte_array_interface_append_data (data, (const guint8 *) words, sizeof words) &&
      gst_gles_serial_append (data, offsets, n_offsets) &&
      gst_gles_serial_append (data, indices, n) && gst_gles_serial_append (data, keys, n);
}

static GstGlesReadback *
take_words (const GstGlesCounted *counted, const guint8 **at, gsize n)
{
  g_autoptr (GBytes) bytes = gst_gles_serial_take (*at, n);

  *at += 4 * n;
  return gst_gles_readback_new_counted (counted, g_steal_pointer (&bytes));
}

static gboolean
offsets_ascend (const guint8 *bytes, guint64 n_tiles, guint32 count)
{
  guint32 last = 0;

  for (guint64 i = 0; i <= n_tiles; i++) {
    const guint32 offset = GST_READ_UINT32_LE (bytes + 4 * i);

    if (offset < last || offset > count)
      return FALSE;
    last = offset;
  }
  return TRUE;
}

static GstMeta *
meta_deserialize (
    const GstMetaInfo *info, GstBuffer *buffer, const guint8 *data, gsize size, guint8 version)
{
  g_autoptr (GstGlesReadback) offsets = NULL;
  g_autoptr (GstGlesReadback) indices = NULL;
  g_autoptr (GstGlesReadback) keys = NULL;
  g_autoptr (GstGlesTilesResult) result = NULL;
  guint32 words[SERIAL_WORDS];
  GstGlesTilesInfo described;
  GstGlesCounted counted;
  guint64 n_tiles;

  if (version != SERIAL_VERSION || size < sizeof words)
    return NULL;
  memcpy (words, data, sizeof words);
  data += sizeof words;
  if (!get_info (words, &described, &counted, &n_tiles) ||
      (size - sizeof words) / 4 < n_tiles + 1 + 2 * (guint64) counted.count ||
      !offsets_ascend (data, n_tiles, counted.count))
    return NULL;
  offsets = take_words (&counted, &data, n_tiles + 1);
  indices = take_words (&counted, &data, counted.count);
  keys = take_words (&counted, &data, counted.count);
  result = gst_gles_tiles_result_new (&described,
      &(GstGlesTilesArrays){
          .offsets_readback = offsets, .indices_readback = indices, .keys_readback = keys });
  return (GstMeta *) gst_buffer_add_gles_tiles_meta (buffer, result);
}

static const GstMetaInfo *
register_meta (void)
{
  return gst_gles_serial_register (GST_GLES_TILES_META_API_TYPE, "GstGlesTilesMeta",
      sizeof (GstGlesTilesMeta), meta_init, meta_free, meta_transform, meta_serialize,
      meta_deserialize);
}

#else

static const GstMetaInfo *
register_meta (void)
{
  return gst_meta_register (GST_GLES_TILES_META_API_TYPE, "GstGlesTilesMeta",
      sizeof (GstGlesTilesMeta), meta_init, meta_free, meta_transform);
}

#endif

const GstMetaInfo *
gst_gles_tiles_meta_get_info (void)
{
  static const GstMetaInfo *info = NULL;

  if (g_once_init_enter (&info))
    g_once_init_leave ((GstMetaInfo **) &info, (GstMetaInfo *) register_meta ());
  return info;
}

GstGlesTilesMeta *
gst_buffer_add_gles_tiles_meta (GstBuffer *buffer, GstGlesTilesResult *result)
{
  GstGlesTilesMeta *meta;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (result != NULL, NULL);

  meta = (GstGlesTilesMeta *) gst_buffer_add_meta (buffer, GST_GLES_TILES_META_INFO, NULL);
  meta->result = gst_gles_tiles_result_ref (result);
  return meta;
}

GstGlesTilesMeta *
gst_buffer_get_gles_tiles_meta (GstBuffer *buffer)
{
  gpointer state = NULL;
  GstMeta *meta, *last = NULL;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state, GST_GLES_TILES_META_API_TYPE)) !=
      NULL)
    last = meta;
  return (GstGlesTilesMeta *) last;
}

GstGlesTilesResult *
gst_gles_tiles_result_from_buffer (GstBuffer *buffer)
{
  GstGlesTilesMeta *meta;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  meta = gst_buffer_get_gles_tiles_meta (buffer);
  return meta != NULL ? gst_gles_tiles_result_ref (meta->result) : NULL;
}
