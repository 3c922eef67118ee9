/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "zone-report.h"

#include <math.h>

void
zone_report_init (ZoneReport *report, GstElement *element, const EventSource *source)
{
  *report = (ZoneReport){ .element = element, .source = *source };
  g_value_init (&report->list, GST_TYPE_LIST);
}

/* Degrees clockwise from upwards, 0 to below 360. */
static gdouble
get_heading (const ZoneSubject *subject)
{
  const gdouble degrees = atan2 (subject->velocity_x, -subject->velocity_y) * (180 / G_PI);

  if (subject->velocity_x == 0 && subject->velocity_y == 0)
    return 0;
  return degrees < 0 ? MIN (degrees + 360, nextafter (360, 0)) : degrees;
}

static void
describe_subject (GstStructure *structure, const ZoneSubject *subject)
{
  gst_structure_set (structure, "track", G_TYPE_UINT64, subject->track, "label", G_TYPE_STRING,
      subject->label, "box-x", G_TYPE_UINT, subject->box[0], "box-y", G_TYPE_UINT, subject->box[1],
      "box-width", G_TYPE_UINT, subject->box[2], "box-height", G_TYPE_UINT, subject->box[3],
      "speed", G_TYPE_DOUBLE, hypot (subject->velocity_x, subject->velocity_y), "heading",
      G_TYPE_DOUBLE, get_heading (subject), NULL);
}

/* What the ids of events are made of: those of a visit, an occupation or a crowd share one. */
static gchar *
make_identity (const ZoneEvent *event)
{
  const gchar *name = event->head.name;

  if (event->subject == NULL)
    return g_strdup_printf (
        "%s %s", g_str_equal (name, "empty") ? "occupied" : name, event->zone->name);
  return g_strdup_printf ("%s %s %" G_GUINT64_FORMAT, event->zone->is_line ? name : "visit",
      event->zone->name, event->subject->track);
}

void
zone_report_add (ZoneReport *report, const ZoneEvent *event)
{
  g_autofree gchar *identity = make_identity (event);
  EventHead head = event->head;
  GValue value = G_VALUE_INIT;
  GstStructure *structure;

  head.identity = identity;
  structure = event_head_describe (&head, &report->source);
  gst_structure_set (
      structure, event->zone->is_line ? "line" : "zone", G_TYPE_STRING, event->zone->name, NULL);
  if (event->direction != NULL)
    gst_structure_set (structure, "direction", G_TYPE_STRING, event->direction, NULL);
  if (!event->zone->is_line)
    gst_structure_set (structure, "members", G_TYPE_UINT, event->n_members, NULL);
  gst_structure_set (
      structure, "n-in", G_TYPE_UINT64, event->n_in, "n-out", G_TYPE_UINT64, event->n_out, NULL);
  if (event->subject != NULL)
    describe_subject (structure, event->subject);
  event_report_post (report->element, structure);
  g_value_init (&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&value, structure);
  gst_value_list_append_and_take_value (&report->list, &value);
}

GstBuffer *
zone_report_finish (ZoneReport *report, GstPad *pad, GstBuffer *buffer)
{
  if (gst_value_list_get_size (&report->list) > 0)
    return event_report_attach (pad, buffer, &report->list);
  g_value_unset (&report->list);
  return buffer;
}
