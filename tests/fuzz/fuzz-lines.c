/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gst-gles-report-1.0 --from with lines of any origin: the data of the page is JSON, whatever the
 * lines hold. */
#include "fuzz.h"

#include <json-glib/json-glib.h>

#include <string.h>

#include "report/inputs/lines.h"
#include "report/outputs/page.h"

/* Returns a member of @data, which holds a number. */
static gdouble
get_number (JsonObject *data, const gchar *name)
{
  fuzz_assert (json_object_has_member (data, name));
  fuzz_assert (JSON_NODE_HOLDS_VALUE (json_object_get_member (data, name)));
  return json_object_get_double_member (data, name);
}

static void
check_member (JsonObject *more, const gchar *name, JsonNode *node, gpointer user_data)
{
  fuzz_assert (json_node_get_value_type (node) == G_TYPE_STRING);
}

static void
check_page (const GString *page, guint n_frames)
{
  static const gchar start[] = "id=\"data\">";
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  const gchar *data = strstr (page->str, start), *end;
  JsonObject *object;
  JsonArray *events;

  fuzz_assert (data != NULL);
  data += strlen (start);
  end = strstr (data, "</script>");
  fuzz_assert (end != NULL);
  if (!json_parser_load_from_data (parser, data, end - data, &error))
    g_error ("the page's data is no JSON: %s", error->message);
  object = json_node_get_object (json_parser_get_root (parser));
  fuzz_assert (get_number (object, "frames") == n_frames);
  fuzz_assert (get_number (object, "begin") >= 0);
  fuzz_assert (get_number (object, "end") >= get_number (object, "begin"));
  events = json_object_get_array_member (object, "events");
  for (guint i = 0; i < json_array_get_length (events); i++) {
    JsonObject *event = json_array_get_object_element (events, i);

    fuzz_assert (json_object_get_string_member (event, "kind") != NULL);
    get_number (event, "score");
    fuzz_assert (get_number (event, "start") >= get_number (object, "begin"));
    fuzz_assert (get_number (event, "end") <= get_number (object, "end"));
    json_object_foreach_member (json_object_get_object_member (event, "more"), check_member, NULL);
  }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (Report) report = report_new ("fuzz");
  g_autoptr (ReportLines) lines = report_lines_new (report);
  g_autoptr (GString) page = NULL;
  gsize begin = 0;

  fuzz_init ();
  while (begin < size) {
    const guint8 *end = memchr (data + begin, '\n', size - begin);
    const gsize length = end != NULL ? (gsize) (end - data) - begin : size - begin;
    g_autofree gchar *line = g_memdup2 (data + begin, MAX (length, 1));

    report_lines_add (lines, line, length, NULL);
    begin += length + 1;
  }
  page = report_to_html (report, FALSE);
  check_page (page, report_get_n_frames (report));
  return 0;
}
