/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transition-detector.h"

#include <math.h>
#include <string.h>

/* The numbers here were chosen on half a of the clips of tests/events. */

/* A step of the means of the areas belongs to a transition when it is at least so long, as a root
 * of the mean square in shares of the scale, and goes in the direction so far: the cosine of the
 * angle between both. */
#define LEAST_STEP (0.15 / 256.0)
#define LEAST_COSINE 0.8

#define MIN_STEPS 7

/* A transition changes the picture by at least so many percent, on a path that is nearly straight,
 * and not in one step. */
#define LEAST_CHANGE 4.5
#define STRAIGHTNESS 0.8
#define LONGEST_STEP 0.35

/* A picture with less spread of luma, in percent, this near to the end of the scale is black or
 * white. */
#define PLAIN_SPREAD 2.0
#define PLAIN_LUMA 0.12

/* Two pictures that are mixed have so much less detail than each of them. */
#define MIXED_DETAIL 0.6

/* Returns the length of the way from @a to @b, and its product with that from @b to @c. */
static gdouble
get_way (const EventPicture *a, const EventPicture *b, const EventPicture *c, gdouble *product)
{
  gdouble squares = 0.0;

  *product = 0.0;
  for (guint i = 0; i < EVENT_PICTURE_AREAS; i++) {
    const gdouble way = b->means[i] - a->means[i];

    squares += way * way;
    *product += way * (c->means[i] - b->means[i]);
  }
  return sqrt (squares);
}

static gdouble
get_length (const EventPicture *a, const EventPicture *b)
{
  gdouble product;

  return get_way (a, b, b, &product);
}

static gboolean
is_plain (const EventPicture *picture)
{
  return picture->spread < PLAIN_SPREAD &&
      (picture->mean < PLAIN_LUMA || picture->mean > 1.0 - PLAIN_LUMA);
}

/* Returns which transition it was, a static string, or NULL. */
static const gchar *
get_name (const TransitionDetector *detector, const EventPictureAreas areas)
{
  const gboolean from_plain = is_plain (detector->from), to_plain = is_plain (detector->last);
  const gfloat *details = detector->details;

  if (from_plain != to_plain)
    return to_plain ? "fade-out" : "fade-in";
  if (from_plain || event_picture_is_relit (detector->from, detector->last, areas))
    return NULL;
  return details[detector->n_steps / 2] <
          MIXED_DETAIL * (details[0] + details[detector->n_steps]) / 2.0
      ? "dissolve"
      : NULL;
}

static void
drop (TransitionDetector *detector)
{
  if (detector->from != NULL) {
    event_picture_unref (detector->from);
    event_picture_unref (detector->last);
  }
  detector->from = detector->last = NULL;
}

void
transition_detector_end (TransitionDetector *detector, EventCause cause, GArray *events)
{
  const gchar *name = NULL;
  EventPictureAreas areas;
  gdouble change;

  if (detector->from == NULL)
    return;
  if (detector->n_steps >= MIN_STEPS && detector->n_steps <= TRANSITION_MAX_STEPS &&
      detector->longest <= LONGEST_STEP * detector->length &&
      get_length (detector->from, detector->last) >= STRAIGHTNESS * detector->length) {
    change = event_picture_get_change (detector->from, detector->last, areas);
    if (change >= LEAST_CHANGE)
      name = get_name (detector, areas);
  }
  if (name != NULL) {
    event_add (events, EVENT_TRANSITION, EVENT_START, &detector->start, &detector->start, change)
        ->details.transition = name;
    {
      Event *end =
          event_add (events, EVENT_TRANSITION, EVENT_END, &detector->end, &detector->start, change);

      end->details.transition = name;
      end->cause = cause;
    }
  }
  drop (detector);
}

/* Makes @picture the last one of the transition, by a step of this length. */
static void
add_step (TransitionDetector *detector, EventPicture *picture, const EventTime *time, gdouble step)
{
  event_picture_unref (detector->last);
  detector->last = event_picture_ref (picture);
  detector->end = *time;
  detector->length += step;
  detector->longest = MAX (detector->longest, step);
  detector->n_steps++;
  if (detector->n_steps <= TRANSITION_MAX_STEPS)
    detector->details[detector->n_steps] = (gfloat) picture->detail;
}

static void
begin (TransitionDetector *detector, EventPicture *before, EventPicture *picture,
    const EventTime *time, gdouble step)
{
  detector->from = event_picture_ref (before);
  detector->last = event_picture_ref (before);
  detector->start = *time;
  detector->n_steps = 0;
  detector->length = detector->longest = 0.0;
  detector->strays = FALSE;
  detector->details[0] = (gfloat) before->detail;
  add_step (detector, picture, time, step);
}

void
transition_detector_push (TransitionDetector *detector, EventPicture *before, EventPicture *picture,
    const EventTime *time, GArray *events)
{
  gboolean moves, along;
  gdouble step, way, product;

  if (before == NULL || !before->has_areas || !picture->has_areas) {
    transition_detector_end (detector, EVENT_CAUSE_CONDITION, events);
    return;
  }
  step = get_length (before, picture);
  moves = step >= LEAST_STEP * sqrt (EVENT_PICTURE_AREAS);
  if (detector->from != NULL) {
    way = get_way (detector->from, before, picture, &product);
    along = moves && way > 0.0 && product >= LEAST_COSINE * way * step;
    if (!along && detector->strays) {
      transition_detector_end (detector, EVENT_CAUSE_CONDITION, events);
    } else if (along) {
      if (detector->strays) { /* the picture before belongs to it after all */
        detector->length += detector->stray;
        detector->longest = MAX (detector->longest, detector->stray);
        detector->n_steps++;
        if (detector->n_steps <= TRANSITION_MAX_STEPS)
          detector->details[detector->n_steps] = detector->stray_detail;
      }
      detector->strays = FALSE;
      add_step (detector, picture, time, step);
    } else {
      detector->strays = TRUE;
      detector->stray = step;
      detector->stray_detail = (gfloat) picture->detail;
    }
  }
  if (detector->from == NULL && moves)
    begin (detector, before, picture, time, step);
}
