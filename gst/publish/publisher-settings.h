/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The settings of a publisher and its target. */
#ifndef PUBLISHER_SETTINGS_H
#define PUBLISHER_SETTINGS_H

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  PUBLISH_FILE,
  PUBLISH_FD,
  PUBLISH_MQTT,
} PublishMethod;

/* publisher_new() copies what it needs. Strings may be NULL or empty. */
typedef struct {
  PublishMethod method;
  /* The path of a file; the number of a descriptor, by default 1; [mqtt://|mqtts://]HOST[:PORT], by
   * default localhost with port 1883 or 8883. */
  const gchar *address;
  /* for MQTT, the first line of the password file */
  const gchar *client_id, *user, *password_file, *ca_file, *cert_file, *key_file;
  guint qos; /* 0 to 2 */
  /* a topic, retained, that is "online" while there is a connection, and "offline" otherwise, by
   * the last will */
  const gchar *availability_topic;
  /* states are sent again when this topic says "online" */
  const gchar *refresh_topic;
  const gchar *spool_directory;
  const gchar *state_file;          /* remembers the topics of states */
  guint64 spool_bytes, queue_bytes; /* limits of size; beyond them the oldest records are dropped */
} PublisherSettings;

/* Called with a text for the user: once when a condition such as an outage begins. Any thread. */
typedef void (*PublisherNotify) (gboolean is_warning, const gchar *text, gpointer user_data);

G_END_DECLS

#endif
