/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters for Prometheus, over HTTP. */
#ifndef WATCH_METRICS_H
#define WATCH_METRICS_H

#include "cameras.h"

G_BEGIN_DECLS

typedef struct _WatchMetrics WatchMetrics;

/* Listens in the default main context. @cameras and @outlet outlive it. NULL with @error. */
WatchMetrics *watch_metrics_new (
    const WatchMetricsConfig *config, WatchCameras *cameras, WatchOutlet *outlet, GError **error);
void watch_metrics_free (WatchMetrics *self);

G_END_DECLS

#endif
