/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "frame-compact-cases.h"

const gchar *
frame_job_describe (const FrameJob *job)
{
  static gchar text[256];
  const FrameSize *s = &job->size;

  g_snprintf (text, sizeof (text),
      "%s%s %ux%u region %u,%u %ux%u crop %u,%u %ux%u predicate %d%s channel %d from %u to %u, at "
      "most %u",
      gst_video_format_to_string (job->format), job->placement == UNALIGNED ? " unaligned" : "",
      s->width, s->height, s->x, s->y, s->region_width, s->region_height, s->crop_x, s->crop_y,
      s->crop_width, s->crop_height, job->config.predicate,
      job->config.background ? " of a background" : "", job->config.channel, job->lower, job->upper,
      job->max_points);
  return text;
}

void
frame_job_call (const FrameJob *job, const GstGlesImage *host, GstGlesFrameCompactCall *call)
{
  const FrameSize *s = &job->size;

  *call = (GstGlesFrameCompactCall){ host->crop_x + s->x, host->crop_y + s->y, s->region_width,
    s->region_height, job->lower, job->upper, job->max_points, job->adaptation };
  if (call->width == 0) {
    call->width = host->crop_width;
    call->height = host->crop_height;
  }
}

guint32 *
frame_job_load (const GstGlesImage *host, gint channel)
{
  gboolean luma = channel < 0 && host->luma == GST_GLES_LUMA_MATRIX;
  const GstGlesComponent *c = &host->components[MAX (channel, 0)];
  guint32 *values = g_new (guint32, (gsize) c->width * c->height);

  for (guint y = 0; y < c->height; y++) {
    for (guint x = 0; x < c->width; x++)
      values[(gsize) y * c->width + x] =
          luma ? picture_load_luma (host, x, y) : picture_load (host, MAX (channel, 0), x, y);
  }
  return values;
}

void
frame_reference_update (
    FrameReference *reference, const GstGlesImage *host, const FrameJob *job, const guint32 *values)
{
  const GstGlesComponent *c = &host->components[MAX (job->config.channel, 0)];
  const gsize n = (gsize) c->width * c->height;
  const guint64 weight =
      job->adaptation > 3 ? (3 * 65536 + job->adaptation / 2) / job->adaptation : 65536;
  const gboolean first = reference->values == NULL;

  if (first) {
    reference->values = g_new (guint32, n);
    reference->averages = g_new (guint64, n);
  }
  for (gsize i = 0; i < n; i++) {
    guint64 *average = &reference->averages[i], value = (guint64) values[i] * 65536;

    if (first || !job->config.background)
      *average = value;
    else if (value > *average)
      *average += (value - *average) * weight / 65536;
    else
      *average -= (*average - value) * weight / 65536;
    reference->values[i] = (guint32) ((*average + 32768) / 65536);
  }
}

void
frame_reference_clear (FrameReference *reference)
{
  g_clear_pointer (&reference->values, g_free);
  g_clear_pointer (&reference->averages, g_free);
}

/* Returns the sample nearest to @at along one axis, within the visible picture. */
static guint
visible (gint64 at, guint n, guint sub, guint crop, guint crop_size)
{
  guint first = 0, last = n - 1;

  while (first < n - 1 && first << sub < crop)
    first++;
  while (last > first && last << sub >= crop + crop_size)
    last--;
  return (guint) CLAMP (at, (gint64) first, (gint64) last);
}

static guint32
edge_value (
    const GstGlesImage *host, const GstGlesComponent *c, const guint32 *values, guint x, guint y)
{
  static const gint weights[3] = { 1, 2, 1 };
  gint v[3][3], gx = 0, gy = 0;

  for (gint j = 0; j < 3; j++) {
    guint row = visible ((gint64) y + j - 1, c->height, c->sub_y, host->crop_y, host->crop_height);

    for (gint i = 0; i < 3; i++) {
      guint at = visible ((gint64) x + i - 1, c->width, c->sub_x, host->crop_x, host->crop_width);
      v[j][i] = (gint) values[(gsize) row * c->width + at];
    }
  }
  for (gint i = 0; i < 3; i++) {
    gx += weights[i] * (v[i][2] - v[i][0]);
    gy += weights[i] * (v[2][i] - v[0][i]);
  }
  return (guint32) (ABS (gx) + ABS (gy));
}

GArray *
frame_job_expect (const GstGlesImage *host, const FrameJob *job,
    const GstGlesFrameCompactCall *call, const guint32 *values, const guint32 *before)
{
  const GstGlesComponent *c = &host->components[MAX (job->config.channel, 0)];
  GArray *points = g_array_new (FALSE, FALSE, sizeof (FramePoint));

  for (guint y = 0; y < c->height; y++) {
    for (guint x = 0; x < c->width; x++) {
      guint at_x = x << c->sub_x, at_y = y << c->sub_y;
      guint32 value = values[(gsize) y * c->width + x];
      FramePoint point;

      if (at_x < call->x || at_x - call->x >= call->width || at_y < call->y ||
          at_y - call->y >= call->height)
        continue;
      if (job->config.predicate == GST_GLES_POINTS_MOTION) {
        guint32 earlier = before != NULL ? before[(gsize) y * c->width + x] : 0;
        if (before == NULL)
          continue;
        value = MAX (value, earlier) - MIN (value, earlier);
      } else if (job->config.predicate == GST_GLES_POINTS_EDGE) {
        value = edge_value (host, c, values, x, y);
      }
      if (value < call->lower || value > call->upper)
        continue;
      point =
          (FramePoint){ (guint16) (at_x - host->crop_x), (guint16) (at_y - host->crop_y), value };
      g_array_append_val (points, point);
    }
  }
  return points;
}
