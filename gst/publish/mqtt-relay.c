/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "mqtt-relay.h"

#if HAVE_MOSQUITTO

#include "mqtt-packet.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>

#include <mosquitto.h>

void
mqtt_relay_init (MqttRelay *self, gint version)
{
  self->version = version;
  self->broker = self->library = -1;
  self->n_in = self->n_out = self->begin_out = 0;
}

void
mqtt_relay_clear (MqttRelay *self)
{
  if (self->broker >= 0)
    close (self->broker);
  if (self->library >= 0)
    close (self->library);
  self->broker = self->library = -1;
}

gboolean
mqtt_relay_begin (MqttRelay *self, gint socket)
{
  gint pair[2], error = 0;
  socklen_t size = sizeof error;

  if (getsockopt (socket, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
    return FALSE;
  if (error != 0) {
    errno = error;
    return FALSE;
  }
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) != 0)
    return FALSE;
  self->library = pair[1];
  self->broker = fcntl (socket, F_DUPFD_CLOEXEC, 0);
  error = self->broker < 0 || dup3 (pair[0], socket, O_CLOEXEC) < 0 ? errno : 0;
  close (pair[0]);
  errno = error;
  return error == 0;
}

void
mqtt_relay_get_polls (const MqttRelay *self, struct pollfd files[2])
{
  files[0] = (struct pollfd){ .fd = self->broker,
    .events = (gshort) (POLLIN | (self->n_out > 0 ? POLLOUT : 0)) };
  files[1] = (struct pollfd){ .fd = self->n_out > 0 ? -1 : self->library, .events = POLLIN };
}

static gboolean
is_later (void)
{
  return errno == EAGAIN || errno == EINTR;
}

gboolean
mqtt_relay_send (MqttRelay *self)
{
  gssize n;

  for (;;) {
    if (self->n_out == 0) {
      n = recv (self->library, self->out, sizeof self->out, 0);
      if (n <= 0)
        return n == 0 || is_later ();
      self->begin_out = 0;
      self->n_out = (gsize) n;
    }
    n = send (self->broker, self->out + self->begin_out, self->n_out, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0)
      return is_later ();
    self->begin_out += (gsize) n;
    self->n_out -= (gsize) n;
  }
}

/* Passes the first packet on. Returns a code of libmosquitto; *@size is 0 if it is not whole. */
static gint
pass_packet (MqttRelay *self, struct mosquitto *client, gsize *size)
{
  *size = mqtt_packet_get_size (self->in, self->n_in);
  if (*size == G_MAXSIZE)
    return MOSQ_ERR_MALFORMED_PACKET;
  if (*size > sizeof self->in)
    return MOSQ_ERR_OVERSIZE_PACKET;
  if (*size > self->n_in)
    *size = 0;
  if (*size == 0)
    return MOSQ_ERR_SUCCESS;
  if (self->version == 5 && !mqtt_packet_is_known (self->in, *size))
    return MOSQ_ERR_MALFORMED_PACKET;
  /* the library has read all packets before, so the socket has room */
  if (send (self->library, self->in, *size, MSG_NOSIGNAL) != (gssize) *size)
    return MOSQ_ERR_CONN_LOST;
  errno = 0; /* libmosquitto looks at errno even if no call has failed */
  return mosquitto_loop_read (client, 1);
}

gint
mqtt_relay_receive (MqttRelay *self, struct mosquitto *client)
{
  const gssize n =
      recv (self->broker, self->in + self->n_in, sizeof self->in - self->n_in, MSG_DONTWAIT);
  gint code = MOSQ_ERR_SUCCESS;
  gsize size = 1;

  if (n < 0 && is_later ())
    return MOSQ_ERR_SUCCESS;
  if (n <= 0)
    return MOSQ_ERR_CONN_LOST;
  self->n_in += (gsize) n;
  while (code == MOSQ_ERR_SUCCESS && size > 0 && mosquitto_socket (client) >= 0) {
    code = pass_packet (self, client, &size);
    if (code == MOSQ_ERR_SUCCESS && size > 0) {
      self->n_in -= size;
      memmove (self->in, self->in + size, self->n_in);
    }
  }
  return code;
}

void
mqtt_relay_finish (MqttRelay *self, gint timeout_ms)
{
  struct pollfd file = { .fd = self->broker, .events = POLLOUT };

  while (mqtt_relay_send (self) && self->n_out > 0 && poll (&file, 1, timeout_ms) > 0)
    continue;
}

#endif
