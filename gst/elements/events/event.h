/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An event in a video. docs/elements/glesevents.md defines each kind. */
#ifndef GST_GLES_EVENT_H
#define GST_GLES_EVENT_H

#include "../base/event-report.h"
#include "event-kind.h"

G_BEGIN_DECLS

typedef struct {
  guint x, y, width, height; /* in pixels of the analysed picture */
} EventBox;

/* What moved since the start of the event. */
typedef struct {
  EventBox largest; /* of the region of most points */
  EventBox all;     /* around all regions */
  guint n_regions;  /* the largest number in one frame */
} EventMotion;

/* What flashed since the start of the event. */
typedef struct {
  gboolean general, red, extended;
  guint transitions; /* the most in a second */
  gdouble area;      /* the largest share of the samples that changed in a transition */
} EventFlash;

/* The largest shares of samples that are over or under in a frame of the event. */
typedef struct {
  gdouble luma;
  gdouble chroma; /* of the one of both components that has more */
} EventLevels;

/* The light levels that the caps say, in cd/m²; 0 where they say nothing. */
typedef struct {
  gdouble max_cll, max_fall;
  gdouble mastering_max; /* the peak of the display that the video was graded on */
} EventSaidLight;

/* The largest light levels of the frames of the event, in cd/m², and what was said. */
typedef struct {
  gdouble max, mean;
  EventSaidLight said;
} EventLight;

/* What only some kinds have; all zero for others. */
typedef struct {
  const gchar *transition; /* of EVENT_TRANSITION: which one, a static string */
  EventMotion motion;      /* of EVENT_MOTION */
  EventFlash flash;        /* of EVENT_FLASH */
  EventLevels levels;      /* of EVENT_OVER and EVENT_UNDER */
  EventLight light;        /* of EVENT_LIGHT_LEVEL */
  EventBox crop;           /* of EVENT_CROP */
} EventDetails;

typedef struct {
  EventKind kind;
  EventPhase phase;
  EventCause cause; /* of an end */
  /* Start, instant: the first frame of the event; update: the current frame; end: the first frame
   * after the event. */
  EventTime at;
  EventTime start;       /* the first frame of the event */
  gdouble score;         /* a share or a percentage; its meaning depends on the kind */
  GstClockTime duration; /* until @at; event_add() sets it */
  EventDetails details;
  gboolean posted; /* as a message, before the frame that carries it */
} Event;

/* Appends @event to @events, with its duration, which follows from its times. */
void event_add (GArray *events, const Event *event);

/* The event as it is posted and attached to frames (transfer full). */
GstStructure *event_describe (const Event *event, const EventSource *source);

G_END_DECLS

#endif
