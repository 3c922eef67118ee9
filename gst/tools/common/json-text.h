/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* JSON of others, before JSON-GLib reads it. */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <glib.h>

G_BEGIN_DECLS

/* Deeper than any line of glesjson. */
#define JSON_TEXT_MAX_DEPTH 32

/* Returns whether the parser may have @text, which is maybe no JSON: JSON-GLib 1.6 descends without
 * a limit, until its stack is full. FALSE with @error. */
gboolean json_text_check (const gchar *text, gsize size, GError **error);

G_END_DECLS

#endif
