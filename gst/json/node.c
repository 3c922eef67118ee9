/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "node.h"

#include <math.h>

#include <gst/gles/core/error.h>

#include "writer.h"

typedef struct {
  JsonWriter json;
  guint max_depth;
  GError **error;
} NodeWriter;

static gboolean write_node (NodeWriter *self, JsonNode *node, guint depth);

/* Writes @list, the members of an array, or with @object the names of its members and these. */
static gboolean
write_list (NodeWriter *self, GList *list, JsonObject *object, guint depth)
{
  json_writer_raw (&self->json, object != NULL ? "{" : "[");
  for (GList *item = list; item != NULL; item = item->next) {
    JsonNode *node = object != NULL ? json_object_get_member (object, item->data) : item->data;

    if (item != list)
      json_writer_raw (&self->json, ",");
    if (object != NULL) {
      json_writer_string (&self->json, item->data);
      json_writer_raw (&self->json, ":");
    }
    if (!write_node (self, node, depth))
      return FALSE;
  }
  json_writer_raw (&self->json, object != NULL ? "}" : "]");
  return TRUE;
}

static void
write_integer (JsonWriter *json, gint64 value)
{
  if (value < 0)
    json_writer_raw (json, "-");
  json_writer_uint (json, value < 0 ? -(guint64) value : (guint64) value);
}

static gboolean
write_double (NodeWriter *self, gdouble value)
{
  if (!isfinite (value)) {
    g_set_error (self->error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "has a number that no double can hold");
    return FALSE;
  }
  json_writer_double (&self->json, value);
  return TRUE;
}

/* @depth: how many objects and arrays @node is in. */
static gboolean
write_node (NodeWriter *self, JsonNode *node, guint depth)
{
  g_autoptr (GList) list = NULL;
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;

  if (object != NULL || JSON_NODE_HOLDS_ARRAY (node)) {
    list = object != NULL ? json_object_get_members (object)
                          : json_array_get_elements (json_node_get_array (node));
    if (depth < self->max_depth)
      return write_list (self, list, object, depth + 1);
    g_set_error (self->error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "is nested more than %u levels deep", self->max_depth);
    return FALSE;
  }
  switch (JSON_NODE_HOLDS_NULL (node) ? G_TYPE_NONE : json_node_get_value_type (node)) {
    case G_TYPE_STRING:
      json_writer_string (&self->json, json_node_get_string (node));
      return TRUE;
    case G_TYPE_BOOLEAN:
      json_writer_raw (&self->json, json_node_get_boolean (node) ? "true" : "false");
      return TRUE;
    case G_TYPE_INT64:
      write_integer (&self->json, json_node_get_int (node));
      return TRUE;
    case G_TYPE_DOUBLE:
      return write_double (self, json_node_get_double (node));
    default:
      json_writer_raw (&self->json, "null");
      return TRUE;
  }
}

gchar *
json_write_node (JsonNode *node, guint max_depth, GError **error)
{
  NodeWriter self = { .max_depth = max_depth, .error = error };
  gsize size;

  json_writer_init (&self.json, 0);
  if (!write_node (&self, node, 0)) {
    json_writer_clear (&self.json);
    return NULL;
  }
  return json_writer_steal (&self.json, &size, error);
}
