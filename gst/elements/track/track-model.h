/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A track: where a thing is, how fast it goes, and where it was. Positions are doubles on which
 * only the basic operations and sqrt() are used, so that all machines find the same tracks. */
#ifndef TRACK_MODEL_H
#define TRACK_MODEL_H

#include <gst/gles/meta/tracks.h>

G_BEGIN_DECLS

#define TRACK_NO_BOX G_MAXUINT

typedef struct {
  gdouble x, y, width, height; /* pixels; width and height are positive */
  GQuark label;                /* 0: none */
  gboolean is_detection;       /* of a detector; otherwise a region, which may show many things */
  gdouble score;               /* of a detection: 0 to 1 */
} TrackerBox;

typedef struct {
  guint64 id;
  GQuark label;
  GstGlesTrackState state;
  TrackerBox box;     /* of the last frame that had one */
  guint box_index;    /* in this frame; TRACK_NO_BOX: it has none */
  guint hits, misses; /* frames with a box; frames that were looked at without one since then */
  guint64 first_frame;
  GstClockTime first_seen, last_seen;
  GstClockTime covered; /* when a box last showed it together with other things; 0 for never */
  gdouble path_length;
  /* the model, at last_seen: centre and size in pixels, velocity in pixels a second */
  gdouble x, y, width, height, velocity_x, velocity_y;
  guint n_boxes; /* that the velocity is from */
  GArray *path;  /* of GstGlesTrackPosition, of the last frames, oldest first; NULL: not kept */
} Track;

/* Cuts @box to what of it is in a picture of @width x @height. Returns FALSE if nothing is. */
gboolean track_box_cut (TrackerBox *box, guint width, guint height);
/* For hash tables of rectangles and labels. */
guint track_box_hash (gconstpointer box);
gboolean track_box_equal (gconstpointer a, gconstpointer b);

gdouble track_box_get_common_area (const TrackerBox *a, const TrackerBox *b);
/* Intersection over union. */
gdouble track_box_get_iou (const TrackerBox *a, const TrackerBox *b);
gdouble track_box_get_distance (const TrackerBox *a, const TrackerBox *b); /* of the centres */

gdouble track_seconds_since (GstClockTime then, GstClockTime now);

/* Starts the model at @box. */
void track_begin (Track *track, const TrackerBox *box, GstClockTime now);
/* Returns where @track is at @now if it goes on as before: its box has the label of the track. */
TrackerBox track_predict (const Track *track, GstClockTime now);
/* Moves the model to @now, where it is corrected by @box, unless @is_merged: then the box is that
 * of several things, and tells where none of them is. The misses are those before @box, and the
 * hits count it. Velocities are of steps of @least_seconds at least. */
void track_follow (Track *track, const TrackerBox *box, gboolean is_merged, gdouble least_seconds,
    GstClockTime now);

G_END_DECLS

#endif
