/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the tracks of a stream were in the last frames. */
#ifndef GST_GLES_OVERLAY_TRAILS_H
#define GST_GLES_OVERLAY_TRAILS_H

#include <cairo.h>
#include <gst/gles/meta/tracks.h>

G_BEGIN_DECLS

#define OVERLAY_MAX_TRAIL 1000 /* centres */

/* All zero at the start of a stream. Used on the streaming thread. */
typedef struct {
  GHashTable *trails; /* of the ids of tracks; NULL before the first track */
  GstGlesOrigin *origin;
  guint64 n_frames;
} OverlayTrails;

void overlay_trails_clear (OverlayTrails *trails);
/* Adds the centres of the tracks of @result that are seen. Keeps the last @length of each, and
 * forgets tracks that are over. Tracks of another element or stream begin anew. */
void overlay_trails_take (OverlayTrails *trails, GstGlesTracksResult *result, guint length);
/* Enlarges the rectangle by the trail of @id in a picture of @width x @height. */
void overlay_trails_extend (const OverlayTrails *trails, guint64 id, guint width, guint height,
    gdouble *left, gdouble *top, gdouble *right, gdouble *bottom);
/* Draws the trail of @id with the width and the colour that are set, older parts fainter. */
void overlay_trails_draw (const OverlayTrails *trails, guint64 id, guint width, guint height,
    cairo_t *cr, gdouble r, gdouble g, gdouble b);

G_END_DECLS

#endif
