/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "correlation.h"

#include <math.h>

gdouble
get_correlation (const gdouble *x, const gdouble *y, guint n, gdouble least)
{
  gdouble mean_x = 0.0, mean_y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;

  for (guint i = 0; i < n; i++) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  for (guint i = 0; i < n; i++) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  if (MIN (xx, yy) < n * least * least || MIN (xx, yy) <= 0.0)
    return 0.0;
  return xy / sqrt (xx * yy);
}
