/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs that were told to end. Nobody waits for them: one that does not end in time is abandoned,
 * which means that its thread and memory stay as they are, and it is counted. */
#ifndef WATCH_ENDING_H
#define WATCH_ENDING_H

#include "run.h"

G_BEGIN_DECLS

/* With more abandoned runs than these, the process should be replaced by a fresh one, because each
 * keeps some threads, descriptors and megabytes. */
#define WATCH_ENDING_MAX_ABANDONED 64

typedef struct _WatchEnding WatchEnding;

typedef enum {
  WATCH_ENDING_NOW,  /* it may still end in time */
  WATCH_ENDING_OVER, /* it has ended */
  WATCH_ENDING_ABANDONED,
} WatchEndingFate;

/* One thread calls all of these functions, except for watch_ending_get_abandoned(). None waits. */
WatchEnding *watch_ending_new (void);
/* Runs that have not ended stay as they are. */
void watch_ending_free (WatchEnding *self);
/* Cuts @run and tells it to stop. @run: (transfer full). */
void watch_ending_add (WatchEnding *self, WatchRun *run);
WatchEndingFate watch_ending_get_fate (WatchEnding *self, const WatchRun *run);
/* To be called several times a second: does what is due. */
void watch_ending_check (WatchEnding *self);
/* Returns how many runs have not ended, those that were abandoned included. */
guint watch_ending_count (const WatchEnding *self);
/* Any thread. Returns how many runs are abandoned now; *@total: how many were, ever. */
guint watch_ending_get_abandoned (WatchEnding *self, guint *total);

G_END_DECLS

#endif
