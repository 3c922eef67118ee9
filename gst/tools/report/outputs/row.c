/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "row.h"

#include <string.h>

#include "../../../json/writer.h"

static gboolean
is_number (const gchar *text)
{
  gchar *end;

  g_ascii_strtod (text, &end);
  return end != text && *end == '\0';
}

static gboolean
is_first_field (const GString *row)
{
  return row->len == 0 || row->str[row->len - 1] == '\n';
}

void
report_append_field (GString *row, const gchar *text)
{
  g_autofree gchar *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  const gboolean formula =
      *valid != '\0' && strchr ("=+-@\t\r\n", *valid) != NULL && !is_number (valid);
  const gboolean first = is_first_field (row);

  if (!first)
    g_string_append_c (row, ',');
  /* a first field is never nothing: the next one would take its place */
  if (!formula && !(first && *valid == '\0') && strpbrk (valid, "\",\r\n'") == NULL) {
    g_string_append (row, valid);
    return;
  }
  g_string_append (row, formula ? "\"'" : "\"");
  for (const gchar *c = valid; *c != '\0'; c++) {
    if (*c == '"')
      g_string_append_c (row, '"');
    g_string_append_c (row, *c);
  }
  g_string_append_c (row, '"');
}

void
report_append_number (GString *row, gdouble value)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  json_format_double (value, text);
  report_append_field (row, text);
}

void
report_append_time (GString *row, GstClockTime time)
{
  g_autofree gchar *text = NULL;

  if (GST_CLOCK_TIME_IS_VALID (time))
    text = g_strdup_printf (
        "%" G_GUINT64_FORMAT ".%09u", time / GST_SECOND, (guint) (time % GST_SECOND));
  report_append_field (row, text);
}

void
report_end_row (GString *row)
{
  g_string_append (row, "\r\n");
}

void
report_append_timecode (GString *text, GstClockTime time)
{
  const guint64 ms = (time + GST_MSECOND / 2) / GST_MSECOND;

  g_string_append_printf (text, "%02" G_GUINT64_FORMAT ":%02u:%02u.%03u", ms / 3600000,
      (guint) (ms / 60000 % 60), (guint) (ms / 1000 % 60), (guint) (ms % 1000));
}
