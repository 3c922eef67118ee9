/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One thread takes records from the queue in memory, writes them to the spool if there is one, and
 * hands them to the target, some at a time. A record that a target did not take is tried again. */
#include "publisher.h"

#include "spool.h"
#include "target.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#define MAX_IN_FLIGHT 64
#define SYNC_US G_USEC_PER_SEC
#define RECORD_BYTES 128 /* of memory, beside topic and data */

/* A record that the target has. */
typedef struct {
  guint64 number;
  SpoolPlace end; /* with a spool */
  gboolean old;   /* of a former process */
  gboolean ended, lost;
} Flight;

struct _Publisher {
  PublisherSettings settings; /* without texts */
  PublisherNotify notify;
  gpointer user_data;
  PublishTarget *target;
  GThread *thread;

  /* of the thread */
  Spool *spool;       /* nullable */
  PublishRecord next; /* to be sent; data is NULL if there is none */
  SpoolPlace next_end;
  gint64 synced;
  gboolean spool_failed; /* since the last record */

  GMutex lock; /* of what follows: */
  GCond cond;
  GQueue queue;   /* of PublishRecord */
  guint64 bytes;  /* of queue */
  GQueue flights; /* of Flight, in order */
  guint64 number; /* of the last flight */
  gboolean connected, idle, stop, dropping;
  gboolean changed; /* the target may take what it refused */
  PublisherStats stats;
};

static void
free_record (gpointer data)
{
  publish_record_clear (data);
  g_free (data);
}

/* ---- adding ---- */

static guint64
get_bytes (const PublishRecord *record)
{
  return g_bytes_get_size (record->data) + strlen (record->topic) + RECORD_BYTES;
}

/* With the lock. Returns whether the user should hear of it. */
static gboolean
count_dropped (Publisher *self, guint64 n)
{
  const gboolean first = n > 0 && !self->dropping;

  self->stats.dropped += n;
  self->stats.waiting -= MIN (self->stats.waiting, n);
  self->dropping = self->dropping || n > 0;
  return first;
}

static void
tell_dropped (Publisher *self)
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
  self->bytes += get_bytes (record);
  g_queue_push_tail (&self->queue, record);
  for (; self->bytes > self->settings.queue_bytes; n++) {
    PublishRecord *oldest = g_queue_pop_head (&self->queue);

    self->bytes -= get_bytes (oldest);
    free_record (oldest);
  }
  tell = count_dropped (self, n);
  self->idle = FALSE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  if (tell)
    tell_dropped (self);
}

/* ---- what the target tells ---- */

static void
end_flight (Publisher *self, guint64 number, gboolean lost)
{
  g_mutex_lock (&self->lock);
  for (GList *item = self->flights.head; item != NULL; item = item->next) {
    Flight *flight = item->data;

    if (flight->number == number) {
      flight->ended = TRUE;
      flight->lost = lost;
    }
  }
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
}

static void
on_acknowledge (guint64 number, gpointer user_data)
{
  end_flight (user_data, number, FALSE);
}

static void
on_give_up (guint64 number, gpointer user_data)
{
  end_flight (user_data, number, TRUE);
}

static void
on_changed (gboolean connected, gpointer user_data)
{
  Publisher *self = user_data;

  g_mutex_lock (&self->lock);
  self->connected = connected;
  self->changed = self->changed || connected;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
}

/* ---- the thread ---- */

/* With the lock. Returns the end of the last of the records that have ended without a gap, in
 * *@end: FALSE: none has. */
static gboolean
take_ended (Publisher *self, SpoolPlace *end)
{
  gboolean any = FALSE;

  for (Flight *flight; (flight = g_queue_peek_head (&self->flights)) != NULL && flight->ended;) {
    *end = flight->end;
    any = TRUE;
    self->stats.sent += !flight->lost;
    self->stats.dropped += flight->lost;
    if (!flight->old)
      self->stats.waiting -= MIN (self->stats.waiting, 1);
    g_free (g_queue_pop_head (&self->flights));
  }
  self->dropping = self->dropping && !any;
  return any;
}

/* Writes what is in the queue to the spool, until the disk refuses. */
static void
fill_spool (Publisher *self)
{
  g_autoptr (GError) error = NULL;
  PublishRecord *record;
  guint64 n_dropped;
  gboolean tell;

  g_mutex_lock (&self->lock);
  while (error == NULL && (record = g_queue_pop_head (&self->queue)) != NULL) {
    self->bytes -= get_bytes (record);
    g_mutex_unlock (&self->lock);
    n_dropped = 0;
    spool_append (self->spool, record, &n_dropped, &error);
    g_mutex_lock (&self->lock);
    tell = count_dropped (self, n_dropped);
    if (error != NULL) {
      g_queue_push_head (&self->queue, record);
      self->bytes += get_bytes (record);
      continue;
    }
    self->stats.spooled++;
    free_record (record);
    if (tell) {
      g_mutex_unlock (&self->lock);
      tell_dropped (self);
      g_mutex_lock (&self->lock);
    }
  }
  g_mutex_unlock (&self->lock);
  if (error != NULL && !self->spool_failed)
    self->notify (TRUE, error->message, self->user_data);
  self->spool_failed = error != NULL;
}

