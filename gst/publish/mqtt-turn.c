/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A client that subscribes to one topic gets answers of some bytes, so packets of more than
 * MQTT_MAX_PACKET bytes are refused, which libmosquitto does not do. Without TLS a relay does it.
 * Under TLS packets cannot be seen; a certificate speaks for the broker. There, a receive buffer
 * with more than as many bytes is not read at all; GATHER_US lets it fill. What passes that is
 * counted by the kernel: more bytes without a complete packet are a packet that is too large. That
 * is looked at whenever the reader has emptied the small buffer, which a sender on the same machine
 * can delay by some megabytes. Answers to pings are not told; BYTES_PER_S allows for these. */
#include "config.h"

#include "mqtt-turn.h"

#if HAVE_MOSQUITTO

#include <errno.h>
#include <unistd.h>

#include <sys/eventfd.h>
#include <sys/ioctl.h>

#include <linux/tcp.h>
#include <mosquitto.h>
#include <netinet/in.h>

#define GATHER_US 200
/* an answer to a ping, two bytes every 20 s, takes less than 40 with the header and checksum of TLS
 */
#define BYTES_PER_S 2
#define RECEIVE_BYTES 32768

gboolean
mqtt_turn_init (MqttTurn *self, gboolean is_plain)
{
  *self = (MqttTurn){ .is_plain = is_plain, .wake = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK) };
  mqtt_relay_init (&self->relay, 0);
  return self->wake >= 0;
}

void
mqtt_turn_clear (MqttTurn *self)
{
  mqtt_relay_clear (&self->relay);
  if (self->wake >= 0)
    close (self->wake);
}

void
mqtt_turn_begin (MqttTurn *self, struct mosquitto *client, gint version)
{
  const gint bytes = RECEIVE_BYTES;

  mqtt_relay_clear (&self->relay);
  mqtt_relay_init (&self->relay, version);
  self->n_bytes = 0;
  self->has_packet = FALSE;
  self->packet_us = g_get_monotonic_time ();
  if (setsockopt (mosquitto_socket (client), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes) != 0)
    g_debug ("the receive buffer stays as it is");
}

