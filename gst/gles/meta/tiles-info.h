/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What elements make tiles results with. Not installed. */
#ifndef GST_GLES_META_TILES_INFO_H
#define GST_GLES_META_TILES_INFO_H

#include <gst/gles/gl/readback-info.h>
#include <gst/gles/meta/tiles.h>

G_BEGIN_DECLS

typedef struct _GstGlesTilesArrays GstGlesTilesArrays;

/* GstGlesTilesArrays:
 * @offsets: columns * rows + 1 words
 * @indices: a word per entry
 * @keys: a word per entry
 * @counts: a #GstGlesResult
 * @offsets_readback: @offsets on their way to the host; %NULL when all stays on the device
 * @indices_readback: @indices, likewise, counted
 * @keys_readback: @keys, likewise, counted
 * @boxes: (nullable): the boxes that were listed, #GstGlesBox one after the other; what
 *     their types point to lies behind them or is static
 * @n_boxes: how many
 *
 * Where the arrays of a result are: little-endian u32 words, on the device (all or none) and on
 * their way to the host (all or none).
 */
struct _GstGlesTilesArrays {
  GstGlesBuffer *offsets, *indices, *keys, *counts;
  GstGlesReadback *offsets_readback;
  GstGlesReadback *indices_readback;
  GstGlesReadback *keys_readback;
  GBytes *boxes;
  guint n_boxes;
};

/* Makes a result of work that is queued, for elements that analyse. Keeps what @arrays names.
 * Thread: any. */
GST_GLES_API GstGlesTilesResult *gst_gles_tiles_result_new_queued (
    const GstGlesTilesInfo *info, const GstGlesTilesArrays *arrays);

/* Drops the arrays on the device of a result that is read back, which results that are kept would
 * hold. Thread: any. */
GST_GLES_API void gst_gles_tiles_result_release_device (GstGlesTilesResult *result);

/* Whether the lists of @offsets, one more than tiles, have @n_entries. */
gboolean gst_gles_tiles_info_check (
    const GstGlesTilesInfo *info, const guint32 *offsets, guint n_entries);

G_END_DECLS

#endif
