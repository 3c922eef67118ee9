/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the tracks of a stream were in the last frames. */
#ifndef GST_GLES_OVERLAY_TRAILS_H
#define GST_GLES_OVERLAY_TRAILS_H

#include <gst/gles/meta/tracks.h>

G_BEGIN_DECLS

#define OVERLAY_MAX_TRAIL 1000 /* centres */

/* A centre in shares of the picture, which may be scaled from one frame to the next. */
typedef struct {
  gdouble x, y;
} OverlayCentre;

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
/* Returns the trail of @id, the @n centres that were kept, oldest first: (transfer none). */
const OverlayCentre *overlay_trails_get (const OverlayTrails *trails, guint64 id, guint *n);

G_END_DECLS

#endif
