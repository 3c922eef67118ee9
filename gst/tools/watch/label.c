/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "label.h"

gchar *
watch_label_escape (const gchar *text)
{
  g_autoptr (GString) escaped = g_string_new (text);

  g_string_replace (escaped, "\\", "\\\\", 0);
  g_string_replace (escaped, "\"", "\\\"", 0);
  g_string_replace (escaped, "\n", "\\n", 0);
  return g_string_free (g_steal_pointer (&escaped), FALSE);
}
