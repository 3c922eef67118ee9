/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads members of lines of any origin: what is missing or has another type counts as not there. */
#include "members.h"

#include <math.h>

JsonNode *
report_get_member (JsonObject *object, const gchar *name, GType type)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && json_node_get_value_type (node) == type ? node : NULL;
}

gboolean
report_is_number (JsonNode *node)
{
  GType type = node != NULL ? json_node_get_value_type (node) : G_TYPE_INVALID;

  return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE;
}

gdouble
report_get_number (JsonNode *node)
{
  gdouble value = report_is_number (node) ? json_node_get_double (node) : 0.0;

  return isfinite (value) ? value : 0.0;
}

gdouble
report_get_double (JsonObject *object, const gchar *name)
{
  return report_get_number (json_object_get_member (object, name));
}

gint64
report_get_int (JsonObject *object, const gchar *name, gint64 max)
{
  JsonNode *node = report_get_member (object, name, G_TYPE_INT64);
  gint64 value = node != NULL ? json_node_get_int (node) : -1;

  return value <= max ? value : -1;
}

const gchar *
report_get_text (JsonObject *object, const gchar *name)
{
  JsonNode *node = report_get_member (object, name, G_TYPE_STRING);

  return node != NULL ? json_node_get_string (node) : NULL;
}

gboolean
report_is_sound_line (JsonObject *line)
{
  return g_strcmp0 (report_get_text (line, "type"), "sound") == 0;
}

gchar *
report_describe_member (JsonNode *node)
{
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return g_strdup (json_node_get_string (node));
  return json_to_string (node, FALSE);
}
