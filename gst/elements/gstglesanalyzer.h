/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the analysing elements have in common: a device, frames on it, results that are waited for
 * elsewhere, messages in order. A subclass brings a plan, its result and its meta. */
#ifndef GST_GLES_ANALYZER_H
#define GST_GLES_ANALYZER_H

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

#include <gst/gles/device/device.h>
#include <gst/gles/gl/image.h>
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/origin.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_ANALYZER (gst_gles_analyzer_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstGlesAnalyzer, gst_gles_analyzer, GST, GLES_ANALYZER, GstBaseTransform)

/* A frame that is analysed: what the base class knows of it. */
typedef struct {
  GstBuffer *buffer;
  guint64 number; /* of the analysed frame, from 0; reset by a flush */
  GstClockTime pts, duration, running_time, stream_time;
  GstClockTime utc;         /* 0: unknown */
  GstGlesOrigin *origin;    /* lives as long as the caps and the stream */
  const GstVideoInfo *info; /* of the caps; of pictures only */
  gboolean readback;        /* whether results are to come back to the host */
} GstGlesFrame;

/* There are two kinds of analysers. Those of pictures read pixels, which the base class brings to the
 * device. The others set `set_caps`, replace the pad templates, and take from the buffer what they
 * need: no pixel is touched, whatever memory it is in. */
struct _GstGlesAnalyzerClass {
  GstBaseTransformClass parent_class;

  /* Of those that read no pixels: makes what buffers of @caps need, so that the first one does not
   * wait for it, and finds out whether the properties fit them. */
  gboolean (*set_caps) (GstGlesAnalyzer *analyzer, GstCaps *caps, GError **error);
  /* Whether @buffer has anything to analyse; NULL: every buffer has. */
  gboolean (*accept) (GstGlesAnalyzer *analyzer, GstBuffer *buffer);
  /* Of those that read no pixels: takes from the buffer what the analysis needs, and waits for it if it
   * must: no submission is open yet. */
  gboolean (*take) (GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, GError **error);

  /* Of those of pictures: makes what frames like @layout need, so that the first one does not wait for it, and finds out
   * whether the properties fit them. */
  gboolean (*prepare) (GstGlesAnalyzer *analyzer, const GstGlesImage *layout, GError **error);
  /* Of those of pictures: which components of @layout the next frame's analysis reads, as bits. */
  guint (*components) (GstGlesAnalyzer *analyzer, const GstGlesImage *layout);
  /* Picture analyzers only: how often the analysis reads each sample, as far as it is known; at least 1. */
  guint (*n_reads) (GstGlesAnalyzer *analyzer);
  /* Queues the analysis of @image (NULL unless it is one of pictures); a submission is open. Returns
   * the result: (transfer full) */
  GstMiniObject *(*analyze) (GstGlesAnalyzer *analyzer, const GstGlesFrame *frame,
      const GstGlesImage *image, GError **error);
  /* Puts @result on @buffer. Does not wait. */
  void (*attach) (GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstMiniObject *result);
  /* Optional: puts on @buffer what has to be known when it leaves; waits for @result if it must.
   * Only where results come back to the host. */
  gboolean (*annotate) (
      GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstMiniObject *result, GError **error);
  /* Waits for @result. */
  gboolean (*wait) (GstMiniObject *result, guint64 timeout_ns, GError **error);
  /* Optional: for `stats`, the bytes of results whose size only the device knows that have come to the
   * host since the last call. */
  gsize (*take_readback_bytes) (GstGlesAnalyzer *analyzer);
  /* Adds the statistics of a complete @result to @message. */
  gboolean (*describe) (
      GstGlesAnalyzer *analyzer, GstMiniObject *result, GstStructure *message, GError **error);
  /* Runs the native twin on @image, which has planes (NULL unless it is one of pictures: then on what
   * was taken from the last buffer), and compares with the complete @result. */
  gboolean (*validate) (
      GstGlesAnalyzer *analyzer, const GstGlesImage *image, GstMiniObject *result, GError **error);
  /* Forgets earlier frames: after a flush, and before another format. */
  void (*reset) (GstGlesAnalyzer *analyzer);
  /* Drops plans and buffers: caps or device change. */
  void (*drop_plan) (GstGlesAnalyzer *analyzer);
};

/* The element's device and its queue there: (transfer none), between READY and NULL. */
GstGlesDevice *gst_gles_analyzer_get_device (GstGlesAnalyzer *analyzer);
GstGlesQueue *gst_gles_analyzer_get_queue (GstGlesAnalyzer *analyzer);

/* For `stats`: bytes that analysers without pixels bring to the device. Inside analyze. */
void gst_gles_analyzer_count_upload (GstGlesAnalyzer *analyzer, gsize bytes, gboolean waited);

/* For `stats`: bytes that a result brings to the host, and waits for a free slot. Inside analyze. */
void gst_gles_analyzer_count_readback (GstGlesAnalyzer *analyzer, gsize bytes, gboolean waited);

G_END_DECLS

#endif
