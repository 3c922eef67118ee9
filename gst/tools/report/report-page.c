/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The size of the page and of what it is made of is bounded for videos of any length. When there
 * are enough points or columns of the heat map, pairs of them are merged; when the strip is full,
 * every second picture is dropped. */
#include "outputs.h"

#include <math.h>
#include <string.h>

#include <gio/gio.h>

#define MAX_POINTS 60000
#define MAX_COLUMNS 2048
#define FIRST_COLUMN_NS (GST_SECOND / 60)
#define MAX_PICTURES 120
#define FIRST_PICTURE_NS (GST_SECOND / 2)

/* Frames in a row as the page has them: time and levels of the first, the largest changes of
 * all. */
typedef struct {
  GstClockTime time;              /* in stream time */
  guint8 levels[REPORT_N_LEVELS]; /* code values of 8 bits */
  guint16 emd, mad;               /* 256 times code values of 8 bits */
} Point;

typedef struct {
  gfloat shares[REPORT_HEAT_BINS];
  guint n_frames;
} Column;

typedef struct {
  GstClockTime time;
  GBytes *jpeg;
} Picture;

struct _Report {
  gchar *title, *format;
  GstClockTime start, stop; /* what is wanted; NONE is no limit */
  guint width, height;
  ReportTimes *times;     /* of all frames, in stream time */
  Point *points;          /* MAX_POINTS */
  guint n_points, stride; /* frames of a point; the last may have less */
  gboolean has_emd, has_mad;
  GstClockTime begin, end; /* of the frames */
  Column *columns;         /* MAX_COLUMNS */
  guint n_columns;
  GstClockTime column_ns;
  GArray *pictures; /* of Picture */
  GstClockTime picture_ns, next_picture;
  ReportEvents *events;
  GPtrArray *outputs; /* of ReportOutput */
};

static void
picture_clear (gpointer data)
{
  g_bytes_unref (((Picture *) data)->jpeg);
}

Report *
report_new (const gchar *title)
{
  Report *report = g_new0 (Report, 1);

  report->title = g_strdup (title);
  report->start = report->stop = GST_CLOCK_TIME_NONE;
  report->times = report_times_new ();
  report->points = g_new (Point, MAX_POINTS);
  report->stride = 1;
  report->columns = g_new0 (Column, MAX_COLUMNS);
  report->column_ns = FIRST_COLUMN_NS;
  report->pictures = g_array_new (FALSE, FALSE, sizeof (Picture));
  g_array_set_clear_func (report->pictures, picture_clear);
  report->picture_ns = FIRST_PICTURE_NS;
  report->events = report_events_new ();
  report->outputs = g_ptr_array_new_with_free_func (report_output_free);
  return report;
}

void
report_free (Report *report)
{
  g_free (report->title);
  g_free (report->format);
  report_times_free (report->times);
  g_free (report->points);
  g_free (report->columns);
  g_array_unref (report->pictures);
  report_events_free (report->events);
  g_ptr_array_unref (report->outputs);
  g_free (report);
}

