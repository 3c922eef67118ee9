/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records that were handed to a target and that it has not answered yet, in order. What was on its
 * way when a connection ended is sent again on the next one. A record after which connections end,
 * such as one that is too large for the broker, is found and given up, so that others go on. No
 * locks: the caller has one. */
#ifndef PUBLISH_FLIGHTS_H
#define PUBLISH_FLIGHTS_H

#include "spool.h"

G_BEGIN_DECLS

#define FLIGHTS_MAX 64

typedef struct {
  PublishRecord record;
  SpoolPlace end;    /* where the record ends in the spool, if there is one */
  gboolean is_state; /* the record is not a line but the state of a topic */
  gboolean old;      /* a former process wrote the record to the spool */
  guint64 number;
  gint64 sent_us;  /* when it was sent on the present connection; 0 if it was not */
  gboolean ended;  /* the target has answered it, or it was given up */
  gboolean lost;   /* it was given up */
  gboolean former; /* it was on its way when a connection ended */
  guint n_alone;   /* how many connections ended while only this record was on its way */
} Flight;

typedef struct {
  GQueue queue; /* of Flight */
  guint64 last_number;
  gint64 connected_us;
  /* records of so many bytes or more make the broker end the connection; 0 if that is not known */
  gsize limit;
  gsize largest; /* the size of the largest record that was answered */
} Flights;

void flights_init (Flights *self);
void flights_clear (Flights *self);

/* Adds @flight (transfer full) and gives it a number. */
void flights_add (Flights *self, Flight *flight);
/* Returns whether another flight may be added: there is room, and none of the former connection has
 * to be sent again first. */
gboolean flights_has_room (const Flights *self);
/* Returns the flight to send next at @now_us, of those that were added: (nullable). */
Flight *flights_get_next (Flights *self, gint64 now_us);
/* To be called if the target cannot take the flight at the moment; it will be next again. */
void flights_put_back (Flights *self, guint64 number);
/* To be called when the target has answered, or with @lost when it will never take the record.
 * Returns the flight: (nullable), valid until flights_take_ended() returns it. */
Flight *flights_end (Flights *self, guint64 number, gboolean lost);
/* Removes and returns the first flight if it has ended: (transfer full) (nullable). */
Flight *flights_take_ended (Flights *self);
void flight_free (Flight *flight);

/* Whether connections end after records of the size of @record. */
gboolean flights_is_too_large (const Flights *self, const PublishRecord *record);
void flights_connected (Flights *self, gint64 now_us);
/* Returns the flight that is given up because connections end after it: (nullable). */
Flight *flights_disconnected (Flights *self);
/* Returns how long the target has not answered: 0 if nothing waits for an answer. */
gint64 flights_get_silence_us (const Flights *self, gint64 now_us);

G_END_DECLS

#endif
