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
  EventDetails details;
} EventSpan;

/* The next frame, at @at. When @holds, the span begins or goes on, with the largest @score; else it
 * ends. Its start is reported once it has lasted for @min_duration seconds. */
void event_span_follow (EventSpan *span, EventKind kind, const EventTime *at, gboolean holds,
    gdouble score, gdouble min_duration, GArray *events);

/* As event_span_follow(), but an event goes on until its condition has not held for @hold seconds.
 * Its end is where the condition ceased to hold. */
void event_span_hold (EventSpan *span, EventKind kind, const EventTime *at, gboolean holds,
    gdouble score, gdouble min_duration, gdouble hold, GArray *events);

/* Reports the start when the span has lasted for @min_duration seconds at @at. */
void event_span_announce (
    EventSpan *span, EventKind kind, const EventTime *at, gdouble min_duration, GArray *events);

/* Reports an update once in @interval seconds of the event, counted from its start; never when
 * @interval is 0 or times are unknown. @at is the current frame. */
void event_span_update (
    EventSpan *span, EventKind kind, const EventTime *at, gdouble interval, GArray *events);

/* Ends the span because of @cause. @at is the first frame after it, unless the
 * condition ceased to hold before. */
void event_span_end (EventSpan *span, EventKind kind, const EventTime *at, gdouble min_duration,
    EventCause cause, GArray *events);

G_END_DECLS

#endif
