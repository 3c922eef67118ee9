/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the files of the analysers' base class. */
#ifndef GST_GLES_ANALYZER_PRIVATE_H
#define GST_GLES_ANALYZER_PRIVATE_H

#include <gst/gles/gl/late-reads.h>
#include <gst/gles/gl/queue.h>
#include <gst/gles/import/owner.h>

#include "gstglesanalyzer.h"
#include "gstglesstats.h"
#include "gstgleswaiter.h"
#include "mask-setting.h"

G_BEGIN_DECLS

/* A snapshot of the properties that may change while playing, taken for each frame. */
typedef struct {
  guint interval;
  gboolean attach_meta, custom_meta, readback, post_messages, validate, profile;
  BadFrameAction on_bad_frame;
  gboolean readback_is_set; /* by the user: results are read ahead though nobody may read them */
} GstGlesAnalyzerSettings;

/* Times of frames, which are counted where buffers have no timestamps. */
typedef struct {
  gint rate_n, rate_d;        /* frames a second, from the caps; 25 where they have none */
  GstClockTime from;          /* the last known time; NONE at the start of a segment */
  guint64 n;                  /* frames since then */
  GstClockTime pts, duration; /* of the current frame */
  gboolean counted;           /* its pts continues earlier ones */
  gboolean warned;
} GstGlesFrameClock;

typedef struct {
  /* protected by the object lock: */
  gchar *spec;
  GstGlesAnalyzerSettings settings;
  MaskSetting mask;
  GstGlesDevice *device;
  GstGlesStats stats;

  GstGlesQueue *queue; /* set and dropped in READY and below, and where a stream moves */
  gboolean is_placed;  /* set in READY and below: the stream may move to another GPU */
  gint run;            /* atomic: counts resets */
  gint silent_run;     /* atomic: the current run if it has posted no error, else none */
  gint generation;     /* atomic: counts flushes */
  gint must_ask;       /* atomic: elements downstream have changed */
  GMutex error_lock; /* held while an error is posted; other threads must not end the stream yet */
  GstGlesWaiter *waiter;

  /* used on the streaming thread only: */
  GstGlesAnalyzerSettings current; /* for the current frame */
  GstVideoColorimetry colorimetry; /* from the caps */
  GstCaps *caps;                   /* of the stream; NULL before the first */
  gboolean is_retagged;            /* the new caps differ from them in tags only */
  GstGlesFrameClock clock;
  gboolean has_fields; /* from the caps: each buffer holds a field */
  /* of frames, or of each field; NULL before the first one of a stream or of new caps */
  GstGlesOrigin *origin; /* of the stream; NULL before its first frame */
  guint64 n_seen, n_analysed;
  GstGlesFrameOwner owner;  /* of the last frame, if is_placed */
  ResultsExpected expected; /* for accept() */
  ResultsParts readers;     /* what elements downstream read on the host */
  GstGlesLateReads *late;   /* of the stream, between PAUSED and READY */
  GQueue on_device;         /* large results that somebody may have, oldest first */
  GThread *preparer; /* runs prepare(), which owns what is used on the streaming thread; or NULL */
  GError *prepare_error; /* of the preparer */
  gboolean unprepared;   /* it failed */
} GstGlesAnalyzerPrivate;

/* ---- gstglesanalyzer-state.c ---- */

GstGlesAnalyzerPrivate *gst_gles_analyzer_get_private (gpointer object);
/* Posts one error per stream: a lost device fails frames both before and after the push. */
void gst_gles_analyzer_post_error (GstGlesAnalyzer *analyzer, const GError *error);
/* Posts @error unless @run has ended or has posted one. Both are decided in one step: the thread
 * may sleep before it, while the pipeline is stopped for the same error and started again. */
void gst_gles_analyzer_post_error_of_run (GstGlesAnalyzer *analyzer, const GError *error, gint run);

/* ---- gstglesanalyzer-frame.c ---- */

/* Whether @a (nullable) and @b describe the same samples and differ in tags only: how they are
 * shown. */
gboolean gst_gles_analyzer_differ_in_tags (GstCaps *a, GstCaps *b);
/* Takes the colorimetry, and whether buffers hold fields, from @caps, which need not be of
 * pictures. */
void gst_gles_analyzer_take_colorimetry (GstGlesAnalyzer *analyzer, GstCaps *caps);
/* Takes the framerate from @caps. */
void gst_gles_analyzer_take_framerate (GstGlesAnalyzer *analyzer, GstCaps *caps);
/* Takes the times of @buffer, the next frame, and counts them where it has none. Called for every
 * frame, because `interval` leaves out frames but not their time. */
void gst_gles_analyzer_take_times (GstGlesAnalyzer *analyzer, GstBuffer *buffer);
/* What the base class knows of @buffer, the next frame. */
void gst_gles_analyzer_describe_frame (
    GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstGlesFrame *frame);

