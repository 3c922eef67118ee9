/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include <gst/gles/meta/serial.h>
#include <gst/gles/meta/tiles-info.h>

/* Behind the frame: the total, numbers of 32 bits, offsets, indices, keys, boxes. */
#define N_WORDS 8
#define BOX_WORDS 5
#define MAX_TYPE_BYTES 255
/* of a box, with its type of no bytes */
#define MIN_BOX_BYTES (4 * (BOX_WORDS + 1) + 1)

gboolean
gst_gles_tiles_serialize (GstGlesTilesResult *result, GstByteWriter *writer)
{
  const GstGlesTilesInfo *info = gst_gles_tiles_result_get_info (result);
  const guint64 total = gst_gles_tiles_result_get_total (result);
  guint n_offsets, n, n_boxes;
  const guint32 *offsets = gst_gles_tiles_result_get_offsets (result, &n_offsets, NULL);
  const guint32 *indices = gst_gles_tiles_result_get_indices (result, &n, NULL);
  const guint32 *keys = gst_gles_tiles_result_get_keys (result, &n, NULL);
  const GstGlesTilesBox *boxes = gst_gles_tiles_result_get_boxes (result, &n_boxes);
  const guint32 head[N_WORDS] = { info->tile_width, info->tile_height, info->input, info->sort_by,
    info->descending, info->max_items, n, n_boxes };

  if (offsets == NULL)
    return FALSE;
  gst_gles_serial_put_frame (writer, &info->frame);
  gst_gles_serial_put (writer, &total, sizeof total);
  gst_gles_serial_put (writer, head, sizeof head);
  gst_gles_serial_put (writer, offsets, 4 * (gsize) n_offsets);
  gst_gles_serial_put (writer, indices, 4 * (gsize) n);
  gst_gles_serial_put (writer, keys, 4 * (gsize) n);
  for (guint i = 0; i < n_boxes; i++) {
    const guint32 words[BOX_WORDS] = { boxes[i].x, boxes[i].y, boxes[i].width, boxes[i].height,
      (guint32) boxes[i].id };

    gst_gles_serial_put (writer, words, sizeof words);
    gst_gles_serial_put_text (writer, boxes[i].type, MAX_TYPE_BYTES);
  }
  return TRUE;
}

static gboolean
get_head (GstByteReader *reader, GstGlesTilesInfo *info, GstGlesResult *counted, guint *n_boxes)
{
  guint32 head[N_WORDS];

  if (!gst_gles_serial_get (reader, &counted->total, sizeof counted->total) ||
      !gst_gles_serial_get (reader, head, sizeof head))
    return FALSE;
  info->tile_width = head[0];
  info->tile_height = head[1];
  info->input = (GstGlesTilesInput) head[2];
  info->sort_by = (GstGlesTilesSortBy) head[3];
  info->descending = head[4] != 0;
  info->max_items = head[5];
  counted->count = head[6];
  *n_boxes = head[7];
  return info->tile_width >= 1 && info->tile_width <= G_MAXINT && info->tile_height >= 1 &&
      info->tile_height <= G_MAXINT && head[2] <= GST_GLES_TILES_INPUT_SPLATS &&
      head[3] <= GST_GLES_TILES_SORT_BY_DEPTH && counted->count <= counted->total;
}

/* @n boxes and, behind them, their types, in one piece: (transfer full) (nullable), NULL where
 * there are none such. */
static GBytes *
get_boxes (GstByteReader *reader, guint n)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  GstGlesTilesBox *boxes;
  gsize at = n * sizeof *boxes;

  if (gst_byte_reader_get_remaining (reader) / MIN_BOX_BYTES < n)
    return NULL;
  g_byte_array_set_size (bytes, (guint) at);
  for (guint i = 0; i < n; i++) {
    guint32 words[BOX_WORDS];
    const gchar *type;

    if (!gst_gles_serial_get (reader, words, sizeof words) ||
        !gst_gles_serial_get_text (reader, MAX_TYPE_BYTES, &type) || type == NULL)
      return NULL;
    ((GstGlesTilesBox *) bytes->data)[i] =
        (GstGlesTilesBox){ words[0], words[1], words[2], words[3], (gint) words[4], NULL };
    g_byte_array_append (bytes, (const guint8 *) type, (guint) strlen (type) + 1);
  }
  /* the bytes do not move any more */
  boxes = (GstGlesTilesBox *) bytes->data;
  for (guint i = 0; i < n; i++) {
    boxes[i].type = (const gchar *) bytes->data + at;
    at += strlen (boxes[i].type) + 1;
  }
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

/* Sets the arrays of @made, which are (transfer full). FALSE where there are none such. */
static gboolean
get_arrays (GstByteReader *reader, const GstGlesTilesInfo *info, const GstGlesResult *counted,
    GstGlesTilesArrays *made)
{
  /* in 64 bits: sizes have 31 */
  const guint64 n_tiles = ((guint64) (info->frame.width - 1) / info->tile_width + 1) *
      ((guint64) (info->frame.height - 1) / info->tile_height + 1);
  const guint64 sizes[3] = { 4 * (n_tiles + 1), 4 * (guint64) counted->count,
    4 * (guint64) counted->count };
  GstGlesReadback **const targets[3] = { &made->offsets_readback, &made->indices_readback,
    &made->keys_readback };
  GBytes *arrays[3];

  for (guint i = 0; i < 3; i++) {
    arrays[i] = n_tiles < G_MAXUINT32 ? gst_gles_serial_take (reader, sizes[i]) : NULL;
    if (arrays[i] == NULL)
      return FALSE;
    *targets[i] = gst_gles_readback_new_counted (counted, arrays[i]);
  }
  return gst_gles_tiles_info_check (info, g_bytes_get_data (arrays[0], NULL), counted->count);
}

GstGlesTilesResult *
gst_gles_tiles_parse (GstByteReader *reader)
{
  GstGlesTilesResult *result = NULL;
  g_autoptr (GstGlesOrigin) origin = NULL;
  g_autoptr (GBytes) boxes = NULL;
  GstGlesTilesArrays made = { NULL };
  GstGlesTilesInfo info = { 0 };
  GstGlesResult counted = { 0 };

  if (!gst_gles_serial_get_frame (reader, &info.frame))
    return NULL;
  origin = info.frame.origin;
  if (get_head (reader, &info, &counted, &made.n_boxes) &&
      get_arrays (reader, &info, &counted, &made))
    boxes = get_boxes (reader, made.n_boxes);
  if (boxes != NULL) {
    made.boxes = made.n_boxes > 0 ? boxes : NULL;
    result = gst_gles_tiles_result_new_queued (&info, &made);
  }
  gst_gles_readback_unref (made.offsets_readback);
  gst_gles_readback_unref (made.indices_readback);
  gst_gles_readback_unref (made.keys_readback);
  return result;
}
