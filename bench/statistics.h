/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Statistics of repeated measurements. */
#ifndef BENCH_STATISTICS_H
#define BENCH_STATISTICS_H

#include <glib.h>

typedef struct {
  gdouble median, min, max; /* without outliers */
  gdouble q1, q3;           /* of all samples */
  guint n;                  /* without outliers */
  guint n_outliers;         /* below q1 or above q3 by more than 1.5 * (q3 - q1) */
} BenchStatistics;

/* Sorts @samples. Without samples all fields are zero. Quartiles and median interpolate
 * linearly. */
void bench_statistics (gdouble *samples, guint n, BenchStatistics *statistics);

/* Sorts @samples in ascending order. */
void bench_sort_samples (gdouble *samples, guint n);

/* Returns the quantile @q, from 0 to 1, of @n sorted samples, at least one, by linear
 * interpolation. */
gdouble bench_quantile (const gdouble *sorted, guint n, gdouble q);

/* Returns the word for a speedup, for example "DOMINANT". */
const gchar *bench_verdict (gdouble speedup);

#endif
