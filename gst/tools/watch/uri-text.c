/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "uri-text.h"

#include <string.h>

/* An address, up to what no address has. */
#define URI "[a-z][a-z0-9+.-]*://[^\\s\"'<>]*"
/* Some cameras have the password in the path: /user=admin_password=secret_channel=1 */
#define SECRET "((?:pass(?:word|wd)?|pwd|token)[=:])[^/&_;]*"

static GRegex *
compile (GRegex **regex, const gchar *pattern)
{
  if (g_once_init_enter (regex))
    g_once_init_leave (
        regex, g_regex_new (pattern, G_REGEX_CASELESS | G_REGEX_OPTIMIZE | G_REGEX_RAW, 0, NULL));
  return *regex;
}

/* A password may have any character: what stands before the last @ is left out. */
static gboolean
hide (const GMatchInfo *match, GString *result, gpointer user_data)
{
  g_autofree gchar *uri = g_match_info_fetch (match, 0);
  const gchar *rest = strstr (uri, "://") + strlen ("://");
  const gchar *at = strrchr (rest, '@');
  static GRegex *secrets;
  g_autofree gchar *place = NULL, *shown = NULL;
  gsize length;

  g_string_append_len (result, uri, rest - uri);
  if (at != NULL)
    rest = at + 1;
  length = strcspn (rest, "?");
  place = g_strndup (rest, length);
  shown = g_regex_replace (compile (&secrets, SECRET), place, -1, 0, "\\1...", 0, NULL);
  g_string_append (result, shown != NULL ? shown : "...");
  if (rest[length] == '?')
    g_string_append (result, "?...");
  return FALSE;
}

gchar *
watch_uri_text_hide (const gchar *text)
{
  static GRegex *uris;
  gchar *hidden;

  if (text == NULL)
    return NULL;
  hidden = g_regex_replace_eval (compile (&uris, URI), text, -1, 0, 0, hide, NULL, NULL);
  return hidden != NULL ? hidden : g_strdup ("a text that cannot be printed");
}
