/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Brings records of text to a file, a descriptor or an MQTT broker. Whoever adds one never waits:
 * records wait in memory, and with a spool on the disk, until the target takes them. With a spool,
 * each is sent at least once, also after a crash of the process. */
#ifndef PUBLISHER_H
#define PUBLISHER_H

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  PUBLISH_FILE,
  PUBLISH_FD,
  PUBLISH_MQTT,
} PublishMethod;

/* Nothing of it is needed after publisher_new(). Strings may be NULL or empty. */
typedef struct {
  PublishMethod method;
  /* The path of a file; the number of a descriptor, by default 1; [mqtt://|mqtts://]HOST[:PORT], by
   * default localhost with port 1883 or 8883. */
  const gchar *address;
  /* for MQTT, the first line of the password file */
  const gchar *client_id, *user, *password_file, *ca_file, *cert_file, *key_file;
  guint qos; /* 0 to 2 */
  /* "online", retained, while there is a connection, and "offline" otherwise, by the last will */
  const gchar *availability_topic;
  const gchar *spool_directory;
  guint64 spool_bytes, queue_bytes; /* bounds, behind which the oldest records are dropped */
} PublisherSettings;

typedef struct {
  guint64 added, sent, spooled, dropped;
  guint64 waiting; /* added and neither sent nor dropped; not those of former processes */
  guint64 reconnects;
  gboolean connected; /* always TRUE of files and descriptors that can be written */
} PublisherStats;

/* What the user should know, once each time that it begins. Any thread. */
typedef void (*PublisherNotify) (gboolean is_warning, const gchar *text, gpointer user_data);

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

/* ---- topics ---- */

/* Returns the value of @name, such as "event" or "tags.camera": (transfer full) (nullable). */
typedef gchar *(*PublisherLookup) (const gchar *name, gpointer user_data);

/* Returns @pattern with each {NAME} replaced by what @lookup says: (transfer full). Characters that
 * have a meaning in topics, and control characters, become '_', and so does what is empty or NULL.
 */
gchar *publisher_expand_topic (const gchar *pattern, PublisherLookup lookup, gpointer user_data);
/* FALSE with @error: not a pattern of topics. @names: (nullable): what may stand in braces; "tags."
 * allows all that begin so. */
gboolean publisher_check_topic (const gchar *pattern, const gchar *const *names, GError **error);
/* Returns @text as a level of a topic: (transfer full). */
gchar *publisher_escape_level (const gchar *text);

G_END_DECLS

#endif
