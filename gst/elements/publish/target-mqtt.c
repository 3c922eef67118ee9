/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A broker. A thread of ours runs the client's loop, because that of the library ends for good
 * after some errors. Records with QoS 1 and 2 that were under way when a connection was lost are
 * sent again by the library. */
#include "config.h"

#include "target.h"

#if HAVE_MOSQUITTO

#include <errno.h>
#include <string.h>

#include <mosquitto.h>

#define KEEPALIVE_S 20
#define LOOP_MS 500
#define FIRST_WAIT_MS 200
#define MAX_WAIT_MS 5000
#define END_US (G_USEC_PER_SEC)

typedef struct {
  PublishTarget parent;
  PublishHooks hooks;
  gatomicrefcount count; /* a name server may let the thread wait longer than its owner does */
  struct mosquitto *client;
  gchar *host, *availability;
  gint port, qos;
  gboolean refused; /* of send_record(): the last record */

  GMutex lock; /* of what follows: */
  GCond cond;
  GHashTable *numbers; /* of the client's message ids */
  gboolean connected, stop, done;
  gboolean told; /* of the outage that lasts */
  guint64 n_connections;
} MqttTarget;

static void
unref (MqttTarget *self)
{
  if (!g_atomic_ref_count_dec (&self->count))
    return;
  mosquitto_destroy (self->client);
  mosquitto_lib_cleanup ();
  g_hash_table_unref (self->numbers);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->cond);
  g_free (self->host);
  g_free (self->availability);
  g_free (self);
}

/* ---- what the client tells ---- */

static gboolean
is_stopped (MqttTarget *self)
{
  gboolean stop;

  g_mutex_lock (&self->lock);
  stop = self->stop;
  g_mutex_unlock (&self->lock);
  return stop;
}

/* Tells once for each outage. */
static void
tell (MqttTarget *self, const gchar *why)
{
  g_autofree gchar *text =
      g_strdup_printf ("the broker %s, port %d: %s; trying again", self->host, self->port, why);
  gboolean tell_it;

  g_mutex_lock (&self->lock);
  tell_it = !self->told && !self->stop;
  self->told = TRUE;
  g_mutex_unlock (&self->lock);
  if (tell_it)
    self->hooks.notify (TRUE, text, self->hooks.user_data);
}

static void
on_connect (struct mosquitto *client, void *user_data, int code)
{
  MqttTarget *self = user_data;
  gboolean told;

  if (code != 0) {
    tell (self, mosquitto_connack_string (code));
    return;
  }
  if (self->availability != NULL)
    mosquitto_publish (client, NULL, self->availability, 6, "online", MAX (self->qos, 1), true);
  g_mutex_lock (&self->lock);
  told = self->told;
  self->told = FALSE;
  self->connected = TRUE;
  self->n_connections++;
  g_mutex_unlock (&self->lock);
  if (told)
    self->hooks.notify (FALSE, "connected to the broker", self->hooks.user_data);
  self->hooks.changed (TRUE, self->hooks.publisher);
}

static void
on_disconnect (struct mosquitto *client, void *user_data, int code)
{
  MqttTarget *self = user_data;
  g_autoptr (GList) lost = NULL;
  gboolean was_connected;

  g_mutex_lock (&self->lock);
  was_connected = self->connected;
  self->connected = FALSE;
  if (was_connected && self->qos == 0) {
    /* the library forgets what it has not written, and does not tell */
    lost = g_hash_table_get_values (self->numbers);
    g_hash_table_remove_all (self->numbers);
  }
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  for (const GList *number = lost; number != NULL; number = number->next)
    self->hooks.give_up (GPOINTER_TO_SIZE (number->data), self->hooks.publisher);
  if (was_connected) {
    self->hooks.changed (FALSE, self->hooks.publisher);
    tell (self, code == 0 ? "disconnected" : "the connection is lost");
  }
}

static void
on_publish (struct mosquitto *client, void *user_data, int id)
{
  MqttTarget *self = user_data;
  gpointer number;
  gboolean found;

  g_mutex_lock (&self->lock);
  found = g_hash_table_steal_extended (self->numbers, GINT_TO_POINTER (id), NULL, &number);
  g_mutex_unlock (&self->lock);
  if (found)
    self->hooks.acknowledge (GPOINTER_TO_SIZE (number), self->hooks.publisher);
}

/* ---- sending ---- */

/* Tells of a record that will never be taken, once until another one is. */
static void
refuse (MqttTarget *self, const gchar *topic, gint code)
{
  g_autofree gchar *head = g_utf8_make_valid (topic, (gssize) MIN (strlen (topic), 200));
  g_autofree gchar *text = g_strdup_printf (
      "a record with the topic '%s' is left out: %s", head, mosquitto_strerror (code));

  if (!self->refused)
    self->hooks.notify (TRUE, text, self->hooks.user_data);
  self->refused = TRUE;
}

