/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef WATCH_CAMERA_PRIVATE_H
#define WATCH_CAMERA_PRIVATE_H

#include "camera.h"
#include "source.h"

#include <gst/app/gstappsink.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

struct _WatchCamera {
  const WatchCameraConfig *config;
  WatchCameraOptions options;
  WatchOutlet *outlet;
  gchar *tags;

  GThread *thread;
  GMainContext *context;
  GMainLoop *loop;

  /* of the thread */
  GstElement *pipeline; /* NULL while waiting */
  GSource *bus, *timer; /* of pipeline; a check, or the next start */
  guint n_failures;     /* in a row */
  gint64 started, up_since, data_since;
  gint64 n_data;
  gint64 record_again; /* when a recording that failed begins again */
  const gchar *outage; /* "lost" or "stalled" since outage_since; NULL while all is well */
  gchar *outage_id, *outage_cause, *outage_text;
  gint64 outage_since;
  guint64 outage_frame; /* n_analysed then */

  /* of the streaming threads, and of the thread when they are stopped */
  WatchSourceFacts facts;
  GstBuffer *current; /* what the next lines are about */
  GHashTable *open;   /* of id: the JsonObject of the start of an event that lasts */
  GstSegment segment; /* of the analysed frames */

  gint64 last_frame;     /* atomic: when it came, 0: none since the start */
  gint64 first_analysed; /* n_analysed at the start */
  gint64 n_frames, n_analysed, n_events, n_restarts, lag_us; /* atomic */

  GMutex lock; /* of what follows: */
  WatchState state;
  gchar *memory, *format, *device, *error;
  GstElement *analyser; /* (nullable): to be asked for its device */
  guint width, height;
  gboolean sender_clock;
};

static inline gint64
watch_get (gint64 *value)
{
  return __atomic_load_n (value, __ATOMIC_RELAXED);
}

static inline void
watch_add (gint64 *value, gint64 more)
{
  __atomic_add_fetch (value, more, __ATOMIC_RELAXED);
}

/* ---- camera-events.c ---- */

/* Writes to the log, with the camera as a field. */
void watch_camera_say (WatchCamera *self, GLogLevelFlags level, const gchar *text);
void watch_camera_set_state (WatchCamera *self, WatchState state);
/* The camera has no pictures from now on. @event: static, "lost" or "stalled". */
void watch_camera_begin_outage (
    WatchCamera *self, const gchar *event, const gchar *cause, const gchar *text);
/* The camera has pictures. */
void watch_camera_end_outage (WatchCamera *self);
/* Nobody waits for pictures any more. */
void watch_camera_stop_outage (WatchCamera *self);
/* Of an appsink behind glesjson; @user_data: the camera. */
GstFlowReturn watch_camera_on_line (GstAppSink *sink, gpointer user_data);
/* Ends the events whose elements are gone. The streaming threads are stopped. @running: the running
 * time, or NONE. */
void watch_camera_end_open (WatchCamera *self, GstClockTime running);

G_END_DECLS

#endif
