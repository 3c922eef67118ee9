/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The property `tags` of glesjson: a JSON object that every line repeats. */
#ifndef GST_GLES_JSON_TAGS_H
#define GST_GLES_JSON_TAGS_H

#include <glib.h>

G_BEGIN_DECLS

/* Parses @text. Stores its object in *@tags as compact JSON, a GRefString (transfer full), or NULL
 * where @text is NULL or blank. FALSE with @error, which says what is wrong where. Errors:
 * GST_GLES_ERROR_SETTINGS, GST_GLES_ERROR_FAILED (built without JSON-GLib). */
gboolean json_tags_parse (const gchar *text, gchar **tags, GError **error);

G_END_DECLS

#endif
