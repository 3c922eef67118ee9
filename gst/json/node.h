/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Objects of JSON-GLib as the writer writes them: JSON-GLib itself gives each double 17 digits, and
 * writes numbers that are not JSON. */
#ifndef GST_GLES_JSON_NODE_H
#define GST_GLES_JSON_NODE_H

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Returns @node without white space: (transfer full). What glesjson wrote, read by JSON-GLib, gives
 * the same bytes. NULL with @error, which begins with a verb. Errors: GST_GLES_ERROR_SETTINGS: more
 * than @max_depth lists are in one another, or a number is not finite, such as 1e999;
 * GST_GLES_ERROR_NO_MEMORY. */
gchar *json_write_node (JsonNode *node, guint max_depth, GError **error);

G_END_DECLS

#endif
