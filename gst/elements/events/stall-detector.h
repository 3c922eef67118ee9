/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Notices that a live stream brings no frame for some time of the clock. The time in which the
 * elements behind hold a frame does not count. */
#ifndef GST_GLES_STALL_DETECTOR_H
#define GST_GLES_STALL_DETECTOR_H

#include "event.h"

G_BEGIN_DECLS

/* Posts @event as a message of @element. Called on any thread, one call at a time. */
typedef void (*StallPost) (GstElement *element, const Event *event);

typedef struct {
  GstElement *element; /* which has the detector */
  GWeakRef
      living; /* the same, for the thread of the clock, which may keep the detector for longer */
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
} StallDetector;

StallDetector *stall_detector_new (GstElement *element, StallPost post);
/* Call when @element is finalized. */
void stall_detector_close (StallDetector *detector);

/* Call before a new stream. */
void stall_detector_reset (StallDetector *detector);

/* Another stream begins, of which the next frame asks whether it is live. */
void stall_detector_begin_stream (StallDetector *detector);

/* Call when the element has changed to PLAYING, and before it changes to PAUSED. @pad is its sink
 * pad. @timeout is in seconds; 0: nothing is watched. */
void stall_detector_play (StallDetector *detector, GstPad *pad, gdouble timeout);
void stall_detector_pause (StallDetector *detector);

/* A frame arrives at @pad. Appends the events that it has to carry to @events. They are posted
 * already. */
void stall_detector_frame (
    StallDetector *detector, GstPad *pad, gdouble timeout, const EventTime *at, GArray *events);

/* The elements behind have taken the frame. */
void stall_detector_frame_done (StallDetector *detector);

/* A flush starts. Any thread. */
void stall_detector_interrupt (StallDetector *detector);

/* The stream ends, or is flushed: a stall ends now because of @cause. Appends events as
 * stall_detector_frame(). */
void stall_detector_end (StallDetector *detector, EventCause cause, GArray *events);

/* After a flush a wait begins. */
void stall_detector_resume (StallDetector *detector);

G_END_DECLS

#endif
