/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event-span.h"

static Event
describe (const EventSpan *span, EventKind kind, EventPhase phase, const EventTime *at)
{
  return (Event){ .kind = kind,
    .phase = phase,
    .at = *at,
    .start = span->start,
    .score = span->score,
    .details = span->details };
}

void
event_span_announce (
    EventSpan *span, const EventCondition *condition, const EventTime *at, GArray *events)
{
  Event event;

  if (span->announced || !span->holds || span->n_frames < condition->min_frames ||
      !event_has_lasted (&span->start, at, condition->min_duration))
    return;
  span->announced = TRUE;
  span->reported = event_get_duration (&span->start, at);
  event = describe (span, condition->kind, EVENT_START, &span->start);
  event_add (events, &event);
}

void
event_span_update (
    EventSpan *span, EventKind kind, const EventTime *at, gdouble interval, GArray *events)
{
  const GstClockTime period = (GstClockTime) (interval * GST_SECOND + 0.5);
  const GstClockTime now = event_get_duration (&span->start, at);
  Event event;

  if (!span->announced || span->rests || period == 0 || !GST_CLOCK_TIME_IS_VALID (now) ||
      !GST_CLOCK_TIME_IS_VALID (span->reported) || now / period <= span->reported / period)
    return;
  span->reported = now;
  event = describe (span, kind, EVENT_UPDATE, at);
  event_add (events, &event);
}

void
event_span_end (EventSpan *span, const EventCondition *condition, const EventTime *at,
    EventCause cause, GArray *events)
{
  event_span_announce (span, condition, at, events);
  if (span->announced) {
    Event event = describe (span, condition->kind, EVENT_END, span->rests ? &span->rest : at);

    event.cause = cause;
    event_add (events, &event);
  }
  *span = (EventSpan){ 0 };
}

void
event_span_follow (
    EventSpan *span, const EventCondition *condition, const EventTime *at, GArray *events)
{
  if (condition->holds) {
    span->rests = FALSE;
    if (!span->holds) {
      span->holds = TRUE;
      span->start = *at;
      span->score = condition->score;
    }
    span->n_frames++;
    span->score = MAX (span->score, condition->score);
    event_span_announce (span, condition, at, events);
    return;
  }
  if (!span->rests) {
    span->rests = TRUE;
    span->rest = *at;
  }
  if (!span->announced || event_has_lasted (&span->rest, at, condition->rest))
    event_span_end (span, condition, at, EVENT_CAUSE_CONDITION, events);
}
