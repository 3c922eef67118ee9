/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_EVENT_SPAN_H
#define GST_GLES_EVENT_SPAN_H

#include "event.h"

G_BEGIN_DECLS

/* Consecutive frames for which the condition of one kind of event holds. */
typedef struct {
  gboolean holds;
  gboolean announced; /* it reached its minimum duration and its start was reported */
  gboolean rests;     /* announced, but the condition does not hold since @rest */
  EventTime start, rest;
  GstClockTime reported; /* how long it had lasted when its start or last update was reported */
  gdouble score;
  guint n_frames; /* for which the condition held */
  EventDetails details;
} EventSpan;

/* The condition of one kind of event, in one frame. */
typedef struct {
  EventKind kind;
  gboolean holds;
  gdouble score;
  gdouble min_duration; /* seconds that it has to hold for an event */
  guint min_frames;     /* frames for which it has to hold, too */
  gdouble rest;         /* seconds without it that end an event; 0: the first frame without it */
} EventCondition;

/* The next frame, at @at. When the condition holds, the span begins or goes on, with the largest
 * score; else it ends, where the condition ceased to hold. */
void event_span_follow (
    EventSpan *span, const EventCondition *condition, const EventTime *at, GArray *events);

/* Reports the start when the span has lasted for the shortest duration at @at. */
void event_span_announce (
    EventSpan *span, const EventCondition *condition, const EventTime *at, GArray *events);

/* Reports an update once in @interval seconds of the event, counted from its start; never when
 * @interval is 0 or times are unknown. @at is the current frame. */
void event_span_update (
    EventSpan *span, EventKind kind, const EventTime *at, gdouble interval, GArray *events);

/* Ends the span because of @cause. @at is the first frame after it, unless the
 * condition ceased to hold before. */
void event_span_end (EventSpan *span, const EventCondition *condition, const EventTime *at,
    EventCause cause, GArray *events);

G_END_DECLS

#endif
