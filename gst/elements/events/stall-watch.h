/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Notices that a live stream brings no frame for some time of the clock. The time in which the
 * elements behind hold a frame does not count. */
#ifndef GST_GLES_STALL_WATCH_H
#define GST_GLES_STALL_WATCH_H

#include "event.h"

G_BEGIN_DECLS

/* Posts @event as a message of @element. Called on any thread, one call at a time. */
typedef void (*StallPost) (GstElement *element, const Event *event);

typedef struct {
  GstElement *element; /* which has the watch */
  GWeakRef living; /* the same, for the thread of the clock, which may keep the watch for longer */
  StallPost post;
  GMutex lock; /* of all that follows */

  gboolean asked, live; /* whether the stream is live was asked upstream, and the answer */
  gboolean playing;     /* the element is */
  gboolean ended;       /* at the end of the stream or in a flush */
  gboolean held;        /* the elements behind hold a frame */
  gdouble timeout;      /* seconds; 0: nothing is watched */

  GstClock *clock;    /* NULL before the first wait */
  GstClockID wait;    /* pending, or NULL */
  GstClockTime since; /* time of the clock since which no frame came */
  gboolean has_last;
  EventTime last; /* the last frame */

  gboolean stalled;
  EventTime start;  /* of the stall */
  GArray *unframed; /* events that no frame carries yet */
  GArray *unposted; /* events that are to be posted, in their order */
  gboolean posting; /* a thread does so */
  /* The thread of the clock while it has a reference to the element. A pause waits for it: if that
   * was the last one, the clock could end with the element, on its own thread, which it joins. */
  GThread *poster; /* nullable */
  GCond posted;
} StallWatch;

StallWatch *stall_watch_new (GstElement *element, StallPost post);
/* Call when @element is finalized. */
void stall_watch_close (StallWatch *watch);

/* Call before a new stream. */
void stall_watch_reset (StallWatch *watch);

/* Another stream begins, of which the next frame asks whether it is live. */
void stall_watch_begin_stream (StallWatch *watch);

/* Call when the element has changed to PLAYING, and before it changes to PAUSED. @pad is its sink
 * pad. @timeout is in seconds; 0: nothing is watched. */
void stall_watch_play (StallWatch *watch, GstPad *pad, gdouble timeout);
void stall_watch_pause (StallWatch *watch);

/* A frame arrives at @pad. Appends the events that it has to carry to @events. They are posted
 * already. */
void stall_watch_frame (
    StallWatch *watch, GstPad *pad, gdouble timeout, const EventTime *at, GArray *events);

/* The elements behind have taken the frame. */
void stall_watch_frame_done (StallWatch *watch);

/* A flush starts. Any thread. */
void stall_watch_interrupt (StallWatch *watch);

/* The stream ends, or is flushed: a stall ends now because of @cause. Appends events as
 * stall_watch_frame(). */
void stall_watch_end (StallWatch *watch, EventCause cause, GArray *events);

/* After a flush a wait begins. */
void stall_watch_resume (StallWatch *watch);

G_END_DECLS

#endif
