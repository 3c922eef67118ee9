/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One thread takes records from the queue in memory, writes them to the spool if there is one, and
 * hands them to the target, some at a time. A record that the target did not answer is sent again.
 * States go before lines, and not through the spool: their last values are sent again on each
 * connection. */
#include "publisher-private.h"

#include "replace-file.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#define SYNC_US G_USEC_PER_SEC
/* the user is told of a target that has not answered for so long */
#define SILENCE_US (60 * G_USEC_PER_SEC)
/* the user is told of dropped records of at most so many topics */
#define MAX_TOLD 100

/* ---- what the target tells ---- */

/* Tells the user, once for each topic, that a record of it was dropped. */
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

const PublishHooks publisher_hooks = { .acknowledge = on_acknowledge,
  .give_up = on_give_up,
  .changed = on_changed,
  .refresh = on_refresh };

/* ---- the thread ---- */

/* With the lock. Takes all lines that have ended from the front of the flights, and sets *@end to
 * the end of the last one in the spool. FALSE if there is none. */
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
    self->bytes -= publisher_get_bytes (record);
    self->spooling = TRUE;
    g_mutex_unlock (&self->lock);
    n_dropped = 0;
    spool_append (self->spool, record, &n_dropped, &error);
    g_mutex_lock (&self->lock);
    self->spooling = FALSE;
    tell = publisher_count_dropped (self, n_dropped);
    if (error != NULL) {
      g_queue_push_head (&self->queue, record);
      self->bytes += publisher_get_bytes (record);
      continue;
    }
    self->stats.spooled++;
    publish_record_clear (record);
    g_free (record);
    if (tell) {
      g_mutex_unlock (&self->lock);
      publisher_tell_dropped (self);
      g_mutex_lock (&self->lock);
    }
  }
  g_mutex_unlock (&self->lock);
  if (error != NULL && !self->spool_failed)
    self->notify (TRUE, error->message, self->user_data);
  self->spool_failed = error != NULL;
}

/* Returns a flight with the next line: (transfer full) (nullable). Lines in the spool come before
 * those in the queue, which has some if the disk is full. */
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
    self->bytes -= publisher_get_bytes (record);
  g_mutex_unlock (&self->lock);
  if (record != NULL)
    flight->record = *record;
  g_free (record);
  if (record == NULL)
    g_clear_pointer (&flight, g_free);
  return flight;
}

/* With the lock. Returns a flight with the next state: (transfer full) (nullable). A state is sent
 * only when the state file has its topic, so that the next process can delete it. */
static Flight *
make_state (Publisher *self)
{
  const gchar *topic = self->states.unsaved ? NULL : states_take_unsent (&self->states);
  Flight *flight = topic != NULL ? g_new0 (Flight, 1) : NULL;

  if (flight == NULL)
    return NULL;
  flight->is_state = TRUE;
  flight->record = (PublishRecord){ g_strdup (topic), states_get (&self->states, topic), TRUE };
  return flight;
}

/* Adds another flight. FALSE if there is nothing to send. */
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

/* With the lock. Replaces the value of a state that waited if it has changed meanwhile. */
static void
renew (Publisher *self, Flight *flight)
{
  GBytes *data = states_get (&self->states, flight->record.topic);

  if (data == NULL)
    return;
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

/* Writes new topics to the state file, before the broker gets them. */
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
  if (!replace_file (self->states.path, text, &error) && !self->save_failed)
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

/* With the lock. Returns whether there is something to do at once. */
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

/* Tells the user once if the target is connected and does not answer. */
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

gpointer
publisher_run (gpointer user_data)
{
  Publisher *self = user_data;
  sigset_t all;

  /* with signals blocked, a closed pipe is an error of write() instead of SIGPIPE */
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
