/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Publishes 20 records to the broker at the port of the command line, and behind the fifth one two
 * that are large; ends when all have been sent or dropped, which it prints, as all that is told. */
#include <string.h>

#include "publish/publisher.h"

static void
tell (gboolean is_warning, const gchar *text, gpointer user_data)
{
  g_print ("%s\n", text);
}

gint
main (gint argc, gchar **argv)
{
  g_autofree gchar *address = g_strdup_printf ("127.0.0.1:%s", argv[1]);
  g_autofree gchar *large = g_strnfill (4000, 'x');
  const PublisherSettings settings = {
    .method = PUBLISH_MQTT, .address = address, .qos = 1, .queue_bytes = 1 << 20
  };
  Publisher *publisher = publisher_new (&settings, tell, NULL, NULL);
  PublisherStats stats;

  for (guint i = 0; i < 20; i++) {
    g_autofree gchar *text = g_strdup_printf ("record %u", i);

    publisher_add (publisher, "f/small", text, strlen (text), FALSE);
    for (guint k = 0; i == 4 && k < 2; k++)
      publisher_add (publisher, "f/large", large, 4000, FALSE);
  }
  do {
    publisher_drain (publisher, 500);
    publisher_get_stats (publisher, &stats);
    g_print ("silence %" G_GUINT64_FORMAT "\n", stats.silence_s);
  } while (stats.waiting > 0);
  g_print ("dropped %" G_GUINT64_FORMAT "\n", stats.dropped);
  publisher_free (publisher, 0);
  return 0;
}
