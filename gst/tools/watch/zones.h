/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Zones and lines of cameras: what gleszones is told of them, and the states and counters that its
 * events make. These go on when a pipeline begins anew. */
#ifndef WATCH_ZONES_H
#define WATCH_ZONES_H

#include "notice.h"
#include "watch-config.h"

G_BEGIN_DECLS

/* Names of states. */
#define WATCH_ZONE_OCCUPANCY "occupancy" /* ON or OFF */
#define WATCH_ZONE_DWELL "dwell"         /* ON or OFF */
#define WATCH_ZONE_IN "in"               /* a count */
#define WATCH_ZONE_OUT "out"

/* Returns the definition of @zone, as the properties of gleszones take it: (transfer full). */
gchar *watch_zone_describe (const WatchZoneConfig *zone);
/* Returns the definitions of all zones of @config, or of all lines with @are_lines: (transfer
 * full), or NULL if there are none. */
gchar *watch_zones_describe (const WatchCameraConfig *config, gboolean are_lines);
/* Returns the level of a topic, below that of the camera, for the @state of @zone: (transfer
 * full). */
gchar *watch_zone_get_level (const WatchZoneConfig *zone, const gchar *state);

/* The states of all zones. Not locked. */
typedef struct _WatchZones WatchZones;

WatchZones *watch_zones_new (void);
void watch_zones_free (WatchZones *self);
/* Sets up the zones of @config, with counters of 0; those that were there, and are the same, stay
 * as they are, and others go. */
void watch_zones_set (WatchZones *self, WatchConfig *config);

/* @level: as of watch_zone_get_level(). */
typedef void (*WatchZoneFunc) (
    const gchar *camera, const gchar *level, const gchar *value, gpointer user_data);
/* Calls @func with each state that is known of the zones of @camera. */
void watch_zones_list (
    const WatchZones *self, const gchar *camera, WatchZoneFunc func, gpointer user_data);
/* Changes states as @notice tells, and calls @func with those of its zone, if it is about one. */
void watch_zones_take (
    WatchZones *self, const WatchNotice *notice, WatchZoneFunc func, gpointer user_data);
/* Appends lines of Prometheus. */
void watch_zones_append_metrics (const WatchZones *self, GString *text);

G_END_DECLS

#endif
