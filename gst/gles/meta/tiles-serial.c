/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/serial.h>
#include <gst/gles/meta/tiles-info.h>

/* Behind the frame: the total, the description, the count, the number of boxes, offsets, indices,
 * keys, boxes. */
#define MEMBERS(info) GST_GLES_SERIAL_MEMBERS (info, GstGlesTilesInfo, tile_width, max_items)

gboolean
gst_gles_tiles_serialize (GstGlesTilesResult *result, GstByteWriter *writer)
{
  const GstGlesTilesInfo *info = gst_gles_tiles_result_get_info (result);
  const guint64 total = gst_gles_tiles_result_get_total (result);
  guint n_offsets, n, n_boxes;
  const guint32 *offsets = gst_gles_tiles_result_get_offsets (result, &n_offsets, NULL);
  const guint32 *indices = gst_gles_tiles_result_get_indices (result, &n, NULL);
  const guint32 *keys = gst_gles_tiles_result_get_keys (result, &n, NULL);
  const GstGlesBox *boxes = gst_gles_tiles_result_get_boxes (result, &n_boxes);

  if (offsets == NULL)
    return FALSE;
  gst_gles_serial_put_frame (writer, &info->frame);
  gst_gles_serial_put (writer, &total, sizeof total);
  gst_gles_serial_put (writer, MEMBERS (info));
  gst_gles_serial_put (writer, &n, sizeof n);
  gst_gles_serial_put (writer, &n_boxes, sizeof n_boxes);
  gst_gles_serial_put (writer, offsets, 4 * (gsize) n_offsets);
  gst_gles_serial_put (writer, indices, 4 * (gsize) n);
  gst_gles_serial_put (writer, keys, 4 * (gsize) n);
  gst_gles_serial_put_boxes (writer, boxes, n_boxes);
  return TRUE;
}

static gboolean
get_head (GstByteReader *reader, GstGlesTilesInfo *info, GstGlesResult *counted, guint *n_boxes)
{
  if (!gst_gles_serial_get (reader, &counted->total, sizeof counted->total) ||
      !gst_gles_serial_get (reader, MEMBERS (info)) ||
      !gst_gles_serial_get (reader, &counted->count, sizeof counted->count) ||
      !gst_gles_serial_get (reader, n_boxes, sizeof *n_boxes))
    return FALSE;
  info->descending = info->descending != 0;
  return info->tile_width >= 1 && info->tile_width <= G_MAXINT && info->tile_height >= 1 &&
      info->tile_height <= G_MAXINT && (guint) info->input <= GST_GLES_TILES_INPUT_SPLATS &&
      (guint) info->sort_by <= GST_GLES_TILES_SORT_BY_INDEX && counted->count <= counted->total;
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
    boxes = gst_gles_serial_get_boxes (reader, made.n_boxes);
  if (boxes != NULL) {
    made.boxes = made.n_boxes > 0 ? boxes : NULL;
    result = gst_gles_tiles_result_new_queued (&info, &made);
  }
  gst_gles_readback_unref (made.offsets_readback);
  gst_gles_readback_unref (made.indices_readback);
  gst_gles_readback_unref (made.keys_readback);
  return result;
}
