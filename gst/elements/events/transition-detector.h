/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds dissolves and fades among the last pictures: stretches in which the areas are mixed from
 * those of two pictures, evenly. docs/elements/glesevents.md has the rules. */
#ifndef GST_GLES_TRANSITION_DETECTOR_H
#define GST_GLES_TRANSITION_DETECTOR_H

#include "event-picture.h"

G_BEGIN_DECLS

/* Holds the longest transition, what is compared before and after it, and the pictures for which
 * it waits. */
#define TRANSITION_PICTURES 160

/* What is kept of a picture. */
typedef struct {
  gfloat means[EVENT_PICTURE_AREAS];   /* of luma */
  gfloat details[EVENT_PICTURE_AREAS]; /* the variances of luma within the areas */
  gboolean plain;                      /* black or white */
  EventTime time;
} TransitionPicture;

/* From the last picture before a transition to the first one after it. */
typedef struct {
  guint64 from, to;  /* counted like n_pictures */
  const gchar *name; /* a static string, or NULL: no transition */
  gdouble misfit;    /* 0: as even as can be */
  gdouble score;     /* percent */
} Transition;

typedef struct {
  TransitionPicture pictures[TRANSITION_PICTURES]; /* the last ones, number i at i modulo size */
  guint64 n_pictures;                              /* since the stream began or was interrupted */
  guint64 reported;                                /* the end of the last transition reported */
  Transition best;                                 /* waits for a better one that overlaps it */
} TransitionDetector;

/* Follows the next picture, which does not repeat the one before. Appends the start and the end of
 * a transition that is known to be over to @events. */
void transition_detector_push (TransitionDetector *detector, const EventPicture *picture,
    const EventTime *time, GArray *events);

/* Ends a transition because of @cause, and drops all pictures. */
void transition_detector_end (TransitionDetector *detector, EventCause cause, GArray *events);

G_END_DECLS

#endif
