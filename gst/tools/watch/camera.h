/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A camera of the configuration. It has one run, a pipeline in a thread, at a time, and another one
 * whenever that ends. No function here waits for a run. */
#ifndef WATCH_CAMERA_H
#define WATCH_CAMERA_H

#include "ending.h"
#include "outlet.h"
#include "watch-config.h"

G_BEGIN_DECLS

typedef struct _WatchCamera WatchCamera;

typedef enum {
  WATCH_CONNECTING, /* there was no picture yet */
  WATCH_UP,
  WATCH_STALLED,
  WATCH_LOST,
  WATCH_ENDED, /* the file of a replay has ended */
} WatchState;

typedef struct {
  WatchState state;
  guint64 frames;   /* frames that were decoded */
  guint64 analysed; /* how many of them were analysed; the others came too fast */
  guint64 restarts;
  /* from the kind of an event to the number of events that began, by GPOINTER_TO_SIZE() */
  GHashTable *events;
  guint64 device_bytes; /* size of all buffers on the device, which other cameras may use as well */
  /* how long after its time on the pipeline's clock the last frame was analysed */
  gint64 lag_us;
  guint width, height;
  gchar *decoder, *memory, *format, *device; /* (nullable) */
  gchar *error;                              /* (nullable): of the last failure */
  /* whether the configuration asks for a recording, and whether files are being written */
  gboolean records, is_recording;
  gboolean has_clock;     /* the camera sends the time of day (by RTCP) */
  gint64 clock_offset_us; /* its clock minus this machine's */
  /* lines have the camera's time of day instead of this machine's */
  gboolean sender_clock;
} WatchCameraStats;

/* What all cameras share. It outlives them. */
typedef struct {
  gboolean replay; /* uris are files, which end once */
  gboolean fast;   /* a replay does not wait for the clock */
  WatchOutlet *outlet;
  WatchEnding *ending;
  /* the main context of the thread that calls the functions marked "in the context" */
  GMainContext *context;
} WatchCameraSettings;

/* May be called by any thread. The first run begins with the first call of watch_camera_check(). */
WatchCamera *watch_camera_new (
    WatchConfig *owner, const WatchCameraConfig *config, const WatchCameraSettings *settings);
/* Starts, checks and ends the run as needed. To be called several times a second, in the context.
 */
void watch_camera_check (WatchCamera *self);
/* Ends all events that have not ended, and tells the run to end. In the context. */
void watch_camera_end (WatchCamera *self);
/* Ends an outage because nobody waits for pictures any more. In the context. */
void watch_camera_stop_outage (WatchCamera *self);
/* Makes the first run of @self wait until that of @former, which watch_camera_end() was called for,
 * has ended. In the context. */
void watch_camera_succeed (WatchCamera *self, WatchCamera *former);
/* To be called after watch_camera_end(), or before the first check. */
void watch_camera_free (WatchCamera *self);

const WatchCameraConfig *watch_camera_get_config (const WatchCamera *self);
/* Any thread. @stats must be cleared. */
void watch_camera_get_stats (WatchCamera *self, WatchCameraStats *stats);
void watch_camera_stats_clear (WatchCameraStats *stats);
const gchar *watch_state_get_name (WatchState state);

G_END_DECLS

#endif
