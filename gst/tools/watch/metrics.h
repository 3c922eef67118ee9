/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters for Prometheus, over HTTP. */
#ifndef WATCH_METRICS_H
#define WATCH_METRICS_H

#include "camera.h"

G_BEGIN_DECLS

typedef struct _WatchMetrics WatchMetrics;

/* Returns what cameras there are: (transfer none), of WatchCamera. Called in the main loop. */
typedef GPtrArray *(*WatchMetricsCameras) (gpointer user_data);

/* Listens in the default main context. NULL with @error. */
WatchMetrics *watch_metrics_new (const WatchMetricsConfig *config, WatchMetricsCameras cameras,
    WatchOutlet *outlet, gpointer user_data, GError **error);
void watch_metrics_free (WatchMetrics *self);

G_END_DECLS

#endif
