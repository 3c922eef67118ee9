/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_OVERLAY_PICTURE_H
#define GST_GLES_OVERLAY_PICTURE_H

#include "../base/results.h"
#include "overlay-layer.h"

G_BEGIN_DECLS

/* Draws the points at their positions and, behind them, occupied tiles shaded by their number of
 * entries. @points and @tiles may be NULL. (transfer full) (nullable): NULL if there is nothing to
 * draw, or NULL with @error. */
GstVideoOverlayRectangle *overlay_draw_picture (GstGlesPointsResult *points,
    GstGlesTilesResult *tiles, const OverlayLook *look, GError **error);

G_END_DECLS

#endif
