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
  guint64 waiting; /* added and neither sent nor dropped; not those of former processes */
  guint64 reconnects;
  gboolean connected; /* always TRUE of files and descriptors that can be written */
} PublisherStats;

typedef struct _Publisher Publisher;

/* Starts to publish. A broker that does not answer is no error. NULL with @error: the settings are
 * wrong, a file cannot be read, the spool belongs to somebody else, or no MQTT in this build. */
Publisher *publisher_new (
    const PublisherSettings *settings, PublisherNotify notify, gpointer user_data, GError **error);
/* Any thread. Never waits. @topic and @retain: for MQTT, which gets @data as it is; files and
 * descriptors get a line feed behind it. */
void publisher_add (
    Publisher *self, const gchar *topic, gconstpointer data, gsize size, gboolean retain);
/* Any thread. */
void publisher_get_stats (Publisher *self, PublisherStats *stats);
/* Waits until all has been sent, @timeout_ms at most. */
void publisher_drain (Publisher *self, guint timeout_ms);
/* The same, and stops. The rest stays in the spool, or is dropped,
 * which the user is told. */
void publisher_free (Publisher *self, guint timeout_ms);

G_END_DECLS

#endif
