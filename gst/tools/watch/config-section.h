/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef WATCH_CONFIG_SECTION_H
#define WATCH_CONFIG_SECTION_H

#include <glib.h>

G_BEGIN_DECLS

/* What all sections have. */
typedef struct {
  /* NAME of [camera NAME]; what is between the brackets where there is no name */
  gchar *name;
  /* a text of all keys and values, which two sections share if and only if they say the same */
  gchar *fingerprint;
  guint line; /* of the head of the section; 0 if it is not there */
  /* from a key that the file has to the number of its line; below 0 if that is in [defaults] */
  GHashTable *lines;
} WatchSection;

/* Returns the line of @key, or that of the defaults, or of the head of the section. */
guint watch_section_get_line (const WatchSection *section, const gchar *key);

G_END_DECLS

#endif
