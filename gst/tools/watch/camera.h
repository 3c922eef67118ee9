/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A camera: its run is started again whenever it ends. Nothing here waits for a run. */
#ifndef WATCH_CAMERA_H
#define WATCH_CAMERA_H

#include "ending.h"
#include "outlet.h"
#include "watch-config.h"

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
  guint64 restarts;
  GHashTable *events;   /* of a kind of event: how many began, GPOINTER_TO_SIZE() */
  guint64 device_bytes; /* storage of buffers on the device, which cameras share */
  gint64 lag_us;        /* from a frame's time on the clock to its analysis */
  guint width, height;
  gchar *decoder, *memory, *format, *device; /* (nullable) */
  gchar *error;                              /* (nullable): of the last failure */
  gboolean records, is_recording;            /* there is a folder for files; they are written */
  gboolean has_clock;                        /* the camera tells the time of day */
  gint64 clock_offset_us;                    /* its clock minus this machine's */
  gboolean sender_clock;                     /* lines have its time of day */
} WatchCameraStats;

/* What all cameras share, which outlives them. */
typedef struct {
  gboolean replay; /* uris are files, which end once */
  gboolean fast;   /* a replay does not wait for the clock */
  WatchOutlet *outlet;
  WatchEnding *ending;
  GMainContext *context; /* of the thread that calls what follows */
} WatchCameraSettings;

/* Any thread. The camera begins with the first check. */
WatchCamera *watch_camera_new (
    WatchConfig *owner, const WatchCameraConfig *config, const WatchCameraSettings *settings);
/* Does what is due, several times a second. In the context. */
void watch_camera_check (WatchCamera *self);
/* Ends events that last, and has the run end. In the context. */
void watch_camera_end (WatchCamera *self);
/* The same thread. Nobody waits for pictures any more: an outage ends. */
void watch_camera_stop_outage (WatchCamera *self);
/* Has @self begin when the run of @former, which was ended, is over. In the context. */
void watch_camera_succeed (WatchCamera *self, WatchCamera *former);
/* The camera was ended, or did not begin. */
void watch_camera_free (WatchCamera *self);

const WatchCameraConfig *watch_camera_get_config (const WatchCamera *self);
/* Any thread. @stats must be cleared. */
void watch_camera_get_stats (WatchCamera *self, WatchCameraStats *stats);
void watch_camera_stats_clear (WatchCameraStats *stats);
const gchar *watch_state_get_name (WatchState state);

G_END_DECLS

#endif
