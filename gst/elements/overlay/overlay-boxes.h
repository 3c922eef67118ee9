/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_OVERLAY_BOXES_H
#define GST_GLES_OVERLAY_BOXES_H

#include "../base/results.h"
#include "overlay-layer.h"

G_BEGIN_DECLS

/* Draws tracks with their trails, regions and regions of interest, with names if labels are wanted.
 * A box that several of these have is drawn as the first one. (transfer full) (nullable): NULL if
 * there is nothing to draw, or NULL with @error. */
GstVideoOverlayRectangle *overlay_draw_boxes (
    const Results *results, const OverlayLook *look, GError **error);

G_END_DECLS

#endif
