/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef WATCH_CONFIG_SECTION_H
#define WATCH_CONFIG_SECTION_H

#include <glib.h>

G_BEGIN_DECLS

/* What all sections have. */
typedef struct {
  gchar *name;        /* as in [camera NAME]; of sections without a name that of the section */
  gchar *fingerprint; /* all keys and values: two sections with the same one are equal */
  guint line;         /* of the head of the section; 0 if it is not there */
  GHashTable *lines;  /* of keys that are there: their lines, below 0 those of the defaults */
} WatchSection;

/* Returns the line of @key, or that of the defaults, or of the head of the section. */
guint watch_section_get_line (const WatchSection *section, const gchar *key);

G_END_DECLS

#endif
