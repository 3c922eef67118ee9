/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What topics say at present, retained by the broker. A broker may forget, and programs end: values
 * are sent again whenever that may have happened, and a file remembers the topics for the next
 * process, which deletes those that no longer hold. Of a value that changes before it is sent, the
 * last one is sent. No locks: the caller has one. */
#ifndef PUBLISH_STATES_H
#define PUBLISH_STATES_H

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  gchar *path;       /* of the file; (nullable) */
  GHashTable *table; /* of topic: State */
  GQueue unsent;     /* topics, borrowed from the table */
  gboolean unsaved;  /* the file lacks a topic, or has one that is no longer used */
} States;

/* @path: (nullable): without a file, topics of former processes are not known. */
void states_init (States *self, const gchar *path);
void states_clear (States *self);

/* @topic says @data; empty: nothing, which deletes it. NULL: what the broker has, from a former
 * process, stays. */
void states_set (States *self, const gchar *topic, GBytes *data);
/* Between these two calls, all states that are still valid are set; states_sweep() deletes the
 * others. */
void states_begin (States *self);
void states_sweep (States *self);
/* To be called when the broker may have forgotten all states: all are sent again. */
void states_refresh (States *self);
/* Returns a topic to send: (nullable), valid until it changes. */
const gchar *states_take_unsent (States *self);
/* Returns what @topic says: (transfer full) (nullable). */
GBytes *states_get (States *self, const gchar *topic);
/* To be called when @data has arrived, or was refused, after which it is not sent again until it
 * changes. */
void states_end (States *self, const gchar *topic, GBytes *data, gboolean lost);
/* Returns the content that the file should have: (transfer full). The caller writes it; @unsaved is
 * reset. */
gchar *states_list (States *self);

G_END_DECLS

#endif
