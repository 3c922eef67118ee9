/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gate.h"

static GMutex lock;
static GCond cond;
static guint n_inside; /* with the lock */

#define ROOM 4 /* drivers of GPUs set up one decoder after the other */

void
watch_gate_enter (WatchGateTicket *ticket)
{
  g_mutex_lock (&lock);
  if (ticket->place == WATCH_GATE_OUTSIDE) {
    ticket->place = WATCH_GATE_WAITING;
    while (ticket->place == WATCH_GATE_WAITING && n_inside >= ROOM)
      g_cond_wait (&cond, &lock);
    if (ticket->place == WATCH_GATE_WAITING) {
      ticket->place = WATCH_GATE_INSIDE;
      n_inside++;
    }
  }
  g_mutex_unlock (&lock);
}

void
watch_gate_leave (WatchGateTicket *ticket)
{
  g_mutex_lock (&lock);
  if (ticket->place == WATCH_GATE_INSIDE)
    n_inside--;
  ticket->place = WATCH_GATE_LEFT;
  g_cond_broadcast (&cond);
  g_mutex_unlock (&lock);
}

void
watch_gate_reset (WatchGateTicket *ticket)
{
  watch_gate_leave (ticket);
  ticket->place = WATCH_GATE_OUTSIDE;
}

gboolean
watch_gate_is_waiting (WatchGateTicket *ticket)
{
  gboolean waiting;

  g_mutex_lock (&lock);
  waiting = ticket->place == WATCH_GATE_WAITING;
  g_mutex_unlock (&lock);
  return waiting;
}
