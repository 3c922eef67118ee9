/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws all results of a frame. The element decides what is drawn and when; this and the files of
 * its parts decide how it looks. */
#ifndef GST_GLES_OVERLAY_DRAW_H
#define GST_GLES_OVERLAY_DRAW_H

#include "../base/results.h"
#include "overlay-layer.h"

G_BEGIN_DECLS

/* Draws all of @results, which are complete: (transfer full) (nullable). Returns NULL if there is
 * nothing to draw, or NULL with @error. Errors: GST_GLES_ERROR_NO_MEMORY. */
GstVideoOverlayComposition *overlay_draw (
    const Results *results, const OverlayLook *look, GError **error);

G_END_DECLS

#endif
