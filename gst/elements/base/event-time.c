/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event-time.h"

const gchar *
event_phase_get_name (EventPhase phase)
{
  static const gchar *const names[] = { "instant", "start", "update", "end" };

  return names[phase];
}

const gchar *
event_cause_get_name (EventCause cause)
{
  static const gchar *const names[] = { "condition", "eos", "flush", "caps", "gap", "segment",
    "stopped", "lost" };

  return names[cause];
}

GstClockTime
event_get_duration (const EventTime *start, const EventTime *at)
{
  if (!GST_CLOCK_STIME_IS_VALID (start->position) || !GST_CLOCK_STIME_IS_VALID (at->position))
    return GST_CLOCK_TIME_NONE;
  return (GstClockTime) ABS (at->position - start->position);
}

gboolean
event_has_lasted (const EventTime *start, const EventTime *at, gdouble seconds)
{
  const GstClockTime duration = event_get_duration (start, at);
  const GstClockTime least = (GstClockTime) (seconds * GST_SECOND + 0.5);

  return GST_CLOCK_TIME_IS_VALID (duration) ? duration >= least : least == 0;
}

void
event_time_move (EventTime *time, gint64 from, gint sign, guint64 distance)
{
  time->position = CLAMP (
      from + sign * (gint64) MIN (distance, EVENT_FARTHEST), -EVENT_FARTHEST, EVENT_FARTHEST);
}

void
event_time_advance (EventTime *time)
{
  const GstClockTime duration = time->duration;
  GstClockTime *const times[] = { &time->pts, &time->stream_time };
  GstClockTime *const clocks[] = { &time->running_time, &time->utc };

  time->frame++;
  if (!GST_CLOCK_TIME_IS_VALID (duration))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    if (GST_CLOCK_TIME_IS_VALID (*times[i]))
      *times[i] = time->rate < 0 ? *times[i] - MIN (*times[i], duration) : *times[i] + duration;
  }
  for (guint i = 0; i < G_N_ELEMENTS (clocks); i++) {
    if (GST_CLOCK_TIME_IS_VALID (*clocks[i]))
      *clocks[i] +=
          (GstClockTime) MIN ((gdouble) duration / ABS (time->rate), (gdouble) EVENT_FARTHEST);
  }
  if (GST_CLOCK_STIME_IS_VALID (time->position))
    event_time_move (time, time->position, time->rate < 0 ? -1 : 1, duration);
}

EventTime
event_time_of_buffer (const GstSegment *segment, GstBuffer *buffer, const GstGlesFrameInfo *frame)
{
  EventTime time = { frame->number, frame->pts, frame->duration, frame->running_time,
    frame->stream_time, frame->utc };
  guint64 position;
  gint sign = 0;

  if (GST_BUFFER_DURATION_IS_VALID (buffer))
    time.duration = GST_BUFFER_DURATION (buffer);
  if (GST_BUFFER_PTS_IS_VALID (buffer) && segment->format == GST_FORMAT_TIME) {
    time.pts = GST_BUFFER_PTS (buffer);
    time.running_time = gst_segment_to_running_time (segment, GST_FORMAT_TIME, time.pts);
    time.stream_time = gst_segment_to_stream_time (segment, GST_FORMAT_TIME, time.pts);
    sign = gst_segment_to_stream_time_full (segment, GST_FORMAT_TIME, time.pts, &position);
  }
  if (sign == 0) {
    position = GST_CLOCK_TIME_IS_VALID (time.stream_time) ? time.stream_time : time.pts;
    sign = GST_CLOCK_TIME_IS_VALID (position) ? 1 : 0;
  }
  time.position = GST_CLOCK_STIME_NONE;
  if (sign != 0)
    event_time_move (&time, 0, sign, position);
  time.rate = segment->rate;
  return time;
}
