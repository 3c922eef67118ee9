/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "json-tags.h"

#include <gst/gles/core/error.h>

#if HAVE_JSON_GLIB
#include <string.h>

#include "../../json/check.h"
#include "../../json/node.h"

/* Every line repeats the object, and the parser's stack grows with its depth. */
#define MAX_BYTES 16384

gboolean
json_tags_parse (const gchar *text, gchar **tags, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) failure = NULL;
  g_autofree gchar *object = NULL;
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
  object = json_write_node (root, JSON_TEXT_TAGS_DEPTH, error);
  if (object != NULL)
    *tags = g_ref_string_new (object);
  else
    g_prefix_error (error, "tags ");
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