void
report_set_range (Report *report, GstClockTime start, GstClockTime stop)
{
  report->start = start;
  report->stop = stop;
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

GPtrArray *
report_get_outputs (Report *report)
{
  return report->outputs;
}

GstClockTime
report_get_begin (Report *report)
{
  GstClockTime begin, end;

  report_events_get_range (report->events, &begin, &end);
  if (report->n_points > 0)
    begin = MIN (begin, report->begin);
  return GST_CLOCK_TIME_IS_VALID (begin) ? begin : 0;
}

GstClockTime
report_get_end (Report *report)
{
  GstClockTime begin, end;

  report_events_get_range (report->events, &begin, &end);
  return MAX (end, report->end);
}

ReportEvents *
report_get_events (Report *report)
{
  return report->events;
}

/* ---- frames ---- */

static void
merge_columns (Report *report)
{
  for (guint i = 0; i < MAX_COLUMNS / 2; i++) {
    Column *a = &report->columns[2 * i], *b = a + 1;

    for (guint k = 0; k < REPORT_HEAT_BINS; k++)
      a->shares[k] += b->shares[k];
    a->n_frames += b->n_frames;
    report->columns[i] = *a;
  }
  memset (report->columns + MAX_COLUMNS / 2, 0, MAX_COLUMNS / 2 * sizeof (Column));
  report->n_columns = MAX_COLUMNS / 2;
  report->column_ns *= 2;
}

static void
add_counts (Report *report, GstClockTime time, const guint32 *counts, guint n)
{
  gdouble total = 0.0;
  Column *column;

  time -= MIN (time, report->begin);
  while (time / report->column_ns >= MAX_COLUMNS)
    merge_columns (report);
  column = &report->columns[time / report->column_ns];
  report->n_columns = MAX (report->n_columns, (guint) (time / report->column_ns) + 1);
  for (guint i = 0; i < n; i++)
    total += counts[i];
  for (guint i = 0; i < n && total > 0.0; i++)
    column->shares[(guint64) i * REPORT_HEAT_BINS / n] += (gfloat) (counts[i] / total);
  column->n_frames++;
}

static guint8
level (gdouble value)
{
  return (guint8) CLAMP (value + 0.5, 0.0, 255.0);
}

static guint16
fixed (gdouble value)
{
  return (guint16) CLAMP (value * 256.0 + 0.5, 0.0, G_MAXUINT16);
}

static void
merge_points (Report *report)
{
  for (guint i = 0; i < MAX_POINTS / 2; i++) {
    const Point *a = &report->points[2 * i], *b = a + 1;
    Point merged = *a;

    merged.emd = MAX (a->emd, b->emd);
    merged.mad = MAX (a->mad, b->mad);
    report->points[i] = merged;
  }
  report->n_points = MAX_POINTS / 2;
  report->stride *= 2;
}

/* @point is of one frame. */
static void
add_point (Report *report, const Point *point)
{
  Point *last;

  if (report_times_get_n (report->times) % report->stride == 0) {
    if (report->n_points == MAX_POINTS)
      merge_points (report);
    report->points[report->n_points++] = *point;
  } else {
    last = &report->points[report->n_points - 1];
    last->emd = MAX (last->emd, point->emd);
    last->mad = MAX (last->mad, point->mad);
  }
  report_times_add (report->times, point->time);
}

void
report_add_frame (Report *report, const ReportResults *results)
{
  const ReportChannel *channel = &results->channels[0];
  const GstGlesHistogramStatistics *s = &channel->statistics;
  /* code values of this channel for one of 8 bits */
  const gdouble scale = channel->depth > 0 ? (gdouble) (1u << channel->depth) / 256.0 : 1.0;
  const Point frame = { .time = results->time,
    .levels = { level (s->p1 / scale), level (s->p5 / scale), level (s->p10 / scale),
        level (s->p50 / scale), level (s->p90 / scale), level (s->p95 / scale),
        level (s->p99 / scale), level (s->mean / scale) },
    .emd = fixed (s->emd / scale),
    .mad = fixed (s->mad / scale) };

  if (report->n_points == 0)
    report->begin = frame.time;
  add_point (report, &frame);
  report->has_emd = report->has_emd || channel->has_emd;
  report->has_mad = report->has_mad || channel->has_mad;
  report->end = MAX (report->end,
      frame.time + (GST_CLOCK_TIME_IS_VALID (results->duration) ? results->duration : 0));
  if (channel->counts != NULL && channel->n_counts > 0)
    add_counts (report, frame.time, channel->counts, channel->n_counts);
}

/* ---- events ---- */

void
report_add_event (Report *report, JsonObject *line, GstClockTime time)
{
  report_events_add (report->events, line, time);
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

/* ---- pictures ---- */

gboolean
report_wants_picture (Report *report, GstClockTime time)
{
  return time >= report->next_picture;
}

void
report_add_picture (Report *report, GstClockTime time, GBytes *jpeg)
{
  const Picture picture = { time, g_bytes_ref (jpeg) };

  g_array_append_val (report->pictures, picture);
  if (report->pictures->len > MAX_PICTURES) {
    for (guint i = report->pictures->len; i > 0; i--) {
      if (i % 2 == 0)
        g_array_remove_index (report->pictures, i - 1);
    }
    report->picture_ns *= 2;
  }
  report->next_picture = time + report->picture_ns;
}

/* ---- the page ---- */

void
report_append_text (GString *page, const gchar *before, const gchar *text)
{
  g_autofree gchar *valid = g_utf8_make_valid (text, -1);

  g_string_append_printf (page, "%s\"", before);
  for (const gchar *c = valid; *c != '\0'; c++) {
    /* "<" is escaped because "</script>" would end the data */
    if (*c == '"' || *c == '\\' || *c == '<' || (guchar) *c < 0x20)
      g_string_append_printf (page, "\\u%04x", (guchar) *c);
    else
      g_string_append_c (page, *c);
  }
  g_string_append_c (page, '"');
}

/* @before includes the quotation mark. */
static void
append_base64 (GString *page, const gchar *before, gconstpointer data, gsize size)
{
  g_autofree gchar *text = g_base64_encode (data, size);

  g_string_append_printf (page, "%s%s\"", before, text);
}

void
report_append_seconds (GString *page, const gchar *before, GstClockTime time)
{
  g_string_append_printf (page, "%s%" G_GUINT64_FORMAT ".%03u", before, time / GST_SECOND,
      (guint) (time % GST_SECOND / GST_MSECOND));
}

void
report_append_picture (GString *page, GBytes *jpeg)
{
  append_base64 (page, ",\"src\":\"data:image/jpeg;base64,", g_bytes_get_data (jpeg, NULL),
      g_bytes_get_size (jpeg));
}

static void
append_points (GString *page, const Report *report)
{
  const guint n = report->n_points;
  g_autofree guint32 *times = g_new0 (guint32, MAX (n, 1));
  g_autofree guint8 *levels = g_new0 (guint8, MAX (n, 1) * REPORT_N_LEVELS);
  g_autofree guint16 *motion = g_new0 (guint16, 2 * MAX (n, 1));

  for (guint i = 0; i < n; i++) {
    const Point *point = &report->points[i];

    times[i] = GUINT32_TO_LE ((guint32) MIN (point->time / GST_MSECOND, G_MAXUINT32));
    for (guint k = 0; k < REPORT_N_LEVELS; k++)
      levels[k * n + i] = point->levels[k];
    motion[i] = GUINT16_TO_LE (point->emd);
    motion[n + i] = GUINT16_TO_LE (point->mad);
  }
  g_string_append_printf (page, ",\"n\":%u,\"stride\":%u,\"frames\":%u,\"hasEmd\":%s,\"hasMad\":%s",
      n, report->stride, report_times_get_n (report->times), report->has_emd ? "true" : "false",
      report->has_mad ? "true" : "false");
  append_base64 (page, ",\"time\":\"", times, n * sizeof times[0]);
  append_base64 (page, ",\"luma\":\"", levels, (gsize) n * REPORT_N_LEVELS);
  append_base64 (page, ",\"motion\":\"", motion, 2 * (gsize) n * sizeof motion[0]);
}

/* A column without frames repeats the previous one: the video has fewer frames than the map has
 * columns. */
static void
append_heat (GString *page, const Report *report)
{
  g_autofree guint8 *levels = g_new0 (guint8, MAX (report->n_columns, 1) * REPORT_HEAT_BINS);

  for (guint i = 0; i < report->n_columns; i++) {
    const Column *column = &report->columns[i];
    guint8 *target = levels + i * REPORT_HEAT_BINS;

    for (guint k = 0; k < REPORT_HEAT_BINS && column->n_frames > 0; k++)
      target[k] =
          (guint8) MIN (255.0, 510.0 * sqrt ((gdouble) column->shares[k] / column->n_frames));
    if (column->n_frames == 0 && i > 0)
      memcpy (target, target - REPORT_HEAT_BINS, REPORT_HEAT_BINS);
  }
  g_string_append_printf (
      page, ",\"heatColumns\":%u,\"heatBins\":%u", report->n_columns, REPORT_HEAT_BINS);
  report_append_seconds (page, ",\"heatBegin\":", report->begin);
  report_append_seconds (
      page, ",\"heatEnd\":", report->begin + report->n_columns * report->column_ns);
  append_base64 (page, ",\"heat\":\"", levels, (gsize) report->n_columns * REPORT_HEAT_BINS);
}

static void
append_data (GString *page, Report *report, gboolean partial)
{
  const GstClockTime end = report_get_end (report);

  report_append_text (page, "{\"title\":", report->title);
  g_string_append_printf (page, ",\"partial\":%s,\"width\":%u,\"height\":%u",
      partial ? "true" : "false", report->width, report->height);
  report_append_text (page, ",\"format\":", report->format != NULL ? report->format : "");
  report_append_seconds (page, ",\"begin\":", report_get_begin (report));
  report_append_seconds (page, ",\"end\":", end);
  append_points (page, report);
  append_heat (page, report);
  report_events_append (report->events, page, end);
  g_string_append (page, ",\"strip\":[");
  for (guint i = 0; i < report->pictures->len; i++) {
    const Picture *picture = &g_array_index (report->pictures, Picture, i);

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
