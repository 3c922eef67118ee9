/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "camera-detector.h"

#include "camera-conditions.h"
#include "camera-light.h"

/* After this time the view of a camera that moved is its usual one. */
#define MOVED_TIME 60.0
/* An event ends after this time without its condition. */
#define REST_TIME 3.0
/* So many areas of the reference need structure, else there is nothing to compare. */
#define MIN_STRUCTURED 4
/* The areas that a cover hides, and from which on the camera has not moved. */
#define MANY_HIDDEN 12
#define FEW_HIDDEN 8
/* The share of those areas that another view changes. */
#define MOVED_SHARE 0.8
/* Another view has more than this share of the detail. */
#define MOVED_DETAIL 0.35
/* Something near with a texture of its own, such as a hand or paint, changes many areas and leaves
 * little of the detail: these are the least products of both, when it comes and while it stays. */
#define VEILED_AREAS 7.5
#define VEILED_AREAS_LEAST 5.5
/* A view that is to replace the usual one has changed in at most so many areas for so many
 * seconds. */
#define MAX_UNSETTLED 6
#define SETTLED_TIME 1.0
#define UNSETTLED_TIME 3.0 /* so much later an unsettled one replaces it */

/* Seconds since the last frame. */
static gdouble
get_step (const CameraDetector *detector, const EventTime *at)
{
  const GstClockTime step =
      detector->has_last ? event_get_duration (&detector->last, at) : GST_CLOCK_TIME_NONE;

  return GST_CLOCK_TIME_IS_VALID (step) ? (gdouble) step / GST_SECOND : 0.04;
}

/* Whether the view has been the same one for some time: what passes the camera does not settle. */
static gboolean
is_settled (CameraDetector *detector, const CameraView *view)
{
  const guint changed = CAMERA_ALL_AREAS & ~camera_find_same (&detector->settled, view);

  if (!detector->has_last || camera_count (changed) > MAX_UNSETTLED)
    detector->settled = *view;
  return event_has_lasted (&detector->settled.time, &view->time, SETTLED_TIME);
}

/* Conditions of the frame; an open event goes on with a weaker one. */
static void
detect (CameraDetector *detector, EventSpan *spans, const EventSettings *settings,
    const CameraView *view, GArray *events)
{
  const CameraView *reference = &detector->reference.view;
  const EventSpan *covered = &spans[EVENT_COVERED], *blurred = &spans[EVENT_BLURRED];
  const EventSpan *moved = &spans[EVENT_MOVED];
  const guint structured = detector->reference.structured;
  const gdouble lost = camera_get_lost (reference, view, structured);
  const gdouble detail = camera_get_detail (reference, view, structured);
  const gdouble changed =
      detector->reference.known >= CAMERA_HASTE_TIME || camera_count (structured) >= MIN_STRUCTURED
      ? camera_get_moved (reference, view, structured, detector->changed)
      : 0.0;
  /* where another event is open, the reference is not what the camera would show without it */
  const gboolean known = camera_count (structured) >= MIN_STRUCTURED && !moved->announced;
  const guint n_hidden = camera_count_hidden (reference, view, detector->changed);
  const gdouble left = camera_get_left (reference, view);
  const gdouble veiled = camera_count (detector->changed) * (1.0 - left);
  const gboolean is_other = changed >= MOVED_SHARE && n_hidden < FEW_HIDDEN && left > MOVED_DETAIL;
  const gboolean is_covered = covered->holds
      ? lost >= 0.5 || n_hidden >= FEW_HIDDEN || veiled >= VEILED_AREAS_LEAST
      : !moved->announced && !blurred->announced &&
          (n_hidden >= MANY_HIDDEN ||
              (known && veiled >= VEILED_AREAS && camera_is_unlike (reference, view)) ||
              (known && lost >= 0.75 && camera_is_hidden (reference, view, detector->changed)));
  const gboolean is_blurred = !is_covered &&
      (blurred->holds ? detail <= 0.8
                      : known && MAX (detail, left) <= 0.65 && changed < 0.7 &&
                  camera_is_as_bright (reference, view, structured));
  const gboolean is_moved = !is_covered && !is_blurred &&
      (moved->announced      ? changed >= 0.4
              : moved->holds ? changed >= 0.7 && left > MOVED_DETAIL
                             : is_other);
  const gdouble moved_min_duration =
      settings->moved_min_duration + (is_settled (detector, view) ? 0.0 : UNSETTLED_TIME);
  const EventCondition conditions[] = {
    /* kind, holds, score, min_duration, rest */
    { EVENT_COVERED, is_covered, MAX (lost, n_hidden / (gdouble) CAMERA_AREAS),
        CAMERA_COVERED_MIN_DURATION, REST_TIME },
    { EVENT_BLURRED, is_blurred, 1.0 - detail, CAMERA_BLURRED_MIN_DURATION, REST_TIME },
    { EVENT_MOVED, is_moved, changed, moved_min_duration, REST_TIME },
  };

  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++) {
    const EventCondition *c = &conditions[i];

    if (settings->kinds & EVENT_KIND_BIT (c->kind))
      event_span_follow (&spans[c->kind], c, &view->time, events);
  }
}

void
camera_detector_push (CameraDetector *detector, EventSpan *spans, const EventSettings *settings,
    const CameraView *view, GArray *events)
{
  static const EventCondition gone = { .kind = EVENT_MOVED };
  CameraReference *reference = &detector->reference;
  const EventTime *at = &view->time;
  EventSpan *moved = &spans[EVENT_MOVED];

  detector->changed = 0;
  if (reference->known >= CAMERA_LEARNING_TIME) {
    detector->changed = camera_find_changed (&reference->view, view);
    detect (detector, spans, settings, view, events);
  }
  if (moved->announced && event_has_lasted (&moved->start, at, MOVED_TIME)) {
    event_span_end (moved, &gone, at, EVENT_CAUSE_CONDITION, events);
    *reference = (CameraReference){ 0 };
  }
  if (!spans[EVENT_COVERED].holds && !spans[EVENT_BLURRED].holds && !moved->holds)
    camera_reference_learn (reference, view, detector->changed, get_step (detector, at));
  detector->has_last = TRUE;
  detector->last = *at;
}
