/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/serial-private.h>

/* Before the offsets, indices and keys: six numbers of 64 bits, ten of 32, padding to 24 words. */
#define N_LONGS 6
#define N_WORDS 10
#define HEAD_BYTES (4 * 24)

G_STATIC_ASSERT (8 * N_LONGS + 4 * N_WORDS <= HEAD_BYTES);

gboolean
gst_gles_tiles_serial_get_size (GstGlesTilesResult *result, gsize *size)
{
  guint n_offsets, n;

  if (gst_gles_tiles_result_get_offsets (result, &n_offsets, NULL) == NULL ||
      gst_gles_tiles_result_get_indices (result, &n, NULL) == NULL ||
      gst_gles_tiles_result_get_keys (result, &n, NULL) == NULL)
    return FALSE;
  *size = HEAD_BYTES + 4 * (n_offsets + 2 * (gsize) n);
  return TRUE;
}

void
gst_gles_tiles_serial_write (GstGlesTilesResult *result, guint8 *target)
{
  const GstGlesTilesInfo *info = gst_gles_tiles_result_get_info (result);
  guint n_offsets, n;
  const guint32 *offsets = gst_gles_tiles_result_get_offsets (result, &n_offsets, NULL);
  const guint32 *indices = gst_gles_tiles_result_get_indices (result, &n, NULL);
  const guint32 *keys = gst_gles_tiles_result_get_keys (result, &n, NULL);
  const guint64 longs[N_LONGS] = { info->frame, info->pts, info->duration, info->running_time,
    info->stream_time, gst_gles_tiles_result_get_total (result) };
  const guint32 words[(HEAD_BYTES - 8 * N_LONGS) / 4] = { info->width, info->height, info->format,
    info->tile_width, info->tile_height, info->input, info->sort_by, info->descending,
    info->max_items, n };

  for (guint i = 0; i < N_LONGS; i++)
    gst_gles_serial_put_64 (target + 8 * i, longs[i]);
  target = gst_gles_serial_put (target + 8 * N_LONGS, words, G_N_ELEMENTS (words));
  target = gst_gles_serial_put (target, offsets, n_offsets);
  target = gst_gles_serial_put (target, indices, n);
  gst_gles_serial_put (target, keys, n);
}

static gboolean
get_head (const guint8 *data, GstGlesTilesInfo *info, GstGlesCounted *counted)
{
  guint32 words[N_WORDS];

  gst_gles_serial_get (data + 8 * N_LONGS, words, N_WORDS);
  *info = (GstGlesTilesInfo){ gst_gles_serial_get_64 (data), gst_gles_serial_get_64 (data + 8),
    gst_gles_serial_get_64 (data + 16), gst_gles_serial_get_64 (data + 24),
    gst_gles_serial_get_64 (data + 32), words[0], words[1], (GstVideoFormat) words[2], words[3],
    words[4], (GstGlesTilesInput) words[5], (GstGlesTilesSortBy) words[6], words[7] != 0,
    words[8] };
  *counted = (GstGlesCounted){ gst_gles_serial_get_64 (data + 40), words[9], 0 };
  return gst_gles_serial_check_picture (info->width, info->height, words[2]) &&
      info->tile_width >= 1 && info->tile_width <= G_MAXINT && info->tile_height >= 1 &&
      info->tile_height <= G_MAXINT && words[5] <= GST_GLES_TILES_INPUT_SPLATS &&
      words[6] <= GST_GLES_TILES_SORT_BY_DEPTH && counted->count <= counted->total;
}

/* Lists follow each other and end where the indices do. */
static gboolean
check_offsets (GBytes *bytes, guint32 count)
{
  gsize size;
  const guint32 *offsets = g_bytes_get_data (bytes, &size);
  const gsize last = size / 4 - 1;

  for (gsize i = 0; i < last; i++)
    if (offsets[i] > offsets[i + 1])
      return FALSE;
  return offsets[0] == 0 && offsets[last] == count;
}

GstGlesTilesResult *
gst_gles_tiles_serial_parse (const guint8 *data, gsize size, guint8 version)
{
  GBytes *arrays[3] = { NULL, NULL, NULL };
  GstGlesReadback *readbacks[3];
  GstGlesTilesResult *result = NULL;
  GstGlesTilesInfo info;
  GstGlesCounted counted;
  guint64 n_tiles;

  if (version != GST_GLES_SERIAL_VERSION || size < HEAD_BYTES || !get_head (data, &info, &counted))
    return NULL;
  /* in 64 bits: sizes have 31 */
  n_tiles = ((guint64) (info.width - 1) / info.tile_width + 1) *
      ((guint64) (info.height - 1) / info.tile_height + 1);
  if (n_tiles >= G_MAXUINT32 || (size - HEAD_BYTES) / 4 < n_tiles + 1 + 2 * (guint64) counted.count)
    return NULL;
  data += HEAD_BYTES;
  arrays[0] = gst_gles_serial_take (data, n_tiles + 1);
  arrays[1] = gst_gles_serial_take (data + 4 * (n_tiles + 1), counted.count);
  arrays[2] =
      gst_gles_serial_take (data + 4 * (n_tiles + 1 + (guint64) counted.count), counted.count);
  if (arrays[0] != NULL && arrays[1] != NULL && arrays[2] != NULL &&
      check_offsets (arrays[0], counted.count)) {
    for (guint i = 0; i < 3; i++)
      readbacks[i] = gst_gles_readback_new_counted (&counted, g_bytes_ref (arrays[i]));
    result = gst_gles_tiles_result_new (&info,
        &(GstGlesTilesArrays){ .offsets_readback = readbacks[0],
            .indices_readback = readbacks[1],
            .keys_readback = readbacks[2] });
    for (guint i = 0; i < 3; i++)
      gst_gles_readback_unref (readbacks[i]);
  }
  for (guint i = 0; i < 3; i++)
    g_clear_pointer (&arrays[i], g_bytes_unref);
  return result;
}
