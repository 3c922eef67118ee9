/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/tiles-info.h>

#include <gst/gles/meta/result.h>

/* The arrays. */
enum {
  OFFSETS,
  INDICES,
  KEYS,
  N_ARRAYS
};

struct _GstGlesTilesResult {
  GstGlesResultBase base;
  GstGlesTilesInfo info;
  GBytes *boxes; /* nullable; with types behind the boxes */
  guint n_boxes;
};

GST_GLES_DEFINE_COUNTED_RESULT (Tiles, tiles)

/* ---- making a result ---- */

static void
result_free (GstMiniObject *object)
{
  g_clear_pointer (&((GstGlesTilesResult *) object)->boxes, g_bytes_unref);
  gst_gles_result_free (object);
}

/* How many tiles cover @size pixels. */
static guint
tiles_over (guint size, guint tile)
{
  return (size - 1) / tile + 1;
}

GstGlesTilesResult *
gst_gles_tiles_result_new_queued (const GstGlesTilesInfo *info, const GstGlesTilesArrays *arrays)
{
  const gsize n_tiles = (gsize) tiles_over (info->frame.width, info->tile_width) *
      tiles_over (info->frame.height, info->tile_height);
  const GstGlesResultArray base_arrays[N_ARRAYS] = {
    { "offsets", (n_tiles + 1) * 4, 0, arrays->offsets_readback, arrays->offsets },
    { "indices", 0, 4, arrays->indices_readback, arrays->indices },
    { "keys", 0, 4, arrays->keys_readback, arrays->keys },
  };
  GstGlesTilesResult *result = gst_gles_result_new (
      &(GstGlesResultType){ sizeof *result, GST_TYPE_GLES_TILES_RESULT, result_free }, base_arrays,
      N_ARRAYS, arrays->counts);

  gst_gles_result_set_info (result, &result->info, info, sizeof *info);
  result->info.columns = tiles_over (info->frame.width, info->tile_width);
  result->info.rows = tiles_over (info->frame.height, info->tile_height);
  if (arrays->boxes != NULL) {
    result->boxes = g_bytes_ref (arrays->boxes);
    result->n_boxes = arrays->n_boxes;
  }
  return result;
}

gboolean
gst_gles_tiles_info_check (const GstGlesTilesInfo *info, const guint32 *offsets, guint n_entries)
{
  const gsize n_tiles = (gsize) tiles_over (info->frame.width, info->tile_width) *
      tiles_over (info->frame.height, info->tile_height);

  for (gsize tile = 0; tile < n_tiles; tile++) {
    if (offsets[tile] > offsets[tile + 1])
      return FALSE;
  }
  return offsets[0] == 0 && offsets[n_tiles] == n_entries;
}

GstGlesTilesResult *
gst_gles_tiles_result_new (const GstGlesFrameInfo *frame, guint tile_width, guint tile_height,
    GBytes *offsets, GBytes *indices, GBytes *keys, GError **error)
{
  GstGlesTilesInfo info = {
    .tile_width = tile_width, .tile_height = tile_height, .sort_by = GST_GLES_TILES_SORT_BY_INDEX
  };
  GBytes *const bytes[N_ARRAYS] = { offsets, indices, keys };
  g_autoptr (GBytes) aligned = NULL;
  GstGlesReadback *readbacks[N_ARRAYS];
  GstGlesTilesResult *result;
  GstGlesResult counted = { 0 };
  guint64 n_offsets;
  gsize n;

  g_return_val_if_fail (frame != NULL && frame->width > 0 && frame->height > 0, NULL);
  g_return_val_if_fail (tile_width > 0 && tile_height > 0, NULL);
  g_return_val_if_fail (offsets != NULL && indices != NULL && keys != NULL, NULL);

  aligned = gst_gles_result_align (offsets);
  info.frame = *frame;
  n = g_bytes_get_size (indices) / 4;
  n_offsets =
      (guint64) tiles_over (frame->width, tile_width) * tiles_over (frame->height, tile_height) + 1;
  if (n > G_MAXUINT32 || g_bytes_get_size (indices) != 4 * n || g_bytes_get_size (keys) != 4 * n ||
      g_bytes_get_size (offsets) != 4 * n_offsets ||
      !gst_gles_tiles_info_check (&info, g_bytes_get_data (aligned, NULL), (guint) n)) {
    gst_gles_result_refuse (error,
        "%" G_GUINT64_FORMAT
        " offsets of 4 bytes that do not descend, and as many indices and keys "
        "of 4 bytes as the last one says, make the lists of tiles of %u x %u in %u x %u pixels",
        n_offsets, tile_width, tile_height, frame->width, frame->height);
    return NULL;
  }
  info.max_items = counted.count = (guint) n;
  counted.total = n;
  for (guint i = 0; i < N_ARRAYS; i++)
    readbacks[i] = gst_gles_readback_new_counted (&counted, gst_gles_result_align (bytes[i]));
  result = gst_gles_tiles_result_new_queued (&info,
      &(GstGlesTilesArrays){ .offsets_readback = readbacks[OFFSETS],
          .indices_readback = readbacks[INDICES],
          .keys_readback = readbacks[KEYS] });
  for (guint i = 0; i < N_ARRAYS; i++)
    gst_gles_readback_unref (readbacks[i]);
  return result;
}

