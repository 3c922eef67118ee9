/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event-span.h"

/* An unknown duration satisfies only a @min_duration of 0. */
static gboolean
lasted (const EventTime *start, const EventTime *at, gdouble min_duration)
{
  const GstClockTime duration = event_get_duration (start, at);
  const GstClockTime least = (GstClockTime) (min_duration * GST_SECOND + 0.5);

  return GST_CLOCK_TIME_IS_VALID (duration) ? duration >= least : least == 0;
}

void
event_span_announce (
    EventSpan *span, EventKind kind, const EventTime *at, gdouble min_duration, GArray *events)
{
  if (span->announced || !span->holds || !lasted (&span->start, at, min_duration))
    return;
  span->announced = TRUE;
  event_add (events, kind, EVENT_START, &span->start, &span->start, span->score);
}

void
event_span_end (
    EventSpan *span, EventKind kind, const EventTime *at, gdouble min_duration, GArray *events)
{
  event_span_announce (span, kind, at, min_duration, events);
  if (span->announced)
    event_add (events, kind, EVENT_END, at, &span->start, span->score);
  span->holds = span->announced = FALSE;
}

void
event_span_follow (EventSpan *span, EventKind kind, const EventTime *at, gboolean holds,
    gdouble score, gdouble min_duration, GArray *events)
{
  if (!holds) {
    event_span_end (span, kind, at, min_duration, events);
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
