/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report.h"

struct _Report {
  gchar *title, *format;
  GstClockTime start, stop; /* what is wanted; NONE is no limit */
  guint width, height;
  ReportTimes *times; /* of all frames, in stream time */
  ReportOverview overview;
  ReportEvents *events;
  GPtrArray *sounds;  /* of JsonObject */
  GPtrArray *outputs; /* of ReportOutput */
};

Report *
report_new (const gchar *title)
{
  Report *report = g_new0 (Report, 1);

  report->title = g_strdup (title);
  report->start = report->stop = GST_CLOCK_TIME_NONE;
  report->times = report_times_new ();
  report_overview_init (&report->overview);
  report->events = report_events_new ();
  report->sounds = g_ptr_array_new_with_free_func ((GDestroyNotify) json_object_unref);
  report->outputs = g_ptr_array_new_with_free_func (report_output_free);
  return report;
}

void
report_free (Report *report)
{
  g_free (report->title);
  g_free (report->format);
  report_times_free (report->times);
  report_overview_clear (&report->overview);
  report_events_free (report->events);
  g_ptr_array_unref (report->sounds);
  g_ptr_array_unref (report->outputs);
  g_free (report);
}

void
report_set_range (Report *report, GstClockTime start, GstClockTime stop)
{
  report->start = start;
  report->stop = stop;
}

void
report_get_range (Report *report, GstClockTime *start, GstClockTime *stop)
{
  *start = report->start;
  *stop = report->stop;
}

gboolean
report_is_behind (Report *report, GstClockTime time)
{
  return GST_CLOCK_TIME_IS_VALID (report->stop) && time >= report->stop;
}

gboolean
report_covers (Report *report, GstClockTime time)
{
  return (!GST_CLOCK_TIME_IS_VALID (report->start) || time >= report->start) &&
      !report_is_behind (report, time);
}

void
report_set_format (
    Report *report, guint width, guint height, const gchar *format, const gchar *stored)
{
  report->width = width;
  report->height = height;
  g_free (report->format);
  report->format = format != NULL && stored != NULL
      ? g_strdup_printf ("%s (stored as %s)", format, stored)
      : g_strdup (format);
}

guint
report_get_n_frames (Report *report)
{
  return report_times_get_n (report->times);
}

guint
report_get_n_events (Report *report)
{
  return report_events_get_n (report->events);
}

guint
report_get_frame_at (Report *report, GstClockTime time)
{
  return report_times_find (report->times, time);
}

const gchar *
report_get_format (Report *report, guint *width, guint *height)
{
  *width = report->width;
  *height = report->height;
  return report->format;
}

const ReportOverview *
report_get_overview (Report *report)
{
  return &report->overview;
}

GstClockTime
report_get_begin (Report *report)
{
  GstClockTime begin, end;

  report_events_get_range (report->events, &begin, &end);
  if (report->overview.n_frames > 0)
    begin = MIN (begin, report->overview.begin);
  return GST_CLOCK_TIME_IS_VALID (begin) ? begin : 0;
}

GstClockTime
report_get_end (Report *report)
{
  GstClockTime begin, end;

  report_events_get_range (report->events, &begin, &end);
  return MAX (end, report->overview.end);
}

ReportEvents *
report_get_events (Report *report)
{
  return report->events;
}

const GPtrArray *
report_get_sounds (Report *report)
{
  return report->sounds;
}

/* ---- what comes ---- */

void
report_add_output (Report *report, ReportOutput *output)
{
  output->report = report;
  g_ptr_array_add (report->outputs, output);
}

void
report_add_results (Report *report, const ReportResults *results)
{
  const GPtrArray *outputs = report->outputs;

  report_overview_add (&report->overview, results);
  report_times_add (report->times, results->time);
  for (guint i = 0; i < outputs->len; i++) {
    ReportOutput *output = g_ptr_array_index (outputs, i);

    if (output->add_results != NULL)
      output->add_results (output, results);
  }
}

void
report_add_line (Report *report, const gchar *text, gsize size, gboolean is_event)
{
  const GPtrArray *outputs = report->outputs;

  for (guint i = 0; i < outputs->len; i++) {
    ReportOutput *output = g_ptr_array_index (outputs, i);

    if (output->add_line != NULL)
      output->add_line (output, text, size, is_event);
  }
}

void
report_add_event (Report *report, JsonObject *line, GstClockTime time)
{
  report_events_add (report->events, line, time);
}

void
report_add_sound (Report *report, JsonObject *line)
{
  g_ptr_array_add (report->sounds, json_object_ref (line));
}

const gchar *
report_get_name (Report *report)
{
  return report->title;
}

gboolean
report_wants_event_picture (Report *report)
{
  return report_events_want_picture (report->events);
}

void
report_add_event_picture (Report *report, GBytes *jpeg)
{
  report_events_add_picture (report->events, jpeg);
}

gboolean
report_wants_picture (Report *report, GstClockTime time)
{
  return report_overview_wants_picture (&report->overview, time);
}

void
report_add_picture (Report *report, GstClockTime time, GBytes *jpeg)
{
  report_overview_add_picture (&report->overview, time, jpeg);
}

/* ---- the end ---- */

gboolean
report_check (Report *report, GError **error)
{
  const GPtrArray *outputs = report->outputs;

  for (guint i = 0; i < outputs->len; i++) {
    if (!report_file_check (((ReportOutput *) g_ptr_array_index (outputs, i))->file, error))
      return FALSE;
  }
  return TRUE;
}

/* Adds @failure: (transfer full) (nullable), to *@all on a line of its own. */
static void
add_failure (GError **all, GError *failure)
{
  if (failure == NULL)
    return;
  if (*all != NULL)
    g_prefix_error (&failure, "%s\n", (*all)->message);
  g_clear_error (all);
  *all = failure;
}

gboolean
report_finish (Report *report, gboolean partial, GError **error)
{
  GPtrArray *outputs = report->outputs;
  GError *all = NULL;

  /* on a full disk the others may have the room of those that go */
  for (guint i = outputs->len; i > 0; i--) {
    GError *failure = NULL;

    if (!report_file_check (((ReportOutput *) g_ptr_array_index (outputs, i - 1))->file, &failure))
      g_ptr_array_remove_index (outputs, i - 1);
    add_failure (&all, failure);
  }
  for (guint i = 0; i < outputs->len; i++) {
    ReportOutput *output = g_ptr_array_index (outputs, i);
    GError *failure = NULL;

    if (output->finish != NULL)
      output->finish (output, report, partial);
    report_file_close (output->file, &failure);
    add_failure (&all, failure);
  }
  if (all != NULL)
    g_propagate_error (error, all);
  return all == NULL;
}
