/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* MQTT before version 5 does not say why a connection ends. After an end with records on their way,
 * the next connection first proves that it lasts without them, and then gets them one at a time. A
 * connection that ends while one record alone is on its way blames this record; the second blame
 * convicts it. A broker that is killed, or a network that fails, has to hit the few milliseconds
 * until the answer to the same record twice to be mistaken for that. */
#include "flights.h"

#include <string.h>

/* how long a connection has to last without records of the former one, before these are sent again
 */
#define PROOF_US G_USEC_PER_SEC
#define MAX_BLAMES 2

void
flights_init (Flights *self)
{
  *self = (Flights){ .queue = G_QUEUE_INIT };
}

void
flights_clear (Flights *self)
{
  g_queue_clear_full (&self->queue, (GDestroyNotify) flight_free);
}

void
flight_free (Flight *flight)
{
  publish_record_clear (&flight->record);
  g_free (flight);
}

static gsize
get_size (const PublishRecord *record)
{
  return g_bytes_get_size (record->data) + strlen (record->topic);
}

static gboolean
is_under_way (const Flight *flight)
{
  return flight->sent_us != 0 && !flight->ended;
}

void
flights_add (Flights *self, Flight *flight)
{
  flight->number = ++self->last_number;
  g_queue_push_tail (&self->queue, flight);
}

gboolean
flights_has_room (const Flights *self)
{
  for (const GList *item = self->queue.head; item != NULL; item = item->next) {
    const Flight *flight = item->data;

    if (!flight->ended && (flight->sent_us == 0 || flight->former))
      return FALSE;
  }
  return g_queue_get_length ((GQueue *) &self->queue) < FLIGHTS_MAX;
}

Flight *
flights_get_next (Flights *self, gint64 now_us)
{
  gboolean careful = FALSE, busy = FALSE;
  Flight *next = NULL;

  for (GList *item = self->queue.head; item != NULL; item = item->next) {
    Flight *flight = item->data;

    careful = careful || (flight->former && !flight->ended);
    busy = busy || is_under_way (flight);
    if (next == NULL && !flight->ended && flight->sent_us == 0)
      next = flight;
  }
  if (careful && (busy || now_us - self->connected_us < PROOF_US))
    return NULL;
  return next;
}

/* Returns the first flight that has not ended: (nullable). */
static Flight *
find (Flights *self, guint64 number)
{
  for (GList *item = self->queue.head; item != NULL; item = item->next) {
    Flight *flight = item->data;

    if (flight->number == number && !flight->ended)
      return flight;
  }
  return NULL;
}

void
flights_put_back (Flights *self, guint64 number)
{
  Flight *flight = find (self, number);

  if (flight != NULL)
    flight->sent_us = 0;
}

Flight *
flights_end (Flights *self, guint64 number, gboolean lost)
{
  Flight *flight = find (self, number);

  if (flight == NULL)
    return NULL;
  flight->ended = TRUE;
  flight->lost = lost;
  if (!lost)
    self->largest = MAX (self->largest, get_size (&flight->record));
  return flight;
}

Flight *
flights_take_ended (Flights *self)
{
  const Flight *first = g_queue_peek_head (&self->queue);

  return first != NULL && first->ended ? g_queue_pop_head (&self->queue) : NULL;
}

gboolean
flights_is_too_large (const Flights *self, const PublishRecord *record)
{
  const gsize size = get_size (record);

  return self->limit > 0 && size >= self->limit && size > self->largest;
}

void
flights_connected (Flights *self, gint64 now_us)
{
  self->connected_us = now_us;
}

Flight *
flights_disconnected (Flights *self)
{
  Flight *suspect = NULL;
  guint n = 0;

  for (GList *item = self->queue.head; item != NULL; item = item->next) {
    Flight *flight = item->data;

    if (!is_under_way (flight))
      continue;
    n++;
    suspect = n == 1 && flight->former ? flight : NULL;
  }
  for (GList *item = self->queue.head; item != NULL; item = item->next) {
    Flight *flight = item->data;

    flight->former = flight->former || is_under_way (flight);
    flight->sent_us = 0;
  }
  if (suspect == NULL) {
    /* the next connection may be to another broker, or to the same one with another configuration
     */
    self->limit = 0;
    return NULL;
  }
  if (++suspect->n_alone < MAX_BLAMES)
    return NULL;
  suspect->ended = suspect->lost = TRUE;
  self->limit = get_size (&suspect->record);
  self->largest = MIN (self->largest, self->limit - 1);
  return suspect;
}

gint64
flights_get_silence_us (const Flights *self, gint64 now_us)
{
  for (const GList *item = self->queue.head; item != NULL; item = item->next) {
    const Flight *flight = item->data;

    if (is_under_way (flight))
      return now_us - flight->sent_us;
  }
  return 0;
}
