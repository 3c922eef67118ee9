/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a camera tells: the events of its analysis, and those of its pipeline. */
#include "analysis.h"
#include "camera-private.h"
#include "lines.h"

#include <string.h>

void
watch_camera_say (WatchCamera *self, GLogLevelFlags level, const gchar *text)
{
  g_log_structured (G_LOG_DOMAIN, level, "CAMERA", self->config->section.name, "MESSAGE", "%s: %s",
      self->config->section.name, text);
}

void
watch_camera_set_state (WatchCamera *self, WatchState state)
{
  g_mutex_lock (&self->lock);
  self->state = state;
  g_mutex_unlock (&self->lock);
}

/* ---- outages ---- */

/* Returns an id that no other event has: (transfer full). */
static gchar *
make_id (const WatchCamera *self, const gchar *event)
{
  g_autofree gchar *text = g_strdup_printf ("%s %s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
      self->config->section.name, event, g_get_real_time (), g_get_monotonic_time ());
  g_autofree gchar *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  return g_strndup (sum, 16);
}

/* Adds an event that the program found. @cause: (nullable): of an end. */
static void
report (
    WatchCamera *self, const gchar *event, const gchar *phase, const gchar *id, const gchar *cause)
{
  const gint64 now = g_get_real_time ();
  const WatchLine about = { .tags = self->tags,
    .event = event,
    .phase = phase,
    .id = id,
    .outage = self->outage_cause,
    .text = self->outage_text,
    .cause = cause,
    .frame = (guint64) watch_get (&self->n_analysed),
    .utc_us = now,
    .start_frame = self->outage_frame,
    .duration_us = cause != NULL ? g_get_monotonic_time () - self->outage_since : -1 };
  gchar *line = watch_line_new (&about);

  watch_add (&self->n_events, !g_str_equal (phase, "end"));
  watch_outlet_add (
      self->outlet, watch_notice_new (self->config->section.name, event, phase, id, line));
}

void
watch_camera_begin_outage (
    WatchCamera *self, const gchar *event, const gchar *cause, const gchar *text)
{
  g_mutex_lock (&self->lock);
  g_free (self->error);
  self->error = g_strdup (text);
  g_mutex_unlock (&self->lock);
  if (self->outage != NULL)
    return;
  self->outage = event;
  self->outage_id = make_id (self, event);
  self->outage_cause = g_strdup (cause);
  self->outage_text = g_strdup (text);
  self->outage_since = g_get_monotonic_time ();
  self->outage_frame = (guint64) watch_get (&self->n_analysed);
  watch_camera_set_state (self, g_str_equal (event, "lost") ? WATCH_LOST : WATCH_STALLED);
  watch_outlet_set_available (self->outlet, self->config->section.name, FALSE);
  report (self, event, "start", self->outage_id, NULL);
  watch_camera_say (self, G_LOG_LEVEL_WARNING, text);
}

static void
forget_outage (WatchCamera *self)
{
  self->outage = NULL;
  g_clear_pointer (&self->outage_id, g_free);
  g_clear_pointer (&self->outage_cause, g_free);
  g_clear_pointer (&self->outage_text, g_free);
}

void
watch_camera_end_outage (WatchCamera *self)
{
  g_autofree gchar *id = NULL;

  watch_camera_set_state (self, WATCH_UP);
  watch_outlet_set_available (self->outlet, self->config->section.name, TRUE);
  if (self->outage == NULL) {
    watch_camera_say (self, G_LOG_LEVEL_MESSAGE, "has pictures");
    return;
  }
  id = make_id (self, "back");
  report (self, self->outage, "end", self->outage_id, "condition");
  report (self, "back", "instant", id, NULL);
  watch_camera_say (self, G_LOG_LEVEL_MESSAGE, "is back");
  forget_outage (self);
}

void
watch_camera_stop_outage (WatchCamera *self)
{
  if (self->outage == NULL)
    return;
  report (self, self->outage, "end", self->outage_id, "stopped");
  forget_outage (self);
}

/* ---- lines ---- */

