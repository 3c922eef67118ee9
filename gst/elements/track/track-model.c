/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "track-model.h"

#include <math.h>

/* Least gains of the filter, for the position, the size and the velocity: of boxes of regions, and
 * of detectors, which measure worse. The gains of a box of a detector grow with its distance from
 * where it was expected, in sides, up to those of a thing that turns. */
#define REGION_ALPHA 0.7
#define REGION_BETA 0.2
#define DETECTION_ALPHA 0.52
#define DETECTION_SIZE 0.33
#define DETECTION_BETA 0.14
#define TURN_ALPHA 0.8
#define TURN_BETA 0.51
#define TURN_SIDES 0.52
/* A box whose sides have changed by more than this shows only a part, or more than the thing, and
 * its centre tells nothing of the velocity, unless the track is younger than so many hits. */
#define SAME_SIDE 1.5
#define YOUNG_HITS 5
/* A lost track whose box overlaps its expected one by less goes on from that box. */
#define SAME_PLACE 0.2
/* Frames that are closer in time tell nothing of velocity. */
#define MIN_SECONDS 0.001

/* ---- boxes ---- */

gboolean
track_box_cut (TrackerBox *box, guint width, guint height)
{
  const gdouble right = MIN (box->x + box->width, width);
  const gdouble bottom = MIN (box->y + box->height, height);

  box->x = MAX (box->x, 0);
  box->y = MAX (box->y, 0);
  box->width = right - box->x;
  box->height = bottom - box->y;
  return box->width > 0 && box->height > 0;
}

guint
track_box_hash (gconstpointer box)
{
  const TrackerBox *of = box;
  guint hash = of->label;

  hash = hash * 31 + (guint) of->x;
  hash = hash * 31 + (guint) of->y;
  hash = hash * 31 + (guint) of->width;
  return hash * 31 + (guint) of->height;
}

gboolean
track_box_equal (gconstpointer one, gconstpointer other)
{
  const TrackerBox *a = one, *b = other;

  return a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height &&
      a->label == b->label;
}

gdouble
track_box_get_common_area (const TrackerBox *a, const TrackerBox *b)
{
  const gdouble width = MIN (a->x + a->width, b->x + b->width) - MAX (a->x, b->x);
  const gdouble height = MIN (a->y + a->height, b->y + b->height) - MAX (a->y, b->y);

  return width > 0 && height > 0 ? width * height : 0;
}

gdouble
track_box_get_iou (const TrackerBox *a, const TrackerBox *b)
{
  const gdouble common = track_box_get_common_area (a, b);

  return common > 0 ? common / (a->width * a->height + b->width * b->height - common) : 0;
}

gdouble
track_box_get_distance (const TrackerBox *a, const TrackerBox *b)
{
  const gdouble x = a->x + a->width / 2 - b->x - b->width / 2;
  const gdouble y = a->y + a->height / 2 - b->y - b->height / 2;

  return sqrt (x * x + y * y);
}

gdouble
track_seconds_since (GstClockTime then, GstClockTime now)
{
  return now > then ? (gdouble) (now - then) / GST_SECOND : 0.0;
}

/* ---- the model ---- */

/* Puts the model where the box is. */
static void
set_place (Track *track, const TrackerBox *box)
{
  track->x = box->x + box->width / 2;
  track->y = box->y + box->height / 2;
  track->width = box->width;
  track->height = box->height;
}

void
track_begin (Track *track, const TrackerBox *box, GstClockTime now)
{
  track->label = box->label;
  track->box = *box;
  track->first_seen = track->last_seen = now;
  set_place (track, box);
  track->n_boxes = 1;
}

TrackerBox
track_predict (const Track *track, GstClockTime now)
{
  const gdouble seconds = track_seconds_since (track->last_seen, now);

  return (TrackerBox){ .x = track->x + track->velocity_x * seconds - track->width / 2,
    .y = track->y + track->velocity_y * seconds - track->height / 2,
    .width = track->width,
    .height = track->height,
    .label = track->label };
}

typedef struct {
  gdouble alpha, size, beta;
} Gains;

/* The gains of a filter that weights all boxes alike (the least squares line through them: of two
 * boxes it goes through both), until there are so many that a thing that turns would be followed
 * too slowly. @off: distance of @box from the expected place, in sides. */
static Gains
get_gains (const Track *track, const TrackerBox *box, gdouble off)
{
  const gdouble n = MIN (track->n_boxes, 100);
  const gdouble alpha = 2 * (2 * n - 1) / (n * (n + 1)), beta = 6 / (n * (n + 1));
  const gdouble turn = MIN (off / TURN_SIDES, 1.0);

  if (!box->is_detection)
    return (Gains){ MAX (alpha, REGION_ALPHA), MAX (alpha, REGION_ALPHA), MAX (beta, REGION_BETA) };
  return (Gains){ MAX (alpha, DETECTION_ALPHA + (TURN_ALPHA - DETECTION_ALPHA) * turn),
    MAX (alpha, DETECTION_SIZE), MAX (beta, DETECTION_BETA + (TURN_BETA - DETECTION_BETA) * turn) };
}

static gboolean
is_same_side (gdouble a, gdouble b)
{
  return MAX (a, b) <= SAME_SIDE * MIN (a, b);
}

/* Moves the model from the expected place towards @box, by the gains. @seconds: since the last box;
 * 0 if so few that they tell nothing of the velocity. */
static void
correct (Track *track, const TrackerBox *box, gdouble seconds)
{
  const gdouble off_x = box->x + box->width / 2 - track->x;
  const gdouble off_y = box->y + box->height / 2 - track->y;
  const gdouble side = (track->width + track->height) / 2;
  const Gains gains = get_gains (track, box, sqrt (off_x * off_x + off_y * off_y) / side);

  if (seconds > 0 &&
      (track->hits < YOUNG_HITS ||
          (is_same_side (box->width, track->width) && is_same_side (box->height, track->height)))) {
    track->velocity_x += gains.beta * off_x / seconds;
    track->velocity_y += gains.beta * off_y / seconds;
  }
  track->x += gains.alpha * off_x;
  track->y += gains.alpha * off_y;
  track->width += gains.size * (box->width - track->width);
  track->height += gains.size * (box->height - track->height);
}

/* The thing stopped or turned while it was not seen: its velocity is what brought it here. */
static void
restart (Track *track, const TrackerBox *box, gdouble seconds)
{
  track->velocity_x = (box->x + box->width / 2 - track->box.x - track->box.width / 2) / seconds;
  track->velocity_y = (box->y + box->height / 2 - track->box.y - track->box.height / 2) / seconds;
  set_place (track, box);
  track->n_boxes = 2;
}

void
track_follow (Track *track, const TrackerBox *box, gboolean is_merged, gdouble least_seconds,
    GstClockTime now)
{
  const gdouble seconds = track_seconds_since (track->last_seen, now);
  const gdouble step = MAX (seconds, least_seconds);
  const TrackerBox place = track_predict (track, now);
  const gdouble from_x = track->x, from_y = track->y;

  track->n_boxes++;
  track->x = place.x + place.width / 2;
  track->y = place.y + place.height / 2;
  if (track->misses > 0 && !is_merged && track_box_get_iou (&place, box) < SAME_PLACE)
    restart (track, box, step);
  else if (!is_merged)
    correct (track, box, seconds >= MIN_SECONDS ? step : 0);
  track->path_length +=
      sqrt ((track->x - from_x) * (track->x - from_x) + (track->y - from_y) * (track->y - from_y));
  track->box = *box;
  track->last_seen = now;
}
