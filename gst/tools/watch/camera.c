/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An outage is announced before the pipeline is ended, since that may take long. How long ago data
 * came is measured by the monotonic clock, which does not jump when the time of day is set. */
#include "analysis.h"
#include "camera-private.h"
#include "clock.h"
#include "run.h"
#include "say.h"
#include "source.h"

#include <gst/gst.h>

/* added to the stall timeout while the connection has brought no data yet */
#define CONNECT_US (2 * G_USEC_PER_SEC)
/* how long a stream may send data before its first picture */
#define PICTURE_US (30 * G_USEC_PER_SEC)
/* after so long with pictures, the next failure counts as the first */
#define STEADY_US (10 * G_USEC_PER_SEC)
#define FIRST_WAIT_MS 250
#define MAX_WAIT_MS 5000
/* the longest wait after runs that were abandoned; each wait is twice the one before */
#define MAX_ABANDONED_WAIT_S 600
#define NO_PICTURES "data comes, but no pictures"
/* how many bytes (headers, descriptions of streams) a camera may send before the first data */
#define MAX_PREFACE (8 << 20)

const gchar *
watch_state_get_name (WatchState state)
{
  static const gchar *const names[] = { "connecting", "up", "stalled", "lost", "ended" };

  return names[state];
}

/* ---- runs ---- */

static void
set_run (WatchCamera *self, WatchRun *run)
{
  g_mutex_lock (&self->lock);
  self->run = run;
  g_mutex_unlock (&self->lock);
}

void
watch_camera_end (WatchCamera *self)
{
  WatchRun *run = self->run;

  if (run == NULL)
    return;
  set_run (self, NULL);
  watch_set (&self->tally->is_recording, 0);
  g_clear_pointer (&self->former, watch_run_unref);
  self->former = watch_run_ref (run);
  watch_ending_add (self->settings.ending, run);
}

void
watch_camera_succeed (WatchCamera *self, WatchCamera *former)
{
  if (self->former == NULL)
    self->former = g_steal_pointer (&former->former);
}

/* Ends the run, and has another one begin after a while. @event: "lost" or "stalled". */
static void
fail (WatchCamera *self, const gchar *event, const gchar *cause, const gchar *text)
{
  const gint64 now = g_get_monotonic_time ();
  guint wait;

  if (self->up_since != 0 && now - self->up_since > STEADY_US)
    self->n_failures = self->n_abandoned = 0;
  watch_camera_end (self);
  if (self->settings.replay) {
    self->next = G_MAXINT64;
    if (!g_str_equal (cause, "eos"))
      watch_say (self->config->section.name, G_LOG_LEVEL_WARNING, text);
    watch_camera_set_state (self, g_str_equal (cause, "eos") ? WATCH_ENDED : WATCH_LOST);
    watch_outlet_set_available (self->settings.outlet, self->config->section.name, FALSE);
    return;
  }
  watch_camera_begin_outage (self, event, cause, text);
  wait = MIN (FIRST_WAIT_MS << MIN (self->n_failures, 8), MAX_WAIT_MS);
  self->n_failures++;
  /* the wait varies by chance, so that all cameras behind one switch do not connect at once */
  self->next = now + 1000 * g_random_int_range ((gint32) wait * 3 / 4, (gint32) wait + 1);
}

static void
on_news (WatchRunNews news, const gchar *text, gpointer user_data)
{
  WatchCamera *self = user_data;

  switch (news) {
    case WATCH_RUN_UP:
      self->up_since = g_get_monotonic_time ();
      watch_camera_end_outage (self);
      break;
    case WATCH_RUN_FAILED:
      fail (self, "lost", "error", text);
      break;
    case WATCH_RUN_EOS:
      fail (self, "lost", "eos", "the stream has ended");
      break;
    case WATCH_RUN_NO_RECORDING:
      watch_camera_begin_unrecorded (self, text);
      break;
    case WATCH_RUN_RECORDING:
      watch_camera_end_unrecorded (self);
      break;
  }
}

