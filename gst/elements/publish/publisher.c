/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One thread takes records from the queue in memory, writes them to the spool if there is one, and
 * hands them to the target, some at a time. A record that the target did not answer is sent again.
 * States go before lines, and not through the spool: their last values are sent again on each
 * connection. */
#include "publisher.h"

#include "flights.h"
#include "states.h"
#include "target.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#define SYNC_US G_USEC_PER_SEC
#define SILENCE_US (60 * G_USEC_PER_SEC) /* without an answer, of which the user is told */
#define RECORD_BYTES 128                 /* of memory, beside topic and data */
#define MAX_TOLD 100                     /* topics */

struct _Publisher {
  PublisherSettings settings; /* without texts */
  PublisherNotify notify;
  gpointer user_data;
  PublishTarget *target;
  GThread *thread;

  /* of the thread */
  Spool *spool; /* nullable */
  gint64 synced;
  gboolean spool_failed, save_failed; /* since the last time that worked */
  gboolean silent;                    /* the target does not answer, which was told */

  GMutex lock; /* of what follows: */
  GCond cond;
  GQueue queue;  /* of PublishRecord */
  guint64 bytes; /* of queue */
  Flights flights;
  States states;
  GHashTable *told; /* topics of which a record was left out */
  gboolean connected, idle, stop, dropping;
  gboolean spooling; /* a record is neither in the queue nor in the spool yet */
  gboolean changed;  /* the target may take what it refused */
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

/* ---- what the target tells ---- */

/* Tells once of each topic. */
static void
tell_left_out (Publisher *self, const gchar *topic, const gchar *why)
{
  g_autofree gchar *head = g_utf8_make_valid (topic, (gssize) MIN (strlen (topic), 200));
  g_autofree gchar *text =
      g_strdup_printf ("a record with the topic '%s' is left out: %s", head, why);
  gboolean tell;

  g_mutex_lock (&self->lock);
  tell =
      g_hash_table_size (self->told) < MAX_TOLD && g_hash_table_add (self->told, g_strdup (topic));
  g_mutex_unlock (&self->lock);
  if (tell)
    self->notify (TRUE, text, self->user_data);
}

static void
on_acknowledge (guint64 number, gpointer user_data)
{
  Publisher *self = user_data;

  g_mutex_lock (&self->lock);
  flights_end (&self->flights, number, FALSE);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
}

static void
on_give_up (guint64 number, const gchar *why, gpointer user_data)
{
  Publisher *self = user_data;
  g_autofree gchar *topic = NULL;
  const Flight *flight;

  g_mutex_lock (&self->lock);
  flight = flights_end (&self->flights, number, TRUE);
  if (flight != NULL)
    topic = g_strdup (flight->record.topic);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  if (topic != NULL && why != NULL)
    tell_left_out (self, topic, why);
}

static void
on_changed (gboolean connected, gpointer user_data)
{
  Publisher *self = user_data;
  g_autofree gchar *topic = NULL, *why = NULL;
  const Flight *flight = NULL;

  g_mutex_lock (&self->lock);
  if (connected && !self->connected) {
    flights_connected (&self->flights, g_get_monotonic_time ());
    states_refresh (&self->states);
  } else if (!connected && self->connected) {
    flight = flights_disconnected (&self->flights);
  }
  if (flight != NULL) {
    topic = g_strdup (flight->record.topic);
    why = g_strdup_printf ("the connection ended twice after it; its %" G_GSIZE_FORMAT
                           " bytes are probably more than the broker takes",
        g_bytes_get_size (flight->record.data));
  }
  self->connected = connected;
  self->changed = self->changed || connected;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  if (topic != NULL)
    tell_left_out (self, topic, why);
}

static void
on_refresh (gpointer user_data)
{
  Publisher *self = user_data;

  g_mutex_lock (&self->lock);
  states_refresh (&self->states);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
}

/* ---- the thread ---- */

/* With the lock. Returns the end of the last of the lines that have ended without a gap, in *@end:
 * FALSE: none has. */
static gboolean
take_ended (Publisher *self, SpoolPlace *end)
{
  gboolean any = FALSE, lines = FALSE;

  for (Flight *flight; (flight = flights_take_ended (&self->flights)) != NULL;) {
    self->stats.sent += !flight->lost;
    self->stats.dropped += flight->lost;
    if (flight->is_state) {
      states_end (&self->states, flight->record.topic, flight->record.data, flight->lost);
    } else {
      *end = flight->end;
      lines = TRUE;
      if (!flight->old)
        self->stats.waiting -= MIN (self->stats.waiting, 1);
    }
    any = TRUE;
    flight_free (flight);
  }
  self->dropping = self->dropping && !any;
  return lines;
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
    self->spooling = TRUE;
    g_mutex_unlock (&self->lock);
    n_dropped = 0;
    spool_append (self->spool, record, &n_dropped, &error);
    g_mutex_lock (&self->lock);
    self->spooling = FALSE;
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

/* Returns a flight with the next line, of a spool first, also if its disk takes no more:
 * (transfer full) (nullable). */
static Flight *
make_line (Publisher *self)
{
  Flight *flight = g_new0 (Flight, 1);
  PublishRecord *record;

  if (self->spool != NULL && spool_read (self->spool, &flight->record, &flight->end)) {
    flight->old = spool_is_old (self->spool, &flight->end);
    return flight;
  }
  g_mutex_lock (&self->lock);
  record = self->spool == NULL || self->spool_failed ? g_queue_pop_head (&self->queue) : NULL;
  if (record != NULL)
    self->bytes -= get_bytes (record);
  g_mutex_unlock (&self->lock);
  if (record != NULL)
    flight->record = *record;
  g_free (record);
  if (record == NULL)
    g_clear_pointer (&flight, g_free);
  return flight;
}

/* With the lock. Returns a flight with the next state: (transfer full) (nullable). */
static Flight *
make_state (Publisher *self)
{
  const gchar *topic = states_take_unsent (&self->states);
  Flight *flight = topic != NULL ? g_new0 (Flight, 1) : NULL;

  if (flight == NULL)
    return NULL;
  flight->is_state = TRUE;
  flight->record = (PublishRecord){ g_strdup (topic), states_get (&self->states, topic), TRUE };
  return flight;
}

/* Adds another flight: FALSE: there is nothing to send. */
static gboolean
add_flight (Publisher *self)
{
  Flight *flight;

  g_mutex_lock (&self->lock);
  flight = make_state (self);
  g_mutex_unlock (&self->lock);
  if (flight == NULL)
    flight = make_line (self);
  if (flight == NULL)
    return FALSE;
  g_mutex_lock (&self->lock);
  flights_add (&self->flights, flight);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

/* With the lock. A state that waited has another value meanwhile. */
static void
renew (Publisher *self, Flight *flight)
{
  GBytes *data = states_get (&self->states, flight->record.topic);

  if (data == NULL)
    return;
  if (data != flight->record.data)
    flight->n_alone = 0;
  g_bytes_unref (flight->record.data);
  flight->record.data = data;
}

/* With the lock. Takes the next flight for sending: FALSE: there is none. @record: to be cleared;
 * *@number: 0 if it is known that the broker does not take it. */
static gboolean
begin_sending (Publisher *self, PublishRecord *record, guint64 *number)
{
  const gint64 now = g_get_monotonic_time ();
  Flight *flight = flights_get_next (&self->flights, now);

  if (flight == NULL)
    return FALSE;
  if (flight->is_state)
    renew (self, flight);
  *record = (PublishRecord){ g_strdup (flight->record.topic), g_bytes_ref (flight->record.data),
    flight->record.retain };
  *number = flights_is_too_large (&self->flights, record) ? 0 : flight->number;
  if (*number == 0)
    flights_end (&self->flights, flight->number, TRUE);
  else
    flight->sent_us = now;
  self->changed = FALSE;
  return TRUE;
}

/* Hands the next record to the target: FALSE: there is none, or the target does not take it. */
static gboolean
send_next (Publisher *self)
{
  PublishRecord record;
  guint64 number;
  gboolean found, room, taken = TRUE;

  g_mutex_lock (&self->lock);
  found = begin_sending (self, &record, &number);
  room = !found && flights_has_room (&self->flights);
  g_mutex_unlock (&self->lock);
  if (!found)
    return room && add_flight (self);
  if (number == 0)
    tell_left_out (self, record.topic, "connections end after records of this size");
  else
    taken = self->target->send (self->target, &record, number);
  publish_record_clear (&record);
  if (!taken) {
    g_mutex_lock (&self->lock);
    flights_put_back (&self->flights, number);
    g_mutex_unlock (&self->lock);
  }
  return taken;
}

/* Has the file know the topics before the broker does. */
static void
save_states (Publisher *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL;

  g_mutex_lock (&self->lock);
  if (self->states.unsaved)
    text = states_list (&self->states);
  g_mutex_unlock (&self->lock);
  if (text == NULL)
    return;
  if (!g_file_set_contents (self->states.path, text, -1, &error) && !self->save_failed)
    self->notify (TRUE, error->message, self->user_data);
  self->save_failed = error != NULL;
}

/* Sends what there is, and notes what has arrived. */
static void
work (Publisher *self)
{
  SpoolPlace end;
  gboolean ended, stop;

  do {
    save_states (self);
    if (self->spool != NULL)
      fill_spool (self);
    g_mutex_lock (&self->lock);
    ended = take_ended (self, &end);
    stop = self->stop;
    g_mutex_unlock (&self->lock);
    if (ended && self->spool != NULL)
      spool_acknowledge (self->spool, &end);
  } while (!stop && send_next (self));
  if (self->spool != NULL && g_get_monotonic_time () - self->synced > SYNC_US) {
    spool_sync (self->spool);
    self->synced = g_get_monotonic_time ();
  }
}

/* With the lock. Whether there is something to do without a wait. */
static gboolean
has_work (Publisher *self)
{
  const Flight *first = g_queue_peek_head (&self->flights.queue);

  return (first != NULL && first->ended) || self->changed || self->states.unsaved ||
      (!g_queue_is_empty (&self->queue) && !self->spool_failed && self->spool != NULL) ||
      (flights_has_room (&self->flights) &&
          (!g_queue_is_empty (&self->queue) || !g_queue_is_empty (&self->states.unsent)) &&
          !self->spool_failed);
}

/* Tells once that a target that is there does not answer. */
static void
check_silence (Publisher *self)
{
  gint64 silence;

  g_mutex_lock (&self->lock);
  silence = flights_get_silence_us (&self->flights, g_get_monotonic_time ());
  g_mutex_unlock (&self->lock);
  if (silence > SILENCE_US && !self->silent)
    self->notify (TRUE,
        "the connection stands, but nothing was acknowledged for a minute; records wait: look at "
        "the broker's log",
        self->user_data);
  self->silent = silence > SILENCE_US;
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
    check_silence (self);
    g_mutex_lock (&self->lock);
    self->idle = g_queue_is_empty (&self->queue) && g_queue_is_empty (&self->flights.queue) &&
        g_queue_is_empty (&self->states.unsent);
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
  const PublishHooks hooks = { on_acknowledge, on_give_up, on_changed, on_refresh, self->notify,
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
    self->thread = g_thread_try_new ("publisher", run, self, error);
  if (self->thread == NULL) {
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
