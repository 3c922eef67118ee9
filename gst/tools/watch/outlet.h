/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What takes events from all cameras, makes their pictures and lines, and hands these to the
 * publishers. */
#ifndef WATCH_OUTLET_H
#define WATCH_OUTLET_H

#include "notice.h"
#include "watch-config.h"

G_BEGIN_DECLS

typedef struct _WatchOutlet WatchOutlet;

/* NULL with @error: a publisher or a folder cannot be set up. */
WatchOutlet *watch_outlet_new (WatchConfig *config, GError **error);
/* Handles all notices that wait, and gives publishers a few seconds to send everything. */
void watch_outlet_free (WatchOutlet *self);

/* Uses the publishers and folders of @config from now on; those that are the same go on. If one
 * cannot be set up, returns FALSE with @error, and all are as before. In both cases
 * watch_outlet_announce() must be called again. */
gboolean watch_outlet_reload (WatchOutlet *self, WatchConfig *config, GError **error);

/* Publishes the states of the cameras of @config, and deletes those of all other cameras, which may
 * still be ending. */
void watch_outlet_announce (WatchOutlet *self, WatchConfig *config);
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
