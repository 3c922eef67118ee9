/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event-report.h"

#include <string.h>

/* Returns an id that joins the start, the updates and the end of an event (transfer full). The same
 * run of the same stream makes the same ids. The start's timestamp keeps events apart whose frames
 * have the same number because a flush began to count anew. */
static gchar *
make_id (const EventHead *event, const EventSource *source)
{
  g_autofree gchar *frame = g_strdup_printf ("%" G_GUINT64_FORMAT, event->start.frame);
  g_autofree gchar *pts = g_strdup_printf ("%" G_GUINT64_FORMAT, event->start.pts);
  const gchar *const parts[] = { source->session, source->stream_id, source->element,
    event->identity != NULL ? event->identity : event->name, frame, pts };
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    const gchar *part = parts[i] != NULL ? parts[i] : "";

    /* with the final zero, which keeps parts apart */
    g_checksum_update (checksum, (const guchar *) part, (gssize) strlen (part) + 1);
  }
  return g_strndup (g_checksum_get_string (checksum), 16);
}

GstStructure *
event_head_describe (const EventHead *event, const EventSource *source)
{
  const EventTime *at = &event->at;
  g_autofree gchar *id = make_id (event, source);
  GstStructure *structure = gst_structure_new ("glesevents", "event", G_TYPE_STRING, event->name,
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
  return structure;
}

void
event_report_post (GstElement *element, const GstStructure *structure)
{
  gst_element_post_message (
      element, gst_message_new_element (GST_OBJECT (element), gst_structure_copy (structure)));
}

static void
register_meta (const gchar *name)
{
  static GMutex lock;
  static const gchar *tags[] = { NULL };

  g_mutex_lock (&lock);
  if (gst_meta_get_info (name) == NULL)
    gst_meta_register_custom (name, tags, NULL, NULL, NULL);
  g_mutex_unlock (&lock);
}

GstStructure *
event_report_get_structure (GstBuffer *buffer, const gchar *name)
{
  GstCustomMeta *meta;

  register_meta (name);
  meta = gst_buffer_get_custom_meta (buffer, name);
  if (meta == NULL)
    meta = gst_buffer_add_custom_meta (buffer, name);
  return gst_custom_meta_get_structure (meta);
}

GstBuffer *
event_report_attach (GstPad *pad, GstBuffer *buffer, GValue *list)
{
  GstStructure *structure;
  const GValue *before;

  if (buffer == NULL) {
    structure = gst_structure_new_empty ("glesevents");
    gst_structure_take_value (structure, "events", list);
    gst_pad_push_event (pad, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, structure));
    return NULL;
  }
  buffer = gst_buffer_make_writable (buffer);
  structure = event_report_get_structure (buffer, "glesevents");
  before = gst_structure_get_value (structure, "events");
  if (before != NULL && GST_VALUE_HOLDS_LIST (before)) {
    GValue all = G_VALUE_INIT;

    gst_value_list_concat (&all, before, list);
    g_value_unset (list);
    gst_structure_take_value (structure, "events", &all);
  } else {
    gst_structure_take_value (structure, "events", list);
  }
  return buffer;
}
