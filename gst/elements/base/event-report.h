/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How elements tell events: as structures, in messages, on frames and in events downstream. */
#ifndef GST_GLES_EVENT_REPORT_H
#define GST_GLES_EVENT_REPORT_H

#include "event-time.h"

G_BEGIN_DECLS

/* What all events have. */
typedef struct {
  const gchar *name;
  const gchar *identity; /* what its id is made of beside source and start; NULL: the name */
  EventPhase phase;
  EventCause cause; /* of an end */
  /* Start, instant: the first frame of the event; update: the current frame; end: the first frame
   * after the event. */
  EventTime at;
  EventTime start; /* the first frame of the event */
  gdouble score;
  GstClockTime duration; /* until @at */
} EventHead;

/* Whose events they are; each text may be NULL. */
typedef struct {
  const gchar *session, *stream_id;
  const gchar *element; /* name of the element */
} EventSource;

/* The event as it is posted and attached to frames (transfer full); other fields may be added. */
GstStructure *event_head_describe (const EventHead *event, const EventSource *source);

/* Posts @structure as an element message. Thread: any. */
void event_report_post (GstElement *element, const GstStructure *structure);

/* Returns the structure of the custom meta @name on @buffer, which is writable: (transfer none).
 * Adds the meta if it is not there. Thread: any. */
GstStructure *event_report_get_structure (GstBuffer *buffer, const gchar *name);

/* Attaches @list (transfer full), a GstValueList of such structures, to @buffer (transfer full)
 * (nullable), behind those of elements before; or sends them downstream from @pad in a custom event
 * when there is no buffer. Returns (transfer full) (nullable): the buffer to push. */
GstBuffer *event_report_attach (GstPad *pad, GstBuffer *buffer, GValue *list);

G_END_DECLS

#endif
