/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An event in a video. docs/elements/glesevents.md defines each kind. */
#ifndef GST_GLES_EVENT_H
#define GST_GLES_EVENT_H

#include "event-kind.h"

G_BEGIN_DECLS

typedef enum {
  EVENT_INSTANT, /* cuts only */
  EVENT_START,
  EVENT_UPDATE, /* it goes on */
  EVENT_END
} EventPhase;

/* Why an event ended. */
typedef enum {
  EVENT_CAUSE_CONDITION, /* its condition no longer holds */
  EVENT_CAUSE_EOS,
  EVENT_CAUSE_FLUSH,
  EVENT_CAUSE_CAPS, /* other caps, or results that cannot be compared */
  EVENT_CAUSE_GAP,
  EVENT_CAUSE_SEGMENT, /* another segment or stream */
  EVENT_CAUSE_STOPPED  /* an element stopped, or the kind is no longer asked for */
} EventCause;

/* The largest position: differences of two, and sums with a duration, have 64 bits. 73 years. */
#define EVENT_FARTHEST (G_MAXINT64 / 4)

/* Position of a frame in the stream. */
typedef struct {
  guint64 frame;
  GstClockTime pts, duration, running_time, stream_time;
  GstClockTime utc; /* time of day in nanoseconds since 1970, or GST_CLOCK_TIME_NONE */
  /* Stream time (pts without), from which durations follow, within EVENT_FARTHEST of 0, or
   * GST_CLOCK_STIME_NONE. The end of a clip that is played in reverse lies before 0. */
  gint64 position;
  gdouble rate; /* of the segment; below 0: in reverse */
} EventTime;

typedef struct {
  guint x, y, width, height; /* in pixels of the analysed picture */
} EventBox;

/* What moved since the start of the event. */
typedef struct {
  EventBox largest; /* of the region of most points */
  EventBox all;     /* around all regions */
  guint n_regions;  /* the largest number in one frame */
} EventMotion;

/* What only some kinds have; all zero for others. */
typedef struct {
  const gchar *transition; /* of EVENT_TRANSITION: which one, a static string */
  EventMotion motion;      /* of EVENT_MOTION */
} EventDetails;

typedef struct {
  EventKind kind;
  EventPhase phase;
  EventCause cause; /* of an end */
  /* Start, instant: the first frame of the event; update: the current frame; end: the first frame
   * after the event. */
  EventTime at;
  EventTime start;       /* the first frame of the event */
  gdouble score;         /* a share or a percentage; its meaning depends on the kind */
  GstClockTime duration; /* until @at; event_add() sets it */
  EventDetails details;
  gboolean posted; /* as a message, before the frame that carries it */
} Event;

/* Return static strings: "instant", "start", "update", "end"; "condition", "eos", ... */
const gchar *event_phase_get_name (EventPhase phase);
const gchar *event_cause_get_name (EventCause cause);

/* Returns the time from @start to @at in the stream, whichever of them is earlier there, or
 * GST_CLOCK_TIME_NONE. */
GstClockTime event_get_duration (const EventTime *start, const EventTime *at);

/* Whether @at is at least @seconds after @start. An unknown duration satisfies only 0 seconds. */
gboolean event_has_lasted (const EventTime *start, const EventTime *at, gdouble seconds);

/* Sets the position of @time to @distance behind @from, a position, or before it if @sign is below
 * 0. */
void event_time_move (EventTime *time, gint64 from, gint sign, guint64 distance);

/* Moves @time to the end of its frame. */
void event_time_advance (EventTime *time);

/* Appends @event to @events, with its duration, which follows from its times. */
void event_add (GArray *events, const Event *event);

/* Whose events they are; each text may be NULL. */
typedef struct {
  const gchar *session, *stream_id;
  const gchar *element; /* name of the glesevents element */
} EventSource;

/* The event as it is posted and attached to frames (transfer full). */
GstStructure *event_describe (const Event *event, const EventSource *source);

G_END_DECLS

#endif
