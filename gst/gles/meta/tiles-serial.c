/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/serial-private.h>

/* Before the offsets, indices and keys: six numbers of 64 bits, eleven of 32, padding to 24
 * words. Behind them the boxes, six numbers each, and their types. */
#define N_LONGS 6
#define N_WORDS 11
#define HEAD_BYTES (4 * 24)
#define BOX_WORDS 6
#define BOX_BYTES (4 * BOX_WORDS)
#define MAX_TYPE_BYTES 255

G_STATIC_ASSERT (8 * N_LONGS + 4 * N_WORDS <= HEAD_BYTES);

/* ---- writing ---- */

/* With the 0 that ends it. */
static guint32
type_bytes (const GstGlesTilesBox *box)
{
  return (guint32) gst_gles_serial_text_bytes (box->type, MAX_TYPE_BYTES) + 1;
}

gboolean
gst_gles_tiles_serial_get_size (GstGlesTilesResult *result, gsize *size)
{
  const GstGlesTilesInfo *info = gst_gles_tiles_result_get_info (result);
  const GstGlesTilesBox *boxes;
  guint n_offsets, n, n_boxes;

  if (gst_gles_tiles_result_get_offsets (result, &n_offsets, NULL) == NULL ||
      gst_gles_tiles_result_get_indices (result, &n, NULL) == NULL ||
      gst_gles_tiles_result_get_keys (result, &n, NULL) == NULL)
    return FALSE;
  *size =
      gst_gles_origin_serial_get_size (info->origin) + HEAD_BYTES + 4 * (n_offsets + 2 * (gsize) n);
  boxes = gst_gles_tiles_result_get_boxes (result, &n_boxes);
  for (guint i = 0; i < n_boxes; i++)
    *size += BOX_BYTES + type_bytes (&boxes[i]);
  return TRUE;
}

static void
put_boxes (GstGlesTilesResult *result, guint8 *target)
{
  guint n;
  const GstGlesTilesBox *boxes = gst_gles_tiles_result_get_boxes (result, &n);

  for (guint i = 0; i < n; i++) {
    const GstGlesTilesBox *box = &boxes[i];
    const guint32 words[BOX_WORDS] = { box->x, box->y, box->width, box->height, (guint32) box->id,
      type_bytes (box) };

    target = gst_gles_serial_put (target, words, BOX_WORDS);
  }
  for (guint i = 0; i < n; i++)
    target = gst_gles_serial_put_text (target, boxes[i].type, type_bytes (&boxes[i]) - 1);
}

void
gst_gles_tiles_serial_write (GstGlesTilesResult *result, guint8 *target)
{
  const GstGlesTilesInfo *info = gst_gles_tiles_result_get_info (result);
  guint n_offsets, n, n_boxes;
  const guint32 *offsets = gst_gles_tiles_result_get_offsets (result, &n_offsets, NULL);
  const guint32 *indices = gst_gles_tiles_result_get_indices (result, &n, NULL);
  const guint32 *keys = gst_gles_tiles_result_get_keys (result, &n, NULL);
  const guint64 longs[N_LONGS] = { info->frame, info->pts, info->duration, info->running_time,
    info->stream_time, gst_gles_tiles_result_get_total (result) };
  guint32 words[(HEAD_BYTES - 8 * N_LONGS) / 4] = { info->width, info->height, info->format,
    info->tile_width, info->tile_height, info->input, info->sort_by, info->descending,
    info->max_items, n };

  gst_gles_tiles_result_get_boxes (result, &n_boxes);
  words[N_WORDS - 1] = n_boxes;
  target = gst_gles_origin_serial_write (info->origin, info->utc, target);
  for (guint i = 0; i < N_LONGS; i++)
    target = gst_gles_serial_put_64 (target, longs[i]);
  target = gst_gles_serial_put (target, words, G_N_ELEMENTS (words));
  target = gst_gles_serial_put (target, offsets, n_offsets);
  target = gst_gles_serial_put (target, indices, n);
  target = gst_gles_serial_put (target, keys, n);
  put_boxes (result, target);
}

/* ---- reading ---- */

