/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Hides the secret parts of addresses in texts. Every address that the program prints goes through
 * this. */
#ifndef WATCH_URI_TEXT_H
#define WATCH_URI_TEXT_H

#include <glib.h>

G_BEGIN_DECLS

/* Returns @text (nullable) with each URI in it made printable: (transfer full) (nullable). A user
 * and a password are left out, and the query, and what a path says of passwords. Any thread. */
gchar *watch_uri_text_hide (const gchar *text);

G_END_DECLS

#endif
