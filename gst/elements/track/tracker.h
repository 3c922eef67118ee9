/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gives the boxes of successive frames to tracks: each track is one thing that moves.
 * docs/elements/glestrack.md defines how. */
#ifndef TRACKER_H
#define TRACKER_H

#include "assignment.h"
#include "track-cost.h"

G_BEGIN_DECLS

#define TRACKER_MAX_BOXES 256  /* of a frame */
#define TRACKER_MAX_TRACKS 512 /* lost ones included */

/* All zero at first. */
typedef struct {
  GArray *tracks; /* of Track, in the order of their ids; NULL before the first frame */
  guint64 last_id;
  guint64 n_frames;
  GstClockTime last_time; /* of the last frame that was looked at */
  gdouble best_score;     /* of the detections so far */
  gdouble interval;       /* mean seconds between these; 0 if unknown */
  gdouble frame_seconds;  /* set by the caller: the interval that is expected; 0 if unknown */
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
/* Lets the frame at @now pass, in which nobody looked for boxes. */
void tracker_pass (Tracker *tracker, const TrackerSettings *settings, GstClockTime now);

const Track *tracker_get (const Tracker *tracker, guint i);

G_END_DECLS

#endif
