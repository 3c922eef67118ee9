/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "mqtt-options.h"

#if HAVE_MOSQUITTO

#include "address.h"

#include <errno.h>
#include <string.h>

#include <mosquitto.h>

static gboolean
read_password (MqttOptions *self, const gchar *path, GError **error)
{
  if (self->user == NULL || path == NULL || path[0] == '\0')
    return TRUE;
  if (!g_file_get_contents (path, &self->password, NULL, error)) {
    g_prefix_error (error, "password-file: ");
    return FALSE;
  }
  self->password[strcspn (self->password, "\r\n")] = '\0';
  return TRUE;
}

/* Returns (transfer full). */
static gchar *
dup_or_null (const gchar *text)
{
  return text != NULL && text[0] != '\0' ? g_strdup (text) : NULL;
}

gboolean
mqtt_options_init (MqttOptions *self, const PublisherSettings *settings, GError **error)
{
  struct mosquitto *client;
  PublishAddress address;

  *self = (MqttOptions){ .client_id = dup_or_null (settings->client_id),
    .user = dup_or_null (settings->user),
    .ca_file = dup_or_null (settings->ca_file),
    .cert_file = dup_or_null (settings->cert_file),
    .key_file = dup_or_null (settings->key_file),
    .availability = dup_or_null (settings->availability_topic),
    .qos = (gint) settings->qos };
  if (!publish_address_parse (&address, settings->address, error))
    return FALSE;
  self->host = address.host;
  self->port = address.port;
  self->secure = address.secure;
  if (!read_password (self, settings->password_file, error))
    return FALSE;
  client = mqtt_options_make_client (self, TRUE, NULL, error);
  if (client != NULL)
    mosquitto_destroy (client);
  return client != NULL;
}

void
mqtt_options_clear (MqttOptions *self)
{
  gchar *const texts[] = { self->host, self->client_id, self->user, self->password, self->ca_file,
    self->cert_file, self->key_file, self->availability };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
}

/* Returns whether the client took a setting. */
static gboolean
check (gint code, const gchar *what, GError **error)
{
  if (code == MOSQ_ERR_SUCCESS)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: %s", what,
      code == MOSQ_ERR_ERRNO ? g_strerror (errno) : mosquitto_strerror (code));
  return FALSE;
}

static gboolean
set_up (const MqttOptions *self, struct mosquitto *client, gboolean version_5, GError **error)
{
  if (!check (mosquitto_int_option (client, MOSQ_OPT_PROTOCOL_VERSION,
                  version_5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311),
          "version", error))
    return FALSE;
  if (self->user != NULL &&
      !check (mosquitto_username_pw_set (client, self->user, self->password), "user", error))
    return FALSE;
  if ((self->secure || self->ca_file != NULL) &&
      !check (
          mosquitto_tls_set (client, self->ca_file, self->ca_file == NULL ? "/etc/ssl/certs" : NULL,
              self->cert_file, self->key_file, NULL),
          "ca-file, cert-file, key-file", error))
    return FALSE;
  if (self->availability != NULL &&
      !check (
          mosquitto_will_set (client, self->availability, 7, "offline", MAX (self->qos, 1), true),
          "availability-topic", error))
    return FALSE;
  return TRUE;
}

struct mosquitto *
mqtt_options_make_client (
    const MqttOptions *self, gboolean version_5, gpointer user_data, GError **error)
{
  struct mosquitto *client = mosquitto_new (self->client_id, true, user_data);

  if (client == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "no client of MQTT can be made");
  } else if (!set_up (self, client, version_5, error)) {
    mosquitto_destroy (client);
    client = NULL;
  }
  return client;
}

#endif