static void
start (WatchCamera *self, gint64 now)
{
  const WatchRunSettings settings = { .owner = self->owner,
    .config = self->config,
    .replay = self->settings.replay,
    .fast = self->settings.fast,
    .outlet = self->settings.outlet,
    .tally = self->tally,
    .context = self->settings.context,
    .tell = on_news,
    .user_data = self };
  g_autoptr (GError) error = NULL;
  WatchRun *run;

  watch_add (&self->tally->n_restarts, self->began);
  self->began = TRUE;
  self->started = self->data_since = now;
  self->up_since = self->n_data = 0;
  run = watch_run_new (&settings, &error);
  set_run (self, run);
  if (run == NULL)
    fail (self, "lost", "error", error->message);
}

/* Returns whether the former run no longer keeps the next one from beginning. If it was abandoned,
 * the next one waits longer each time, because it will probably have to be abandoned, too. */
static gboolean
is_free (WatchCamera *self, gint64 now)
{
  const WatchEndingFate fate = self->former != NULL
      ? watch_ending_get_fate (self->settings.ending, self->former)
      : WATCH_ENDING_OVER;
  gint64 wait;

  if (fate == WATCH_ENDING_NOW)
    return FALSE;
  g_clear_pointer (&self->former, watch_run_unref);
  if (fate == WATCH_ENDING_ABANDONED) {
    wait = MIN (MAX_WAIT_MS / 1000 << MIN (self->n_abandoned, 8), MAX_ABANDONED_WAIT_S);
    self->n_abandoned++;
    self->next = MAX (self->next, now + wait * G_USEC_PER_SEC);
  }
  return TRUE;
}

/* ---- checks ---- */

/* Returns whether the camera has sent more than it may before its first data: rtspsrc reads headers
 * of any size into memory. */
static gboolean
sends_too_much (WatchCamera *self, const WatchRunFacts *facts)
{
  return facts->n_data == 0 && facts->last_frame == 0 &&
      watch_run_get_received (self->run) > MAX_PREFACE;
}

/* Checks a run that has had no picture yet. After the time-out the camera is reported as stalled,
 * but the run goes on, because the first keyframe of a stream may come much later. Time in which
 * the run waited for decoders of other cameras does not count. */
static void
check_begin (WatchCamera *self, const WatchRunFacts *facts, gint64 now, gint64 timeout)
{
  const gint64 decoding = facts->decoding_since;
  const gint64 since = decoding != 0 ? decoding : self->data_began;

  if (sends_too_much (self, facts))
    fail (self, "stalled", "no-pictures", "more than 8 MiB came, but no video");
  else if (facts->n_data == 0 && now - self->started > timeout + CONNECT_US)
    fail (self, "stalled", "no-data", "no data comes");
  else if (facts->n_data == 0 || decoding == WATCH_SOURCE_WAITS)
    return;
  else if (now - MAX (since, self->data_since) > timeout)
    fail (self, "stalled", "no-data", "no data comes");
  else if (now - since > timeout + PICTURE_US)
    fail (self, "stalled", "no-pictures", NO_PICTURES);
  else if (now - since > timeout)
    watch_camera_begin_outage (self, "stalled", "no-pictures", NO_PICTURES);
}

static void
check_data (WatchCamera *self, const WatchRunFacts *facts, gint64 now)
{
  const gint64 timeout = (gint64) self->config->stall_timeout * G_USEC_PER_SEC;
  const gint64 frame = facts->last_frame;

  if (facts->n_data != self->n_data)
    self->data_since = now;
  if (self->n_data == 0)
    self->data_began = now;
  self->n_data = facts->n_data;
  if (frame == 0)
    check_begin (self, facts, now, timeout);
  else if (now - frame > timeout)
    fail (self, "stalled", now - self->data_since > timeout ? "no-data" : "no-pictures",
        now - self->data_since > timeout ? "no data comes" : NO_PICTURES);
}

