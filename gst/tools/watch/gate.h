/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lets few cameras at a time set up their decoders: many that come back together would slow each
 * other until none is there in time. */
#ifndef WATCH_GATE_H
#define WATCH_GATE_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  WATCH_GATE_OUTSIDE,
  WATCH_GATE_WAITING,
  WATCH_GATE_INSIDE,
  WATCH_GATE_LEFT, /* may not come in again */
} WatchGatePlace;

typedef struct {
  WatchGatePlace place; /* with the lock of the gate; all zero at first */
} WatchGateTicket;

/* Waits until there is room, if @ticket is outside. Any thread. A camera that sends data without
 * pictures loses its room after two seconds: cameras do not wait for one of them. */
void watch_gate_enter (WatchGateTicket *ticket);
/* Makes room, and ends a wait of @ticket. Any thread, any number of times; once at least before the
 * end of a ticket that entered. */
void watch_gate_leave (WatchGateTicket *ticket);

G_END_DECLS

#endif
