/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A broker. A thread connects to it again and again, with a new client each time: a client of the
 * library never lets go of a record, also where the broker ends connections because of it. MQTT 5
 * is tried first, with which brokers say why they refuse what; those that do not know it get 3.1.1.
 */
#include "config.h"

#include "target.h"

#if HAVE_MOSQUITTO

#include "mqtt-options.h"
#include "mqtt-turn.h"

#include <errno.h>
#include <string.h>

#include <mosquitto.h>
#include <mqtt_protocol.h>

#define KEEPALIVE_S 20
#define LOOP_MS 500
#define FIRST_WAIT_MS 200
#define MAX_WAIT_MS 5000        /* the longest wait while no connection can be made */
#define MAX_SHORT_WAIT_MS 30000 /* the longest wait while connections end soon after they begin */
#define STEADY_US (10 * G_USEC_PER_SEC)
#define N_SHORT 3 /* so many short connections in a row are told to the user */
#define END_US (G_USEC_PER_SEC)
#define FAILURE 0x80 /* reason codes of MQTT 5 from this one on are failures */

typedef struct {
  PublishTarget parent;
  PublishHooks hooks;
  gatomicrefcount count; /* a name server may let the thread wait longer than its owner does */
  MqttOptions options;
  gchar *refresh_topic; /* (nullable) */
  MqttTurn turn;

  /* The following belongs to the thread. */
  gint version;           /* of MQTT: 5, or 4 for 3.1.1 */
  gint reason;            /* why the broker ended the last connection, or refused it; 0: unknown */
  gint64 accepted_us;     /* when the broker accepted the connection; 0 if it has not */
  guint n_failures;       /* connections in a row that were not accepted */
  guint n_short, wait_ms; /* connections in a row that ended soon, and the wait after the last */

  GMutex lock; /* of what follows: */
  GCond cond;
  struct mosquitto *client; /* replaced while there is no connection; (nullable) */
  GHashTable *numbers;      /* from message ids of the client to numbers of records */
  gboolean connected, stop, done;
  gboolean told; /* the user was told of the present outage */
  guint64 n_connections;
} MqttTarget;

static void
unref (MqttTarget *self)
{
  if (!g_atomic_ref_count_dec (&self->count))
    return;
  if (self->client != NULL)
    mosquitto_destroy (self->client);
  mosquitto_lib_cleanup ();
  mqtt_turn_clear (&self->turn);
  mqtt_options_clear (&self->options);
  g_hash_table_unref (self->numbers);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->cond);
  g_free (self->refresh_topic);
  g_free (self);
}

static gboolean
is_stopped (MqttTarget *self)
{
  gboolean stop;

  g_mutex_lock (&self->lock);
  stop = self->stop;
  g_mutex_unlock (&self->lock);
  return stop;
}

/* Tells the user of an outage, once. */
static void
tell (MqttTarget *self, const gchar *why)
{
  g_autofree gchar *text = g_strdup_printf (
      "the broker %s, port %d: %s; trying again", self->options.host, self->options.port, why);
  gboolean tell_it;

  g_mutex_lock (&self->lock);
  tell_it = !self->told && !self->stop;
  self->told = TRUE;
  g_mutex_unlock (&self->lock);
  if (tell_it)
    self->hooks.notify (TRUE, text, self->hooks.user_data);
}

/* Tells the user that the outage is over. */
static void
tell_connected (MqttTarget *self)
{
  gboolean told;

  g_mutex_lock (&self->lock);
  told = self->told;
  self->told = FALSE;
  g_mutex_unlock (&self->lock);
  if (told)
    self->hooks.notify (FALSE, "connected to the broker", self->hooks.user_data);
}

/* ---- what the client tells ---- */

static void
on_connect (struct mosquitto *client, void *user_data, int code)
{
  MqttTarget *self = user_data;
  const gchar *availability = self->options.availability;

  mqtt_turn_note_packet (&self->turn, client);
  self->reason = code;
  if (code != 0)
    return;
  self->accepted_us = g_get_monotonic_time ();
  if (availability != NULL)
    mosquitto_publish (client, NULL, availability, 6, "online", MAX (self->options.qos, 1), true);
  if (self->refresh_topic != NULL)
    mosquitto_subscribe (client, NULL, self->refresh_topic, 0);
  g_mutex_lock (&self->lock);
  self->connected = TRUE;
  self->n_connections++;
  g_mutex_unlock (&self->lock);
  if (self->n_short == 0)
    tell_connected (self);
  self->hooks.changed (TRUE, self->hooks.publisher);
}

