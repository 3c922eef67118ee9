/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events that a camera finds itself. */
#include "camera-private.h"
#include "lines.h"
#include "say.h"

void
watch_camera_set_state (WatchCamera *self, WatchState state)
{
  g_mutex_lock (&self->lock);
  self->state = state;
  g_mutex_unlock (&self->lock);
}

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
    .frame = (guint64) watch_get (&self->tally->n_analysed),
    .utc_us = now,
    .start_frame = self->outage_frame,
    .duration_us = cause != NULL ? g_get_monotonic_time () - self->outage_since : -1 };
  gchar *line = watch_line_new (&about);

  if (!g_str_equal (phase, "end"))
    watch_tally_count_event (self->tally, event);
  watch_outlet_add (
      self->settings.outlet, watch_notice_new (self->config->section.name, event, phase, id, line));
}

void
watch_camera_begin_outage (
    WatchCamera *self, const gchar *event, const gchar *cause, const gchar *text)
{
  watch_tally_set (self->tally, &self->tally->error, text);
  if (self->outage != NULL)
    return;
  self->outage = event;
  self->outage_id = make_id (self, event);
  self->outage_cause = g_strdup (cause);
  self->outage_text = g_strdup (text);
  self->outage_since = g_get_monotonic_time ();
  self->outage_frame = (guint64) watch_get (&self->tally->n_analysed);
  watch_camera_set_state (self, g_str_equal (event, "lost") ? WATCH_LOST : WATCH_STALLED);
  watch_outlet_set_available (self->settings.outlet, self->config->section.name, FALSE);
  report (self, event, "start", self->outage_id, NULL);
  watch_say (self->config->section.name, G_LOG_LEVEL_WARNING, text);
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
  watch_outlet_set_available (self->settings.outlet, self->config->section.name, TRUE);
  if (self->outage == NULL) {
    watch_say (self->config->section.name, G_LOG_LEVEL_MESSAGE, "has pictures");
    return;
  }
  id = make_id (self, "back");
  report (self, self->outage, "end", self->outage_id, "condition");
  report (self, "back", "instant", id, NULL);
  watch_say (self->config->section.name, G_LOG_LEVEL_MESSAGE, "is back");
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
