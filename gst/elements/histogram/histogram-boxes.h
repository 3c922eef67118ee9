/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The boxes of elements upstream that gleshistogram counts in, besides the frame. */
#ifndef HISTOGRAM_BOXES_H
#define HISTOGRAM_BOXES_H

#include <gst/gles/algo/frame/frame-boxes.h>
#include <gst/gles/gl/pool.h>
#include <gst/gles/meta/histogram-info.h>

#include "../base/gstglesanalyzer.h"
#include "../base/validation.h"
#include "histogram-settings.h"

G_BEGIN_DECLS

/* All zero: none. */
typedef struct {
  BoxesSource sources;     /* of the boxes that are wanted */
  const gchar *type;       /* interned */
  GstGlesFrameBoxes *plan; /* nullable */
  GstGlesImage image;      /* the layout that the plan was made for, without pixels */
  gboolean luma;
  guint n_room; /* boxes that the buffers of the pool have room for */
  GstGlesBufferPool *pool;
  GstGlesReadbackRing *ring;
  GstGlesFrameBox places[BOXES_MAX]; /* of the last frame, in the stored picture */
  guint n;
  gboolean has_warned;
} HistogramBoxes;

/* Makes the plan for @settings and @image, unless there is one, or drops it where no boxes are
 * wanted. */
gboolean histogram_boxes_prepare (HistogramBoxes *self, const HistogramSettings *settings,
    const GstGlesImage *image, GstGlesQueue *queue, GError **error);
void histogram_boxes_drop (HistogramBoxes *self);

/* Reads the boxes of @buffer, of those that histogram_boxes_prepare() was told, where there is a
 * plan. Sets what @info has of boxes. Returns the boxes: (transfer full). */
GBytes *histogram_boxes_take (HistogramBoxes *self, GstGlesAnalyzer *analyzer, GstBuffer *buffer,
    const GstGlesImage *image, GstGlesHistogramInfo *info);
/* Counts in these, of which there is one at least, in the open submission: sets made->counts, and
 * made->readback, which are (transfer full). @info is complete. */
gboolean histogram_boxes_run (HistogramBoxes *self, GstGlesAnalyzer *analyzer,
    const GstGlesImage *image, GstGlesHistogramBoxes *made, GError **error);
gboolean histogram_boxes_read_back (HistogramBoxes *self, GstGlesAnalyzer *analyzer,
    const GstGlesHistogramInfo *info, GstGlesHistogramBoxes *made, GError **error);
void histogram_boxes_clear_made (GstGlesHistogramBoxes *made);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GstGlesHistogramBoxes, histogram_boxes_clear_made)

/* For `validate`: adds the counters of a complete result, and those that the twin counts in the
 * boxes of the last frame. */
gboolean histogram_boxes_read_words (
    GstGlesHistogramResult *result, ValidationWords *words, GError **error);
gboolean histogram_boxes_expect (
    HistogramBoxes *self, const GstGlesImage *image, ValidationWords *expected, GError **error);

G_END_DECLS

#endif