/* ---- arrays ---- */

static const guint32 *
get_words (GstGlesTilesResult *result, guint array, guint *n, GError **error)
{
  g_return_val_if_fail (n != NULL, NULL);
  *n = 0;
  g_return_val_if_fail (result != NULL, NULL);

  if (!gst_gles_result_wait (result, G_MAXUINT64, error))
    return NULL;
  *n = array == OFFSETS ? result->info.columns * result->info.rows + 1 : result->base.counted.count;
  return result->base.arrays[array].data;
}

const guint32 *
gst_gles_tiles_result_get_offsets (GstGlesTilesResult *result, guint *n, GError **error)
{
  return get_words (result, OFFSETS, n, error);
}

const guint32 *
gst_gles_tiles_result_get_indices (GstGlesTilesResult *result, guint *n, GError **error)
{
  return get_words (result, INDICES, n, error);
}

const guint32 *
gst_gles_tiles_result_get_keys (GstGlesTilesResult *result, guint *n, GError **error)
{
  return get_words (result, KEYS, n, error);
}

gboolean
gst_gles_tiles_result_get_bytes (
    GstGlesTilesResult *result, GBytes **offsets, GBytes **indices, GBytes **keys, GError **error)
{
  GBytes **const targets[N_ARRAYS] = { offsets, indices, keys };

  for (guint i = 0; i < N_ARRAYS; i++) {
    if (targets[i] != NULL)
      *targets[i] = NULL;
  }
  g_return_val_if_fail (result != NULL, FALSE);

  if (!gst_gles_result_wait (result, G_MAXUINT64, error))
    return FALSE;
  for (guint i = 0; i < N_ARRAYS; i++) {
    const guint32 *words;
    guint n;

    words = get_words (result, i, &n, NULL);
    if (targets[i] != NULL)
      *targets[i] = gst_gles_result_get_bytes (result, words, n * sizeof *words);
  }
  return TRUE;
}

const guint32 *
gst_gles_tiles_result_get_tile (GstGlesTilesResult *result, guint tile, guint *n, GError **error)
{
  const guint32 *offsets, *indices;

  g_return_val_if_fail (n != NULL, NULL);
  *n = 0;
  g_return_val_if_fail (result != NULL, NULL);
  g_return_val_if_fail (tile < result->info.columns * result->info.rows, NULL);

  indices = get_words (result, INDICES, n, error);
  if (indices == NULL)
    return NULL;
  offsets = result->base.arrays[OFFSETS].data;
  *n = offsets[tile + 1] - offsets[tile];
  return indices + offsets[tile];
}

gboolean
gst_gles_tiles_result_get_occupancy (
    GstGlesTilesResult *result, guint *occupied, guint *largest, GError **error)
{
  guint n, n_occupied = 0, most = 0;
  const guint32 *offsets;

  g_return_val_if_fail (result != NULL, FALSE);

  offsets = get_words (result, OFFSETS, &n, error);
  if (offsets == NULL)
    return FALSE;
  for (guint tile = 0; tile + 1 < n; tile++) {
    const guint length = offsets[tile + 1] - offsets[tile];

    n_occupied += length > 0 ? 1 : 0;
    most = MAX (most, length);
  }
  gst_gles_result_tell (occupied, n_occupied);
  gst_gles_result_tell (largest, most);
  return TRUE;
}

const GstGlesBox *
gst_gles_tiles_result_get_boxes (GstGlesTilesResult *result, guint *n)
{
  g_return_val_if_fail (n != NULL, NULL);
  *n = 0;
  g_return_val_if_fail (result != NULL, NULL);

  *n = result->n_boxes;
  return result->boxes != NULL ? g_bytes_get_data (result->boxes, NULL) : NULL;
}

/* ---- on the device ---- */

GstGlesBuffer *
gst_gles_tiles_result_get_device_offsets (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return gst_gles_result_get_buffer (result, OFFSETS);
}

GstGlesBuffer *
gst_gles_tiles_result_get_device_indices (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return gst_gles_result_get_buffer (result, INDICES);
}

GstGlesBuffer *
gst_gles_tiles_result_get_device_keys (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return gst_gles_result_get_buffer (result, KEYS);
}

void
gst_gles_tiles_result_release_device (GstGlesTilesResult *result)
{
  gst_gles_result_release_device (result);
}
