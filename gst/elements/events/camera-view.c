/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "camera-view.h"

#include <math.h>

/* Sets @quantiles, between the values of bins as if those were spread evenly. */
static void
find_quantiles (gdouble quantiles[CAMERA_QUANTILES], const guint32 counts[32], guint32 n)
{
  static const gdouble shares[CAMERA_QUANTILES] = { 0.03, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97 };
  guint64 below = 0;
  guint bin = 0;

  for (guint q = 0; q < CAMERA_QUANTILES; q++) {
    const gdouble rank = shares[q] * n;

    while (bin < 31 && below + counts[bin] < rank)
      below += counts[bin++];
    quantiles[q] = 8.0 * (bin + (counts[bin] > 0 ? (rank - below) / counts[bin] : 0.5));
  }
}

static gdouble
find_deviation (const guint32 counts[32], guint32 n)
{
  gdouble sum = 0.0, squares = 0.0;

  for (guint bin = 0; bin < 32; bin++) {
    sum += (gdouble) counts[bin] * bin;
    squares += (gdouble) counts[bin] * bin * bin;
  }
  return n > 0 ? 8.0 * sqrt (MAX (squares / n - sum / n * sum / n, 0.0)) : 0.0;
}

/* Finds the fullest three neighbouring bins. */
static void
find_mode (gdouble *mode, gdouble *share, const guint32 counts[32], guint32 n)
{
  guint64 most = 0;

  *mode = 0.0;
  for (guint bin = 1; bin < 31; bin++) {
    const guint64 sum = (guint64) counts[bin - 1] + counts[bin] + counts[bin + 1];

    if (sum > most) {
      most = sum;
      *mode = 8.0 * (bin + 0.5);
    }
  }
  *share = n > 0 ? (gdouble) most / n : 0.0;
}

void
camera_view_make (CameraView *view, const GstGlesOverview *overview, const EventTime *time)
{
  view->time = *time;
  for (guint a = 0; a < CAMERA_AREAS; a++) {
    const gdouble n = overview->n_gradients[a];

    find_quantiles (view->luma[a], overview->counts[a], overview->n_samples[a]);
    view->deviation[a] = find_deviation (overview->counts[a], overview->n_samples[a]);
    find_mode (&view->mode[a], &view->mode_share[a], overview->counts[a], overview->n_samples[a]);
    view->sharpness[a] =
        n > 0 ? ldexp (overview->gradients[a] / n, 8 - (gint) overview->depth) : 0.0;
  }
}

gdouble
camera_view_get_spread (const CameraView *view, guint a)
{
  return view->luma[a][CAMERA_QUANTILES - 1] - view->luma[a][0];
}

gdouble
camera_get_least (const gdouble values[CAMERA_AREAS])
{
  gdouble least = values[0];

  for (guint a = 1; a < CAMERA_AREAS; a++)
    least = MIN (least, values[a]);
  return least;
}

gdouble
camera_get_common_change (const gdouble before[CAMERA_AREAS], const gdouble now[CAMERA_AREAS])
{
  gdouble low = G_MAXDOUBLE, high = -G_MAXDOUBLE;

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    low = MIN (low, now[a] - before[a]);
    high = MAX (high, now[a] - before[a]);
  }
  return low > 0.0 ? low : MIN (high, 0.0);
}

guint
camera_view_find_structure (const CameraView *view, gdouble structure)
{
  const gdouble noise = camera_get_least (view->deviation);
  guint areas = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++)
    areas |= view->deviation[a] >= hypot (noise, structure) ? 1u << a : 0;
  return areas;
}

guint
camera_count (guint areas)
{
  return (guint) __builtin_popcount (areas);
}

gint
camera_compare (gconstpointer a, gconstpointer b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}
