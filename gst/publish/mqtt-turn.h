/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Turns of the loop of a client of MQTT. mosquitto_loop() is not used: it fails for descriptors
 * from 1024 on, and reads packets of any size and of any content. */
#ifndef PUBLISH_MQTT_TURN_H
#define PUBLISH_MQTT_TURN_H

#include "mqtt-relay.h"

G_BEGIN_DECLS

typedef struct {
  gboolean is_plain; /* without TLS */
  gint wake;         /* a descriptor */
  /* of the connection: */
  guint64 n_bytes; /* that had come with the last packet */
  gint64 packet_us;
  gboolean has_packet;
  MqttRelay relay; /* without TLS */
} MqttTurn;

gboolean mqtt_turn_init (MqttTurn *self, gboolean is_plain); /* FALSE with errno */
void mqtt_turn_clear (MqttTurn *self);
/* Another connection begins, of this version of MQTT: 5, or 4 for 3.1.1. */
void mqtt_turn_begin (MqttTurn *self, struct mosquitto *client, gint version);
/* Does what there is to do, or waits for it, @timeout_ms at most. Returns a code of libmosquitto;
 * MOSQ_ERR_OVERSIZE_PACKET: the broker sends a packet larger than any that is asked for,
 * MOSQ_ERR_MALFORMED_PACKET: one with properties that MQTT 5 does not have. */
gint mqtt_turn_run (MqttTurn *self, struct mosquitto *client, gint timeout_ms);
/* A packet has come. */
void mqtt_turn_note_packet (MqttTurn *self, struct mosquitto *client);
/* Any thread. There is something to send. */
void mqtt_turn_wake (MqttTurn *self);

G_END_DECLS

#endif
