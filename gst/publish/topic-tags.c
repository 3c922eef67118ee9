/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "topic-tags.h"

#include <json-glib/json-glib.h>

gchar *
topic_tags_find (JsonNode *tags, const gchar *path)
{
  g_auto (GStrv) names = g_strsplit (path, ".", -1);
  JsonNode *node = tags;

  for (guint i = 0; names[i] != NULL && node != NULL; i++)
    node = JSON_NODE_HOLDS_OBJECT (node)
        ? json_object_get_member (json_node_get_object (node), names[i])
        : NULL;
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return NULL;
  return json_node_get_value_type (node) == G_TYPE_STRING ? json_node_dup_string (node)
                                                          : json_to_string (node, FALSE);
}
