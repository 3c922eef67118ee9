/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gives the boxes of successive frames to tracks: each track is one thing that moves. Positions are
 * doubles on which only the basic operations and sqrt() are used, and costs are rounded to integers
 * before they are compared, so that all machines find the same tracks. docs/elements/glestrack.md
 * defines them. */
#ifndef TRACKER_H
#define TRACKER_H

#include <gst/gles/meta/tracks.h>

#include "assignment.h"

G_BEGIN_DECLS

#define TRACKER_MAX_BOXES 256  /* of a frame */
#define TRACKER_MAX_TRACKS 512 /* lost ones included */
#define TRACKER_NO_BOX G_MAXUINT

typedef struct {
  gdouble x, y, width, height; /* pixels; width and height are positive */
  GQuark label;
} TrackerBox;

/* Sets @box to what of a rectangle is in a picture of @width x @height. Returns FALSE if nothing
 * is. */
gboolean tracker_box_set (TrackerBox *box, gint64 x, gint64 y, gint64 box_width, gint64 box_height,
    GQuark label, guint width, guint height);
gboolean tracker_box_equal (const TrackerBox *a, const TrackerBox *b);

typedef struct {
  gdouble iou_score_threshold; /* from this share of overlap on, overlap decides */
  gdouble max_distance;        /* otherwise the distance does, in sides of the box */
  gdouble track_lost;          /* seconds that a track is kept without a box */
  guint min_hits;              /* boxes that confirm a track */
  gboolean same_label;
} TrackerSettings;

typedef struct {
  guint64 id;
  GQuark label;
  GstGlesTrackState state;
  TrackerBox box;     /* of the last frame that had one */
  guint box_index;    /* in this frame; TRACKER_NO_BOX: it has none */
  guint hits, misses; /* frames with a box; frames without one since then */
  guint64 first_frame;
  GstClockTime first_seen, last_seen;
  GstClockTime covered; /* when a box last showed it together with other things; 0 for never */
  gdouble path_length;
  /* the model, at last_seen: centre and size in pixels, velocity in pixels a second */
  gdouble x, y, width, height, velocity_x, velocity_y;
} Track;

/* All zero at first. */
typedef struct {
  GArray *tracks; /* of Track, in the order of their ids; NULL before the first frame */
  guint64 last_id;
  guint64 n_frames;
  Assignment assignment;
  gint64 *costs;
} Tracker;

void tracker_clear (Tracker *tracker);
/* Forgets all tracks. Ids are not used again. */
void tracker_forget (Tracker *tracker);
/* Takes the @n, at most TRACKER_MAX_BOXES, boxes of the frame at @now, which is not before the
 * last one. */
void tracker_push (Tracker *tracker, const TrackerSettings *settings, const TrackerBox *boxes,
    guint n, GstClockTime now);
/* Returns where @track is at @now if it goes on as before: its box has the label of the track. */
TrackerBox track_predict (const Track *track, GstClockTime now);

G_END_DECLS

#endif
