/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config-keys.h"

#include <string.h>

const WatchKey *
watch_key_find (const WatchKey *keys, const gchar *name)
{
  while (keys->name != NULL && strcmp (keys->name, name) != 0)
    keys++;
  return keys->name != NULL ? keys : NULL;
}

gchar *
watch_key_get_default (const WatchKey *key)
{
  return key->type == CHOICE ? g_strndup (key->value, strcspn (key->value, "|"))
                             : g_strdup (key->value);
}

const gchar *
watch_key_get_text (const WatchKey *key, const WatchSection *section)
{
  return G_STRUCT_MEMBER (const gchar *, section, key->offset);
}

/* Returns the value as it is written: (transfer full) (nullable). */
static gchar *
write_value (const WatchKey *key, const WatchSection *section)
{
  g_auto (GStrv) choices = NULL;
  gchar **list;

  switch (key->type) {
    case NUMBER:
      return g_strdup_printf (
          "%" G_GUINT64_FORMAT, G_STRUCT_MEMBER (guint64, section, key->offset));
    case BOOLEAN:
      return g_strdup (G_STRUCT_MEMBER (gboolean, section, key->offset) ? "true" : "false");
    case CHOICE:
      choices = g_strsplit (key->value, "|", -1);
      return g_strdup (choices[G_STRUCT_MEMBER (guint, section, key->offset)]);
    case LIST:
      list = G_STRUCT_MEMBER (gchar **, section, key->offset);
      return list != NULL ? g_strjoinv (";", list) : NULL;
    default:
      return g_strdup (watch_key_get_text (key, section));
  }
}

gboolean
watch_key_is_inherited (const WatchKey *key, const WatchSection *section)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (section->lines, key->name)) < 0;
}

gboolean
watch_key_is_set (const WatchKey *key, const WatchSection *section)
{
  g_autofree gchar *value = write_value (key, section);
  g_autofree gchar *without = watch_key_get_default (key);

  return g_hash_table_contains (section->lines, key->name) && g_strcmp0 (value, without) != 0;
}

/* @condition: KEY or KEY=BEGIN|BEGIN. */
static gboolean
is_met (const gchar *condition, const WatchKind *kind, const WatchSection *section)
{
  static const gchar *const nothing[] = { "0", "false", NULL };
  g_auto (GStrv) parts = g_strsplit (condition, "=", 2);
  g_auto (GStrv) begins = parts[1] != NULL ? g_strsplit (parts[1], "|", -1) : NULL;
  g_autofree gchar *value = write_value (watch_key_find (kind->keys, parts[0]), section);

  if (value == NULL || begins == NULL)
    return value != NULL && !g_strv_contains (nothing, value);
  for (guint i = 0; begins[i] != NULL; i++) {
    if (g_str_has_prefix (value, begins[i]))
      return TRUE;
  }
  return FALSE;
}

gchar *
watch_key_find_unmet (const WatchKey *key, const WatchKind *kind, const WatchSection *section)
{
  g_auto (GStrv) conditions = g_strsplit (key->needs != NULL ? key->needs : "", " ", -1);

  for (guint i = 0; conditions[i] != NULL; i++) {
    if (!is_met (conditions[i], kind, section))
      return g_strdup (conditions[i]);
  }
  return NULL;
}
