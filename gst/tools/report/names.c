/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names of the files that are written for each input. */
#include "names.h"
#include "files/streams.h"

#include <string.h>

#include <gio/gio.h>

gchar *
report_get_title (const gchar *input)
{
  gchar *name = g_path_get_basename (input);
  gchar *dot = strrchr (name, '.');

  if (dot != NULL && dot != name)
    *dot = '\0';
  return name;
}

gchar *
report_make_name (const gchar *pattern, const gchar *input)
{
  g_autofree gchar *title = report_get_title (input);
  g_auto (GStrv) parts = g_strsplit (pattern, "%s", -1);

  return g_strjoinv (title, parts);
}

gboolean
report_parse_time (const gchar *text, GstClockTime *time)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 4);
  const guint n = g_strv_length (parts);
  gdouble seconds = 0.0;

  if (n < 1 || n > 3)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    gchar *end;
    const gdouble value = g_ascii_strtod (parts[i], &end);

    /* digits alone: strtod() also takes signs, exponents and "inf" */
    if (parts[i][0] == '\0' || *end != '\0' || parts[i][strspn (parts[i], "0123456789.")] != '\0' ||
        (i > 0 && value >= 60.0) || (i + 1 < n && strchr (parts[i], '.') != NULL))
      return FALSE;
    seconds = 60.0 * seconds + value;
  }
  if (seconds > 1e9)
    return FALSE;
  *time = (GstClockTime) (seconds * GST_SECOND + 0.5);
  return TRUE;
}

/* Notes that @path is of @input. Returns the input that has it already: (transfer none)
 * (nullable). */
static const gchar *
claim (GHashTable *names, const gchar *path, const gchar *input)
{
  gchar *key = g_canonicalize_filename (path, NULL);
  const gchar *other = g_hash_table_lookup (names, key);

  g_hash_table_insert (names, key, (gpointer) input);
  return other;
}

static gboolean
check_name (GHashTable *names, const gchar *pattern, const gchar *input, GError **error)
{
  g_autofree gchar *path = report_make_name (pattern, input);
  const gchar *other;

  if (report_is_stream (path))
    return TRUE;
  other = claim (names, path, input);
  if (other == NULL)
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
      "%s of %s would overwrite that of %s; %%s in a name stands for that of the input", path,
      input, other);
  return FALSE;
}

gboolean
report_check_names (gchar **inputs, const gchar *const *patterns, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; inputs[i] != NULL; i++)
    claim (names, inputs[i], inputs[i]);
  for (guint i = 0; inputs[i] != NULL; i++) {
    for (guint k = 0; patterns[k] != NULL; k++) {
      if (!check_name (names, patterns[k], inputs[i], error))
        return FALSE;
    }
  }
  return TRUE;
}
