/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_OVERLAY_ZONES_H
#define GST_GLES_OVERLAY_ZONES_H

#include <gst/gles/meta/zones.h>

#include "overlay-layer.h"

G_BEGIN_DECLS

/* Draws zones and lines with their counters: (transfer full) (nullable). Returns NULL if there are
 * none in the picture, or NULL with @error. Errors: GST_GLES_ERROR_NO_MEMORY. */
GstVideoOverlayRectangle *overlay_draw_zones (
    GstGlesZonesResult *result, const OverlayLook *look, GError **error);

G_END_DECLS

#endif