/* Looks for the next record to send: of a spool first, also if its disk takes no more. */
static void
find_next (Publisher *self)
{
  PublishRecord *record;

  if (self->next.data != NULL)
    return;
  self->next_end = (SpoolPlace){ 0, 0 };
  if (self->spool != NULL &&
      (spool_read (self->spool, &self->next, &self->next_end) || !self->spool_failed))
    return;
  g_mutex_lock (&self->lock);
  record = g_queue_pop_head (&self->queue);
  if (record != NULL)
    self->bytes -= get_bytes (record);
  g_mutex_unlock (&self->lock);
  if (record != NULL)
    self->next = *record;
  g_free (record);
}

/* Hands the next record to the target: FALSE: there is none, or the target does not take it. */
static gboolean
send_next (Publisher *self)
{
  Flight *flight;
  guint64 number;

  find_next (self);
  if (self->next.data == NULL)
    return FALSE;
  flight = g_new0 (Flight, 1);
  flight->end = self->next_end;
  g_mutex_lock (&self->lock);
  number = flight->number = ++self->number;
  flight->old = self->spool != NULL && spool_is_old (self->spool, &flight->end);
  self->changed = FALSE;
  g_queue_push_tail (&self->flights, flight);
  g_mutex_unlock (&self->lock);
  if (self->target->send (self->target, &self->next, number)) {
    publish_record_clear (&self->next);
    return TRUE;
  }
  g_mutex_lock (&self->lock);
  g_queue_remove (&self->flights, flight);
  g_mutex_unlock (&self->lock);
  g_free (flight);
  return FALSE;
}

/* Sends what there is, and notes what has arrived. */
static void
work (Publisher *self)
{
  SpoolPlace end;
  gboolean ended, room;

  do {
    if (self->spool != NULL)
      fill_spool (self);
    g_mutex_lock (&self->lock);
    ended = take_ended (self, &end);
    room = g_queue_get_length (&self->flights) < MAX_IN_FLIGHT && !self->stop;
    g_mutex_unlock (&self->lock);
    if (ended && self->spool != NULL)
      spool_acknowledge (self->spool, &end);
  } while (room && send_next (self));
  if (self->spool != NULL && g_get_monotonic_time () - self->synced > SYNC_US) {
    spool_sync (self->spool);
    self->synced = g_get_monotonic_time ();
  }
}

/* With the lock. Whether there is something to do without a wait. */
static gboolean
has_work (Publisher *self)
{
  const Flight *first = g_queue_peek_head (&self->flights);

  return (first != NULL && first->ended) || self->changed ||
      (!g_queue_is_empty (&self->queue) && !self->spool_failed &&
          (self->spool != NULL || self->next.data == NULL) &&
          (self->spool != NULL || g_queue_get_length (&self->flights) < MAX_IN_FLIGHT));
}

static gpointer
run (gpointer user_data)
{
  Publisher *self = user_data;
  sigset_t all;

  /* of a pipe that is closed the thread hears from write() */
  sigfillset (&all);
  pthread_sigmask (SIG_BLOCK, &all, NULL);
  g_mutex_lock (&self->lock);
  while (!self->stop) {
    self->changed = FALSE;
    g_mutex_unlock (&self->lock);
    work (self);
    g_mutex_lock (&self->lock);
    self->idle = g_queue_is_empty (&self->queue) && g_queue_is_empty (&self->flights) &&
        self->next.data == NULL;
    g_cond_broadcast (&self->cond);
    if (!self->stop && !has_work (self))
      g_cond_wait_until (&self->cond, &self->lock, g_get_monotonic_time () + SYNC_US);
  }
  g_mutex_unlock (&self->lock);
  return NULL;
}

/* ---- object ---- */

static gboolean
open_all (Publisher *self, const PublisherSettings *settings, GError **error)
{
  const PublishHooks hooks = { on_acknowledge, on_give_up, on_changed, self->notify,
    self->user_data, self };

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
  publish_record_clear (&self->next);
  g_queue_clear_full (&self->queue, free_record);
  g_queue_clear_full (&self->flights, g_free);
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
  g_queue_init (&self->flights);
  self->connected = settings->method != PUBLISH_MQTT;
  if (!open_all (self, settings, error)) {
    close_all (self);
    return NULL;
  }
  self->thread = g_thread_try_new ("publisher", run, self, error);
  if (self->thread == NULL) {
    self->target->stop (self->target);
    g_clear_pointer (&self, close_all);
  }
  return self;
}

void
publisher_get_stats (Publisher *self, PublisherStats *stats)
{
  g_mutex_lock (&self->lock);
  *stats = self->stats;
  stats->connected = self->connected;
  g_mutex_unlock (&self->lock);
  if (self->target->get_reconnects != NULL)
    stats->reconnects = self->target->get_reconnects (self->target);
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
  left = g_queue_get_length (&self->queue) + g_queue_get_length (&self->flights) +
      (self->next.data != NULL);
  if (self->spool != NULL)
    left = g_queue_get_length (&self->queue);
  if (left > 0) {
    text = g_strdup_printf ("%" G_GUINT64_FORMAT " records could not be sent, and are dropped%s",
        left, self->spool == NULL ? "; a spool keeps them" : "");
    self->notify (TRUE, text, self->user_data);
  }
  close_all (self);
}
