/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events that the program finds without an analysis: a camera is lost or stalled, or its files
 * cannot be written. */
#include "analysis.h"
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

/* Adds the event of @outage, which the program found. @cause: why the outage ended; (nullable): it
 * has not. */
static void
report (WatchCamera *self, const WatchOutage *outage, const gchar *phase, const gchar *cause)
{
  const gint64 now = g_get_real_time ();
  const WatchLine about = { .tags = self->tags,
    .event = outage->event,
    .phase = phase,
    .id = outage->id,
    .outage = outage->cause,
    .text = outage->text,
    .cause = cause,
    .frame = (guint64) watch_get (&self->tally->n_analysed),
    .utc_us = now,
    .start_frame = outage->frame,
    .duration_us = cause != NULL ? g_get_monotonic_time () - outage->since : -1 };

  if (!g_str_equal (phase, "end"))
    watch_tally_count_event (self->tally, outage->event);
  watch_outlet_add (self->settings.outlet,
      watch_notice_new (
          self->config->section.name, outage->event, phase, outage->id, watch_line_new (&about)));
}

/* Begins @outage and tells of it. @event: a static string. */
static void
begin (WatchCamera *self, WatchOutage *outage, const gchar *event, const gchar *cause,
    const gchar *text)
{
  *outage = (WatchOutage){ .event = event,
    .id = make_id (self, event),
    .cause = g_strdup (cause),
    .text = g_strdup (text),
    .since = g_get_monotonic_time (),
    .frame = (guint64) watch_get (&self->tally->n_analysed) };
  report (self, outage, "start", NULL);
  watch_say (self->config->section.name, G_LOG_LEVEL_WARNING, text);
}

static void
end (WatchCamera *self, WatchOutage *outage, const gchar *cause)
{
  if (outage->event == NULL)
    return;
  report (self, outage, "end", cause);
  watch_outage_clear (outage);
}

void
watch_outage_clear (WatchOutage *outage)
{
  g_free (outage->id);
  g_free (outage->cause);
  g_free (outage->text);
  *outage = (WatchOutage){ 0 };
}

void
watch_camera_begin_outage (
    WatchCamera *self, const gchar *event, const gchar *cause, const gchar *text)
{
  watch_tally_set (self->tally, &self->tally->error, text);
  if (self->outage.event != NULL)
    return;
  watch_camera_set_state (self, g_str_equal (event, "lost") ? WATCH_LOST : WATCH_STALLED);
  watch_outlet_set_available (self->settings.outlet, self->config->section.name, FALSE);
  begin (self, &self->outage, event, cause, text);
}

void
watch_camera_end_outage (WatchCamera *self)
{
  g_autofree gchar *id = NULL;
  WatchOutage back;

  watch_camera_set_state (self, WATCH_UP);
  watch_outlet_set_available (self->settings.outlet, self->config->section.name, TRUE);
  if (self->outage.event == NULL) {
    watch_say (self->config->section.name, G_LOG_LEVEL_MESSAGE, "has pictures");
    return;
  }
  id = make_id (self, "back");
  back = self->outage;
  back.event = "back";
  back.id = id;
  report (self, &self->outage, "end", "condition");
  report (self, &back, "instant", NULL);
  watch_say (self->config->section.name, G_LOG_LEVEL_MESSAGE, "is back");
  watch_outage_clear (&self->outage);
}

void
watch_camera_begin_unrecorded (WatchCamera *self, const gchar *text)
{
  watch_set (&self->tally->is_recording, 0);
  if (self->unrecorded.event == NULL)
    begin (self, &self->unrecorded, WATCH_EVENT_UNRECORDED, "error", text);
}

void
watch_camera_end_unrecorded (WatchCamera *self)
{
  watch_set (&self->tally->is_recording, 1);
  if (self->unrecorded.event != NULL)
    watch_say (self->config->section.name, G_LOG_LEVEL_MESSAGE, "is recorded again");
  end (self, &self->unrecorded, "condition");
}

void
watch_camera_stop_outage (WatchCamera *self)
{
  end (self, &self->outage, "stopped");
  end (self, &self->unrecorded, "stopped");
}
