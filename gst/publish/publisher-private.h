/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PUBLISHER_PRIVATE_H
#define PUBLISHER_PRIVATE_H

#include "publisher.h"

#include "flights.h"
#include "states.h"
#include "target.h"

G_BEGIN_DECLS

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

/* With the lock. Returns whether the user should hear of it, from publisher_tell_dropped(). */
gboolean publisher_count_dropped (Publisher *self, guint64 n);
void publisher_tell_dropped (Publisher *self);
/* Returns what @record costs of the bound of the queue. */
guint64 publisher_get_bytes (const PublishRecord *record);

/* ---- publisher-thread.c ---- */

/* What targets tell. */
extern const PublishHooks publisher_hooks;
/* The thread. */
gpointer publisher_run (gpointer user_data);

G_END_DECLS

#endif
