/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where an event is in a stream, its phases, and why it ended. */
#ifndef GST_GLES_EVENT_TIME_H
#define GST_GLES_EVENT_TIME_H

#include <gst/gles/meta/frame-info.h>
#include <gst/gst.h>

G_BEGIN_DECLS

typedef enum {
  EVENT_INSTANT, /* what has no duration, such as a cut */
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
  EVENT_CAUSE_STOPPED, /* an element stopped, or the kind is no longer asked for */
  EVENT_CAUSE_LOST     /* of gleszones: the track is not seen any more */
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

/* Returns the time of the frame in @buffer, which @frame describes. Times of the buffer come first:
 * videorate changes them, and gives one result to several buffers. */
EventTime event_time_of_buffer (
    const GstSegment *segment, GstBuffer *buffer, const GstGlesFrameInfo *frame);

G_END_DECLS

#endif