static gboolean
send_record (PublishTarget *target, const PublishRecord *record, guint64 number)
{
  MqttTarget *self = (MqttTarget *) target;
  gsize size;
  gconstpointer data = g_bytes_get_data (record->data, &size);
  gint code, id;
  gboolean taken = FALSE;

  g_mutex_lock (&self->lock);
  if (self->connected) {
    /* the answer may come at once, and waits for the lock */
    code = mosquitto_publish (
        self->client, &id, record->topic, (int) size, data, self->qos, record->retain);
    taken = code == MOSQ_ERR_SUCCESS || (self->qos > 0 && code == MOSQ_ERR_NO_CONN);
    if (taken)
      g_hash_table_insert (self->numbers, GINT_TO_POINTER (id), GSIZE_TO_POINTER (number));
  } else {
    code = MOSQ_ERR_SUCCESS;
  }
  g_mutex_unlock (&self->lock);
  if (code == MOSQ_ERR_INVAL || code == MOSQ_ERR_PAYLOAD_SIZE || code == MOSQ_ERR_MALFORMED_UTF8) {
    refuse (self, record->topic, code);
    self->hooks.give_up (number, self->hooks.publisher);
    return TRUE;
  }
  self->refused = self->refused && !taken;
  return taken;
}

/* ---- the thread ---- */

/* Waits before the next connection, longer each time. */
static void
wait (MqttTarget *self, guint *n_failures)
{
  const guint ms = MIN (FIRST_WAIT_MS << MIN (*n_failures, 8), MAX_WAIT_MS);
  const gint64 end = g_get_monotonic_time () +
      g_random_int_range ((gint32) ms * 3 / 4, (gint32) ms + 1) * G_TIME_SPAN_MILLISECOND;

  *n_failures += 1;
  g_mutex_lock (&self->lock);
  while (!self->stop && g_cond_wait_until (&self->cond, &self->lock, end))
    continue;
  g_mutex_unlock (&self->lock);
}

/* Returns whether the loop goes on: until the end, and then until the broker knows. */
static gboolean
goes_on (MqttTarget *self, gint64 *end)
{
  gboolean on;

  g_mutex_lock (&self->lock);
  if (self->stop && *end == 0)
    *end = g_get_monotonic_time () + END_US;
  on = *end == 0 || (self->connected && g_get_monotonic_time () < *end);
  g_mutex_unlock (&self->lock);
  return on;
}

static gpointer
run (gpointer user_data)
{
  MqttTarget *self = user_data;
  guint n_failures = 0;
  gint64 end = 0;

  while (!is_stopped (self)) {
    const guint64 before = self->n_connections;
    gint code = mosquitto_connect_async (self->client, self->host, self->port, KEEPALIVE_S);

    while ((code == MOSQ_ERR_SUCCESS || code == MOSQ_ERR_CONN_PENDING) && goes_on (self, &end))
      code = mosquitto_loop (self->client, end != 0 ? LOOP_MS / 10 : LOOP_MS, 1);
    if (self->n_connections > before)
      n_failures = 0;
    on_disconnect (self->client, self, code);
    if (is_stopped (self))
      break;
    tell (self, code == MOSQ_ERR_ERRNO ? g_strerror (errno) : mosquitto_strerror (code));
    wait (self, &n_failures);
  }
  g_mutex_lock (&self->lock);
  self->done = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  unref (self);
  return NULL;
}

/* ---- object ---- */

/* send_record() never waits. */
static void
stop (PublishTarget *target)
{
}

static void
free_target (PublishTarget *target)
{
  MqttTarget *self = (MqttTarget *) target;
  const gint64 end = g_get_monotonic_time () + 2 * END_US;
  gboolean connected;

  g_mutex_lock (&self->lock);
  connected = self->connected;
  self->stop = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  if (connected && self->availability != NULL)
    mosquitto_publish (
        self->client, NULL, self->availability, 7, "offline", MAX (self->qos, 1), true);
  if (connected)
    mosquitto_disconnect (self->client);
  g_mutex_lock (&self->lock);
  while (!self->done && g_cond_wait_until (&self->cond, &self->lock, end))
    continue;
  g_mutex_unlock (&self->lock);
  unref (self);
}

static guint64
get_reconnects (PublishTarget *target)
{
  MqttTarget *self = (MqttTarget *) target;
  guint64 n;

  g_mutex_lock (&self->lock);
  n = self->n_connections - MIN (self->n_connections, 1);
  g_mutex_unlock (&self->lock);
  return n;
}

