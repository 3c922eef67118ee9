/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "page.h"
#include "../model/page-text.h"

#include <math.h>
#include <string.h>

#include <gio/gio.h>

static void
append_points (GString *page, const ReportOverview *overview)
{
  const guint n = overview->n_points;
  g_autofree guint32 *times = g_new0 (guint32, MAX (n, 1));
  g_autofree guint8 *levels = g_new0 (guint8, MAX (n, 1) * REPORT_N_LEVELS);
  g_autofree guint16 *motion = g_new0 (guint16, 2 * MAX (n, 1));

  for (guint i = 0; i < n; i++) {
    const ReportPoint *point = &overview->points[i];

    times[i] = GUINT32_TO_LE ((guint32) MIN (point->time / GST_MSECOND, G_MAXUINT32));
    for (guint k = 0; k < REPORT_N_LEVELS; k++)
      levels[k * n + i] = point->levels[k];
    motion[i] = GUINT16_TO_LE (point->emd);
    motion[n + i] = GUINT16_TO_LE (point->mad);
  }
  g_string_append_printf (page, ",\"n\":%u,\"stride\":%u,\"frames\":%u,\"hasEmd\":%s,\"hasMad\":%s",
      n, overview->stride, overview->n_frames, overview->has_emd ? "true" : "false",
      overview->has_mad ? "true" : "false");
  report_append_base64 (page, ",\"time\":\"", times, n * sizeof times[0]);
  report_append_base64 (page, ",\"luma\":\"", levels, (gsize) n * REPORT_N_LEVELS);
  report_append_base64 (page, ",\"motion\":\"", motion, 2 * (gsize) n * sizeof motion[0]);
}

/* The largest and the mean light of each point. The build refuses big-endian processors. */
static void
append_light (GString *page, const ReportOverview *overview)
{
  const guint n = overview->n_points;
  g_autofree gfloat *levels = g_new (gfloat, 2 * MAX (n, 1));

  if (!overview->has_light)
    return;
  for (guint i = 0; i < n; i++) {
    levels[i] = overview->points[i].light_max;
    levels[n + i] = overview->points[i].light_mean;
  }
  report_append_base64 (page, ",\"light\":\"", levels, 2 * (gsize) n * sizeof levels[0]);
}

/* A column without frames repeats the previous one: the video has fewer frames than the map has
 * columns. */
static void
append_heat (GString *page, const ReportOverview *overview)
{
  g_autofree guint8 *levels = g_new0 (guint8, MAX (overview->n_columns, 1) * REPORT_HEAT_BINS);

  for (guint i = 0; i < overview->n_columns; i++) {
    const ReportColumn *column = &overview->columns[i];
    guint8 *target = levels + i * REPORT_HEAT_BINS;

    for (guint k = 0; k < REPORT_HEAT_BINS && column->n_frames > 0; k++)
      target[k] =
          (guint8) MIN (255.0, 510.0 * sqrt ((gdouble) column->shares[k] / column->n_frames));
    if (column->n_frames == 0 && i > 0)
      memcpy (target, target - REPORT_HEAT_BINS, REPORT_HEAT_BINS);
  }
  g_string_append_printf (
      page, ",\"heatColumns\":%u,\"heatBins\":%u", overview->n_columns, REPORT_HEAT_BINS);
  report_append_seconds (page, ",\"heatBegin\":", overview->begin);
  report_append_seconds (
      page, ",\"heatEnd\":", overview->begin + overview->n_columns * overview->column_ns);
  report_append_base64 (
      page, ",\"heat\":\"", levels, (gsize) overview->n_columns * REPORT_HEAT_BINS);
}

/* A text of such a line may have what would end the script of the page. */
static void
append_sounds (GString *page, const GPtrArray *sounds)
{
  g_string_append (page, ",\"sound\":[");
  for (guint i = 0; i < sounds->len; i++) {
    g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
    g_autoptr (GString) text = NULL;
    g_autofree gchar *line = NULL;

    json_node_set_object (node, g_ptr_array_index (sounds, i));
    line = json_to_string (node, FALSE);
    text = g_string_new (line);
    g_string_replace (text, "<", "\\u003c", 0);
    g_string_append_printf (page, "%s%s", i > 0 ? ",\n" : "", text->str);
  }
  g_string_append_c (page, ']');
}

static void
append_data (GString *page, Report *report, gboolean partial)
{
  const ReportOverview *overview = report_get_overview (report);
  guint width, height;
  const gchar *format = report_get_format (report, &width, &height);
  const GstClockTime end = report_get_end (report);

  report_append_text (page, "{\"title\":", report_get_name (report));
  g_string_append_printf (page, ",\"partial\":%s,\"width\":%u,\"height\":%u",
      partial ? "true" : "false", width, height);
  report_append_text (page, ",\"format\":", format != NULL ? format : "");
  report_append_seconds (page, ",\"begin\":", report_get_begin (report));
  report_append_seconds (page, ",\"end\":", end);
  append_points (page, overview);
  append_light (page, overview);
  append_heat (page, overview);
  report_events_append (report_get_events (report), page, end);
  append_sounds (page, report_get_sounds (report));
  g_string_append (page, ",\"strip\":[");
  for (guint i = 0; i < overview->pictures->len; i++) {
    const ReportStripPicture *picture = &g_array_index (overview->pictures, ReportStripPicture, i);

    report_append_seconds (page, i > 0 ? ",\n{\"t\":" : "{\"t\":", picture->time);
    report_append_picture (page, picture->jpeg);
    g_string_append_c (page, '}');
  }
  g_string_append (page, "]}");
}

GString *
report_to_html (Report *report, gboolean partial)
{
  static const gchar place[] = "@DATA@";
  g_autoptr (GBytes) template =
      g_resources_lookup_data ("/gst-gles-report/page.html", G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  const gchar *text, *at;
  GString *page;

  g_assert (template != NULL); /* it is part of the program */
  text = g_bytes_get_data (template, NULL);
  at = g_strstr_len (text, (gssize) g_bytes_get_size (template), place);
  g_assert (at != NULL);
  page = g_string_new_len (text, at - text);
  append_data (page, report, partial);
  at += strlen (place);
  g_string_append_len (page, at, (gssize) (text + g_bytes_get_size (template) - at));
  return page;
}

static void
finish_page (ReportOutput *self, Report *report, gboolean partial)
{
  g_autoptr (GString) page = report_to_html (report, partial);

  report_file_print (self->file, page);
}

ReportOutput *
report_page_output_new (const gchar *path, GError **error)
{
  ReportOutput *output = report_output_new (path, error);

  if (output != NULL)
    output->finish = finish_page;
  return output;
}
