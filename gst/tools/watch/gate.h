/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lets only a few cameras at a time set up their decoders. If many cameras that come back together
 * did so at once, they would slow each other down until none had a picture in time. */
#ifndef WATCH_GATE_H
#define WATCH_GATE_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  WATCH_GATE_OUTSIDE,
  WATCH_GATE_WAITING,
  WATCH_GATE_INSIDE,
  WATCH_GATE_LEFT, /* does not enter again */
} WatchGatePlace;

typedef struct {
  WatchGatePlace place; /* protected by the gate's lock; a new ticket is all zero */
} WatchGateTicket;

/* Waits until the camera may set up its decoder, unless its ticket has been inside before. Any
 * thread. A camera that sends data but makes no pictures loses its place after two seconds, so that
 * it does not hold up the others. */
void watch_gate_enter (WatchGateTicket *ticket);
/* Gives the place to another camera, and ends a wait for @ticket. May be called by any thread and
 * several times; must be called before a ticket that entered is freed. */
void watch_gate_leave (WatchGateTicket *ticket);

G_END_DECLS

#endif