/* With MQTT 5, the broker sends a reason. */
static void
on_disconnect (struct mosquitto *client, void *user_data, int code)
{
  MqttTarget *self = user_data;

  self->reason = code >= FAILURE ? code : self->reason;
}

static void
on_publish (struct mosquitto *client, void *user_data, int id, int reason,
    const mosquitto_property *properties)
{
  MqttTarget *self = user_data;
  gpointer number;
  gboolean found;

  mqtt_turn_note_packet (&self->turn, client);
  g_mutex_lock (&self->lock);
  found = g_hash_table_steal_extended (self->numbers, GINT_TO_POINTER (id), NULL, &number);
  g_mutex_unlock (&self->lock);
  if (found && reason >= FAILURE)
    self->hooks.give_up (
        GPOINTER_TO_SIZE (number), mosquitto_reason_string (reason), self->hooks.publisher);
  else if (found)
    self->hooks.acknowledge (GPOINTER_TO_SIZE (number), self->hooks.publisher);
}

/* A program that needs the states publishes this message when it starts. A retained one is from an
 * earlier start. */
static void
on_message (struct mosquitto *client, void *user_data, const struct mosquitto_message *message)
{
  static const gchar online[] = "online";
  MqttTarget *self = user_data;

  mqtt_turn_note_packet (&self->turn, client);
  if (!message->retain && message->payloadlen == sizeof online - 1 &&
      memcmp (message->payload, online, sizeof online - 1) == 0)
    self->hooks.refresh (self->hooks.publisher);
}

/* ---- sending ---- */

static gboolean
send_record (PublishTarget *target, const PublishRecord *record, guint64 number)
{
  MqttTarget *self = (MqttTarget *) target;
  gsize size;
  gconstpointer data = g_bytes_get_data (record->data, &size);
  gint code = MOSQ_ERR_NO_CONN, id;

  g_mutex_lock (&self->lock);
  /* the acknowledgement may come before this returns; its handler waits for the lock */
  if (self->connected)
    code = mosquitto_publish (
        self->client, &id, record->topic, (int) size, data, self->options.qos, record->retain);
  if (code == MOSQ_ERR_SUCCESS)
    g_hash_table_insert (self->numbers, GINT_TO_POINTER (id), GSIZE_TO_POINTER (number));
  g_mutex_unlock (&self->lock);
  if (code == MOSQ_ERR_NO_CONN || code == MOSQ_ERR_NOMEM)
    return FALSE;
  if (code == MOSQ_ERR_SUCCESS)
    mqtt_turn_wake (&self->turn);
  else
    self->hooks.give_up (number,
        code == MOSQ_ERR_OVERSIZE_PACKET ? "it is larger than the broker takes"
                                         : mosquitto_strerror (code),
        self->hooks.publisher);
  return TRUE;
}

/* ---- the thread ---- */

static gint64
get_steady_us (const MqttTarget *self)
{
  return MAX (STEADY_US, 2 * (gint64) self->wait_ms * G_TIME_SPAN_MILLISECOND);
}

