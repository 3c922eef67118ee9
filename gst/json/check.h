/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is checked of JSON that others wrote, before JSON-GLib reads it. */
#ifndef GST_GLES_JSON_CHECK_H
#define GST_GLES_JSON_CHECK_H

#include <glib.h>

G_BEGIN_DECLS

/* How many objects and arrays may be in one another: in the tags that a user sets, and in a line. A
 * line has its tags one level deeper. Versions of JSON-GLib have different limits, or none. */
#define JSON_TEXT_TAGS_DEPTH 24
#define JSON_TEXT_LINE_DEPTH 32

/* Returns whether JSON-GLib's parser may read @text, which need not be JSON. FALSE with @error if
 * @text has comments or single quotation marks, which that parser accepts and JSON does not have,
 * or more than @max_depth levels: JSON-GLib 1.6 descends without a limit, until its stack is full.
 */
gboolean json_text_check (const gchar *text, gsize size, guint max_depth, GError **error);

G_END_DECLS

#endif
