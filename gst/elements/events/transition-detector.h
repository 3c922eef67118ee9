/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_TRANSITION_DETECTOR_H
#define GST_GLES_TRANSITION_DETECTOR_H

#include "event-picture.h"

G_BEGIN_DECLS

/* The longest transition, in steps from picture to picture. */
#define TRANSITION_MAX_STEPS 90

/* Pictures that change in one direction. Lengths are those of paths through the space of the means
 * of the areas. */
typedef struct {
  EventPicture *from, *last; /* NULL: nothing changes */
  EventTime start, end;      /* of the first picture after @from, and of the last one */
  guint n_steps;             /* from @from to @last */
  gdouble length, longest;   /* of all steps, and of the longest of them */
  gfloat details[TRANSITION_MAX_STEPS + 1];
  gboolean strays; /* the step after @last was in another direction, and its length was @stray */
  gdouble stray;
  gfloat stray_detail;
} TransitionDetector;

/* Follows the next picture, which does not repeat the one before; @before is that one, or NULL.
 * Appends the start and the end of a transition that is over to @events. */
void transition_detector_push (TransitionDetector *detector, EventPicture *before,
    EventPicture *picture, const EventTime *time, GArray *events);

/* Ends a transition because of @cause, and drops all. */
void transition_detector_end (TransitionDetector *detector, EventCause cause, GArray *events);

G_END_DECLS

#endif