static gboolean
get_head (const guint8 *data, GstGlesTilesInfo *info, GstGlesResult *counted, guint *n_boxes)
{
  guint32 words[N_WORDS];

  gst_gles_serial_get (data + 8 * N_LONGS, words, N_WORDS);
  *info = (GstGlesTilesInfo){ gst_gles_serial_get_64 (data), gst_gles_serial_get_64 (data + 8),
    gst_gles_serial_get_64 (data + 16), gst_gles_serial_get_64 (data + 24),
    gst_gles_serial_get_64 (data + 32), words[0], words[1], (GstVideoFormat) words[2], words[3],
    words[4], (GstGlesTilesInput) words[5], (GstGlesTilesSortBy) words[6], words[7] != 0,
    words[8] };
  *counted = (GstGlesResult){ gst_gles_serial_get_64 (data + 40), words[9], 0 };
  *n_boxes = words[10];
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

/* Boxes and, behind them, their types, in one piece: (transfer full) (nullable), NULL where
 * there are none such in @size bytes. */
static GBytes *
get_boxes (const guint8 *data, gsize size, guint n)
{
  const gsize boxes_bytes = n * sizeof (GstGlesTilesBox);
  GstGlesTilesBox *boxes;
  gsize types_bytes, at = 0;
  gchar *types;

  if (size / BOX_BYTES < n)
    return NULL;
  types_bytes = size - n * (gsize) BOX_BYTES;
  boxes = g_try_malloc (MAX (boxes_bytes + types_bytes, 1));
  if (boxes == NULL)
    return NULL;
  types = (gchar *) boxes + boxes_bytes;
  memcpy (types, data + n * (gsize) BOX_BYTES, types_bytes);
  for (guint i = 0; i < n; i++) {
    guint32 words[BOX_WORDS];

    gst_gles_serial_get (data + i * (gsize) BOX_BYTES, words, BOX_WORDS);
    if (words[5] > MAX_TYPE_BYTES + 1 || types_bytes - at < words[5] ||
        gst_gles_serial_get_text ((const guint8 *) types + at, words[5]) == NULL) {
      g_free (boxes);
      return NULL;
    }
    boxes[i] =
        (GstGlesTilesBox){ words[0], words[1], words[2], words[3], (gint) words[4], types + at };
    at += words[5];
  }
  return g_bytes_new_take (boxes, boxes_bytes + types_bytes);
}

/* The arrays of a result of @n_tiles tiles and @n entries, which @data has. FALSE where there
 * are none such. */
static gboolean
get_arrays (const guint8 *data, guint64 n_tiles, const GstGlesResult *counted, GBytes *arrays[3])
{
  const guint64 n = counted->count;

  arrays[0] = gst_gles_serial_take (data, n_tiles + 1);
  arrays[1] = gst_gles_serial_take (data + 4 * (n_tiles + 1), n);
  arrays[2] = gst_gles_serial_take (data + 4 * (n_tiles + 1 + n), n);
  return arrays[0] != NULL && arrays[1] != NULL && arrays[2] != NULL &&
      check_offsets (arrays[0], counted->count);
}

GstGlesTilesResult *
gst_gles_tiles_serial_parse (const guint8 *data, gsize size, guint8 version)
{
  GBytes *arrays[3] = { NULL, NULL, NULL };
  GstGlesTilesArrays made = { NULL };
  GstGlesReadback *readbacks[3];
  GstGlesTilesResult *result = NULL;
  g_autoptr (GstGlesOrigin) origin = NULL;
  g_autoptr (GBytes) boxes = NULL;
  GstGlesTilesInfo info;
  GstGlesResult counted;
  GstClockTime utc;
  guint64 n_tiles, n_words;
  guint n_boxes;

  if (version != GST_GLES_SERIAL_VERSION ||
      !gst_gles_origin_serial_parse (&data, &size, &origin, &utc) || size < HEAD_BYTES ||
      !get_head (data, &info, &counted, &n_boxes))
    return NULL;
  info.utc = utc;
  info.origin = origin;
  /* in 64 bits: sizes have 31 */
  n_tiles = ((guint64) (info.width - 1) / info.tile_width + 1) *
      ((guint64) (info.height - 1) / info.tile_height + 1);
  n_words = n_tiles + 1 + 2 * (guint64) counted.count;
  if (n_tiles >= G_MAXUINT32 || (size - HEAD_BYTES) / 4 < n_words)
    return NULL;
  data += HEAD_BYTES;
  boxes = get_boxes (data + 4 * n_words, size - HEAD_BYTES - 4 * n_words, n_boxes);
  if (boxes != NULL && get_arrays (data, n_tiles, &counted, arrays)) {
    for (guint i = 0; i < 3; i++)
      readbacks[i] = gst_gles_readback_new_counted (&counted, g_bytes_ref (arrays[i]));
    made.offsets_readback = readbacks[0];
    made.indices_readback = readbacks[1];
    made.keys_readback = readbacks[2];
    made.boxes = n_boxes > 0 ? boxes : NULL;
    made.n_boxes = n_boxes;
    result = gst_gles_tiles_result_new (&info, &made);
    for (guint i = 0; i < 3; i++)
      gst_gles_readback_unref (readbacks[i]);
  }
  for (guint i = 0; i < 3; i++)
    g_clear_pointer (&arrays[i], g_bytes_unref);
  return result;
}
