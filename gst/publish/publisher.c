/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The functions that other threads call. They only add to the queue and to the states, and never
 * wait for the target. */
#include "publisher-private.h"

#include <string.h>

#define RECORD_BYTES 128 /* memory of a record beside its topic and data */

static void
free_record (gpointer data)
{
  publish_record_clear (data);
  g_free (data);
}

/* ---- adding ---- */

guint64
publisher_get_bytes (const PublishRecord *record)
{
  return g_bytes_get_size (record->data) + strlen (record->topic) + RECORD_BYTES;
}

gboolean
publisher_count_dropped (Publisher *self, guint64 n)
{
  const gboolean first = n > 0 && !self->dropping;

  self->stats.dropped += n;
  self->stats.waiting -= MIN (self->stats.waiting, n);
  self->dropping = self->dropping || n > 0;
  return first;
}

void
publisher_tell_dropped (Publisher *self)
{
  self->notify (TRUE, "records are dropped, the oldest first: the target does not take them",
      self->user_data);
}

void
publisher_add (Publisher *self, const gchar *topic, gconstpointer data, gsize size, gboolean retain)
{
  PublishRecord *record = g_new0 (PublishRecord, 1);
  gboolean tell;
  guint64 n = 0;

  record->topic = g_strdup (topic);
  record->data = g_bytes_new (data, size);
  record->retain = retain;
  g_mutex_lock (&self->lock);
  self->stats.added++;
  self->stats.waiting++;
  self->bytes += publisher_get_bytes (record);
  g_queue_push_tail (&self->queue, record);
  for (; self->bytes > self->settings.queue_bytes; n++) {
    PublishRecord *oldest = g_queue_pop_head (&self->queue);

    self->bytes -= publisher_get_bytes (oldest);
    free_record (oldest);
  }
  tell = publisher_count_dropped (self, n);
  self->idle = FALSE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  if (tell)
    publisher_tell_dropped (self);
}

void
publisher_set_state (Publisher *self, const gchar *topic, gconstpointer data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);

  g_mutex_lock (&self->lock);
  states_set (&self->states, topic, bytes);
  self->idle = FALSE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
}

void
publisher_keep_state (Publisher *self, const gchar *topic)
{
  g_mutex_lock (&self->lock);
  states_set (&self->states, topic, NULL);
  g_mutex_unlock (&self->lock);
}

void
publisher_begin_states (Publisher *self)
{
  g_mutex_lock (&self->lock);
  states_begin (&self->states);
  g_mutex_unlock (&self->lock);
}

void
publisher_sweep_states (Publisher *self)
{
  g_mutex_lock (&self->lock);
  states_sweep (&self->states);
  self->idle = FALSE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
}

/* ---- object ---- */

static gboolean
open_all (Publisher *self, const PublisherSettings *settings, GError **error)
{
  PublishHooks hooks = publisher_hooks;

  hooks.notify = self->notify;
  hooks.user_data = self->user_data;
  hooks.publisher = self;
  if (settings->spool_directory != NULL && settings->spool_directory[0] != '\0') {
    self->spool = spool_open (
        settings->spool_directory, settings->spool_bytes, self->notify, self->user_data, error);
    if (self->spool == NULL)
      return FALSE;
  }
  self->target = settings->method == PUBLISH_MQTT
      ? publish_target_mqtt_new (settings, &hooks, error)
      : publish_target_file_new (settings, &hooks, error);
  return self->target != NULL;
}

static void
close_all (Publisher *self)
{
  if (self->target != NULL)
    self->target->free (self->target);
  if (self->spool != NULL)
    spool_close (self->spool);
  g_queue_clear_full (&self->queue, free_record);
  flights_clear (&self->flights);
  states_clear (&self->states);
  g_hash_table_unref (self->told);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->cond);
  g_free (self);
}

Publisher *
publisher_new (
    const PublisherSettings *settings, PublisherNotify notify, gpointer user_data, GError **error)
{
  Publisher *self = g_new0 (Publisher, 1);

  self->settings = *settings;
  self->notify = notify;
  self->user_data = user_data;
  g_mutex_init (&self->lock);
  g_cond_init (&self->cond);
  g_queue_init (&self->queue);
  flights_init (&self->flights);
  states_init (&self->states, settings->state_file);
  self->told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->connected = settings->method != PUBLISH_MQTT;
  if (open_all (self, settings, error))
    self->thread = g_thread_try_new ("publisher", publisher_run, self, error);
  if (self->thread == NULL) {
    if (self->target != NULL)
      self->target->stop (self->target);
    close_all (self);
    return NULL;
  }
  return self;
}

void
publisher_get_stats (Publisher *self, PublisherStats *stats)
{
  g_mutex_lock (&self->lock);
  *stats = self->stats;
  stats->connected = self->connected;
  stats->silence_s =
      (guint64) (flights_get_silence_us (&self->flights, g_get_monotonic_time ()) / G_USEC_PER_SEC);
  g_mutex_unlock (&self->lock);
  if (self->target->get_reconnects != NULL)
    stats->reconnects = self->target->get_reconnects (self->target);
}

gboolean
publisher_is_safe (Publisher *self)
{
  gboolean safe;

  g_mutex_lock (&self->lock);
  safe = self->spool == NULL || (g_queue_is_empty (&self->queue) && !self->spooling);
  g_mutex_unlock (&self->lock);
  return safe;
}

void
publisher_retire (Publisher *self)
{
  publisher_begin_states (self);
  publisher_sweep_states (self);
  self->target->is_retired = TRUE;
}

/* Returns how many lines neither a target nor a spool has. */
static guint64
count_left (const Publisher *self)
{
  guint64 n = g_queue_get_length ((GQueue *) &self->queue);

  for (const GList *item = self->flights.queue.head; item != NULL; item = item->next) {
    const Flight *flight = item->data;

    n += self->spool == NULL && !flight->is_state && !flight->lost;
  }
  return n;
}

void
publisher_drain (Publisher *self, guint timeout_ms)
{
  const gint64 end = g_get_monotonic_time () + timeout_ms * G_TIME_SPAN_MILLISECOND;

  g_mutex_lock (&self->lock);
  while (!self->idle && g_cond_wait_until (&self->cond, &self->lock, end))
    continue;
  g_mutex_unlock (&self->lock);
}

void
publisher_free (Publisher *self, guint timeout_ms)
{
  g_autofree gchar *text = NULL;
  guint64 left;

  publisher_drain (self, timeout_ms);
  g_mutex_lock (&self->lock);
  self->stop = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  self->target->stop (self->target);
  g_thread_join (self->thread);
  left = count_left (self);
  if (left > 0) {
    text = g_strdup_printf ("%" G_GUINT64_FORMAT " records could not be sent, and are dropped%s",
        left, self->spool == NULL ? "; a spool keeps them" : "");
    self->notify (TRUE, text, self->user_data);
  }
  close_all (self);
}
