/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "text.h"

#include <string.h>
#include <sys/utsname.h>

void
bench_text_string (GString *out, const gchar *text)
{
  g_string_append_c (out, '"');
  for (const gchar *c = text; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\')
      g_string_append_printf (out, "\\%c", *c);
    else if ((guchar) *c < 0x20)
      g_string_append_printf (out, "\\u%04x", (guchar) *c);
    else
      g_string_append_c (out, *c);
  }
  g_string_append_c (out, '"');
}

void
bench_text_member (GString *out, const gchar *name, const gchar *text)
{
  bench_text_string (out, name);
  g_string_append (out, ": ");
  bench_text_string (out, text);
}

void
bench_text_number (GString *out, const gchar *name, gdouble number)
{
  if (number > 0)
    g_string_append_printf (out, ", \"%s\": %.6g", name, number);
  else
    g_string_append_printf (out, ", \"%s\": null", name);
}

gboolean
bench_text_write (const GString *text, const gchar *path, GError **error)
{
  if (strcmp (path, "-") != 0)
    return g_file_set_contents (path, text->str, text->len, error);
  g_print ("%s", text->str);
  return TRUE;
}

gchar *
bench_machine_cpu (void)
{
  g_autofree gchar *text = NULL;
  const gchar *line, *colon;

  if (g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL) &&
      (line = strstr (text, "model name")) != NULL && (colon = strchr (line, ':')) != NULL)
    return g_strstrip (g_strndup (colon + 1, strcspn (colon + 1, "\n")));
  return g_strdup ("unknown");
}

gchar *
bench_machine_kernel (void)
{
  struct utsname kernel;

  if (uname (&kernel) != 0)
    return g_strdup ("unknown");
  return g_strdup_printf ("%s %s %s", kernel.sysname, kernel.release, kernel.machine);
}

gchar *
bench_machine_time (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  return g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
}

guint64
bench_machine_available_bytes (void)
{
  g_autofree gchar *text = NULL;
  const gchar *line;

  if (!g_file_get_contents ("/proc/meminfo", &text, NULL, NULL) ||
      (line = strstr (text, "MemAvailable:")) == NULL)
    return 0;
  return 1024 * g_ascii_strtoull (line + strlen ("MemAvailable:"), NULL, 10);
}
