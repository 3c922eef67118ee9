/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_META_TILES_TYPES_H
#define GST_GLES_META_TILES_TYPES_H

#include <gst/gles/core/types.h>

G_BEGIN_DECLS

/**
 * GstGlesTilesInput:
 * @GST_GLES_TILES_INPUT_POINTS: the points of a #GstGlesPointsMeta
 * @GST_GLES_TILES_INPUT_ROI: the boxes of #GstVideoRegionOfInterestMeta
 * @GST_GLES_TILES_INPUT_SPLATS: the records of a stream of splats
 *
 * What was listed: indices count from 0 in its order.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_TILES_INPUT_POINTS,
  GST_GLES_TILES_INPUT_ROI,
  GST_GLES_TILES_INPUT_SPLATS
} GstGlesTilesInput;

G_END_DECLS

#endif
