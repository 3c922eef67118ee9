/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* JSON of others, before JSON-GLib reads it. */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <glib.h>

G_BEGIN_DECLS

/* What glesjson takes as tags, and more than any of its lines has. */
#define JSON_TEXT_TAGS_DEPTH 24
#define JSON_TEXT_LINE_DEPTH 32

/* Returns whether the parser may have @text, which is maybe no JSON: at most @max_depth levels, as
 * JSON-GLib 1.6 descends without a limit, until its stack is full. FALSE with @error. */
gboolean json_text_check (const gchar *text, gsize size, guint max_depth, GError **error);

G_END_DECLS

#endif
