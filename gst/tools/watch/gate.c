/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gate.h"

/* how many cameras may be inside; few, since drivers of GPUs set up one decoder after the other */
#define N_ROOMS 4
#define STAY_US (2 * G_USEC_PER_SEC)

typedef struct {
  WatchGateTicket *ticket; /* (nullable) */
  gint64 end;              /* the monotonic time from which another camera may have the room */
} Room;

static GMutex lock;
static GCond cond;
static Room rooms[N_ROOMS]; /* with the lock */

/* With the lock. Returns a free room, or else the one that will be free first. */
static Room *
find_room (void)
{
  Room *first = &rooms[0];

  for (guint i = 0; i < N_ROOMS; i++) {
    if (rooms[i].ticket == NULL)
      return &rooms[i];
    if (rooms[i].end < first->end)
      first = &rooms[i];
  }
  return first;
}

/* With the lock. */
static void
empty (Room *room)
{
  if (room->ticket != NULL)
    room->ticket->place = WATCH_GATE_LEFT;
  room->ticket = NULL;
}

void
watch_gate_enter (WatchGateTicket *ticket)
{
  Room *room;

  g_mutex_lock (&lock);
  if (ticket->place == WATCH_GATE_OUTSIDE)
    ticket->place = WATCH_GATE_WAITING;
  while (ticket->place == WATCH_GATE_WAITING) {
    room = find_room ();
    if (room->ticket != NULL && g_get_monotonic_time () < room->end) {
      g_cond_wait_until (&cond, &lock, room->end);
      continue;
    }
    empty (room);
    *room = (Room){ ticket, g_get_monotonic_time () + STAY_US };
    ticket->place = WATCH_GATE_INSIDE;
  }
  g_mutex_unlock (&lock);
}

void
watch_gate_leave (WatchGateTicket *ticket)
{
  g_mutex_lock (&lock);
  for (guint i = 0; i < N_ROOMS; i++) {
    if (rooms[i].ticket == ticket)
      empty (&rooms[i]);
  }
  ticket->place = WATCH_GATE_LEFT;
  g_cond_broadcast (&cond);
  g_mutex_unlock (&lock);
}
