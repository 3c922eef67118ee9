/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds what replaces {tags.NAME} in a topic. */
#ifndef PUBLISH_TOPIC_TAGS_H
#define PUBLISH_TOPIC_TAGS_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct _JsonNode JsonNode; /* of json-glib, which a build may lack */

/* Returns the member of @tags (nullable) as text: (transfer full). NULL: there is none, or it is an
 * object, an array or null. @path: names with points between. */
gchar *topic_tags_find (JsonNode *tags, const gchar *path);

G_END_DECLS

#endif