/* Returns the time of day of a frame by the clock that it came with: (transfer full), or NULL. */
static gchar *
get_arrival (WatchCamera *self, JsonObject *line)
{
  const gint64 running = json_object_has_member (line, "running_time")
      ? json_object_get_int_member_with_default (line, "running_time", -1)
      : -1;
  const GstClockTime now = gst_element_get_current_running_time (self->pipeline);

  if (self->options.replay || running < 0 || !GST_CLOCK_TIME_IS_VALID (now))
    return NULL;
  return watch_line_format_utc (g_get_real_time () - ((gint64) now - running) / 1000);
}

/* Returns a copy of the frame that lines are about: (transfer full) (nullable). Decoders get theirs
 * back, of which some have few. */
static GstSample *
copy_frame (WatchCamera *self)
{
  g_autoptr (GstElement) events =
      gst_bin_get_by_name (GST_BIN (self->pipeline), WATCH_ANALYSIS_EVENTS);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (events, "sink");
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  g_autoptr (GstBuffer) copy = NULL;

  if (self->current == NULL || caps == NULL)
    return NULL;
  copy = gst_buffer_copy_deep (self->current);
  return copy != NULL ? gst_sample_new (copy, caps, NULL, NULL) : NULL;
}

static void
take_line (WatchCamera *self, const gchar *text)
{
  g_autoptr (JsonNode) node = json_from_string (text, NULL);
  JsonObject *line =
      node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const gchar *event, *phase, *id;
  WatchNotice *notice;
  gboolean begins;

  if (line == NULL || !json_object_has_member (line, "event"))
    return;
  event = json_object_get_string_member (line, "event");
  phase = json_object_get_string_member (line, "phase");
  id = json_object_get_string_member (line, "id");
  begins = g_str_equal (phase, "start") || g_str_equal (phase, "instant");
  notice = watch_notice_new (self->config->section.name, event, phase, id, g_strdup (text));
  if (json_object_get_null_member (line, "utc")) {
    notice->utc = get_arrival (self, line);
    notice->utc_source = notice->utc != NULL ? "arrival" : NULL;
  } else {
    notice->utc_source = "sender";
    g_mutex_lock (&self->lock);
    self->sender_clock = TRUE;
    g_mutex_unlock (&self->lock);
  }
  if (begins && self->config->thumbnails && watch_outlet_wants_pictures (self->outlet))
    notice->frame = copy_frame (self);
  if (g_str_equal (phase, "start"))
    g_hash_table_insert (self->open, g_strdup (id), json_object_ref (line));
  else if (g_str_equal (phase, "end"))
    g_hash_table_remove (self->open, id);
  watch_add (&self->n_events, begins);
  watch_outlet_add (self->outlet, notice);
}

GstFlowReturn
watch_camera_on_line (GstAppSink *sink, gpointer user_data)
{
  g_autoptr (GstSample) sample = gst_app_sink_pull_sample (sink);
  GstBuffer *buffer = sample != NULL ? gst_sample_get_buffer (sample) : NULL;
  GstMapInfo map;

  if (buffer != NULL && gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    g_autofree gchar *text = g_strndup ((const gchar *) map.data, map.size);

    gst_buffer_unmap (buffer, &map);
    take_line (user_data, g_strchomp (text));
  }
  return GST_FLOW_OK;
}

void
watch_camera_end_open (WatchCamera *self, GstClockTime running)
{
  const gint64 now = g_get_real_time ();
  GHashTableIter iter;
  gpointer id, start;

  g_hash_table_iter_init (&iter, self->open);
  while (g_hash_table_iter_next (&iter, &id, &start)) {
    const gint64 since = json_object_get_int_member_with_default (start, "running_time", -1);
    const GstClockTime duration = GST_CLOCK_TIME_IS_VALID (running) && since >= 0
        ? running - MIN (running, (guint64) since)
        : 0;
    WatchNotice *notice = watch_notice_new (self->config->section.name,
        json_object_get_string_member (start, "event"), "end", id,
        watch_line_end (
            start, "stopped", (guint64) (self->n_analysed - self->first_analysed), now, duration));

    notice->utc_source = "arrival";
    watch_outlet_add (self->outlet, notice);
  }
  g_hash_table_remove_all (self->open);
}
