/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "address.h"

#include "publisher.h"

#include <string.h>

static gboolean
refuse (GError **error, const gchar *address, const gchar *what)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "address=%s: %s", address, what);
  return FALSE;
}

gboolean
publish_address_parse (PublishAddress *self, const gchar *address, GError **error)
{
  const gchar *text = address != NULL ? address : "", *end;
  const gboolean secure = g_str_has_prefix (text, "mqtts://");
  g_autofree gchar *host = NULL;
  guint64 port = secure ? 8883 : 1883;

  if (secure || g_str_has_prefix (text, "mqtt://"))
    text = strstr (text, "//") + 2;
  end = text[0] == '[' ? strchr (text, ']') : NULL;
  host = end != NULL ? g_strndup (text + 1, (gsize) (end - text - 1))
                     : g_strndup (text, strcspn (text, ":"));
  end = end != NULL ? end + 1 : text + strlen (host);
  if (strpbrk (host, "/@?# \t") != NULL || (*end != '\0' && *end != ':') ||
      (*end == ':' && !g_ascii_string_to_unsigned (end + 1, 10, 1, 65535, &port, NULL)))
    return refuse (error, address, "[mqtt://|mqtts://]HOST[:PORT]");
  *self = (PublishAddress){ host[0] != '\0' ? g_steal_pointer (&host) : g_strdup ("localhost"),
    (gint) port, secure };
  return TRUE;
}

gboolean
publisher_check_address (PublishMethod method, const gchar *address, GError **error)
{
  PublishAddress parsed;

  if (method == PUBLISH_FD)
    return address == NULL || address[0] == '\0' ||
        g_ascii_string_to_unsigned (address, 10, 0, G_MAXINT, NULL, NULL) ||
        refuse (error, address, "the number of a descriptor");
  if (method == PUBLISH_FILE)
    return TRUE;
  if (!publish_address_parse (&parsed, address, error))
    return FALSE;
  g_free (parsed.host);
  return TRUE;
}
