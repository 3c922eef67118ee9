/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Packets of MQTT as a broker sends them. */
#ifndef PUBLISH_MQTT_PACKET_H
#define PUBLISH_MQTT_PACKET_H

#include <glib.h>

G_BEGIN_DECLS

/* The size of the packet that begins with the @n @bytes, in bytes with its head. 0: too few bytes
 * to tell; G_MAXSIZE: no packet has such a head. */
gsize mqtt_packet_get_size (const guint8 *bytes, gsize n);
/* Whether the properties of a whole packet of MQTT 5 are all in its standard and fill their room.
 * A packet that ends before them is none of this function's business: TRUE. */
gboolean mqtt_packet_is_known (const guint8 *bytes, gsize size);

G_END_DECLS

#endif