/* Returns how many bytes have come on the connection: 0 if the kernel does not tell. */
static guint64
get_bytes (struct mosquitto *client)
{
  struct tcp_info info = { 0 };
  socklen_t size = sizeof info;

  if (getsockopt (mosquitto_socket (client), IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
    return 0;
  return info.tcpi_bytes_received;
}

void
mqtt_turn_note_packet (MqttTurn *self, struct mosquitto *client)
{
  self->n_bytes = get_bytes (client);
  self->has_packet = TRUE;
  self->packet_us = g_get_monotonic_time ();
}

static gboolean
is_packet_too_large (const MqttTurn *self, struct mosquitto *client)
{
  const gint64 seconds = (g_get_monotonic_time () - self->packet_us) / G_USEC_PER_SEC;

  return get_bytes (client) > self->n_bytes + MQTT_MAX_PACKET + BYTES_PER_S * (guint64) seconds;
}

/* Returns whether more bytes than a packet has wait to be read. Not before the first packet,
 * because the certificates of a TLS handshake may have any size. */
static gboolean
is_flooded (const MqttTurn *self, struct mosquitto *client)
{
  gint n = 0;

  if (!self->has_packet)
    return FALSE;
  g_usleep (GATHER_US);
  return ioctl (mosquitto_socket (client), FIONREAD, &n) == 0 && n > MQTT_MAX_PACKET;
}

/* Waits for @files, of which the last is the wake-up. */
static gint
wait_for (MqttTurn *self, struct pollfd *files, guint n_files, gint timeout_ms)
{
  guint64 n;

  files[n_files - 1] = (struct pollfd){ .fd = self->wake, .events = POLLIN };
  if (poll (files, n_files, timeout_ms) < 0 && errno != EINTR)
    return MOSQ_ERR_ERRNO;
  if (files[n_files - 1].revents != 0 && read (self->wake, &n, sizeof n) < 0)
    g_debug ("nobody called");
  return MOSQ_ERR_SUCCESS;
}

static gint
write_packets (struct mosquitto *client)
{
  if (mosquitto_socket (client) < 0 || !mosquitto_want_write (client))
    return MOSQ_ERR_SUCCESS;
  errno = 0;
  return mosquitto_loop_write (client, 1);
}

static gint
run_tls (MqttTurn *self, struct mosquitto *client, gint timeout_ms)
{
  struct pollfd files[2] = { { .fd = mosquitto_socket (client), .events = POLLIN } };
  gint code;

  if (mosquitto_want_write (client))
    files[0].events |= POLLOUT;
  code = wait_for (self, files, G_N_ELEMENTS (files), timeout_ms);
  if (code == MOSQ_ERR_SUCCESS && (files[0].revents & POLLIN) && is_flooded (self, client))
    return MOSQ_ERR_OVERSIZE_PACKET;
  errno = 0; /* the library looks at it also after what did not fail */
  if (code == MOSQ_ERR_SUCCESS && files[0].revents != 0)
    code = mosquitto_loop_read (client, 1); /* this also continues the handshake */
  if (code == MOSQ_ERR_SUCCESS)
    code = write_packets (client);
  if (code == MOSQ_ERR_SUCCESS && is_packet_too_large (self, client))
    code = MOSQ_ERR_OVERSIZE_PACKET;
  return code;
}

/* Waits until the connection is established. */
static gint
run_connecting (MqttTurn *self, struct mosquitto *client, gint timeout_ms)
{
  struct pollfd files[2] = { { .fd = mosquitto_socket (client), .events = POLLOUT } };
  const gint code = wait_for (self, files, G_N_ELEMENTS (files), timeout_ms);

  if (code == MOSQ_ERR_SUCCESS && files[0].revents != 0 &&
      !mqtt_relay_begin (&self->relay, files[0].fd))
    return MOSQ_ERR_ERRNO;
  return code;
}

static gint
run_relay (MqttTurn *self, struct mosquitto *client, gint timeout_ms)
{
  struct pollfd files[3];
  gint code;

  mqtt_relay_get_polls (&self->relay, files);
  code = wait_for (self, files, G_N_ELEMENTS (files), timeout_ms);
  if (code == MOSQ_ERR_SUCCESS && (files[0].revents & ~POLLOUT) != 0)
    code = mqtt_relay_receive (&self->relay, client);
  if (code == MOSQ_ERR_SUCCESS)
    code = write_packets (client);
  if (code == MOSQ_ERR_SUCCESS && !mqtt_relay_send (&self->relay)) {
    /* before it closed the connection, the broker may have sent the reason */
    code = mqtt_relay_receive (&self->relay, client);
    if (code == MOSQ_ERR_SUCCESS)
      code = MOSQ_ERR_CONN_LOST;
  }
  return code;
}

gint
mqtt_turn_run (MqttTurn *self, struct mosquitto *client, gint timeout_ms)
{
  gint code;

  if (mosquitto_socket (client) < 0) {
    if (self->relay.broker >= 0)
      mqtt_relay_finish (&self->relay, timeout_ms);
    return MOSQ_ERR_NO_CONN;
  }
  if (!self->is_plain)
    code = run_tls (self, client, timeout_ms);
  else if (self->relay.broker < 0)
    code = run_connecting (self, client, timeout_ms);
  else
    code = run_relay (self, client, timeout_ms);
  if (code == MOSQ_ERR_SUCCESS)
    code = mosquitto_loop_misc (client);
  if (code != MOSQ_ERR_SUCCESS)
    mqtt_relay_clear (&self->relay);
  return code;
}

void
mqtt_turn_wake (MqttTurn *self)
{
  const guint64 one = 1;

  if (write (self->wake, &one, sizeof one) < 0)
    g_debug ("the loop was called already");
}

#endif
