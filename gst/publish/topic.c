/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "topic.h"

#include <string.h>

#define MAX_TOPIC 65535

/* Whether brokers take a topic with @c: no control characters, no non-characters of Unicode. */
static gboolean
is_allowed (gunichar c)
{
  return c >= 0x20 && (c < 0x7f || c > 0x9f) && (c < 0xfdd0 || c > 0xfdef) &&
      (c & 0xfffe) != 0xfffe;
}

/* Appends @text, in which characters with a meaning in topics of MQTT are replaced. */
static void
append_level (GString *topic, const gchar *text)
{
  const gsize before = topic->len;

  while (text != NULL && *text != '\0') {
    const gunichar c = g_utf8_get_char_validated (text, -1);
    const gboolean is_valid = c < 0x110000;

    if (is_valid && is_allowed (c) && strchr ("#+/", *text) == NULL)
      g_string_append_unichar (topic, c);
    else
      g_string_append_c (topic, '_');
    text = is_valid ? g_utf8_next_char (text) : text + 1;
  }
  if (topic->len == before)
    g_string_append_c (topic, '_');
}

gchar *
publisher_escape_level (const gchar *text)
{
  g_autoptr (GString) level = g_string_new (NULL);

  append_level (level, text);
  return g_string_free (g_steal_pointer (&level), FALSE);
}

gchar *
publisher_expand_topic (const gchar *pattern, PublisherLookup lookup, gpointer user_data)
{
  g_autoptr (GString) topic = g_string_new (NULL);

  while (*pattern != '\0') {
    const gchar *end = *pattern == '{' ? strchr (pattern, '}') : NULL;
    g_autofree gchar *name = NULL, *value = NULL;

    if (end == NULL) {
      g_string_append_c (topic, *pattern++);
      continue;
    }
    name = g_strndup (pattern + 1, (gsize) (end - pattern - 1));
    value = lookup (name, user_data);
    append_level (topic, value);
    pattern = end + 1;
  }
  return g_string_free (g_steal_pointer (&topic), FALSE);
}

static gboolean
is_known (const gchar *name, const gchar *const *names)
{
  for (guint i = 0; names[i] != NULL; i++) {
    const gsize length = strlen (names[i]);

    if (names[i][length - 1] == '.' ? strncmp (name, names[i], length) == 0 && name[length] != '\0'
                                    : strcmp (name, names[i]) == 0)
      return TRUE;
  }
  return FALSE;
}

static gboolean
refuse (GError **error, const gchar *pattern, const gchar *why)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "the topic '%s' %s", pattern, why);
  return FALSE;
}

gboolean
publisher_check_topic (const gchar *pattern, const gchar *const *names, GError **error)
{
  const gchar *at = pattern;

  if (pattern[0] == '\0' || strlen (pattern) > MAX_TOPIC || !g_utf8_validate (pattern, -1, NULL))
    return refuse (error, pattern, "is empty, too long, or no UTF-8");
  if (strpbrk (pattern, "#+") != NULL)
    return refuse (error, pattern, "has # or +, which are for subscribers");
  for (; *at != '\0'; at = g_utf8_next_char (at)) {
    const gchar *end = strchr (at, '}');
    g_autofree gchar *name = NULL;

    if (*at == '}')
      return refuse (error, pattern, "has a } without a {");
    if (*at != '{' && !is_allowed (g_utf8_get_char_validated (at, -1)))
      return refuse (error, pattern, "has a control character");
    if (*at != '{')
      continue;
    if (end == NULL)
      return refuse (error, pattern, "has a { without a }");
    name = g_strndup (at + 1, (gsize) (end - at - 1));
    if (names != NULL && !is_known (name, names)) {
      g_autofree gchar *there = g_strjoinv ("}, {", (gchar **) names);
      g_autofree gchar *why = g_strdup_printf ("has {%s}; there are {%s}", name, there);

      return refuse (error, pattern, why);
    }
    at = end;
  }
  return TRUE;
}
