/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All cameras. One thread checks them in turn, and never waits for one. */
#ifndef WATCH_CAMERAS_H
#define WATCH_CAMERAS_H

#include "camera.h"

G_BEGIN_DECLS

typedef struct _WatchCameras WatchCameras;

/* Called once, in the default main context, when so many pipelines were abandoned that the process
 * should be replaced. */
typedef void (*WatchCamerasFunc) (gpointer user_data);

typedef struct {
  gboolean replay, fast; /* as those of a camera */
  WatchOutlet *outlet;   /* outlives the cameras */
  WatchCamerasFunc exceeded;
  gpointer user_data;
} WatchCamerasSettings;

/* NULL with @error if no thread can be started. One thread calls all of these functions; none waits
 * for a camera. */
WatchCameras *watch_cameras_new (const WatchCamerasSettings *settings, GError **error);
/* Makes the cameras those of @config. A camera whose section is the same goes on; the others end or
 * begin. Returns how many go on. */
guint watch_cameras_set (WatchCameras *self, WatchConfig *config);
/* Returns (transfer none): of WatchCamera, until the next change. */
GPtrArray *watch_cameras_list (WatchCameras *self);
/* Returns how many pipelines are abandoned; *@total: how many were. */
guint watch_cameras_get_abandoned (WatchCameras *self, guint *total);
/* Ends all cameras, and waits for their pipelines, up to @timeout_ms. Returns how many pipelines
 * have not ended. */
guint watch_cameras_free (WatchCameras *self, guint timeout_ms);

G_END_DECLS

#endif
