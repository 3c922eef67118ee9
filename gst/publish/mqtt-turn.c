/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* libmosquitto reads packets of up to 256 MB into memory, and tells of them when they are complete.
 * A client that subscribes to one topic gets answers of some bytes, so a receive buffer with more
 * than MAX_PACKET bytes is not read at all; GATHER_US lets it fill. What passes that is counted by
 * the kernel, under TLS as well: more than MAX_PACKET bytes without a complete packet are a packet
 * that is too large. That is looked at whenever the reader has emptied the small buffer, which a
 * sender on the same machine can delay by some megabytes. Answers to pings are not told;
 * BYTES_PER_S allows for these. */
#include "config.h"

#include "mqtt-turn.h"

#if HAVE_MOSQUITTO

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <linux/tcp.h>
#include <mosquitto.h>
#include <netinet/in.h>

#define MAX_PACKET 16384
#define GATHER_US 200
#define BYTES_PER_S 2 /* two bytes each 20 s, with the head and the seal of TLS less than 40 */
#define RECEIVE_BYTES 32768

gboolean
mqtt_turn_init (MqttTurn *self, gboolean is_plain)
{
  *self = (MqttTurn){ .is_plain = is_plain, .wake = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK) };
  return self->wake >= 0;
}

void
mqtt_turn_clear (MqttTurn *self)
{
  if (self->wake >= 0)
    close (self->wake);
}

void
mqtt_turn_begin (MqttTurn *self, struct mosquitto *client)
{
  const gint bytes = RECEIVE_BYTES;

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

  return get_bytes (client) > self->n_bytes + MAX_PACKET + BYTES_PER_S * (guint64) seconds;
}

/* The certificates of a handshake may be as many bytes as they want. */
static gboolean
is_flooded (const MqttTurn *self, struct mosquitto *client)
{
  gint n = 0;

  if (!self->is_plain && !self->has_packet)
    return FALSE;
  g_usleep (GATHER_US);
  return ioctl (mosquitto_socket (client), FIONREAD, &n) == 0 && n > MAX_PACKET;
}

gint
mqtt_turn_run (MqttTurn *self, struct mosquitto *client, gint timeout_ms)
{
  struct pollfd files[] = { { .fd = mosquitto_socket (client), .events = POLLIN },
    { .fd = self->wake, .events = POLLIN } };
  gint code = MOSQ_ERR_SUCCESS;
  guint64 n;

  if (files[0].fd < 0)
    return MOSQ_ERR_NO_CONN;
  if (mosquitto_want_write (client))
    files[0].events |= POLLOUT;
  if (poll (files, G_N_ELEMENTS (files), timeout_ms) < 0 && errno != EINTR)
    return MOSQ_ERR_ERRNO;
  if (files[1].revents != 0 && read (self->wake, &n, sizeof n) < 0)
    g_debug ("nobody called");
  if ((files[0].revents & POLLIN) && is_flooded (self, client))
    return MOSQ_ERR_OVERSIZE_PACKET;
  errno = 0; /* the library looks at it also after what did not fail */
  if (files[0].revents != 0)
    code = mosquitto_loop_read (client, 1); /* or goes on with the handshake of TLS */
  if (code == MOSQ_ERR_SUCCESS && mosquitto_socket (client) >= 0 && mosquitto_want_write (client)) {
    errno = 0;
    code = mosquitto_loop_write (client, 1);
  }
  if (code == MOSQ_ERR_SUCCESS)
    code = mosquitto_loop_misc (client);
  if (code == MOSQ_ERR_SUCCESS && is_packet_too_large (self, client))
    code = MOSQ_ERR_OVERSIZE_PACKET;
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
