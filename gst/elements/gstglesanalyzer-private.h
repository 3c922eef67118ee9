/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the analysers' base class share. */
#ifndef GST_GLES_ANALYZER_PRIVATE_H
#define GST_GLES_ANALYZER_PRIVATE_H

#include <gst/gles/frame/source.h>
#include <gst/gles/gl/queue.h>

#include "gstglesanalyzer.h"
#include "gstglesstats.h"
#include "gstgleswaiter.h"

G_BEGIN_DECLS

/* What can be set while playing, as one frame sees it. */
typedef struct {
  guint interval;
  gboolean attach_meta, custom_meta, readback, post_messages, validate, profile;
} GstGlesAnalyzerSettings;

typedef struct {
  /* under the object lock */
  gchar *spec;
  GstGlesAnalyzerSettings settings;
  GstGlesDevice *device;
  GstGlesStats stats;

  GstGlesQueue *queue; /* set and dropped in READY and below */
  guint max_reads_in_place;
  gint run;        /* atomic: counts resets, so that a late error is not posted into the next run */
  gint generation; /* atomic */
  GMutex error_lock; /* held while an error is posted: no other thread goes on to end the stream */
  gint error_posted; /* atomic: what is found after the push is posted once */
  GstGlesWaiter *waiter;

  /* of the streaming thread */
  GstGlesAnalyzerSettings current; /* for the frame at hand */
  GstVideoInfo info;
  GstVideoColorimetry colorimetry; /* of the caps */
  GstGlesOrigin *origin; /* of frames; NULL until the first one, and when stream or caps change */
  GstGlesFrameSource *source;
  guint64 n_seen, n_analysed;
  GstGlesDevice *cpu; /* for validation */
  GstGlesFrameSource *cpu_source;
} GstGlesAnalyzerPrivate;

GstGlesAnalyzerPrivate *gst_gles_analyzer_get_private (gpointer object);

/* ---- gstglesanalyzer-frame.c ---- */

/* Takes the colorimetry from @caps, which need not be of pictures. */
void gst_gles_analyzer_take_colorimetry (GstGlesAnalyzer *analyzer, GstCaps *caps);
/* What the base class knows of @buffer, the next frame. */
void gst_gles_analyzer_describe_frame (
    GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstGlesFrame *frame);

/* ---- gstglesanalyzer-jobs.c ---- */

/* What waits for the results that are posted as messages. It lives as long as the element, as a flush
 * may come on any thread at any time; its thread runs only while there are jobs. */
GstGlesWaiter *gst_gles_analyzer_make_waiter (GstGlesAnalyzer *analyzer);
/* Has errors that the device finds after the push posted, from now on. */
void gst_gles_analyzer_watch_queue (GstGlesAnalyzer *analyzer);
/* Drops the queue; no error of it is posted any more. */
void gst_gles_analyzer_close_queue (GstGlesAnalyzer *analyzer);
/* Adds the bytes of counted results that have come since the last call to `stats`. */
void gst_gles_analyzer_count_counted (GstGlesAnalyzer *analyzer);
/* Leaves @result, and @timer (transfer full) (nullable), to the waiter's thread. */
void gst_gles_analyzer_push_job (GstGlesAnalyzer *analyzer, const GstGlesFrame *frame,
    GstMiniObject *result, GstGlesTimer *timer, gboolean post);
/* Drops the jobs that wait; one that has begun ends without a message. */
void gst_gles_analyzer_discard_jobs (GstGlesAnalyzer *analyzer);
/* Waits until the device is done with all frames, and all jobs are done. */
void gst_gles_analyzer_drain (GstGlesAnalyzer *analyzer);
/* One error per stream: a device that is lost fails frames before and after the push. */
void gst_gles_analyzer_post_error (GstGlesAnalyzer *analyzer, const GError *error);

/* ---- gstglesanalyzer-properties.c ---- */

extern const GstGlesAnalyzerSettings gst_gles_analyzer_default_settings;

void gst_gles_analyzer_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec);
void gst_gles_analyzer_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec);
void gst_gles_analyzer_install_properties (GObjectClass *klass);

G_END_DECLS

#endif