/* Sets the field `field` of @structure, "top" or "bottom", for a picture that is a field. */
void gst_gles_analyzer_describe_field (GstGlesField field, GstStructure *structure);

/* Queues upload and analysis of @frame as one submission. Returns (transfer full) the result. */
GstMiniObject *gst_gles_analyzer_submit (GstGlesAnalyzer *analyzer, const GstGlesFrame *frame,
    gboolean profile, GstGlesTimer **timer, GError **error);

/* ---- gstglesanalyzer-device.c ---- */

/* Gives the element a device and a queue on it, or posts why there is none. Repeated before PAUSED,
 * it replaces a lost device. */
gboolean gst_gles_analyzer_open_device (GstGlesAnalyzer *analyzer);
void gst_gles_analyzer_close_device (GstGlesAnalyzer *analyzer);
/* Replaces device and queue, which nothing uses at the moment. */
gboolean gst_gles_analyzer_use_device (
    GstGlesAnalyzer *analyzer, GstGlesDevice *device, GError **error);
/* Returns the device of the GPU that owns @buffer, if that is another one than the element's:
 * (transfer full) (nullable). May wait until it is open. */
GstGlesDevice *gst_gles_analyzer_find_owner (GstGlesAnalyzer *analyzer, GstBuffer *buffer);

/* ---- gstglesanalyzer-validate.c ---- */

/* Compares @result of @frame, the last one, with that of native code. Returns FALSE if they differ,
 * after another analysis of the frame; @error then has all that is known. */
gboolean gst_gles_analyzer_validate (
    GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, GstMiniObject *result, GError **error);
#ifdef GST_GLES_TEST_HOOKS
/* Answers @query if it asks to explain a difference that the soak test found. */
gboolean gst_gles_analyzer_explain (GstGlesAnalyzer *analyzer, GstQuery *query);
#endif

/* ---- gstglesanalyzer-prepare.c ---- */

/* Calls prepare() for new caps, in general on a thread of its own, and returns at once then. */
gboolean gst_gles_analyzer_begin_prepare (GstGlesAnalyzer *analyzer, GError **error);
/* Waits until that has ended, and posts its error. Returns whether frames can be analysed. */
gboolean gst_gles_analyzer_end_prepare (GstGlesAnalyzer *analyzer);

/* ---- gstglesanalyzer-reads.c ---- */

/* Asks downstream who reads the results on the host. */
void gst_gles_analyzer_ask_readers (GstGlesAnalyzer *analyzer);
/* Has late reads go by the queue of the stream, after it has got another one. */
void gst_gles_analyzer_move_late_reads (GstGlesAnalyzer *analyzer);
/* Has @result (transfer none) of @frame, the newest one, read late, and keeps a few of the large
 * results on the device only: older ones that somebody still has come to the host, so that long
 * queues accumulate no memory of the device. */
void gst_gles_analyzer_leave_on_device (
    GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, GstMiniObject *result);
/* Adds what the element reads to @query if upstream asks that. Thread: any. */
void gst_gles_analyzer_answer_readers (GstGlesAnalyzer *analyzer, GstQuery *query);

/* ---- gstglesanalyzer-jobs.c ---- */

/* Makes the waiter for results that are posted as messages. It lives as long as the element,
 * because a flush may come on any thread at any time; its thread runs only while there are jobs. */
GstGlesWaiter *gst_gles_analyzer_make_waiter (GstGlesAnalyzer *analyzer);
/* Starts posting errors that the device finds after the push. */
void gst_gles_analyzer_watch_queue (GstGlesAnalyzer *analyzer);
/* Drops the queue. When this returns, none of its errors will be posted. */
void gst_gles_analyzer_close_queue (GstGlesAnalyzer *analyzer);
/* Adds the bytes of counted results that were read back since the last call to `stats`. */
void gst_gles_analyzer_collect_readback_bytes (GstGlesAnalyzer *analyzer);
/* Passes @result and @timer (transfer full) (nullable) to the waiter's thread. FALSE with @error:
 * there can be none. */
gboolean gst_gles_analyzer_push_job (GstGlesAnalyzer *analyzer, const GstGlesFrame *frame,
    GstMiniObject *result, GstGlesTimer *timer, GError **error);
/* Drops the jobs that have not begun. A job that has begun ends without a message. */
void gst_gles_analyzer_discard_jobs (GstGlesAnalyzer *analyzer);
/* Waits until the device has finished all frames and all jobs are done. */
void gst_gles_analyzer_drain (GstGlesAnalyzer *analyzer);

/* ---- gstglesanalyzer-properties.c ---- */

/* Sets all settings to their defaults. */
void gst_gles_analyzer_init_settings (GObject *object);
void gst_gles_analyzer_install_properties (GObjectClass *klass);

G_END_DECLS

#endif
