/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A camera: a pipeline in a thread of its own, which is started again whenever it ends. */
#ifndef WATCH_CAMERA_H
#define WATCH_CAMERA_H

#include "watch-config.h"
#include "outlet.h"

G_BEGIN_DECLS

typedef struct _WatchCamera WatchCamera;

typedef enum {
  WATCH_CONNECTING, /* no picture so far */
  WATCH_UP,
  WATCH_STALLED,
  WATCH_LOST,
  WATCH_ENDED, /* a file was replayed */
} WatchState;

typedef struct {
  WatchState state;
  guint64 frames;   /* decoded */
  guint64 analysed; /* the others came too fast */
  guint64 events, restarts;
  guint64 device_bytes; /* storage of buffers on the device, which cameras share */
  gint64 lag_us;        /* from a frame's time on the clock to its analysis */
  guint width, height;
  gchar *decoder, *memory, *format, *device; /* (nullable) */
  gchar *error;                              /* (nullable): of the last failure */
  gboolean sender_clock;                     /* frames have the time of day that the sender told */
} WatchCameraStats;

typedef struct {
  gboolean replay; /* uri is a file, which ends once */
  gboolean fast;   /* a replay does not wait for the clock */
} WatchCameraOptions;

/* Starts the camera. @config and @outlet must outlive it. */
WatchCamera *watch_camera_new (
    const WatchCameraConfig *config, const WatchCameraOptions *options, WatchOutlet *outlet);
/* Stops the camera, and waits for that. Events that last end. */
void watch_camera_free (WatchCamera *self);

const WatchCameraConfig *watch_camera_get_config (const WatchCamera *self);
/* Any thread. @stats must be cleared. */
void watch_camera_get_stats (WatchCamera *self, WatchCameraStats *stats);
void watch_camera_stats_clear (WatchCameraStats *stats);
const gchar *watch_state_get_name (WatchState state);

G_END_DECLS

#endif
