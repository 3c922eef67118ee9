/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of frames: FFmpeg's measures by their names, then the
 * statistics of each channel as glesjson calls them. The first frame chooses the columns. */
#include "table.h"
#include "measures.h"
#include "row.h"

#include <math.h>
#include <string.h>

typedef struct {
  ReportOutput parent;
  gboolean shown[REPORT_N_MEASURES];
  gboolean shows_light;
  gchar *channels[REPORT_MAX_CHANNELS + 1]; /* their names, as the output's columns have them */
} Table;

/* ---- frames ---- */

static const gchar *const statistics[] = { "min", "max", "mean", "stddev", "entropy", "p1", "p5",
  "p10", "p50", "p90", "p95", "p99", "difference", "emd", "mad" };

static void
append_statistics (GString *row, const ReportChannel *channel)
{
  const GstGlesHistogramStatistics *s = &channel->statistics;
  const gdouble values[] = { s->min, s->max, s->mean, s->stddev, s->entropy, s->p1, s->p5, s->p10,
    s->p50, s->p90, s->p95, s->p99, s->difference, channel->has_emd ? s->emd : NAN,
    channel->has_mad ? s->mad : NAN };

  G_STATIC_ASSERT (G_N_ELEMENTS (values) == G_N_ELEMENTS (statistics));
  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    if (isfinite (values[i]))
      report_append_number (row, values[i]);
    else
      report_append_field (row, NULL);
  }
}

/* @results: (nullable): of the first frame. Measures of components are always there, others if they
 * are known. */
static void
begin_table (Table *table, const ReportResults *results, const ReportMeasure *measures)
{
  static const gchar *const own[] = { "frame", "pts", "time", "duration", "width", "height",
    "format", "stored_format" };
  g_autoptr (GString) row = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    report_append_field (row, own[i]);
  for (guint i = 0; i < REPORT_N_MEASURES; i++) {
    const gchar *channel = measures[i].channel;

    table->shown[i] = (channel != NULL && strlen (channel) == 1) || measures[i].shown;
    if (table->shown[i])
      report_append_field (row, measures[i].name);
  }
  table->shows_light = results != NULL && results->has_light;
  if (table->shows_light) {
    report_append_field (row, "light_max");
    report_append_field (row, "light_mean");
  }
  for (guint i = 0; results != NULL && i < results->n_channels; i++) {
    const gchar *name = results->channels[i].name;

    table->channels[i] = g_strdup (name != NULL ? name : "");
    for (guint k = 0; k < G_N_ELEMENTS (statistics); k++) {
      g_autofree gchar *column = g_strconcat (table->channels[i], ".", statistics[k], NULL);

      report_append_field (row, column);
    }
  }
  report_end_row (row);
  report_file_print (table->parent.file, row);
}

static void
append_channels (GString *row, const Table *table, const ReportResults *results)
{
  for (guint i = 0; table->channels[i] != NULL; i++) {
    const ReportChannel *channel = report_find_channel (results, table->channels[i]);

    if (channel != NULL)
      append_statistics (row, channel);
    for (guint k = 0; channel == NULL && k < G_N_ELEMENTS (statistics); k++)
      report_append_field (row, NULL);
  }
}

static void
add_row (ReportOutput *output, const ReportResults *results)
{
  Table *table = (Table *) output;
  g_autoptr (GString) row = g_string_new (NULL);
  ReportMeasure measures[REPORT_N_MEASURES];

  report_get_measures (results, measures);
  if (output->n_written++ == 0)
    begin_table (table, results, measures);
  report_append_number (row, (gdouble) results->number);
  if (GST_CLOCK_TIME_IS_VALID (results->pts))
    g_string_append_printf (row, ",%" G_GUINT64_FORMAT, results->pts);
  else
    report_append_field (row, NULL);
  report_append_time (row, results->time);
  report_append_time (row, results->duration);
  report_append_number (row, results->width);
  report_append_number (row, results->height);
  report_append_field (row, results->format);
  report_append_field (row, results->stored_format);
  for (guint i = 0; i < REPORT_N_MEASURES; i++) {
    if (table->shown[i])
      report_append_field (row, measures[i].text);
  }
  for (guint i = 0; i < 2 && table->shows_light; i++) {
    if (results->has_light)
      report_append_number (row, i == 0 ? results->light.max : results->light.mean);
    else
      report_append_field (row, NULL);
  }
  append_channels (row, table, results);
  report_end_row (row);
  report_file_print (output->file, row);
}

static void
finish_table (ReportOutput *output, Report *report, gboolean partial)
{
  Table *table = (Table *) output;
  const ReportResults nothing = { .tout = NAN, .vrep = NAN, .brng = NAN };
  ReportMeasure measures[REPORT_N_MEASURES];

  report_get_measures (&nothing, measures);
  if (output->n_written == 0)
    begin_table (table, NULL, measures);
}

static void
clear_table (ReportOutput *output)
{
  Table *table = (Table *) output;

  for (guint i = 0; i < REPORT_MAX_CHANNELS; i++)
    g_free (table->channels[i]);
}

ReportOutput *
report_table_output_new (const gchar *path, GError **error)
{
  ReportFile *file = report_file_open (path, FALSE, error);
  Table *table;

  if (file == NULL)
    return NULL;
  table = g_new0 (Table, 1);
  table->parent = (ReportOutput){
    .file = file, .add_results = add_row, .finish = finish_table, .clear = clear_table
  };
  return &table->parent;
}
