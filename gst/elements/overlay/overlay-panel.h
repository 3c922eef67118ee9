/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_OVERLAY_PANEL_H
#define GST_GLES_OVERLAY_PANEL_H

#include "../base/results.h"
#include "overlay-layer.h"

G_BEGIN_DECLS

/* Draws the panel: the curves of the histogram, and a line of text for each other part. (transfer
 * full) (nullable): NULL if there is nothing to draw, or NULL with @error. */
GstVideoOverlayRectangle *overlay_draw_panel (
    const Results *results, const OverlayLook *look, GError **error);

G_END_DECLS

#endif
