/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Turns of the loop of a client of MQTT. mosquitto_loop() is not used: it fails for descriptors
 * from 1024 on, and reads packets of any size and of any content. */
#ifndef PUBLISH_MQTT_TURN_H
#define PUBLISH_MQTT_TURN_H

#include "mqtt-relay.h"

G_BEGIN_DECLS

typedef struct {
  gboolean is_plain; /* without TLS */
  gint wake;         /* the descriptor that mqtt_turn_wake() writes to */
  /* The following is about the present connection. */
  guint64 n_bytes; /* how many bytes had come when the last packet was complete */
  gint64 packet_us;
  gboolean has_packet;
  MqttRelay relay; /* without TLS */
} MqttTurn;

gboolean mqtt_turn_init (MqttTurn *self, gboolean is_plain); /* FALSE with errno */
void mqtt_turn_clear (MqttTurn *self);
/* To be called when another connection begins. @version: of MQTT: 5, or 4 for 3.1.1. */
void mqtt_turn_begin (MqttTurn *self, struct mosquitto *client, gint version);
/* Does what there is to do, or waits for it, @timeout_ms at most. Returns a code of libmosquitto;
 * MOSQ_ERR_OVERSIZE_PACKET: the broker sends a packet larger than any that is asked for,
 * MOSQ_ERR_MALFORMED_PACKET: one with properties that MQTT 5 does not have. */
gint mqtt_turn_run (MqttTurn *self, struct mosquitto *client, gint timeout_ms);
/* To be called when the library has received a packet. */
void mqtt_turn_note_packet (MqttTurn *self, struct mosquitto *client);
/* Ends the wait of mqtt_turn_run(), because there is something to send. Any thread. */
void mqtt_turn_wake (MqttTurn *self);

G_END_DECLS

#endif
