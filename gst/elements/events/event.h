/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An event in a video. docs/elements/glesevents.md defines each kind. */
#ifndef GST_GLES_EVENT_H
#define GST_GLES_EVENT_H

#include "event-kind.h"

G_BEGIN_DECLS

typedef enum {
  EVENT_INSTANT, /* cuts only */
  EVENT_START,
  EVENT_END
} EventPhase;

/* Position of a frame in the stream. */
typedef struct {
  guint64 frame;
  GstClockTime pts, duration, running_time, stream_time;
  /* Stream time (pts without), from which durations follow, or GST_CLOCK_STIME_NONE. The end of a
   * clip that is played in reverse lies before 0. */
  gint64 position;
  gdouble rate; /* of the segment; below 0: in reverse */
} EventTime;

typedef struct {
  EventKind kind;
  EventPhase phase;
  EventTime at;    /* start, instant: the first frame of the event; end: the first frame after it */
  EventTime start; /* the first frame of the event */
  gdouble score;   /* a share or a percentage; its meaning depends on the kind */
  GstClockTime duration; /* until @at */
} Event;

/* Returns a static string: "instant", "start", "end". */
const gchar *event_phase_get_name (EventPhase phase);

/* Returns the time from @start to @at in the stream, whichever of them is earlier there, or
 * GST_CLOCK_TIME_NONE. */
GstClockTime event_get_duration (const EventTime *start, const EventTime *at);

/* Moves @time to the end of its frame. */
void event_time_advance (EventTime *time);

/* Appends an event to @events. */
void event_add (GArray *events, EventKind kind, EventPhase phase, const EventTime *at,
    const EventTime *start, gdouble score);

/* The event as it is posted and attached to frames (transfer full). */
GstStructure *event_describe (const Event *event);

G_END_DECLS

#endif
