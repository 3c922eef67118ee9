/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Brings records of text to a file, a descriptor or an MQTT broker. Whoever adds one never waits:
 * records wait in memory, and with a spool on the disk, until the target takes them. With a spool,
 * each is sent at least once, also after a crash of the process. */
#ifndef PUBLISHER_H
#define PUBLISHER_H

#include "publisher-settings.h"

G_BEGIN_DECLS

typedef struct {
  guint64 added, sent, spooled, dropped;
  guint64 waiting; /* records of this process that were added and neither sent nor dropped */
  guint64 reconnects;
  guint64 silence_s;  /* for how long a record has been sent that the target has not answered */
  gboolean connected; /* always TRUE of files and descriptors that can be written */
} PublisherStats;

typedef struct _Publisher Publisher;

/* Whether @address, (nullable), is one, without looking for what is there: FALSE with @error. */
gboolean publisher_check_address (PublishMethod method, const gchar *address, GError **error);
/* Starts to publish. A broker that does not answer is no error. NULL with @error: the settings are
 * wrong, a file cannot be read, the spool belongs to somebody else, or no MQTT in this build. */
Publisher *publisher_new (
    const PublisherSettings *settings, PublisherNotify notify, gpointer user_data, GError **error);
/* Any thread. Never waits. @topic and @retain: for MQTT, which gets @data as it is; files and
 * descriptors get a line feed behind it. */
void publisher_add (
    Publisher *self, const gchar *topic, gconstpointer data, gsize size, gboolean retain);
/* Any thread. Never waits. MQTT: @topic says @data from now on, retained, and again whenever the
 * broker may have forgotten it; empty: the topic is deleted. */
void publisher_set_state (Publisher *self, const gchar *topic, gconstpointer data, gsize size);
/* Like publisher_set_state(), but keeps the value that a former process set for @topic. */
void publisher_keep_state (Publisher *self, const gchar *topic);
/* Between these two calls, all states that are still valid are set or kept. The second call deletes
 * all others, also those of former processes that the state file names. */
void publisher_begin_states (Publisher *self);
void publisher_sweep_states (Publisher *self);
/* Deletes all states, because the publisher will be freed and no other one takes its place. */
void publisher_retire (Publisher *self);
/* Any thread. Whether all lines that were added survive the end of the process, as far as there is
 * a spool. */
gboolean publisher_is_safe (Publisher *self);
/* Any thread. */
void publisher_get_stats (Publisher *self, PublisherStats *stats);
/* Waits until all has been sent, @timeout_ms at most. */
void publisher_drain (Publisher *self, guint timeout_ms);
/* Waits like publisher_drain(), and frees the publisher. Records that were not sent stay in the
 * spool; without one they are dropped, which the user is told. */
void publisher_free (Publisher *self, guint timeout_ms);

G_END_DECLS

#endif
