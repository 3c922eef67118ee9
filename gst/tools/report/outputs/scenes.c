/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The list of scenes that PySceneDetect writes (`list-scenes`), and programs built upon it read:
 * the starts of all scenes but the first, then a row for each. A scene begins at a cut, in the
 * middle of a dissolve, or where a fade from a plain picture begins. */
#include "scenes.h"
#include "../model/members.h"
#include "../model/page-text.h"
#include "../model/report.h"
#include "row.h"

#include <string.h>

typedef struct {
  ReportOutput parent;
  guint64 number; /* of the first frame, as events count them */
  guint64 n_frames;
} Scenes;

static void
count_frame (ReportOutput *output, const ReportResults *results)
{
  Scenes *scenes = (Scenes *) output;

  if (scenes->n_frames++ == 0)
    scenes->number = results->number;
}

/* Returns whether a scene begins at or in @event. */
static gboolean
find_boundary (guint64 number, const ReportEvent *event, ReportScene *boundary)
{
  const gchar *kind = report_get_text (event->line, "event");
  const gchar *transition = report_get_text (event->line, "transition");
  const gint64 first = MAX (report_get_int (event->line, "frame", G_MAXINT64), 0);
  const gint64 last = MAX (report_get_int (event->line, "end_frame", G_MAXINT64), first);
  const gboolean middle = strcmp (kind, "transition") == 0 &&
      GST_CLOCK_TIME_IS_VALID (event->end) && g_strcmp0 (transition, "fade-in") != 0;

  if ((strcmp (kind, "cut") != 0 && strcmp (kind, "transition") != 0) ||
      g_strcmp0 (transition, "fade-out") == 0)
    return FALSE;
  boundary->frame = (guint64) (middle ? first + (last - first) / 2 : first);
  boundary->time = middle ? event->start + (event->end - event->start) / 2 : event->start;
  boundary->frame -= MIN (boundary->frame, number);
  return TRUE;
}

GArray *
report_find_scenes (Report *report, guint64 number, guint64 n_frames)
{
  g_autoptr (GArray) events = report_events_list (report_get_events (report));
  GArray *found = g_array_new (FALSE, FALSE, sizeof (ReportScene));
  ReportScene last = { 0, report_get_begin (report) }, boundary;

  if (n_frames == 0)
    return found;
  g_array_append_val (found, last);
  for (guint i = 0; i < events->len; i++) {
    if (!find_boundary (number, &g_array_index (events, ReportEvent, i), &boundary) ||
        boundary.frame <= last.frame || boundary.frame >= n_frames)
      continue;
    last = boundary;
    g_array_append_val (found, last);
  }
  last = (ReportScene){ n_frames, MAX (report_get_end (report), last.time) };
  g_array_append_val (found, last);
  return found;
}

static void
append_place (GString *row, guint64 frame, GstClockTime time)
{
  g_string_append_printf (row, ",%" G_GUINT64_FORMAT ",", frame);
  report_append_timecode (row, time);
  time += GST_MSECOND / 2;
  report_append_seconds (row, ",", time);
}

static void
finish (ReportOutput *output, Report *report, gboolean partial)
{
  const Scenes *scenes = (Scenes *) output;
  g_autoptr (GArray) starts = report_find_scenes (report, scenes->number, scenes->n_frames);
  g_autoptr (GString) row = g_string_new ("Timecode List:");

  for (guint i = 1; i + 1 < starts->len; i++) {
    g_string_append_c (row, ',');
    report_append_timecode (row, g_array_index (starts, ReportScene, i).time);
  }
  g_string_append (row,
      "\nScene Number,Start Frame,Start Timecode,Start Time (seconds),End Frame,End Timecode,"
      "End Time (seconds),Length (frames),Length (timecode),Length (seconds)\n");
  for (guint i = 0; i + 1 < starts->len; i++) {
    const ReportScene *start = &g_array_index (starts, ReportScene, i), *end = start + 1;

    g_string_append_printf (row, "%u", i + 1);
    append_place (row, start->frame + 1, start->time);
    append_place (row, end->frame, end->time);
    append_place (row, end->frame - start->frame, end->time - start->time);
    g_string_append_c (row, '\n');
  }
  report_file_print (output->file, row);
}

ReportOutput *
report_scenes_output_new (const gchar *path, GError **error)
{
  ReportFile *file = report_file_open (path, FALSE, error);
  Scenes *scenes;

  if (file == NULL)
    return NULL;
  scenes = g_new0 (Scenes, 1);
  scenes->parent = (ReportOutput){ .file = file, .add_results = count_frame, .finish = finish };
  return &scenes->parent;
}
