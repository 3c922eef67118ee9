/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What of a broker's packets may reach libmosquitto. */
#include <gst/check/gstcheck.h>

#include <string.h>

#include "publish/mqtt-packet.h"

#define PACKET(...) (const guint8[]){ __VA_ARGS__ }, sizeof ((const guint8[]){ __VA_ARGS__ })

GST_START_TEST (test_sizes)
{
  guint8 bytes[] = { 0x30, 0x80, 0x80, 0x80, 0x80 };

  fail_unless_equals_uint64 (mqtt_packet_get_size (PACKET (0x20)), 0);
  fail_unless_equals_uint64 (mqtt_packet_get_size (PACKET (0x20, 2)), 4);
  fail_unless_equals_uint64 (mqtt_packet_get_size (PACKET (0xd0, 0)), 2);
  fail_unless_equals_uint64 (mqtt_packet_get_size (PACKET (0x30, 0x80)), 0);
  fail_unless_equals_uint64 (mqtt_packet_get_size (PACKET (0x30, 0x80, 1, 9)), 131);
  fail_unless_equals_uint64 (mqtt_packet_get_size (PACKET (0x30, 255, 255, 255, 127)), 268435460);
  for (gsize n = 0; n < sizeof bytes; n++)
    fail_unless_equals_uint64 (mqtt_packet_get_size (bytes, n), 0);
  fail_unless_equals_uint64 (mqtt_packet_get_size (bytes, sizeof bytes), G_MAXSIZE);
}
GST_END_TEST

/* A packet whose list of properties is the @size @bytes. Returns its size. */
static gsize
make (guint8 *packet, const guint8 *before, gsize n_before, const guint8 *bytes, gsize size)
{
  packet[0] = before[0];
  packet[1] = (guint8) (n_before + size);
  memcpy (packet + 2, before + 1, n_before - 1);
  packet[1 + n_before] = (guint8) size;
  if (size > 0)
    memcpy (packet + 2 + n_before, bytes, size);
  return 2 + n_before + size;
}

static gboolean
is_known (const guint8 *bytes, gsize size)
{
  guint8 packet[128];

  return mqtt_packet_is_known (packet, make (packet, PACKET (0x20, 0, 0), bytes, size));
}

/* MQTT 5, table 2-4: the bytes of each property. */
GST_START_TEST (test_properties)
{
  static const guint8 identifiers[][17] = { { 1, 23, 25, 36, 37, 40, 41, 42 }, { 2, 17, 24, 39 },
    { 3, 8, 18, 21, 26, 28, 31 }, { 9, 22 }, { 11 }, { 19, 33, 34, 35 } };
  static const guint8 values[][4] = { { 1 }, { 1, 2, 3, 4 }, { 0, 2, 'a', 'b' }, { 0, 2, 0, 1 },
    { 0x81, 0x82, 3 }, { 1, 2 } };
  static const guint8 sizes[] = { 1, 4, 4, 4, 3, 2 };
  gboolean known[256] = { FALSE };

  for (guint kind = 0; kind < G_N_ELEMENTS (identifiers); kind++) {
    for (const guint8 *id = identifiers[kind]; *id != 0; id++) {
      guint8 bytes[16] = { *id };

      memcpy (bytes + 1, values[kind], sizes[kind]);
      known[*id] = TRUE;
      fail_unless (is_known (bytes, 1u + sizes[kind]), "%u", *id);
      fail_if (is_known (bytes, sizes[kind]), "%u is cut", *id);
      bytes[1 + sizes[kind]] = 127;
      fail_if (is_known (bytes, 2u + sizes[kind]), "%u with one behind it", *id);
    }
  }
  fail_unless (is_known (PACKET (38, 0, 1, 'a', 0, 2, 'b', 'c')));
  fail_if (is_known (PACKET (38, 0, 1, 'a', 0, 2, 'b')));
  known[38] = TRUE;
  for (guint id = 0; id < 256; id++) {
    const guint8 bytes[6] = { (guint8) id };
    gboolean found = FALSE;

    /* some length is right for each that exists: its bytes are all zeros */
    for (gsize size = 1; size <= sizeof bytes; size++)
      found |= is_known (bytes, size);
    fail_unless_equals_int (found, known[id]);
  }
  fail_unless (is_known (NULL, 0));
}
GST_END_TEST

/* Each packet with properties, where they begin. */
GST_START_TEST (test_packets)
{
  static const guint8 heads[][8] = { { 3, 0x20, 0, 0 }, { 3, 0x90, 0, 1 }, { 3, 0xb0, 0, 1 },
    { 4, 0x30, 0, 1, 't' }, { 6, 0x32, 0, 1, 't', 0, 9 }, { 4, 0x40, 0, 1, 0 },
    { 4, 0x50, 0, 1, 0 }, { 4, 0x62, 0, 1, 0 }, { 4, 0x70, 0, 1, 0 }, { 2, 0xe0, 0 },
    { 2, 0xf0, 0 } };
  guint8 packet[128];

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++) {
    const guint8 *head = heads[i] + 1;
    const gsize n = heads[i][0];

    fail_unless (mqtt_packet_is_known (packet, make (packet, head, n, PACKET (31, 0, 1, 'a'))));
    fail_if (mqtt_packet_is_known (packet, make (packet, head, n, PACKET (0, 0, 1, 'a'))), "%u", i);
    fail_if (mqtt_packet_is_known (packet, make (packet, head, n, PACKET (127))), "%u", i);
    /* it ends before its properties, at them or in them */
    for (gsize size = 2; size < 1 + n; size++) {
      packet[1] = (guint8) (size - 2);
      fail_unless (mqtt_packet_is_known (packet, size), "%u: %u", i, (guint) size);
    }
  }
  fail_unless (mqtt_packet_is_known (PACKET (0xd0, 0)));
  fail_unless (mqtt_packet_is_known (PACKET (0x30, 4, 0, 200, 'a', 0)));
}
GST_END_TEST

static Suite *
packets_suite (void)
{
  Suite *suite = suite_create ("packets");
  TCase *tcase = tcase_create ("packets");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_sizes);
  tcase_add_test (tcase, test_properties);
  tcase_add_test (tcase, test_packets);
  return suite;
}

GST_CHECK_MAIN (packets)
