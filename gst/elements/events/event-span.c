/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event-span.h"

static GstClockTime
to_time (gdouble seconds)
{
  return (GstClockTime) (seconds * GST_SECOND + 0.5);
}

/* An unknown duration satisfies only a @min_duration of 0. */
static gboolean
lasted (const EventTime *start, const EventTime *at, gdouble min_duration)
{
  const GstClockTime duration = event_get_duration (start, at);
  const GstClockTime least = to_time (min_duration);

  return GST_CLOCK_TIME_IS_VALID (duration) ? duration >= least : least == 0;
}

static Event *
report (
    const EventSpan *span, EventKind kind, EventPhase phase, const EventTime *at, GArray *events)
{
  Event *event = event_add (events, kind, phase, at, &span->start, span->score);

  event->details = span->details;
  return event;
}

void
event_span_announce (
    EventSpan *span, EventKind kind, const EventTime *at, gdouble min_duration, GArray *events)
{
  if (span->announced || !span->holds || !lasted (&span->start, at, min_duration))
    return;
  span->announced = TRUE;
  span->reported = event_get_duration (&span->start, at);
  report (span, kind, EVENT_START, &span->start, events);
}

void
event_span_update (
    EventSpan *span, EventKind kind, const EventTime *at, gdouble interval, GArray *events)
{
  const GstClockTime period = to_time (interval), now = event_get_duration (&span->start, at);

  if (!span->announced || period == 0 || !GST_CLOCK_TIME_IS_VALID (now) ||
      !GST_CLOCK_TIME_IS_VALID (span->reported) || now / period <= span->reported / period)
    return;
  span->reported = now;
  report (span, kind, EVENT_UPDATE, at, events);
}

void
event_span_end (EventSpan *span, EventKind kind, const EventTime *at, gdouble min_duration,
    EventCause cause, GArray *events)
{
  event_span_announce (span, kind, at, min_duration, events);
  if (span->announced)
    report (span, kind, EVENT_END, at, events)->cause = cause;
  *span = (EventSpan){ 0 };
}

void
event_span_follow (EventSpan *span, EventKind kind, const EventTime *at, gboolean holds,
    gdouble score, gdouble min_duration, GArray *events)
{
  if (!holds) {
    event_span_end (span, kind, at, min_duration, EVENT_CAUSE_CONDITION, events);
    return;
  }
  if (!span->holds) {
    span->holds = TRUE;
    span->start = *at;
    span->score = score;
  }
  span->score = MAX (span->score, score);
  event_span_announce (span, kind, at, min_duration, events);
}
