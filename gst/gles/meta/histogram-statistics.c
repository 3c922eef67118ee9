/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Statistics of a histogram. */
#include <math.h>
#include <string.h>

#include <gst/gles/meta/histogram-private.h>

/* Sums over the samples: integers as far as they go, so that no order of summation matters. */
typedef struct {
  guint64 count;
  guint64 sum;
  guint min, max;
} Moments;

static Moments
get_moments (const guint32 *counts, guint n)
{
  Moments moments = { 0, 0, 0, 0 };

  for (guint value = 0; value < n; value++) {
    if (counts[value] == 0)
      continue;
    if (moments.count == 0)
      moments.min = value;
    moments.max = value;
    moments.count += counts[value];
    moments.sum += (guint64) counts[value] * value;
  }
  return moments;
}

/* Variance, to a few units in the last place. With values counted from q = floor (mean), r the sum
 * of the differences (0 <= r < count) and S that of their squares, the variance is
 * (S - r * r / count) / count. S fits 64 bits (count < 2^31, differences < 2^16); r * r / count is
 * split into quotient and remainder so that nothing is lost where both terms nearly cancel. */
static gdouble
get_variance (const guint32 *counts, const Moments *moments)
{
  const guint64 count = moments->count;
  const gint64 mean = (gint64) (moments->sum / count);
  const guint64 r = moments->sum % count;
  guint64 squares = 0;

  for (guint value = moments->min; value <= moments->max; value++) {
    const gint64 difference = (gint64) value - mean;

    squares += (guint64) (difference * difference) * counts[value];
  }
  return ((gdouble) (squares - r * r / count) - (gdouble) (r * r % count) / (gdouble) count) /
      (gdouble) count;
}

static gdouble
get_entropy (const guint32 *counts, const Moments *moments)
{
  gdouble entropy = 0.0;

  for (guint value = moments->min; value <= moments->max; value++) {
    if (counts[value] != 0) {
      const gdouble share = (gdouble) counts[value] / (gdouble) moments->count;

      entropy -= share * log2 (share);
    }
  }
  return entropy;
}

/* Nearest rank: the value of sample number ceil (count * percent / 100) in ascending order. */
static void
get_percentiles (const guint32 *counts, guint64 count, GstGlesHistogramStatistics *statistics)
{
  const struct {
    guint percent;
    guint *target;
  } percentiles[] = { { 1, &statistics->p1 }, { 5, &statistics->p5 }, { 10, &statistics->p10 },
    { 50, &statistics->p50 }, { 90, &statistics->p90 }, { 95, &statistics->p95 },
    { 99, &statistics->p99 } };
  guint64 below = counts[0];
  guint value = 0;

  for (guint i = 0; i < G_N_ELEMENTS (percentiles); i++) {
    const guint64 rank = (count * percentiles[i].percent + 99) / 100;

    while (below < rank)
      below += counts[++value];
    *percentiles[i].target = value;
  }
}

void
gst_gles_histogram_statistics_compute (
    const guint32 *counts, guint n, GstGlesHistogramStatistics *statistics)
{
  const Moments moments = get_moments (counts, n);

  memset (statistics, 0, sizeof *statistics);
  if (moments.count == 0)
    return;
  statistics->count = moments.count;
  statistics->min = moments.min;
  statistics->max = moments.max;
  statistics->mean = (gdouble) moments.sum / (gdouble) moments.count;
  statistics->stddev = sqrt (get_variance (counts, &moments));
  statistics->entropy = get_entropy (counts, &moments);
  get_percentiles (counts, moments.count, statistics);
}
