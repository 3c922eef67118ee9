/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event-span.h"

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
  if (span->announced || !span->holds || !event_has_lasted (&span->start, at, min_duration))
    return;
  span->announced = TRUE;
  span->reported = event_get_duration (&span->start, at);
  report (span, kind, EVENT_START, &span->start, events);
}

void
event_span_update (
    EventSpan *span, EventKind kind, const EventTime *at, gdouble interval, GArray *events)
{
  const GstClockTime period = (GstClockTime) (interval * GST_SECOND + 0.5);
  const GstClockTime now = event_get_duration (&span->start, at);

  if (!span->announced || span->rests || period == 0 || !GST_CLOCK_TIME_IS_VALID (now) ||
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
    report (span, kind, EVENT_END, span->rests ? &span->rest : at, events)->cause = cause;
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

void
event_span_hold (EventSpan *span, EventKind kind, const EventTime *at, gboolean holds,
    gdouble score, gdouble min_duration, gdouble hold, GArray *events)
{
  if (holds || !span->announced) {
    span->rests = FALSE;
    event_span_follow (span, kind, at, holds, score, min_duration, events);
    return;
  }
  if (!span->rests) {
    span->rests = TRUE;
    span->rest = *at;
  }
  if (event_has_lasted (&span->rest, at, hold))
    event_span_end (span, kind, at, min_duration, EVENT_CAUSE_CONDITION, events);
}
