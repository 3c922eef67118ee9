/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All cameras, in one thread, which waits for none of them. */
#ifndef WATCH_CAMERAS_H
#define WATCH_CAMERAS_H

#include "camera.h"

G_BEGIN_DECLS

typedef struct _WatchCameras WatchCameras;

/* Called once, in the default main context: more pipelines are abandoned than the process should
 * have. */
typedef void (*WatchCamerasFunc) (gpointer user_data);

typedef struct {
  gboolean replay, fast; /* as those of a camera */
  WatchOutlet *outlet;   /* outlives the cameras */
  WatchCamerasFunc exceeded;
  gpointer user_data;
} WatchCamerasSettings;

/* NULL with @error: there is no thread. All of these are called in one thread, and wait for no
 * camera. */
WatchCameras *watch_cameras_new (const WatchCamerasSettings *settings, GError **error);
/* Has exactly the cameras of @config: what is equal stays, all others end or begin. Returns how
 * many stay. */
guint watch_cameras_set (WatchCameras *self, WatchConfig *config);
/* Returns (transfer none): of WatchCamera, until the next change. */
GPtrArray *watch_cameras_list (WatchCameras *self);
/* Returns how many pipelines are abandoned; *@total: how many were. */
guint watch_cameras_get_abandoned (WatchCameras *self, guint *total);
/* Ends all, and waits for that, @timeout_ms at most. Returns how many pipelines have not ended. */
guint watch_cameras_free (WatchCameras *self, guint timeout_ms);

G_END_DECLS

#endif
