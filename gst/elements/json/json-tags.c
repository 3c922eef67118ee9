/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "json-tags.h"

#include <gst/gles/core/error.h>

#if HAVE_JSON_GLIB
#include <json-glib/json-glib.h>

#include <math.h>
#include <string.h>

#include "../base/json-writer.h"

/* Every line repeats the object, and the parser's stack grows with its depth. */
#define MAX_BYTES 16384
/* Versions of JSON-GLib have different limits, or none. A line is one level deeper, and
 * gst-gles-report-1.0 reads lines of up to 32 levels. */
#define MAX_DEPTH 24

static const gchar *write_node (JsonWriter *writer, JsonNode *node, guint depth);

/* Writes @list, the members of an array, or with @object the names of its members and these.
 * Returns what is wrong, or NULL. */
static const gchar *
write_list (JsonWriter *writer, GList *list, JsonObject *object, guint depth)
{
  const gchar *wrong =
      depth > MAX_DEPTH ? "is nested more than " G_STRINGIFY (MAX_DEPTH) " levels deep" : NULL;

  json_writer_raw (writer, object != NULL ? "{" : "[");
  for (GList *item = list; item != NULL && wrong == NULL; item = item->next) {
    if (item != list)
      json_writer_raw (writer, ",");
    if (object != NULL) {
      json_writer_string (writer, item->data);
      json_writer_raw (writer, ":");
    }
    wrong = write_node (
        writer, object != NULL ? json_object_get_member (object, item->data) : item->data, depth);
  }
  json_writer_raw (writer, object != NULL ? "}" : "]");
  return wrong;
}

static void
write_integer (JsonWriter *writer, gint64 value)
{
  if (value < 0)
    json_writer_raw (writer, "-");
  json_writer_uint (writer, value < 0 ? -(guint64) value : (guint64) value);
}

/* Numbers are as in the rest of the line; one that is not finite, such as 1e999, is wrong. @depth
 * lists are around @node. */
static const gchar *
write_node (JsonWriter *writer, JsonNode *node, guint depth)
{
  g_autoptr (GList) list = NULL;

  if (JSON_NODE_HOLDS_OBJECT (node)) {
    list = json_object_get_members (json_node_get_object (node));
    return write_list (writer, list, json_node_get_object (node), depth + 1);
  }
  if (JSON_NODE_HOLDS_ARRAY (node)) {
    list = json_array_get_elements (json_node_get_array (node));
    return write_list (writer, list, NULL, depth + 1);
  }
  switch (JSON_NODE_HOLDS_NULL (node) ? G_TYPE_NONE : json_node_get_value_type (node)) {
    case G_TYPE_STRING:
      json_writer_string (writer, json_node_get_string (node));
      return NULL;
    case G_TYPE_BOOLEAN:
      json_writer_raw (writer, json_node_get_boolean (node) ? "true" : "false");
      return NULL;
    case G_TYPE_INT64:
      write_integer (writer, json_node_get_int (node));
      return NULL;
    case G_TYPE_DOUBLE:
      if (!isfinite (json_node_get_double (node)))
        return "has a number that no double can hold";
      json_writer_double (writer, json_node_get_double (node));
      return NULL;
    default:
      json_writer_raw (writer, "null");
      return NULL;
  }
}

/* Returns the object @root as a GRefString (transfer full). */
static gchar *
write_object (JsonNode *root, GError **error)
{
  g_autofree gchar *text = NULL;
  JsonWriter writer;
  const gchar *wrong;
  gsize size;

  json_writer_init (&writer, 0);
  wrong = write_node (&writer, root, 0);
  if (wrong != NULL) {
    json_writer_clear (&writer);
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS, "tags %s", wrong);
    return NULL;
  }
  text = json_writer_steal (&writer, &size, error);
  return text != NULL ? g_ref_string_new_len (text, (gssize) size) : NULL;
}

gboolean
json_tags_parse (const gchar *text, gchar **tags, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) failure = NULL;
  JsonNode *root;

  *tags = NULL;
  if (text == NULL || text[strspn (text, " \t\r\n")] == '\0')
    return TRUE;
  if (!g_utf8_validate (text, -1, NULL)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS, "tags is no UTF-8");
    return FALSE;
  }
  if (strlen (text) > MAX_BYTES) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "tags has %" G_GSIZE_FORMAT " bytes, more than %d", strlen (text), MAX_BYTES);
    return FALSE;
  }
  if (!json_parser_load_from_data (parser, text, -1, &failure)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS, "tags=%s is no JSON: %s", text,
        failure->message);
    return FALSE;
  }
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "tags=%s is no JSON object, such as {\"camera\":\"gate\"}", text);
    return FALSE;
  }
  *tags = write_object (root, error);
  return *tags != NULL;
}

#else

gboolean
json_tags_parse (const gchar *text, gchar **tags, GError **error)
{
  *tags = NULL;
  if (text == NULL || *text == '\0')
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
      "tags needs JSON-GLib, which this build of glesjson lacks");
  return FALSE;
}

#endif
