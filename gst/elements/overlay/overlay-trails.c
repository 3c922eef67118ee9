/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "overlay-trails.h"

typedef struct {
  GArray *centres;    /* of OverlayCentre, the last one at the end */
  guint64 last_frame; /* that has the track */
} Trail;

static void
trail_free (gpointer data)
{
  g_array_unref (((Trail *) data)->centres);
  g_free (data);
}

void
overlay_trails_clear (OverlayTrails *trails)
{
  g_clear_pointer (&trails->trails, g_hash_table_unref);
  g_clear_pointer (&trails->origin, gst_gles_origin_unref);
  *trails = (OverlayTrails){ 0 };
}

static Trail *
find (const OverlayTrails *trails, guint64 id)
{
  return trails->trails != NULL ? g_hash_table_lookup (trails->trails, &id) : NULL;
}

static Trail *
find_or_add (OverlayTrails *trails, guint64 id)
{
  Trail *trail = find (trails, id);

  if (trail == NULL) {
    trail = g_new0 (Trail, 1);
    trail->centres = g_array_new (FALSE, FALSE, sizeof (OverlayCentre));
    g_hash_table_insert (trails->trails, g_memdup2 (&id, sizeof id), trail);
  }
  return trail;
}

static gboolean
is_over (gpointer id, gpointer trail, gpointer trails)
{
  return ((Trail *) trail)->last_frame != ((OverlayTrails *) trails)->n_frames;
}

/* Numbers of another element, or of the stream of another camera, stand for other things. */
static void
take_origin (OverlayTrails *trails, GstGlesOrigin *origin)
{
  GstGlesOrigin *last = trails->origin;

  if (last == origin ||
      (last != NULL && origin != NULL && g_strcmp0 (last->element, origin->element) == 0 &&
          g_strcmp0 (last->stream_id, origin->stream_id) == 0))
    return;
  overlay_trails_clear (trails);
  trails->origin = origin != NULL ? gst_gles_origin_ref (origin) : NULL;
}

void
overlay_trails_take (OverlayTrails *trails, GstGlesTracksResult *result, guint length)
{
  const GstGlesFrameInfo *frame = gst_gles_tracks_result_get_frame (result);
  const guint n = gst_gles_tracks_result_get_count (result);

  take_origin (trails, frame->origin);
  if (trails->trails == NULL)
    trails->trails = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, trail_free);
  trails->n_frames++;
  for (guint i = 0; i < n; i++) {
    const GstGlesTrack *track = gst_gles_tracks_result_get_track (result, i, NULL);
    const OverlayCentre centre = { (track->x + track->width / 2.0) / frame->width,
      (track->y + track->height / 2.0) / frame->height };
    Trail *trail = find_or_add (trails, track->id);

    trail->last_frame = trails->n_frames;
    if (track->lost == 0)
      g_array_append_val (trail->centres, centre);
    if (trail->centres->len > length)
      g_array_remove_range (trail->centres, 0, trail->centres->len - length);
  }
  g_hash_table_foreach_remove (trails->trails, is_over, trails);
}

const OverlayCentre *
overlay_trails_get (const OverlayTrails *trails, guint64 id, guint *n)
{
  const Trail *trail = find (trails, id);

  *n = trail != NULL ? trail->centres->len : 0;
  return trail != NULL ? (const OverlayCentre *) (gconstpointer) trail->centres->data : NULL;
}