void
watch_camera_check (WatchCamera *self)
{
  const gint64 now = g_get_monotonic_time ();
  WatchRunFacts facts;

  if (self->run == NULL) {
    if (is_free (self, now) && now >= self->next)
      start (self, now);
    return;
  }
  watch_run_get_facts (self->run, &facts);
  check_data (self, &facts, now);
}

/* ---- object ---- */

/* Returns the kinds of events that the camera may have: (transfer full). */
static gchar **
list_events (const WatchCameraConfig *config)
{
  g_auto (GStrv) events = watch_analysis_list_events (config, NULL);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_strv_builder_add_many (builder, "lost", "stalled", "back", NULL);
  if (config->record != NULL)
    g_strv_builder_add (builder, WATCH_EVENT_UNRECORDED);
  if (config->zones->len > 0)
    g_strv_builder_add_many (builder, "enter", "dwell", "cross", "occupied", NULL);
  if (events != NULL)
    g_strv_builder_addv (builder, (const gchar **) events);
  return g_strv_builder_end (builder);
}

WatchCamera *
watch_camera_new (
    WatchConfig *owner, const WatchCameraConfig *config, const WatchCameraSettings *settings)
{
  WatchCamera *self = g_new0 (WatchCamera, 1);
  g_auto (GStrv) events = list_events (config);

  self->owner = watch_config_ref (owner);
  self->config = config;
  self->settings = *settings;
  self->tally = watch_tally_new ((const gchar *const *) events);
  self->tags = watch_analysis_get_tags (config, NULL);
  g_mutex_init (&self->lock);
  return self;
}

void
watch_camera_free (WatchCamera *self)
{
  g_clear_pointer (&self->former, watch_run_unref);
  watch_tally_unref (self->tally);
  watch_config_unref (self->owner);
  g_free (self->tags);
  watch_outage_clear (&self->outage);
  watch_outage_clear (&self->unrecorded);
  g_mutex_clear (&self->lock);
  g_free (self);
}

const WatchCameraConfig *
watch_camera_get_config (const WatchCamera *self)
{
  return self->config;
}

static GHashTable *
copy_events (GHashTable *events)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer event, n;

  g_hash_table_iter_init (&iter, events);
  while (g_hash_table_iter_next (&iter, &event, &n))
    g_hash_table_insert (copy, g_strdup (event), n);
  return copy;
}

void
watch_camera_get_stats (WatchCamera *self, WatchCameraStats *stats)
{
  WatchTally *tally = self->tally;
  WatchRun *run;

  *stats = (WatchCameraStats){ .frames = (guint64) watch_get (&tally->n_frames),
    .analysed = (guint64) watch_get (&tally->n_analysed),
    .restarts = (guint64) watch_get (&tally->n_restarts),
    .lag_us = watch_get (&tally->lag_us),
    .records = self->config->record != NULL,
    .is_recording = watch_get (&tally->is_recording) != 0,
    .has_clock = watch_get (&tally->has_clock) != 0,
    .clock_offset_us = watch_get (&tally->clock_offset_us),
    .sender_clock = watch_clock_is_senders (tally, self->config) };
  g_mutex_lock (&tally->lock);
  stats->events = copy_events (tally->events);
  stats->decoder = g_strdup (tally->decoder);
  stats->width = tally->width;
  stats->height = tally->height;
  stats->memory = g_strdup (tally->memory);
  stats->format = g_strdup (tally->format);
  stats->device = g_strdup (tally->device);
  stats->error = g_strdup (tally->error);
  g_mutex_unlock (&tally->lock);
  g_mutex_lock (&self->lock);
  stats->state = self->state;
  run = self->run != NULL ? watch_run_ref (self->run) : NULL;
  g_mutex_unlock (&self->lock);
  if (run != NULL)
    stats->device_bytes = watch_run_get_device_bytes (run);
  g_clear_pointer (&run, watch_run_unref);
}

void
watch_camera_stats_clear (WatchCameraStats *stats)
{
  g_hash_table_unref (stats->events);
  g_free (stats->decoder);
  g_free (stats->memory);
  g_free (stats->format);
  g_free (stats->device);
  g_free (stats->error);
}
