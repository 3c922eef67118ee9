/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "statistics.h"

#include <stdlib.h>
#include <string.h>

static int
compare (const void *a, const void *b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return x < y ? -1 : x > y;
}

void
bench_sort_samples (gdouble *samples, guint n)
{
  qsort (samples, n, sizeof (*samples), compare);
}

gdouble
bench_quantile (const gdouble *sorted, guint n, gdouble q)
{
  gdouble at = q * (n - 1);
  guint i = (guint) at;

  return i + 1 < n ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

void
bench_statistics (gdouble *samples, guint n, BenchStatistics *statistics)
{
  guint first = 0, end = n;
  gdouble fence;

  memset (statistics, 0, sizeof (*statistics));
  if (n == 0)
    return;
  bench_sort_samples (samples, n);
  statistics->q1 = bench_quantile (samples, n, 0.25);
  statistics->q3 = bench_quantile (samples, n, 0.75);
  fence = 1.5 * (statistics->q3 - statistics->q1);
  while (samples[first] < statistics->q1 - fence)
    first++;
  while (samples[end - 1] > statistics->q3 + fence)
    end--;
  statistics->n = end - first;
  statistics->n_outliers = n - statistics->n;
  statistics->min = samples[first];
  statistics->max = samples[end - 1];
  statistics->median = bench_quantile (samples + first, statistics->n, 0.5);
}

const gchar *
bench_verdict (gdouble speedup)
{
  static const struct {
    gdouble above;
    const gchar *name;
  } verdicts[] = { { 10, "DOMINANT" }, { 5, "STRONG" }, { 2, "SOLID" }, { 1, "MARGINAL" } };

  for (guint i = 0; i < G_N_ELEMENTS (verdicts); i++) {
    if (speedup > verdicts[i].above)
      return verdicts[i].name;
  }
  return "SLOWER";
}
