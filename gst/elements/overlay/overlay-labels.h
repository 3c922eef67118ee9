/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where labels stand: at their boxes, inside of the frame, and not over each other. */
#ifndef GST_GLES_OVERLAY_LABELS_H
#define GST_GLES_OVERLAY_LABELS_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gdouble x, y, width, height; /* pixels of the frame */
} OverlayRect;

/* Sets x and y of labels[i], which has a size, for each of @n boxes, in a frame of @width x
 * @height. The first labels get the best places: above the box, below, inside, beside it, or else
 * the nearest free one under these. A label wider than the frame begins at its left edge. */
void overlay_labels_place (
    OverlayRect *labels, const OverlayRect *boxes, guint n, gdouble width, gdouble height);

G_END_DECLS

#endif
