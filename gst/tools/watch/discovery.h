/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages by which Home Assistant finds cameras. */
#ifndef WATCH_DISCOVERY_H
#define WATCH_DISCOVERY_H

#include "watch-config.h"

G_BEGIN_DECLS

typedef void (*WatchDiscoveryFunc) (const gchar *topic, const gchar *payload, gpointer user_data);

/* Calls @func for each message about @camera, to be retained. */
void watch_discovery_list (const WatchPublishConfig *config, const WatchCameraConfig *camera,
    WatchDiscoveryFunc func, gpointer user_data);

G_END_DECLS

#endif
