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
  WatchRunSettings settings; /* outlet and user_data are used only until the run is cut */
  const gchar *name;         /* of the camera */
  WatchSharer sharer;
  WatchSockets *sockets;
  gint cut, stop, ended; /* atomic */

  WatchRecorder *recorder; /* (nullable): nothing is recorded */

  /* of the streaming threads */
  WatchSourceFacts facts;
  GstBuffer *current; /* the buffer whose lines come next */
  GstSegment segment; /* of the analysed frames */
  WatchFrame seen;    /* what is in the current frame, without a sample */
  gdouble seen_size;  /* the size of the largest region in it, by which frames are compared */
  /* an event of motion has not ended; the best of its frames so far has the size: */
  gboolean moves;
  gdouble best_size;
  Jpeg *shrinker; /* (nullable): makes copies of frames with the width of pictures: */
  guint shrinker_width;

  gint64 last_frame, n_analysed; /* atomic */

  GMutex lock; /* of what follows: */
  /* (nullable): NULL once it was freed; never freed with the lock, which its elements may take */
  GstElement *pipeline;
  /* from the id of an event that has not ended to the line that glesjson wrote at its start */
  GHashTable *open;
  GstElement *analyser; /* (nullable): the element that is asked for its device */
  /* the best frame of an event of motion that has not ended; without a sample once the outlet has
   * it */
  WatchFrame best;
};

static inline gboolean
watch_run_is_cut (WatchRun *self)
{
  return g_atomic_int_get (&self->cut) != 0;
}

/* Returns whether it is known how long ago a frame with the running time was due, and sets *@lag_us
 * to that time. */
static inline gboolean
watch_run_get_lag (WatchRun *self, GstClockTime running, gint64 *lag_us)
{
  const GstClockTime now = gst_element_get_current_running_time (self->pipeline);

  *lag_us = ((gint64) now - (gint64) running) / 1000;
  return GST_CLOCK_TIME_IS_VALID (running) && GST_CLOCK_TIME_IS_VALID (now);
}

/* ---- run.c ---- */

/* Makes the thread of the run report the first picture. */
void watch_run_tell_up (WatchRun *self);

/* ---- run-pipeline.c ---- */

/* Adds the source and the analysis to the pipeline. FALSE with @error. */
gboolean watch_run_build (WatchRun *self, GstElement *pipeline, GError **error);

/* ---- run-frames.c ---- */

/* A probe of the pad at which buffers leave glesevents; @user_data: the run. */
GstPadProbeReturn watch_run_on_regions (GstPad *pad, GstPadProbeInfo *info, gpointer user_data);
/* Sets *@frame to the current frame; without a sample where no picture is wanted. */
void watch_run_copy_frame (WatchRun *self, WatchFrame *frame);
/* To be called for each line about motion: sets *@frame to the frame that its picture is to show,
 * without a sample if the picture does not change. */
void watch_run_follow_motion (WatchRun *self, const gchar *phase, WatchFrame *frame);
/* With the lock. Sets *@frame to the best frame, or one without a sample. */
void watch_run_take_best (WatchRun *self, WatchFrame *frame);

/* ---- run-lines.c ---- */

/* A callback of the appsink behind glesjson; @user_data: the run. */
GstFlowReturn watch_run_on_line (GstAppSink *sink, gpointer user_data);
/* Another callback of it. An appsink keeps events, such as the gap for each frame without a line,
 * until they are taken. */
gboolean watch_run_on_event (GstAppSink *sink, gpointer user_data);
/* With the lock. Ends all events that have not ended, because their elements will not do so any
 * more. */
void watch_run_end_open (WatchRun *self);

G_END_DECLS

#endif
