/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef WATCH_CAMERA_PRIVATE_H
#define WATCH_CAMERA_PRIVATE_H

#include "camera.h"
#include "tally.h"

G_BEGIN_DECLS

/* An event that the program found itself, between its start and its end. */
typedef struct {
  const gchar *event; /* a static string; NULL while there is no such event */
  gchar *id, *cause, *text;
  gint64 since;
  guint64 frame; /* how many frames had been analysed when it began */
} WatchOutage;

struct _WatchCamera {
  WatchConfig *owner; /* owns @config */
  const WatchCameraConfig *config;
  WatchCameraSettings settings;
  WatchTally *tally;
  gchar *tags;

  /* These belong to the thread of the cameras. Times are those of g_get_monotonic_time(). */
  /* (nullable): a run that is ending; until it has ended, the next one does not begin */
  WatchRun *former;
  gint64 next;       /* when the next run begins, while there is no run */
  guint n_failures;  /* in a row */
  guint n_abandoned; /* in a row */
  gboolean began;    /* a run before the next one */
  gint64 started, up_since, data_began, data_since;
  gint64 n_data;          /* at the last check */
  WatchOutage outage;     /* "lost" or "stalled" */
  WatchOutage unrecorded; /* nothing is written, though it should be */

  GMutex lock;   /* of what follows, which the context alone changes: */
  WatchRun *run; /* (nullable): while waiting */
  WatchState state;
};

/* ---- camera-events.c ---- */

void watch_outage_clear (WatchOutage *outage);
void watch_camera_set_state (WatchCamera *self, WatchState state);
/* The camera has no pictures from now on. @event: static, "lost" or "stalled". */
void watch_camera_begin_outage (
    WatchCamera *self, const gchar *event, const gchar *cause, const gchar *text);
/* The camera has pictures. */
void watch_camera_end_outage (WatchCamera *self);
/* Files are not written from now on, or again. */
void watch_camera_begin_unrecorded (WatchCamera *self, const gchar *text);
void watch_camera_end_unrecorded (WatchCamera *self);

G_END_DECLS

#endif