/* Begins to connect: FALSE with *@code. */
static gboolean
begin_connection (MqttTarget *self, gint *code)
{
  g_autoptr (GError) error = NULL;
  struct mosquitto *former,
      *client = mqtt_options_make_client (&self->options, self->version == 5, self, &error);

  self->accepted_us = 0;
  self->reason = 0;
  *code = MOSQ_ERR_UNKNOWN;
  if (client == NULL) {
    tell (self, error->message);
    return FALSE;
  }
  mosquitto_threaded_set (client, true);
  mosquitto_connect_callback_set (client, on_connect);
  mosquitto_disconnect_callback_set (client, on_disconnect);
  mosquitto_publish_v5_callback_set (client, on_publish);
  mosquitto_message_callback_set (client, on_message);
  g_mutex_lock (&self->lock);
  former = self->client;
  self->client = client;
  g_mutex_unlock (&self->lock);
  if (former != NULL)
    mosquitto_destroy (former);
  *code = mosquitto_connect_async (client, self->options.host, self->options.port, KEEPALIVE_S);
  if (*code == MOSQ_ERR_SUCCESS || *code == MOSQ_ERR_CONN_PENDING)
    mqtt_turn_begin (&self->turn, client, self->version);
  return *code == MOSQ_ERR_SUCCESS || *code == MOSQ_ERR_CONN_PENDING;
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

/* Cleans up after a connection that has ended or could not be made. */
static void
end_connection (MqttTarget *self)
{
  g_autoptr (GList) lost = NULL;
  gboolean was_connected;

  g_mutex_lock (&self->lock);
  was_connected = self->connected;
  self->connected = FALSE;
  if (self->options.qos == 0)
    lost = g_hash_table_get_values (self->numbers);
  g_hash_table_remove_all (self->numbers);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  for (const GList *number = lost; number != NULL; number = number->next)
    self->hooks.give_up (GPOINTER_TO_SIZE (number->data), NULL, self->hooks.publisher);
  if (was_connected)
    self->hooks.changed (FALSE, self->hooks.publisher);
}

/* Returns why there is no connection: (transfer full). */
static gchar *
describe_end (const MqttTarget *self, gint code)
{
  const gchar *name = self->options.client_id;

  if (self->reason == MQTT_RC_SESSION_TAKEN_OVER)
    return g_strdup_printf (
        "another program has the client-id %s; each needs its own", name != NULL ? name : "");
  if (code == MOSQ_ERR_OVERSIZE_PACKET)
    return g_strdup_printf ("it sends a message that is too large, so %s is not read any more",
        self->refresh_topic != NULL ? self->refresh_topic : "nothing");
  if (self->reason >= FAILURE)
    return g_strdup (mosquitto_reason_string (self->reason));
  if (self->reason != 0)
    return g_strdup (mosquitto_connack_string (self->reason));
  if (self->accepted_us != 0)
    return g_strdup ("the connection is lost");
  return g_strdup (code == MOSQ_ERR_ERRNO ? g_strerror (errno) : mosquitto_strerror (code));
}

/* Tells the user that the connection has ended, and returns how many milliseconds to wait for the
 * next one. */
static guint
judge_end (MqttTarget *self, gint code)
{
  g_autofree gchar *why = describe_end (self, code), *text = NULL;
  const gint64 lasted = g_get_monotonic_time () - self->accepted_us;

  if (code == MOSQ_ERR_OVERSIZE_PACKET)
    g_clear_pointer (&self->refresh_topic, g_free);
  if (self->accepted_us == 0) {
    tell (self, why);
    self->n_failures++;
    return MIN (FIRST_WAIT_MS << MIN (self->n_failures - 1, 8), MAX_WAIT_MS);
  }
  self->n_failures = 0;
  self->n_short = lasted > get_steady_us (self) ? 0 : self->n_short + 1;
  tell (self, why);
  if (self->n_short == N_SHORT && self->reason < FAILURE) {
    text = g_strdup_printf ("the broker %s, port %d: connections end soon after they begin: does "
                            "another program have the client-id %s, or does the broker's log say "
                            "why?",
        self->options.host, self->options.port,
        self->options.client_id != NULL ? self->options.client_id : "of this one");
    self->hooks.notify (TRUE, text, self->hooks.user_data);
  }
  return self->wait_ms = MIN (FIRST_WAIT_MS << MIN (self->n_short, 8), MAX_SHORT_WAIT_MS);
}

/* Whether to try the other version of MQTT: the broker's answer is none of this one, or it ends
 * each connection without an answer. */
static gboolean
is_other_version (const MqttTarget *self, gint code)
{
  if (self->accepted_us != 0)
    return FALSE;
  if (self->reason != 0)
    return self->reason == MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION || self->reason == 1;
  return code == MOSQ_ERR_PROTOCOL || code == MOSQ_ERR_MALFORMED_PACKET ||
      (code == MOSQ_ERR_CONN_LOST && self->n_failures % 4 == 3);
}

/* Waits for @ms, or by chance up to a quarter less, so that clients do not connect all at once. */
static void
wait (MqttTarget *self, guint ms)
{
  const gint64 end = g_get_monotonic_time () +
      g_random_int_range ((gint32) ms * 3 / 4, (gint32) ms + 1) * G_TIME_SPAN_MILLISECOND;

  g_mutex_lock (&self->lock);
  while (!self->stop && g_cond_wait_until (&self->cond, &self->lock, end))
    continue;
  g_mutex_unlock (&self->lock);
}

static gpointer
run (gpointer user_data)
{
  MqttTarget *self = user_data;
  gint64 end = 0;
  gint code;

  while (!is_stopped (self)) {
    if (begin_connection (self, &code)) {
      code = MOSQ_ERR_SUCCESS;
      while (code == MOSQ_ERR_SUCCESS && goes_on (self, &end)) {
        code = mqtt_turn_run (&self->turn, self->client, end != 0 ? LOOP_MS / 10 : LOOP_MS);
        if (self->accepted_us != 0 && self->n_short > 0 &&
            g_get_monotonic_time () - self->accepted_us > get_steady_us (self)) {
          self->n_short = 0;
          tell_connected (self);
        }
      }
    }
    end_connection (self);
    if (is_stopped (self))
      break;
    if (is_other_version (self, code)) {
      self->version = self->version == 5 ? 4 : 5;
      self->n_failures++;
      wait (self, FIRST_WAIT_MS);
    } else {
      wait (self, judge_end (self, code));
    }
  }
  g_mutex_lock (&self->lock);
  self->done = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->lock);
  unref (self);
  return NULL;
}

