/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event.h"

#include <string.h>

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
    "stopped" };

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

void
event_add (GArray *events, const Event *event)
{
  Event added = *event;

  added.duration = event_get_duration (&event->start, &event->at);
  g_array_append_val (events, added);
}

/* Returns an id that joins the start, the updates and the end of an event (transfer full). The same
 * run of the same stream makes the same ids. The start's timestamp keeps events apart whose frames
 * have the same number because a flush began to count anew. */
static gchar *
make_id (const Event *event, const EventSource *source)
{
  g_autofree gchar *frame = g_strdup_printf ("%" G_GUINT64_FORMAT, event->start.frame);
  g_autofree gchar *pts = g_strdup_printf ("%" G_GUINT64_FORMAT, event->start.pts);
  const gchar *const parts[] = { source->session, source->stream_id, source->element,
    event_kind_get_name (event->kind), frame, pts };
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    const gchar *part = parts[i] != NULL ? parts[i] : "";

    /* with the final zero, which keeps parts apart */
    g_checksum_update (checksum, (const guchar *) part, (gssize) strlen (part) + 1);
  }
  return g_strndup (g_checksum_get_string (checksum), 16);
}

static void
describe_motion (GstStructure *structure, const EventMotion *motion)
{
  const EventBox *largest = &motion->largest, *all = &motion->all;

  gst_structure_set (structure, "largest-x", G_TYPE_UINT, largest->x, "largest-y", G_TYPE_UINT,
      largest->y, "largest-width", G_TYPE_UINT, largest->width, "largest-height", G_TYPE_UINT,
      largest->height, "union-x", G_TYPE_UINT, all->x, "union-y", G_TYPE_UINT, all->y,
      "union-width", G_TYPE_UINT, all->width, "union-height", G_TYPE_UINT, all->height, "n-regions",
      G_TYPE_UINT, motion->n_regions, NULL);
}

GstStructure *
event_describe (const Event *event, const EventSource *source)
{
  const EventTime *at = &event->at;
  g_autofree gchar *id = make_id (event, source);
  GstStructure *structure =
      gst_structure_new ("glesevents", "event", G_TYPE_STRING, event_kind_get_name (event->kind),
          "phase", G_TYPE_STRING, event_phase_get_name (event->phase), "id", G_TYPE_STRING, id,
          "element", G_TYPE_STRING, source->element, "timestamp", GST_TYPE_CLOCK_TIME, at->pts,
          "stream-time", GST_TYPE_CLOCK_TIME, at->stream_time, "running-time", GST_TYPE_CLOCK_TIME,
          at->running_time, "pts", GST_TYPE_CLOCK_TIME, at->pts, "frame", G_TYPE_UINT64, at->frame,
          "score", G_TYPE_DOUBLE, event->score, NULL);

  if (source->stream_id != NULL)
    gst_structure_set (structure, "stream-id", G_TYPE_STRING, source->stream_id, NULL);
  if (GST_CLOCK_TIME_IS_VALID (at->utc))
    gst_structure_set (structure, "utc", GST_TYPE_CLOCK_TIME, at->utc, NULL);
  if (event->phase == EVENT_UPDATE || event->phase == EVENT_END)
    gst_structure_set (structure, "start", GST_TYPE_CLOCK_TIME, event->start.pts, "start-frame",
        G_TYPE_UINT64, event->start.frame, "duration", GST_TYPE_CLOCK_TIME, event->duration, NULL);
  if (event->phase == EVENT_END)
    gst_structure_set (
        structure, "cause", G_TYPE_STRING, event_cause_get_name (event->cause), NULL);
  if (event->details.transition != NULL)
    gst_structure_set (structure, "transition", G_TYPE_STRING, event->details.transition, NULL);
  if (event->kind == EVENT_MOTION)
    describe_motion (structure, &event->details.motion);
  return structure;
}
