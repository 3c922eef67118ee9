/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events of gleszones, told as those of glesevents are. docs/elements/gleszones.md defines each
 * kind. */
#ifndef ZONE_REPORT_H
#define ZONE_REPORT_H

#include "../base/event-report.h"
#include "zone-set.h"

G_BEGIN_DECLS

/* What a track event tells of the thing. */
typedef struct {
  guint64 track;
  const gchar *label;
  guint box[4];                   /* x, y, width and height where it was last seen */
  gdouble velocity_x, velocity_y; /* pixels per second, to the right and down */
} ZoneSubject;

typedef struct {
  EventHead head; /* without identity */
  const ZoneDefinition *zone;
  const ZoneSubject *subject; /* NULL: the event is about the zone */
  const gchar *direction;     /* of a crossing: "in" or "out"; otherwise NULL */
  guint64 n_in, n_out;        /* so far */
  guint n_members;
} ZoneEvent;

/* The events of one frame. */
typedef struct {
  GstElement *element;
  EventSource source;
  GValue list; /* a GstValueList of structures */
} ZoneReport;

void zone_report_init (ZoneReport *report, GstElement *element, const EventSource *source);
/* Posts @event as a message, and keeps it for zone_report_finish(). */
void zone_report_add (ZoneReport *report, const ZoneEvent *event);
/* Attaches the events to @buffer (transfer full) (nullable), or sends them downstream from @pad if
 * there is none, and clears @report. Returns (transfer full) (nullable): the buffer to push. */
GstBuffer *zone_report_finish (ZoneReport *report, GstPad *pad, GstBuffer *buffer);

G_END_DECLS

#endif
