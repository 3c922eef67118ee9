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
  SpoolPlace end;    /* of a line of a spool */
  gboolean is_state; /* no line: what a topic says at present */
  gboolean old;      /* of a former process */
  guint64 number;
  gint64 sent_us;  /* when, on the connection that there is; 0: not yet */
  gboolean ended;  /* answered, or given up */
  gboolean lost;   /* given up */
  gboolean former; /* was on its way when a connection ended */
  guint n_alone;   /* connections that ended while it alone was on its way */
} Flight;

typedef struct {
  GQueue queue; /* of Flight */
  guint64 last_number;
  gint64 connected_us;
  gsize limit;   /* records of as many bytes end connections; 0: not known */
  gsize largest; /* record that was answered */
} Flights;

void flights_init (Flights *self);
void flights_clear (Flights *self);

/* Adds @flight, (transfer full), which gets a number. */
void flights_add (Flights *self, Flight *flight);
/* Whether there is room for another one, and none has to be sent before it. */
gboolean flights_has_room (const Flights *self);
/* Returns the flight to send next at @now_us, of those that were added: (nullable). */
Flight *flights_get_next (Flights *self, gint64 now_us);
/* The target did not take it now. */
void flights_put_back (Flights *self, guint64 number);
/* The target has answered, or will not take the record. Returns the flight: (nullable), valid until
 * it is taken. */
Flight *flights_end (Flights *self, guint64 number, gboolean lost);
/* Returns the first flight if it has ended: (transfer full) (nullable). */
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
