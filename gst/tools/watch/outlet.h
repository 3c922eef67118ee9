/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The way of events from the cameras to the outside: pictures, lines, states. */
#ifndef WATCH_OUTLET_H
#define WATCH_OUTLET_H

#include "notice.h"
#include "watch-config.h"

G_BEGIN_DECLS

typedef struct _WatchOutlet WatchOutlet;

/* NULL with @error: a publisher or a folder cannot be set up. */
WatchOutlet *watch_outlet_new (WatchConfig *config, GError **error);
/* Writes and sends what it has, some seconds at most. */
void watch_outlet_free (WatchOutlet *self);

/* Goes on with the publishers and folders of @config; what is equal stays. FALSE with @error: one
 * cannot be set up, and all are as before; the cameras are to be announced again in both cases. */
gboolean watch_outlet_reload (WatchOutlet *self, WatchConfig *config, GError **error);

/* Tells publishers of the cameras of @config and their states, and takes back what was told of
 * others, which may still be stopping. */
void watch_outlet_announce (WatchOutlet *self, const WatchConfig *config);
/* Any thread. Never waits. @notice: (transfer full). */
void watch_outlet_add (WatchOutlet *self, WatchNotice *notice);
/* Any thread. Never waits. Whether the camera has pictures. */
void watch_outlet_set_available (WatchOutlet *self, const gchar *camera, gboolean available);
/* Returns how wide pictures of events are to be; 0: nobody wants them. Any thread. */
guint watch_outlet_get_picture_width (WatchOutlet *self);

/* Appends lines of Prometheus. */
void watch_outlet_append_metrics (WatchOutlet *self, GString *text);

G_END_DECLS

#endif
