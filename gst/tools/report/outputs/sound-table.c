/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A row for each channel of each stream of sound. What belongs to a stream is in all rows of its
 * channels, what belongs to a pair of channels in those of both. */
#include "sound-table.h"
#include "../model/members.h"
#include "../model/report.h"
#include "row.h"

typedef enum {
  TEXT,
  TIME,   /* nanoseconds, shown as seconds */
  NUMBER, /* null is an empty field */
} ColumnType;

typedef struct {
  const gchar *name, *member;
  ColumnType type;
} Column;

static const Column of_stream[] = {
  /* name, member, type */
  { "stream", "stream", TEXT },
  { "stream_id", "stream_id", TEXT },
  { "start", "stream_time", TIME },
  { "duration", "duration", TIME },
  { "rate", "rate", NUMBER },
  { "integrated", "integrated", NUMBER },
  { "loudness_range", "loudness_range", NUMBER },
  { "stream_true_peak", "true_peak", NUMBER },
};

static const Column of_channel[] = {
  { "channel", "name", TEXT },
  { "peak", "peak", NUMBER },
  { "rms", "rms", NUMBER },
  { "true_peak", "true_peak", NUMBER },
  { "silence", "silence", TIME },
  { "clipped", "clipped", NUMBER },
};

static void
append_names (GString *row, const Column *columns, guint n)
{
  for (guint i = 0; i < n; i++)
    report_append_field (row, columns[i].name);
}

static void
append_value (GString *row, JsonObject *object, const Column *column)
{
  JsonNode *node = json_object_get_member (object, column->member);

  if (column->type == TEXT)
    report_append_field (row, report_get_text (object, column->member));
  else if (!report_is_number (node))
    report_append_field (row, NULL);
  else if (column->type == TIME)
    report_append_time (
        row, (GstClockTime) MAX (report_get_int (object, column->member, G_MAXINT64), 0));
  else
    report_append_number (row, report_get_number (node));
}

static void
append_values (GString *row, JsonObject *object, const Column *columns, guint n)
{
  for (guint i = 0; i < n; i++)
    append_value (row, object, &columns[i]);
}

/* Returns the number of objects in the array @name. */
static guint
count_objects (JsonObject *line, const gchar *name)
{
  JsonNode *node = report_get_member (line, name, JSON_TYPE_ARRAY);

  return node != NULL ? json_array_get_length (json_node_get_array (node)) : 0;
}

/* Returns (nullable): an object of the array @name. */
static JsonObject *
get_object (JsonObject *line, const gchar *name, guint index)
{
  JsonNode *node = json_array_get_element (json_object_get_array_member (line, name), index);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/* Returns (nullable): the pair that has @channel. */
static JsonObject *
find_pair (JsonObject *line, const gchar *channel)
{
  for (guint i = 0; i < count_objects (line, "pairs"); i++) {
    JsonObject *pair = get_object (line, "pairs", i);

    if (pair != NULL && channel != NULL &&
        (g_strcmp0 (report_get_text (pair, "left"), channel) == 0 ||
            g_strcmp0 (report_get_text (pair, "right"), channel) == 0))
      return pair;
  }
  return NULL;
}

static void
append_rows (GString *table, JsonObject *line)
{
  static const Column phase = { "phase", "phase", NUMBER };

  for (guint i = 0; i < count_objects (line, "channels"); i++) {
    JsonObject *channel = get_object (line, "channels", i);
    JsonObject *pair = channel != NULL ? find_pair (line, report_get_text (channel, "name")) : NULL;

    if (channel == NULL)
      continue;
    append_values (table, line, of_stream, G_N_ELEMENTS (of_stream));
    append_values (table, channel, of_channel, G_N_ELEMENTS (of_channel));
    if (pair != NULL)
      append_value (table, pair, &phase);
    else
      report_append_field (table, NULL);
    report_end_row (table);
  }
}

static void
finish_table (ReportOutput *self, Report *report, gboolean partial)
{
  const GPtrArray *sounds = report_get_sounds (report);
  g_autoptr (GString) table = g_string_new (NULL);

  append_names (table, of_stream, G_N_ELEMENTS (of_stream));
  append_names (table, of_channel, G_N_ELEMENTS (of_channel));
  report_append_field (table, "phase");
  report_end_row (table);
  for (guint i = 0; i < sounds->len; i++)
    append_rows (table, g_ptr_array_index (sounds, i));
  report_file_print (self->file, table);
}

ReportOutput *
report_sound_table_output_new (const gchar *path, GError **error)
{
  ReportOutput *output = report_output_new (path, error);

  if (output != NULL)
    output->finish = finish_table;
  return output;
}
