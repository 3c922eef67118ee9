/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "track-cost.h"

#define COST_ONE (1 << 20) /* of a pair without overlap at no distance */
/* A lost track reaches as far as a new one after so many seconds. */
#define WIDE_AFTER 0.5
/* The place where a track was lost is this much worse than the predicted one, in sides. */
#define STOP_PENALTY 0.25

/* Boxes of which one is as many times as large, in its mean side, are not one thing, unless they
 * overlap: regions, whose sides change when only a part moves, and detections. */
#define MAX_REGION_GROWTH 2.5
#define MAX_DETECTION_GROWTH 1.2

/* Detections. The overlap from which on a lost track, and an unsure box, are taken; and how far a
 * track that has a velocity reaches, and a lost one after WIDE_AFTER, in shares of max-distance. */
#define LOST_IOU 0.5
#define UNSURE_IOU 0.59
#define NEAR_SHARE 0.493
#define LOST_SHARE 0.587

static gboolean
is_of_label (const TrackerSettings *settings, const Track *track, const TrackerBox *box)
{
  return !settings->same_label || track->label == box->label;
}

static gint64
get_iou_cost (gdouble iou)
{
  return (gint64) ((1 - iou) * COST_ONE);
}

/* The cost of a distance of up to @reach, in mean sides of two boxes of which one is up to @growth
 * times as large. A lost track may have stopped where it was last seen. */
static gint64
get_distance_cost (
    const TrackCandidate *candidate, const TrackerBox *box, gdouble reach, gdouble growth)
{
  const TrackerBox *place = &candidate->place;
  const gdouble a = (place->width + place->height) / 2, b = (box->width + box->height) / 2;
  const gdouble side = (a + b) / 2;
  gdouble distance = track_box_get_distance (place, box);

  if (candidate->was_lost)
    distance =
        MIN (distance, track_box_get_distance (&candidate->track->box, box) + STOP_PENALTY * side);
  if (MAX (a, b) > growth * MIN (a, b) || !(distance < reach * side))
    return TRACK_COST_NEVER;
  return COST_ONE + (gint64) (distance / (reach * side) * COST_ONE);
}

/* From 0 to 1: how long a track has been lost, in shares of WIDE_AFTER. */
static gdouble
get_wideness (const TrackCandidate *candidate)
{
  return MIN (candidate->lost_seconds / WIDE_AFTER, 1.0);
}

gint64
track_cost_near (
    const TrackerSettings *settings, const TrackCandidate *candidate, const TrackerBox *box)
{
  const Track *track = candidate->track;
  const gdouble iou = track_box_get_iou (&candidate->place, box);
  const gdouble least =
      candidate->was_lost && box->is_detection ? LOST_IOU : settings->iou_score_threshold;
  gdouble reach = settings->max_distance;

  if (!is_of_label (settings, track, box))
    return TRACK_COST_NEVER;
  if (iou > 0 && iou >= least)
    return get_iou_cost (iou);
  if (box->is_detection)
    return track->hits < 2
        ? TRACK_COST_NEVER
        : get_distance_cost (candidate, box, reach * NEAR_SHARE, MAX_DETECTION_GROWTH);
  /* without a velocity, a thing may go anywhere; a lost one gets there by and by */
  if (track->hits >= 2)
    reach *= 0.5 + 0.5 * get_wideness (candidate);
  return get_distance_cost (candidate, box, reach, MAX_REGION_GROWTH);
}

gint64
track_cost_unsure (
    const TrackerSettings *settings, const TrackCandidate *candidate, const TrackerBox *box)
{
  const gdouble iou = track_box_get_iou (&candidate->place, box);

  if (!is_of_label (settings, candidate->track, box) || iou < UNSURE_IOU)
    return TRACK_COST_NEVER;
  return get_iou_cost (iou);
}

gint64
track_cost_far (
    const TrackerSettings *settings, const TrackCandidate *candidate, const TrackerBox *box)
{
  gdouble reach = settings->max_distance;

  if (!is_of_label (settings, candidate->track, box))
    return TRACK_COST_NEVER;
  if (candidate->track->hits >= 2)
    reach *= NEAR_SHARE + (LOST_SHARE - NEAR_SHARE) * get_wideness (candidate);
  return get_distance_cost (candidate, box, reach, MAX_DETECTION_GROWTH);
}