/* ---- object ---- */

/* Nothing to do: send_record() never waits. */
static void
stop (PublishTarget *target)
{
}

static void
free_target (PublishTarget *target)
{
  MqttTarget *self = (MqttTarget *) target;
  const gint64 end = g_get_monotonic_time () + 2 * END_US;

  g_mutex_lock (&self->lock);
  if (self->connected && self->options.availability != NULL && !target->is_retired)
    mosquitto_publish (self->client, NULL, self->options.availability, 7, "offline",
        MAX (self->options.qos, 1), true);
  if (self->connected)
    mosquitto_disconnect (self->client);
  self->stop = TRUE;
  g_cond_broadcast (&self->cond);
  mqtt_turn_wake (&self->turn);
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

/* Starts the thread: FALSE with @error. */
static gboolean
start (MqttTarget *self, GError **error)
{
  GThread *thread;

  if (!mqtt_turn_init (&self->turn, !self->options.secure && self->options.ca_file == NULL)) {
    g_set_error (
        error, G_IO_ERROR, g_io_error_from_errno (errno), "eventfd: %s", g_strerror (errno));
    return FALSE;
  }
  g_atomic_ref_count_inc (&self->count);
  thread = g_thread_try_new ("mqtt", run, self, error);
  if (thread == NULL) {
    unref (self);
    return FALSE;
  }
  g_thread_unref (thread);
  return TRUE;
}

PublishTarget *
publish_target_mqtt_new (
    const PublisherSettings *settings, const PublishHooks *hooks, GError **error)
{
  MqttTarget *self = g_new0 (MqttTarget, 1);

  mosquitto_lib_init ();
  self->parent = (PublishTarget){
    .send = send_record, .stop = stop, .free = free_target, .get_reconnects = get_reconnects
  };
  self->hooks = *hooks;
  /* libmosquitto does not tell of records with QoS 2 that a broker refuses by MQTT 5 */
  self->version = settings->qos == 2 ? 4 : 5;
  self->refresh_topic = g_strdup (settings->refresh_topic);
  self->turn.wake = -1;
  self->numbers = g_hash_table_new (NULL, NULL);
  g_atomic_ref_count_init (&self->count);
  g_mutex_init (&self->lock);
  g_cond_init (&self->cond);
  if (!mqtt_options_init (&self->options, settings, error) || !start (self, error)) {
    unref (self);
    return NULL;
  }
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
