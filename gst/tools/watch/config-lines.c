/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config-lines.h"

#include "uri-text.h"

#include <string.h>

void
watch_config_lines_init (WatchConfigLines *self, const gchar *file, GPtrArray *errors)
{
  *self = (WatchConfigLines){ file, errors,
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
}

void
watch_config_lines_clear (WatchConfigLines *self)
{
  g_hash_table_unref (self->lines);
}

guint
watch_config_lines_get (const WatchConfigLines *self, const gchar *section, const gchar *key)
{
  g_autofree gchar *name = g_strjoin ("\n", section, key, NULL);

  return GPOINTER_TO_UINT (g_hash_table_lookup (self->lines, name));
}

void
watch_config_add_error (GPtrArray *errors, const gchar *file, guint line, const gchar *text)
{
  g_autofree gchar *shown = watch_uri_text_hide (text);
  g_autofree gchar *whole = g_strdup_printf ("%s:%u: %s", file, line, shown);

  if (!g_ptr_array_find_with_equal_func (errors, whole, g_str_equal, NULL))
    g_ptr_array_add (errors, g_steal_pointer (&whole));
}

void
watch_config_lines_fail (const WatchConfigLines *self, guint line, const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  watch_config_add_error (self->errors, self->file, line, text);
}

/* @name: (transfer full). */
static void
add_line (WatchConfigLines *self, gchar *name, guint line, const gchar *what)
{
  const guint before = GPOINTER_TO_UINT (g_hash_table_lookup (self->lines, name));

  if (before > 0) {
    watch_config_lines_fail (self, line, "%s is in line %u, too", what, before);
    g_free (name);
  } else {
    g_hash_table_insert (self->lines, name, GUINT_TO_POINTER (line));
  }
}

/* @text: one line, without white space around it. @section: of the lines before. */
static void
scan_line (WatchConfigLines *self, gchar *text, guint number, gchar **section)
{
  const gsize length = strlen (text);
  gchar *equals = strchr (text, '=');

  if (length == 0 || text[0] == '#')
    return;
  if (text[0] == '[' && text[length - 1] == ']' && length > 2) {
    g_free (*section);
    *section = g_strndup (text + 1, length - 2);
    add_line (self, g_strdup (*section), number, text);
  } else if (equals == NULL || equals == text) {
    watch_config_lines_fail (self, number, "'%s' is neither [SECTION] nor KEY=VALUE", text);
  } else if (*section == NULL) {
    watch_config_lines_fail (self, number, "'%s' stands before the first [SECTION]", text);
  } else {
    *equals = '\0';
    g_strchomp (text);
    add_line (self, g_strjoin ("\n", *section, text, NULL), number, text);
  }
}

void
watch_config_lines_scan (WatchConfigLines *self, const gchar *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree gchar *section = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    scan_line (self, g_strstrip (lines[i]), i + 1, &section);
}
