/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "mqtt-packet.h"

#define MAX_HEAD 5 /* the bytes of the longest header: one of type and four of size */

enum {
  CONNACK = 2,
  PUBLISH,
  PUBACK,
  PUBREC,
  PUBREL,
  PUBCOMP,
  SUBACK = 9,
  UNSUBACK = 11
};
enum {
  DISCONNECT = 14,
  AUTH
};

/* What a property consists of, by its identifier (MQTT 5, 2.2.2.2): the size of a number, or: */
enum {
  NUMBER = 5,
  STRING,
  PAIR
}; /* variable bytes, one string or block, two strings */
static const guint8 properties[] = { [1] = 1,
  [2] = 4,
  [3] = STRING,
  [8] = STRING,
  [9] = STRING,
  [11] = NUMBER,
  [17] = 4,
  [18] = STRING,
  [19] = 2,
  [21] = STRING,
  [22] = STRING,
  [23] = 1,
  [24] = 4,
  [25] = 1,
  [26] = STRING,
  [28] = STRING,
  [31] = STRING,
  [33] = 2,
  [34] = 2,
  [35] = 2,
  [36] = 1,
  [37] = 1,
  [38] = PAIR,
  [39] = 4,
  [40] = 1,
  [41] = 1,
  [42] = 1 };

typedef struct {
  const guint8 *bytes;
  /* the position is behind the size after something was read that did not fit */
  gsize size, position;
} Reader;

static gboolean
skip (Reader *self, gsize n)
{
  self->position += n;
  return self->position <= self->size;
}

/* Reads a number of variable length, which has at most four bytes. */
static gboolean
read_number (Reader *self, gsize *value)
{
  *value = 0;
  for (guint shift = 0; shift < 28 && self->position < self->size; shift += 7) {
    const guint8 byte = self->bytes[self->position++];

    *value |= (gsize) (byte & 127) << shift;
    if (byte < 128)
      return TRUE;
  }
  return FALSE;
}

static gboolean
skip_string (Reader *self)
{
  const guint8 *bytes = self->bytes + self->position;

  return skip (self, 2) && skip (self, (gsize) bytes[0] << 8 | bytes[1]);
}

static gboolean
skip_property (Reader *self)
{
  const guint8 identifier = self->bytes[self->position++];
  const guint8 kind = identifier < G_N_ELEMENTS (properties) ? properties[identifier] : 0;
  gsize value;

  switch (kind) {
    case 0:
      return FALSE;
    case NUMBER:
      return read_number (self, &value);
    case STRING:
      return skip_string (self);
    case PAIR:
      return skip_string (self) && skip_string (self);
    default:
      return skip (self, kind);
  }
}

/* Skips what precedes the properties of the packet. */
static gboolean
skip_to_properties (Reader *self, guint8 head)
{
  switch (head >> 4) {
    case CONNACK:
    case SUBACK:
    case UNSUBACK:
      return skip (self, 2);
    case PUBLISH:
      return skip_string (self) && skip (self, (head & 6) != 0 ? 2 : 0);
    case PUBACK:
    case PUBREC:
    case PUBREL:
    case PUBCOMP:
      return skip (self, 3);
    case DISCONNECT:
    case AUTH:
      return skip (self, 1);
    default:
      return FALSE;
  }
}

gsize
mqtt_packet_get_size (const guint8 *bytes, gsize n)
{
  Reader reader = { bytes, MIN (n, MAX_HEAD), 1 };
  gsize size;

  if (read_number (&reader, &size))
    return reader.position + size;
  return n < MAX_HEAD ? 0 : G_MAXSIZE;
}

gboolean
mqtt_packet_is_known (const guint8 *bytes, gsize size)
{
  Reader reader = { bytes, MIN (size, MAX_HEAD), 1 };
  gsize length;

  if (!read_number (&reader, &length))
    return FALSE;
  reader.size = size;
  if (!skip_to_properties (&reader, bytes[0]) || reader.position == size)
    return TRUE;
  if (!read_number (&reader, &length) || length > size - reader.position)
    return FALSE;
  reader.size = reader.position + length;
  while (reader.position < reader.size) {
    if (!skip_property (&reader))
      return FALSE;
  }
  return TRUE;
}
