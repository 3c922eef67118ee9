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

G_BEGIN_DECLS

#define GST_TYPE_GLES_ANALYZER (gst_gles_analyzer_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstGlesAnalyzer, gst_gles_analyzer, GST, GLES_ANALYZER, GstBaseTransform)

/* A frame that is analysed: what the base class knows of it. */
typedef struct {
  guint64 number; /* of the analysed frame, from 0; reset by a flush */
  GstClockTime pts, duration, running_time, stream_time;
  const GstVideoInfo *info; /* with the buffer's own size when it differs from the caps' */
  gboolean readback;        /* whether results are to come back to the host */
} GstGlesFrame;

struct _GstGlesAnalyzerClass {
  GstBaseTransformClass parent_class;

  /* Makes what frames like @layout need, so that the first one does not wait for it, and finds out
   * whether the properties fit them. */
  gboolean (*prepare) (GstGlesAnalyzer *analyzer, const GstGlesImage *layout, GError **error);
  /* Which components of @layout the next frame's analysis reads, as bits. */
  guint (*components) (GstGlesAnalyzer *analyzer, const GstGlesImage *layout);
  /* Queues the analysis of @image; a submission is open. Returns the result: (transfer full) */
  GstMiniObject *(*analyze) (GstGlesAnalyzer *analyzer, const GstGlesFrame *frame,
      const GstGlesImage *image, GError **error);
  /* Puts @result on @buffer. Does not wait. */
  void (*attach) (GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstMiniObject *result);
  /* Waits for @result. */
  gboolean (*wait) (GstMiniObject *result, guint64 timeout_ns, GError **error);
  /* Adds the statistics of a complete @result to @message. */
  gboolean (*describe) (
      GstGlesAnalyzer *analyzer, GstMiniObject *result, GstStructure *message, GError **error);
  /* Runs the native twin on @image, which has planes, and compares with the complete @result. */
  gboolean (*validate) (
      GstGlesAnalyzer *analyzer, const GstGlesImage *image, GstMiniObject *result, GError **error);
  /* Forgets earlier frames: after a flush, and before another format. */
  void (*reset) (GstGlesAnalyzer *analyzer);
  /* Drops plans and buffers: caps or device change. */
  void (*drop_plan) (GstGlesAnalyzer *analyzer);
};

/* The element's device and queue: (transfer none), between READY and NULL. */
GstGlesDevice *gst_gles_analyzer_get_device (GstGlesAnalyzer *analyzer);

/* For `stats`: bytes that a result brings to the host, and waits for a free slot. Inside analyze. */
void gst_gles_analyzer_count_readback (GstGlesAnalyzer *analyzer, gsize bytes, gboolean waited);

G_END_DECLS

#endif
