/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Settings of a client of MQTT, checked once, and clients that have them. */
#ifndef PUBLISH_MQTT_OPTIONS_H
#define PUBLISH_MQTT_OPTIONS_H

#include "publisher-settings.h"

G_BEGIN_DECLS

struct mosquitto;

typedef struct {
  gchar *host, *client_id, *user, *password, *ca_file, *cert_file, *key_file;
  gchar *availability; /* the last four, this one, client_id and user are (nullable) */
  gint port, qos;
  gboolean secure;
} MqttOptions;

/* FALSE with @error: a setting is wrong, or a file cannot be read. To be cleared in any case. */
gboolean mqtt_options_init (MqttOptions *self, const PublisherSettings *settings, GError **error);
void mqtt_options_clear (MqttOptions *self);
/* Returns a client that is not connected: (transfer full). @version_5: of MQTT, else 3.1.1. NULL
 * with @error. */
struct mosquitto *mqtt_options_make_client (
    const MqttOptions *self, gboolean version_5, gpointer user_data, GError **error);

G_END_DECLS

#endif
