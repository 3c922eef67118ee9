/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The base class of analysers that read pixels. It brings the pixels of a frame to the device, and
 * for validation to a cpu device. A subclass sets the functions below and, of GstGlesAnalyzerClass,
 * those for results, reset() and drop_plan(). */
#ifndef GST_GLES_PICTURE_ANALYZER_H
#define GST_GLES_PICTURE_ANALYZER_H

#include <gst/gles/gl/image.h>

#include "gstglesanalyzer.h"

G_BEGIN_DECLS

#define GST_TYPE_GLES_PICTURE_ANALYZER (gst_gles_picture_analyzer_get_type ())
G_DECLARE_DERIVABLE_TYPE (
    GstGlesPictureAnalyzer, gst_gles_picture_analyzer, GST, GLES_PICTURE_ANALYZER, GstGlesAnalyzer)

struct _GstGlesPictureAnalyzerClass {
  GstGlesAnalyzerClass parent_class;

  /* Prepares everything that frames like @layout need, so that the first frame does not wait for
   * it, and checks that the properties fit @layout. */
  gboolean (*prepare) (
      GstGlesPictureAnalyzer *analyzer, const GstGlesImage *layout, GError **error);
  /* Returns a bit mask of the components of @layout that the analysis reads. */
  guint (*components) (GstGlesPictureAnalyzer *analyzer, const GstGlesImage *layout);
  /* Checks that the region, and what is laid over it, fit pictures of the visible size of @image.
   * Errors: OUTSIDE. */
  gboolean (*fits) (GstGlesPictureAnalyzer *analyzer, const GstGlesImage *image, GError **error);
  /* Returns how often the analysis reads each sample, as an estimate of at least 1. */
  guint (*n_reads) (GstGlesPictureAnalyzer *analyzer);
  /* Queues the analysis of @image in the open submission. Returns the result: (transfer full). */
  GstMiniObject *(*analyze) (GstGlesPictureAnalyzer *analyzer, const GstGlesFrame *frame,
      const GstGlesImage *image, GError **error);
  /* Runs the native twin on @image, which is @frame and has planes, and adds its result. */
  gboolean (*expect) (GstGlesPictureAnalyzer *analyzer, const GstGlesFrame *frame,
      const GstGlesImage *image, ValidationWords *expected, GError **error);
};

/* Returns the format of the caps: (transfer none). Thread: the streaming thread. */
const GstVideoInfo *gst_gles_picture_analyzer_get_info (GstGlesPictureAnalyzer *analyzer);

/* Returns the fields that buffers of the caps hold, as a range of GstGlesField: the first one, and
 * *last. */
GstGlesField gst_gles_picture_analyzer_get_fields (
    GstGlesPictureAnalyzer *analyzer, GstGlesField *last);

G_END_DECLS

#endif
