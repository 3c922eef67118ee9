/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef WATCH_RUN_PRIVATE_H
#define WATCH_RUN_PRIVATE_H

#include "../common/jpeg.h"
#include "contexts.h"
#include "recorder.h"
#include "run.h"
#include "sockets.h"
#include "source.h"

#include <gst/app/gstappsink.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

struct _WatchRun {
  gatomicrefcount count;
  WatchRunSettings settings; /* outlet and user_data: until it is cut */
  const gchar *name;         /* of the camera */
  WatchSharer sharer;
  WatchSockets *sockets;
  gint cut, stop, ended; /* atomic */

  WatchRecorder *recorder; /* (nullable): nothing is recorded */

  /* of the streaming threads */
  WatchSourceFacts facts;
  GstBuffer *current; /* what the next lines are about */
  GstSegment segment; /* of the analysed frames */
  WatchFrame seen;    /* what is in the current frame, without a sample */
  gdouble seen_size;  /* how good it is: pixels */
  gboolean moves;     /* motion lasts, of whose frames with a picture this is the best: */
  gdouble best_size;
  Jpeg *shrinker; /* (nullable): for pictures that are so wide: */
  guint shrinker_width;

  gint64 last_frame, n_analysed; /* atomic */

  GMutex lock;          /* of what follows: */
  GstElement *pipeline; /* (nullable): when it was freed; elements of it may take the lock */
  GHashTable *open;     /* of id: the line that glesjson wrote when the event began, which lasts */
  GstElement *analyser; /* (nullable): to be asked for its device */
  WatchFrame best;      /* of motion that lasts; no sample: it was handed over */
};

static inline gboolean
watch_run_is_cut (WatchRun *self)
{
  return g_atomic_int_get (&self->cut) != 0;
}

/* Returns whether it is known how long ago, in *@lag_us, what has the running time came. */
static inline gboolean
watch_run_get_lag (WatchRun *self, GstClockTime running, gint64 *lag_us)
{
  const GstClockTime now = gst_element_get_current_running_time (self->pipeline);

  *lag_us = ((gint64) now - (gint64) running) / 1000;
  return GST_CLOCK_TIME_IS_VALID (running) && GST_CLOCK_TIME_IS_VALID (now);
}

/* ---- run.c ---- */

/* Has the thread tell of the first picture. */
void watch_run_tell_up (WatchRun *self);

/* ---- run-pipeline.c ---- */

/* Fills the pipeline. FALSE with @error. */
gboolean watch_run_build (WatchRun *self, GstElement *pipeline, GError **error);
/* Notes where the analysis runs. */
void watch_run_take_device (WatchRun *self, GstElement *pipeline);

/* ---- run-frames.c ---- */

/* Of the pad at which buffers leave glesevents; @user_data: the run. */
GstPadProbeReturn watch_run_on_regions (GstPad *pad, GstPadProbeInfo *info, gpointer user_data);
/* Sets *@frame to the current frame; without a sample where no picture is wanted. */
void watch_run_copy_frame (WatchRun *self, WatchFrame *frame);
/* A line about motion came: sets *@frame to the frame of its picture, without a sample where the
 * former one stays. */
void watch_run_follow_motion (WatchRun *self, const gchar *phase, WatchFrame *frame);
/* With the lock. Sets *@frame to the best frame, or one without a sample. */
void watch_run_take_best (WatchRun *self, WatchFrame *frame);

/* ---- run-lines.c ---- */

/* Of an appsink behind glesjson; @user_data: the run. */
GstFlowReturn watch_run_on_line (GstAppSink *sink, gpointer user_data);
/* Of the same. An appsink keeps events, such as a gap for each frame without a line, until somebody
 * takes them. */
gboolean watch_run_on_event (GstAppSink *sink, gpointer user_data);
/* With the lock. Ends the events whose elements will be gone. */
void watch_run_end_open (WatchRun *self);

G_END_DECLS

#endif
