/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PUBLISHER_PRIVATE_H
#define PUBLISHER_PRIVATE_H

#include "publisher.h"

#include "flights.h"
#include "states.h"
#include "target.h"

G_BEGIN_DECLS

struct _Publisher {
  PublisherSettings settings; /* texts of the settings are NULL: they are not kept */
  PublisherNotify notify;
  gpointer user_data;
  PublishTarget *target;
  GThread *thread;

  /* The following belongs to the thread of the publisher. */
  Spool *spool; /* nullable */
  gint64 synced;
  gboolean spool_failed, save_failed; /* the last attempt failed, which the user was told */
  gboolean silent;                    /* the target does not answer, which the user was told */

  GMutex lock; /* of what follows: */
  GCond cond;
  GQueue queue;  /* of PublishRecord */
  guint64 bytes; /* the size of all records in the queue */
  Flights flights;
  States states;
  GHashTable *told; /* a set of topics: the user was told that a record of it was dropped */
  gboolean connected, idle, stop, dropping;
  /* the thread has taken records out of the queue that are not in the spool yet */
  gboolean spooling;
  gboolean changed; /* the target may now take a record that it could not take before */
  PublisherStats stats;
};

/* With the lock. Counts @n records that were dropped. Returns whether publisher_tell_dropped()
 * should be called. */
gboolean publisher_count_dropped (Publisher *self, guint64 n);
void publisher_tell_dropped (Publisher *self);
/* Returns how many bytes of the limit of the queue @record takes. */
guint64 publisher_get_bytes (const PublishRecord *record);

/* ---- publisher-thread.c ---- */

/* The functions by which targets report to a publisher. */
extern const PublishHooks publisher_hooks;
/* The main function of the publisher's thread. */
gpointer publisher_run (gpointer user_data);

G_END_DECLS

#endif
