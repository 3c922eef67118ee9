/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Its size is bounded for videos of any length. When there are enough points or columns of the heat
 * map, pairs of them are merged; when the strip is full, every second picture is dropped. */
#include "overview.h"

#include <string.h>

#define MAX_POINTS 60000
#define MAX_COLUMNS 2048
#define FIRST_COLUMN_NS (GST_SECOND / 60)
#define MAX_PICTURES 120
#define FIRST_PICTURE_NS (GST_SECOND / 2)

static void
picture_clear (gpointer data)
{
  g_bytes_unref (((ReportStripPicture *) data)->jpeg);
}

void
report_overview_init (ReportOverview *self)
{
  *self =
      (ReportOverview){ .stride = 1, .column_ns = FIRST_COLUMN_NS, .picture_ns = FIRST_PICTURE_NS };
  self->points = g_new (ReportPoint, MAX_POINTS);
  self->columns = g_new0 (ReportColumn, MAX_COLUMNS);
  self->pictures = g_array_new (FALSE, FALSE, sizeof (ReportStripPicture));
  g_array_set_clear_func (self->pictures, picture_clear);
}

void
report_overview_clear (ReportOverview *self)
{
  g_free (self->points);
  g_free (self->columns);
  g_array_unref (self->pictures);
}

/* ---- frames ---- */

static void
merge_columns (ReportOverview *self)
{
  for (guint i = 0; i < MAX_COLUMNS / 2; i++) {
    ReportColumn *a = &self->columns[2 * i], *b = a + 1;

    for (guint k = 0; k < REPORT_HEAT_BINS; k++)
      a->shares[k] += b->shares[k];
    a->n_frames += b->n_frames;
    self->columns[i] = *a;
  }
  memset (self->columns + MAX_COLUMNS / 2, 0, MAX_COLUMNS / 2 * sizeof (ReportColumn));
  self->n_columns = MAX_COLUMNS / 2;
  self->column_ns *= 2;
}

static void
add_counts (ReportOverview *self, GstClockTime time, const guint32 *counts, guint n)
{
  gdouble total = 0.0;
  ReportColumn *column;

  time -= MIN (time, self->begin);
  while (time / self->column_ns >= MAX_COLUMNS)
    merge_columns (self);
  column = &self->columns[time / self->column_ns];
  self->n_columns = MAX (self->n_columns, (guint) (time / self->column_ns) + 1);
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
merge_points (ReportOverview *self)
{
  for (guint i = 0; i < MAX_POINTS / 2; i++) {
    const ReportPoint *a = &self->points[2 * i], *b = a + 1;
    ReportPoint merged = *a;

    merged.emd = MAX (a->emd, b->emd);
    merged.mad = MAX (a->mad, b->mad);
    merged.light_max = MAX (a->light_max, b->light_max);
    merged.light_mean = MAX (a->light_mean, b->light_mean);
    self->points[i] = merged;
  }
  self->n_points = MAX_POINTS / 2;
  self->stride *= 2;
}

/* Adds @point, which is about one frame. */
static void
add_point (ReportOverview *self, const ReportPoint *point)
{
  ReportPoint *last;

  if (self->n_frames++ % self->stride == 0) {
    if (self->n_points == MAX_POINTS)
      merge_points (self);
    self->points[self->n_points++] = *point;
  } else {
    last = &self->points[self->n_points - 1];
    last->emd = MAX (last->emd, point->emd);
    last->mad = MAX (last->mad, point->mad);
    last->light_max = MAX (last->light_max, point->light_max);
    last->light_mean = MAX (last->light_mean, point->light_mean);
  }
}

void
report_overview_add (ReportOverview *self, const ReportResults *results)
{
  const ReportChannel *channel = &results->channels[0];
  const GstGlesHistogramStatistics *s = &channel->statistics;
  /* how many code values of this channel make one of 8 bits */
  const gdouble scale = channel->depth > 0 ? (gdouble) (1u << channel->depth) / 256.0 : 1.0;
  const ReportPoint frame = { .time = results->time,
    .levels = { level (s->p1 / scale), level (s->p5 / scale), level (s->p10 / scale),
        level (s->p50 / scale), level (s->p90 / scale), level (s->p95 / scale),
        level (s->p99 / scale), level (s->mean / scale) },
    .light_max = (gfloat) results->light.max,
    .light_mean = (gfloat) results->light.mean,
    .emd = fixed (s->emd / scale),
    .mad = fixed (s->mad / scale) };

  if (self->n_points == 0)
    self->begin = frame.time;
  add_point (self, &frame);
  self->has_emd = self->has_emd || channel->has_emd;
  self->has_mad = self->has_mad || channel->has_mad;
  self->has_light = self->has_light || results->has_light;
  self->end = MAX (self->end,
      frame.time + (GST_CLOCK_TIME_IS_VALID (results->duration) ? results->duration : 0));
  if (channel->counts != NULL && channel->n_counts > 0)
    add_counts (self, frame.time, channel->counts, channel->n_counts);
}

/* ---- pictures ---- */

gboolean
report_overview_wants_picture (const ReportOverview *self, GstClockTime time)
{
  return time >= self->next_picture;
}

void
report_overview_add_picture (ReportOverview *self, GstClockTime time, GBytes *jpeg)
{
  const ReportStripPicture picture = { time, g_bytes_ref (jpeg) };

  g_array_append_val (self->pictures, picture);
  if (self->pictures->len > MAX_PICTURES) {
    for (guint i = self->pictures->len; i > 0; i--) {
      if (i % 2 == 0)
        g_array_remove_index (self->pictures, i - 1);
    }
    self->picture_ns *= 2;
  }
  self->next_picture = time + self->picture_ns;
}
