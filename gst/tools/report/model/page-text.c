/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "page-text.h"

#include "../../../json/writer.h"

void
report_append_text (GString *page, const gchar *before, const gchar *text)
{
  g_autofree gchar *valid = g_utf8_make_valid (text, -1);

  g_string_append_printf (page, "%s\"", before);
  for (const gchar *c = valid; *c != '\0'; c++) {
    gchar escaped[JSON_ESCAPE_BYTES];

    /* the page has its data in a script, which "</script>" in a text would end */
    if (*c == '<')
      g_string_append (page, "\\u003c");
    else
      g_string_append_len (page, escaped, (gssize) json_escape (*c, escaped));
  }
  g_string_append_c (page, '"');
}

void
report_append_seconds (GString *page, const gchar *before, GstClockTime time)
{
  g_string_append_printf (page, "%s%" G_GUINT64_FORMAT ".%03u", before, time / GST_SECOND,
      (guint) (time % GST_SECOND / GST_MSECOND));
}

void
report_append_base64 (GString *page, const gchar *before, gconstpointer data, gsize size)
{
  g_autofree gchar *text = g_base64_encode (data, size);

  g_string_append_printf (page, "%s%s\"", before, text);
}

void
report_append_picture (GString *page, GBytes *jpeg)
{
  report_append_base64 (page, ",\"src\":\"data:image/jpeg;base64,", g_bytes_get_data (jpeg, NULL),
      g_bytes_get_size (jpeg));
}
