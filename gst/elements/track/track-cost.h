/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What it costs to give a box to a track, as docs/elements/glestrack.md defines it. Costs are
 * integers, so that all machines compare them alike. */
#ifndef TRACK_COST_H
#define TRACK_COST_H

#include "track-model.h"

G_BEGIN_DECLS

/* A box without a track costs so much; a pair that must not be costs more. */
#define TRACK_COST_NONE (2 << 20)
#define TRACK_COST_NEVER (4 << 20)

typedef struct {
  gdouble iou_score_threshold; /* from this share of overlap on, overlap decides */
  gdouble max_distance;        /* otherwise the distance does, in sides of the box */
  gdouble track_lost;          /* seconds that a track is kept without a box */
  guint min_hits;              /* boxes that confirm a track */
  gboolean same_label;
  guint path; /* positions of a track that are kept */
  /* shares of the highest score so far */
  gdouble score_low;   /* less sure boxes do not count */
  gdouble score_high;  /* less sure boxes only go on with a track that the last frame saw */
  gdouble score_begin; /* less sure boxes begin no track */
} TrackerSettings;

/* A track and where it is expected in this frame. */
typedef struct {
  Track *track;
  TrackerBox place;
  gdouble lost_seconds; /* since it was seen */
  gboolean was_lost;    /* the last frame that was looked at had no box of it */
} TrackCandidate;

/* Sets the cost of a box to what is less than TRACK_COST_NONE, or to TRACK_COST_NEVER. */
typedef gint64 (*TrackCostFunc) (
    const TrackerSettings *settings, const TrackCandidate *candidate, const TrackerBox *box);

/* Of regions, and of sure detections. */
gint64 track_cost_near (
    const TrackerSettings *settings, const TrackCandidate *candidate, const TrackerBox *box);
/* Of detections that are less sure. */
gint64 track_cost_unsure (
    const TrackerSettings *settings, const TrackCandidate *candidate, const TrackerBox *box);
/* Of sure detections that no track is near to. */
gint64 track_cost_far (
    const TrackerSettings *settings, const TrackCandidate *candidate, const TrackerBox *box);

G_END_DECLS

#endif
