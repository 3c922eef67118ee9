/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events as CSV, with the columns of the page's, and as WebVTT
 * (https://www.w3.org/TR/webvtt1/), in the order of their start. */
#include "event-tables.h"
#include "../model/members.h"
#include "../model/report.h"
#include "row.h"

#include <string.h>

/* An instant is shown for so long. */
#define CUE_NS GST_SECOND

static ReportOutput *
output_new (const gchar *path, void (*finish) (ReportOutput *, Report *, gboolean), GError **error)
{
  ReportFile *file = report_file_open (path, FALSE, error);
  ReportOutput *output;

  if (file == NULL)
    return NULL;
  output = g_new0 (ReportOutput, 1);
  *output = (ReportOutput){ .file = file, .finish = finish };
  return output;
}

/* ---- CSV ---- */

/* Columns of members of the lines; further members follow. */
static const gchar *const members[] = { "cause", "end_frame", "id", "element", "stream_id", "tags",
  "utc", "end_utc", "pts", "running_time", NULL };
/* Members that have another column, or none. */
static const gchar *const placed[] = { "version", "event", "phase", "transition", "frame", "score",
  "start", "start_frame", "duration", "stream_time", NULL };

/* Returns the names of all other members: (element-type utf8) (transfer full). */
static GPtrArray *
find_others (GArray *events)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *others = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < events->len; i++) {
    JsonObjectIter iter;
    const gchar *name;

    json_object_iter_init_ordered (&iter, g_array_index (events, ReportEvent, i).line);
    while (json_object_iter_next_ordered (&iter, &name, NULL)) {
      if (g_strv_contains (members, name) || g_strv_contains (placed, name) ||
          g_hash_table_contains (known, name))
        continue;
      g_ptr_array_add (others, g_strdup (name));
      g_hash_table_add (known, g_ptr_array_index (others, others->len - 1));
    }
  }
  return others;
}

static void
append_member (GString *row, JsonObject *line, const gchar *name)
{
  JsonNode *node = json_object_get_member (line, name);
  g_autofree gchar *text =
      node != NULL && !JSON_NODE_HOLDS_NULL (node) ? report_describe_member (node) : NULL;

  report_append_field (row, text);
}

/* @end: of what did not end. */
static void
append_event (GString *row, const ReportEvent *event, GstClockTime end)
{
  const gboolean open = !GST_CLOCK_TIME_IS_VALID (event->end);

  report_append_field (row, report_get_text (event->line, "event"));
  append_member (row, event->line, "transition");
  report_append_time (row, event->start);
  report_append_time (row, event->instant ? GST_CLOCK_TIME_NONE : event->end);
  report_append_time (row,
      event->instant ? GST_CLOCK_TIME_NONE
                     : (open ? MAX (end, event->start) : event->end) - event->start);
  append_member (row, event->line, "frame");
  report_append_number (row, report_get_double (event->line, "score"));
}

static void
finish_table (ReportOutput *self, Report *report, gboolean partial)
{
  static const gchar *const first[] = { "event", "transition", "start", "end", "duration", "frame",
    "score" };
  g_autoptr (GArray) events = report_events_list (report_get_events (report));
  g_autoptr (GPtrArray) others = find_others (events);
  g_autoptr (GString) row = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    report_append_field (row, first[i]);
  for (guint i = 0; members[i] != NULL; i++)
    report_append_field (row, members[i]);
  for (guint i = 0; i < others->len; i++)
    report_append_field (row, g_ptr_array_index (others, i));
  report_end_row (row);
  for (guint i = 0; i < events->len; i++) {
    const ReportEvent *event = &g_array_index (events, ReportEvent, i);

    append_event (row, event, report_get_end (report));
    for (guint k = 0; members[k] != NULL; k++)
      append_member (row, event->line, members[k]);
    for (guint k = 0; k < others->len; k++)
      append_member (row, event->line, g_ptr_array_index (others, k));
    report_end_row (row);
  }
  report_file_print (self->file, row);
}

ReportOutput *
report_event_table_output_new (const gchar *path, GError **error)
{
  return output_new (path, finish_table, error);
}

/* ---- WebVTT ---- */

/* Appends a line of a cue: no markup, no line break. */
static void
append_cue_text (GString *text, const gchar *value)
{
  g_autofree gchar *valid = g_utf8_make_valid (value, -1);

  for (const gchar *line = valid; *line != '\0'; line++) {
    if (*line == '&')
      g_string_append (text, "&amp;");
    else if (*line == '<')
      g_string_append (text, "&lt;");
    else if (*line == '>')
      g_string_append (text, "&gt;");
    else
      g_string_append_c (text, *line == '\n' || *line == '\r' ? ' ' : *line);
  }
}

/* A cue ends at least a millisecond, the unit of its times, after its start. */
static void
append_cue (GString *text, guint number, const ReportEvent *event, GstClockTime end)
{
  static const gchar *const shown[] = { "transition", "cause", "message" };
  gchar score[G_ASCII_DTOSTR_BUF_SIZE];

  if (event->instant)
    end = event->start + CUE_NS;
  else if (GST_CLOCK_TIME_IS_VALID (event->end))
    end = event->end;
  g_string_append_printf (text, "\n%u\n", number);
  report_append_timecode (text, event->start);
  g_string_append (text, " --> ");
  report_append_timecode (text, MAX (end, event->start + GST_MSECOND));
  g_string_append_c (text, '\n');
  append_cue_text (text, report_get_text (event->line, "event"));
  g_ascii_formatd (score, sizeof score, "%.6g", report_get_double (event->line, "score"));
  g_string_append_printf (text, ", score %s", score);
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++) {
    JsonNode *node = json_object_get_member (event->line, shown[i]);
    g_autofree gchar *value =
        node != NULL && !JSON_NODE_HOLDS_NULL (node) ? report_describe_member (node) : NULL;

    if (value == NULL)
      continue;
    g_string_append_printf (text, ", %s ", shown[i]);
    append_cue_text (text, value);
  }
  g_string_append_c (text, '\n');
}

static void
finish_cues (ReportOutput *self, Report *report, gboolean partial)
{
  g_autoptr (GArray) events = report_events_list (report_get_events (report));
  g_autoptr (GString) text = g_string_new ("WEBVTT\n");

  if (partial)
    g_string_append (text, "\nNOTE The video was not analysed to its end.\n");
  for (guint i = 0; i < events->len; i++)
    append_cue (text, i + 1, &g_array_index (events, ReportEvent, i), report_get_end (report));
  report_file_print (self->file, text);
}

ReportOutput *
report_cues_output_new (const gchar *path, GError **error)
{
  return output_new (path, finish_cues, error);
}
