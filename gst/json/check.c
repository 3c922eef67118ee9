/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "check.h"

#include <string.h>

#include <gio/gio.h>

gboolean
json_text_check (const gchar *text, gsize size, guint max_depth, GError **error)
{
  guint depth = 0;
  gboolean quoted = FALSE;

  for (gsize i = 0; i < size; i++) {
    if (text[i] == '"') {
      quoted = !quoted;
    } else if (text[i] == '\\' && quoted) {
      i++;
    } else if (!quoted && text[i] != '\0' && strchr ("'/#", text[i]) != NULL) {
      /* the parser takes more than JSON, in which quotation marks do not count */
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
          "no JSON, which has neither comments nor single quotation marks");
      return FALSE;
    } else if (!quoted && (text[i] == '[' || text[i] == '{') && ++depth > max_depth) {
      g_set_error (
          error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "nested more than %u levels deep", max_depth);
      return FALSE;
    } else if (!quoted && (text[i] == ']' || text[i] == '}') && depth > 0) {
      depth--;
    }
  }
  return TRUE;
}
