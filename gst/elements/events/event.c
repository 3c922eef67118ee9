/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event.h"

const gchar *
event_phase_get_name (EventPhase phase)
{
  static const gchar *const names[] = { "instant", "start", "end" };

  return names[phase];
}

GstClockTime
event_get_duration (const EventTime *start, const EventTime *at)
{
  if (!GST_CLOCK_STIME_IS_VALID (start->position) || !GST_CLOCK_STIME_IS_VALID (at->position))
    return GST_CLOCK_TIME_NONE;
  return (GstClockTime) ABS (at->position - start->position);
}

void
event_time_advance (EventTime *time)
{
  const GstClockTime duration = time->duration;
  GstClockTime *const times[] = { &time->pts, &time->stream_time };

  time->frame++;
  if (!GST_CLOCK_TIME_IS_VALID (duration))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    if (GST_CLOCK_TIME_IS_VALID (*times[i]))
      *times[i] = time->rate < 0 ? *times[i] - MIN (*times[i], duration) : *times[i] + duration;
  }
  if (GST_CLOCK_TIME_IS_VALID (time->running_time))
    time->running_time += (GstClockTime) ((gdouble) duration / ABS (time->rate));
  if (GST_CLOCK_STIME_IS_VALID (time->position))
    time->position += time->rate < 0 ? -(gint64) duration : (gint64) duration;
}

void
event_add (GArray *events, EventKind kind, EventPhase phase, const EventTime *at,
    const EventTime *start, gdouble score)
{
  const Event event = { kind, phase, *at, *start, score, event_get_duration (start, at) };

  g_array_append_val (events, event);
}

GstStructure *
event_describe (const Event *event)
{
  GstStructure *structure =
      gst_structure_new ("glesevents", "event", G_TYPE_STRING, event_kind_get_name (event->kind),
          "phase", G_TYPE_STRING, event_phase_get_name (event->phase), "timestamp",
          GST_TYPE_CLOCK_TIME, event->at.pts, "stream-time", GST_TYPE_CLOCK_TIME,
          event->at.stream_time, "running-time", GST_TYPE_CLOCK_TIME, event->at.running_time,
          "frame", G_TYPE_UINT64, event->at.frame, "score", G_TYPE_DOUBLE, event->score, NULL);

  if (event->phase == EVENT_END)
    gst_structure_set (structure, "start", GST_TYPE_CLOCK_TIME, event->start.pts, "start-frame",
        G_TYPE_UINT64, event->start.frame, "duration", GST_TYPE_CLOCK_TIME, event->duration, NULL);
  return structure;
}
