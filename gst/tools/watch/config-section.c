/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config-section.h"

guint
watch_section_get_line (const WatchSection *self, const gchar *key)
{
  const gint line = GPOINTER_TO_INT (g_hash_table_lookup (self->lines, key));

  return line != 0 ? (guint) ABS (line) : self->line;
}