/* Reads [mqtt://|mqtts://]HOST[:PORT]. */
static gboolean
parse_address (MqttTarget *self, const gchar *address, gboolean *secure, GError **error)
{
  const gchar *text = address != NULL ? address : "", *end;
  guint64 port;

  *secure = g_str_has_prefix (text, "mqtts://");
  if (*secure || g_str_has_prefix (text, "mqtt://"))
    text = strstr (text, "//") + 2;
  end = text[0] == '[' ? strchr (text, ']') : NULL;
  self->host = end != NULL ? g_strndup (text + 1, (gsize) (end - text - 1))
                           : g_strndup (text, strcspn (text, ":"));
  end = end != NULL ? end + 1 : text + strlen (self->host);
  self->port = *secure ? 8883 : 1883;
  if (self->host[0] == '\0') {
    g_free (self->host);
    self->host = g_strdup ("localhost");
  }
  if (*end == '\0')
    return TRUE;
  if (*end != ':' || !g_ascii_string_to_unsigned (end + 1, 10, 1, 65535, &port, NULL)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
        "address=%s: [mqtt://|mqtts://]HOST[:PORT]", address);
    return FALSE;
  }
  self->port = (gint) port;
  return TRUE;
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
set_password (MqttTarget *self, const PublisherSettings *settings, GError **error)
{
  g_autofree gchar *text = NULL;

  if (settings->user == NULL || settings->user[0] == '\0')
    return TRUE;
  if (settings->password_file != NULL && settings->password_file[0] != '\0') {
    if (!g_file_get_contents (settings->password_file, &text, NULL, error)) {
      g_prefix_error (error, "password-file: ");
      return FALSE;
    }
    text[strcspn (text, "\r\n")] = '\0';
  }
  return check (mosquitto_username_pw_set (self->client, settings->user, text), "user", error);
}

static const gchar *
or_null (const gchar *text)
{
  return text != NULL && text[0] != '\0' ? text : NULL;
}

static gboolean
set_up (MqttTarget *self, const PublisherSettings *settings, GError **error)
{
  const gchar *ca_file = or_null (settings->ca_file);
  gboolean secure;

  if (!parse_address (self, settings->address, &secure, error) ||
      !set_password (self, settings, error))
    return FALSE;
  if ((secure || ca_file != NULL) &&
      !check (mosquitto_tls_set (self->client, ca_file, ca_file == NULL ? "/etc/ssl/certs" : NULL,
                  or_null (settings->cert_file), or_null (settings->key_file), NULL),
          "ca-file, cert-file, key-file", error))
    return FALSE;
  if (or_null (settings->availability_topic) != NULL) {
    self->availability = g_strdup (settings->availability_topic);
    if (!check (mosquitto_will_set (
                    self->client, self->availability, 7, "offline", MAX (self->qos, 1), true),
            "availability-topic", error))
      return FALSE;
  }
  mosquitto_threaded_set (self->client, true);
  mosquitto_connect_callback_set (self->client, on_connect);
  mosquitto_disconnect_callback_set (self->client, on_disconnect);
  mosquitto_publish_callback_set (self->client, on_publish);
  return TRUE;
}

PublishTarget *
publish_target_mqtt_new (
    const PublisherSettings *settings, const PublishHooks *hooks, GError **error)
{
  MqttTarget *self = g_new0 (MqttTarget, 1);
  GThread *thread;

  mosquitto_lib_init ();
  self->parent = (PublishTarget){
    .send = send_record, .stop = stop, .free = free_target, .get_reconnects = get_reconnects
  };
  self->hooks = *hooks;
  self->qos = (gint) settings->qos;
  self->numbers = g_hash_table_new (NULL, NULL);
  g_atomic_ref_count_init (&self->count);
  g_mutex_init (&self->lock);
  g_cond_init (&self->cond);
  self->client = mosquitto_new (or_null (settings->client_id), true, self);
  if (self->client == NULL || !set_up (self, settings, error)) {
    if (self->client == NULL)
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "no client of MQTT can be made");
    unref (self);
    return NULL;
  }
  g_atomic_ref_count_inc (&self->count);
  thread = g_thread_try_new ("mqtt", run, self, error);
  if (thread == NULL) {
    unref (self);
    unref (self);
    return NULL;
  }
  g_thread_unref (thread);
  return &self->parent;
}

#else

PublishTarget *
publish_target_mqtt_new (
    const PublisherSettings *settings, const PublishHooks *hooks, GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
      "this build has no MQTT: install libmosquitto-dev and build with -Dmqtt=enabled, or use "
      "method=fd with mosquitto_pub -l");
  return NULL;
}

#endif
