/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stands between libmosquitto and a connection without TLS. The library reads packets of up to
 * 256 MB into memory, and ends the process (assert) at a property of MQTT 5 that it does not know.
 * What it reads is looked at before: it gets one end of a pair of sockets in place of the
 * connection, under the same descriptor, and each packet when it is whole. */
#ifndef PUBLISH_MQTT_RELAY_H
#define PUBLISH_MQTT_RELAY_H

#include <glib.h>

#include <poll.h>

G_BEGIN_DECLS

#define MQTT_MAX_PACKET 16384

struct mosquitto;

typedef struct {
  gint version;      /* of MQTT: 5, or 4 for 3.1.1 */
  gint broker;       /* the connection; -1 until it stands */
  gint library;      /* our end of the pair of sockets, whose other end the library has */
  gsize n_in, n_out; /* how many bytes of each direction wait */
  gsize begin_out;   /* where those to the broker begin */
  guint8 in[MQTT_MAX_PACKET], out[MQTT_MAX_PACKET];
} MqttRelay;

void mqtt_relay_init (MqttRelay *self, gint version);
void mqtt_relay_clear (MqttRelay *self);
/* Takes the place of the connection that stands at @socket, the descriptor that the library has.
 * FALSE with errno. */
gboolean mqtt_relay_begin (MqttRelay *self, gint socket);
/* Fills @files with what poll() has to wait for. */
void mqtt_relay_get_polls (const MqttRelay *self, struct pollfd files[2]);
/* Sends to the broker what the library has written. FALSE with errno. */
gboolean mqtt_relay_send (MqttRelay *self);
/* Receives from the broker, and makes the library read each packet that is complete. Returns a code
 * of libmosquitto. */
gint mqtt_relay_receive (MqttRelay *self, struct mosquitto *client);
/* To be called when the library has closed its end: sends what it wrote before to the broker, which
 * takes at most @timeout_ms. */
void mqtt_relay_finish (MqttRelay *self, gint timeout_ms);

G_END_DECLS

#endif
