/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Members of lines that anybody may have written: what is missing or has another type counts as
 * not there. */
#ifndef REPORT_MODEL_MEMBERS_H
#define REPORT_MODEL_MEMBERS_H

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Returns (nullable). */
JsonNode *report_get_member (JsonObject *object, const gchar *name, GType type);
/* @node: (nullable). */
gboolean report_is_number (JsonNode *node);
/* Return a finite number, 0 for all else. @node: (nullable). */
gdouble report_get_number (JsonNode *node);
gdouble report_get_double (JsonObject *object, const gchar *name);
/* Returns a number from 0 to @max, or one below 0. */
gint64 report_get_int (JsonObject *object, const gchar *name, gint64 max);
/* Returns (nullable): a string. */
const gchar *report_get_text (JsonObject *object, const gchar *name);
/* Whether a line has the measures of a stream of sound. */
gboolean report_is_sound_line (JsonObject *line);
/* Returns a string as it is, all else as JSON: (transfer full). */
gchar *report_describe_member (JsonNode *node);

G_END_DECLS

#endif
