/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What some measurements of one thing come to. */
#ifndef BENCH_STATISTICS_H
#define BENCH_STATISTICS_H

#include <glib.h>

typedef struct {
  gdouble median, min, max; /* of what was kept */
  gdouble q1, q3;           /* of all */
  guint n;                  /* kept */
  guint n_outliers;         /* dropped: more than 1.5 * (q3 - q1) below q1 or above q3 */
} BenchStatistics;

/* Sorts @samples. All zero for none. Quartiles and median interpolate between neighbours. */
void bench_statistics (gdouble *samples, guint n, BenchStatistics *statistics);

/* Sorts @samples from the least to the largest. */
void bench_sort_samples (gdouble *samples, guint n);

/* The quantile @q, from 0 to 1, of @n samples that are sorted, at least one; interpolates between
 * neighbours. */
gdouble bench_quantile (const gdouble *sorted, guint n, gdouble q);

/* "DOMINANT" and so on for how many times faster something is. */
const gchar *bench_verdict (gdouble speedup);

#endif
