/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events of a video, with their pictures. */
#ifndef REPORT_MODEL_EVENTS_H
#define REPORT_MODEL_EVENTS_H

#include <gst/gst.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* How many events have a picture at most. */
#define REPORT_MAX_EVENT_PICTURES 200

typedef struct _ReportEvents ReportEvents;

ReportEvents *report_events_new (void);
void report_events_free (ReportEvents *self);
/* As report_add_event(). A line that repeats one with the same id is counted and adds nothing. */
void report_events_add (ReportEvents *self, JsonObject *line, GstClockTime time);
guint report_events_get_n (ReportEvents *self);

typedef struct {
  JsonObject *line;   /* that of the start, with what later lines changed; belongs to the events */
  GstClockTime start; /* in stream time */
  GstClockTime end;   /* NONE while it goes on */
  gboolean instant;   /* its end is its start */
} ReportEvent;

/* Returns all events by their start: (transfer full), of ReportEvent. */
GArray *report_events_list (ReportEvents *self);
/* Sets the range of times of all events. *@begin is NONE if there are none. */
void report_events_get_range (ReportEvents *self, GstClockTime *begin, GstClockTime *end);
gboolean report_events_want_picture (ReportEvents *self);
/* @jpeg: (nullable). */
void report_events_add_picture (ReportEvents *self, GBytes *jpeg);
/* Writes the members of the page's data about events. @end: the end of events that are still open.
 */
void report_events_append (ReportEvents *self, GString *page, GstClockTime end);

G_END_DECLS

#endif
