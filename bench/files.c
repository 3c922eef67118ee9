/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "files.h"

#include <string.h>
#include <sys/utsname.h>

#define RESULTS "results"

/* ---- the machine ---- */

/* Returns what stands behind @name and a colon in a file of /proc: (transfer full) (nullable). */
static gchar *
proc_value (const gchar *path, const gchar *name)
{
  g_autofree gchar *text = NULL;
  const gchar *line, *colon;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (line = strstr (text, name)) == NULL ||
      (colon = strchr (line, ':')) == NULL)
    return NULL;
  return g_strstrip (g_strndup (colon + 1, strcspn (colon + 1, "\n")));
}

gboolean
bench_memory_fits (guint64 bytes, gchar **why)
{
  g_autofree gchar *text = proc_value ("/proc/meminfo", "MemAvailable:");
  const guint64 available = text != NULL ? 1024 * g_ascii_strtoull (text, NULL, 10) : 0;

  if (available == 0 || bytes <= available)
    return TRUE;
  *why = g_strdup_printf ("up to %.1f GiB of memory are needed, %.1f are free",
      bytes / 1073741824.0, available / 1073741824.0);
  return FALSE;
}

/* ---- reports ---- */

void
bench_add_text (JsonObject *object, const gchar *name, const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  json_object_set_string_member (object, name, text);
}

void
bench_add_number (JsonObject *object, const gchar *name, gdouble number)
{
  if (number > 0)
    json_object_set_double_member (object, name, number);
  else
    json_object_set_null_member (object, name);
}

void
bench_add_numbers (JsonObject *object, const gchar *name, ...)
{
  JsonObject *inner = json_object_new ();
  const gchar *member;
  va_list arguments;

  va_start (arguments, name);
  while ((member = va_arg (arguments, const gchar *)) != NULL)
    json_object_set_double_member (inner, member, va_arg (arguments, gdouble));
  va_end (arguments);
  json_object_set_object_member (object, name, inner);
}

JsonObject *
bench_report_new (const gchar *tool)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree gchar *time = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  g_autofree gchar *cpu = proc_value ("/proc/cpuinfo", "model name");
  JsonObject *report = json_object_new ();
  struct utsname kernel = { 0 };

  uname (&kernel);
  bench_add_text (report, "tool", "%s", tool);
  bench_add_text (report, "version", "%s", VERSION);
  bench_add_text (report, "timestamp", "%s", time);
  bench_add_text (report, "cpu", "%s", cpu != NULL ? cpu : "unknown");
  bench_add_text (report, "kernel", "%s %s %s", kernel.sysname, kernel.release, kernel.machine);
  return report;
}

JsonObject *
bench_report_add (JsonObject *report)
{
  JsonObject *result = json_object_new ();

  if (!json_object_has_member (report, RESULTS))
    json_object_set_array_member (report, RESULTS, json_array_new ());
  json_array_add_object_element (json_object_get_array_member (report, RESULTS), result);
  return result;
}

/* Appends a line for every string of @report, in order: "# NAME: TEXT" as a comment of CSV, or two
 * columns of a table. */
static void
append_facts (JsonObject *report, gboolean csv, GString *out)
{
  g_autoptr (GList) names = json_object_get_members (report);

  for (const GList *l = names; l != NULL; l = l->next) {
    JsonNode *value = json_object_get_member (report, l->data);
    const gchar *name = l->data;

    if (json_node_get_value_type (value) != G_TYPE_STRING)
      continue;
    if (csv)
      g_string_append_printf (out, "# %s: %s\n", name, json_node_get_string (value));
    else
      g_string_append_printf (out, "%-14s %.84s\n", name, json_node_get_string (value));
  }
}

void
bench_report_print_facts (JsonObject *report)
{
  g_autoptr (GString) out = g_string_new (NULL);

  append_facts (report, FALSE, out);
  g_print ("%s", out->str);
}

/* ---- files ---- */

gboolean
bench_files_silent (const BenchFiles *files)
{
  return g_strcmp0 (files->json, "-") == 0 || g_strcmp0 (files->csv, "-") == 0;
}

static gboolean
write_text (const gchar *text, const gchar *path, GError **error)
{
  if (strcmp (path, "-") != 0)
    return g_file_set_contents (path, text, -1, error);
  g_print ("%s", text);
  return TRUE;
}

static gchar *
as_json (JsonObject *report)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (JsonNode) root = json_node_init_object (json_node_alloc (), report);

  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  json_generator_set_indent (generator, 1);
  return json_generator_to_data (generator, NULL);
}

/* Puts the values of @object into @row, and their names into @columns. */
static void
flatten (JsonObject *object, const gchar *prefix, JsonObject *columns, JsonObject *row)
{
  g_autoptr (GList) names = json_object_get_members (object);

  for (const GList *l = names; l != NULL; l = l->next) {
    JsonNode *value = json_object_get_member (object, l->data);
    g_autofree gchar *column = g_strconcat (prefix, l->data, NULL);
    g_autofree gchar *outer = g_strconcat (column, ".", NULL);

    if (JSON_NODE_HOLDS_OBJECT (value)) {
      flatten (json_node_get_object (value), outer, columns, row);
    } else if (!JSON_NODE_HOLDS_ARRAY (value)) {
      json_object_set_null_member (columns, column);
      json_object_set_member (row, column, json_node_copy (value));
    }
  }
}

static void
append_cell (GString *out, JsonNode *value)
{
  g_autofree gchar *text = NULL;

  if (value == NULL || JSON_NODE_HOLDS_NULL (value))
    return;
  text = json_node_get_value_type (value) == G_TYPE_STRING ? json_node_dup_string (value)
                                                           : json_to_string (value, FALSE);
  if (strpbrk (text, ",\"\n") == NULL) {
    g_string_append (out, text);
    return;
  }
  g_auto (GStrv) parts = g_strsplit (text, "\"", -1);
  g_autofree gchar *quoted = g_strjoinv ("\"\"", parts);
  g_string_append_printf (out, "\"%s\"", quoted);
}

static gchar *
as_csv (JsonObject *report)
{
  JsonArray *results = json_object_get_array_member (report, RESULTS);
  const guint n = json_array_get_length (results);
  g_autoptr (JsonObject) columns = json_object_new ();
  g_autoptr (JsonArray) rows = json_array_new ();
  g_autoptr (GList) names = NULL;
  GString *out = g_string_new (NULL);

  append_facts (report, TRUE, out);
  for (guint i = 0; i < n; i++) {
    json_array_add_object_element (rows, json_object_new ());
    flatten (json_array_get_object_element (results, i), "", columns,
        json_array_get_object_element (rows, i));
  }
  names = json_object_get_members (columns);
  for (const GList *l = names; l != NULL; l = l->next)
    g_string_append_printf (out, "%s%s", (gchar *) l->data, l->next != NULL ? "," : "\n");
  for (guint i = 0; i < n; i++) {
    for (const GList *l = names; l != NULL; l = l->next) {
      append_cell (out, json_object_get_member (json_array_get_object_element (rows, i), l->data));
      g_string_append_c (out, l->next != NULL ? ',' : '\n');
    }
  }
  return g_string_free (out, FALSE);
}

gboolean
bench_report_write (JsonObject *report, const BenchFiles *files, GError **error)
{
  g_autofree gchar *json = as_json (report), *csv = as_csv (report);

  return (files->json == NULL || write_text (json, files->json, error)) &&
      (files->csv == NULL || write_text (csv, files->csv, error));
}
