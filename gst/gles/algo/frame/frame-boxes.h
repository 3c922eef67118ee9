/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of the samples in boxes of a picture, such as those of a detector. */
#ifndef GST_GLES_FRAME_BOXES_H
#define GST_GLES_FRAME_BOXES_H

#include <gst/gles/gl/image.h>
#include <glsl/frame/frame-boxes-layout.h>

G_BEGIN_DECLS

/* The most counters of a run. */
#define GST_GLES_FRAME_BOXES_MAX_COUNTERS (1u << 24)

typedef struct {
  guint bins;    /* 2 to 65536; bin = value * bins >> depth */
  gboolean luma; /* one channel, luma, instead of each stored component */
} GstGlesFrameBoxesConfig;

/* A box in luma positions of the stored picture. What lies outside of the picture does not count. A
 * sample belongs to the boxes that contain its top left luma position; boxes may overlap. */
typedef struct {
  gint x, y, width, height; /* empty where a size is 0 or less */
} GstGlesFrameBox;

typedef struct {
  const GstGlesFrameBox *boxes;
  guint n;
} GstGlesFrameBoxList;

typedef struct _GstGlesFrameBoxes GstGlesFrameBoxes;

/* Creates a plan for images laid out as @format (crop ignored) on @queue, of which it keeps a
 * reference. Builds the program and dispatches it once without work; no other boxes need another
 * one. Errors: SETTINGS (bins), NO_MEMORY, COMPILE, DEVICE_LOST. */
GST_GLES_API GstGlesFrameBoxes *gst_gles_frame_boxes_new (GstGlesQueue *queue,
    const GstGlesImage *format, const GstGlesFrameBoxesConfig *config, GError **error);
/* NULL is safe. */
GST_GLES_API void gst_gles_frame_boxes_unref (GstGlesFrameBoxes *boxes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameBoxes, gst_gles_frame_boxes_unref)

/* Returns the words that a run for @n boxes writes: `bins` counters for each channel of the first
 * box, then for those of the second one, and so on. */
GST_GLES_API guint64 gst_gles_frame_boxes_n_words (GstGlesFrameBoxes *boxes, guint n);

/* Queues counting the samples of @image in the boxes of @list, which are copied, into
 * @counts. On a cpu device the work is done when the call returns. Thread: one at a time per plan.
 * Errors: TOO_LARGE (over GST_GLES_FRAME_BOXES_MAX boxes or GST_GLES_FRAME_BOXES_MAX_COUNTERS
 * counters), INVALID (@counts is too small), NO_MEMORY, DEVICE_LOST. */
GST_GLES_API gboolean gst_gles_frame_boxes_run (GstGlesFrameBoxes *boxes, const GstGlesImage *image,
    const GstGlesFrameBoxList *list, GstGlesBuffer *counts, GError **error);

/* Does the same with native code on any kind of device. @image must have planes. Errors: TOO_LARGE,
 * NO_MEMORY. */
GST_GLES_API gboolean gst_gles_frame_boxes_run_native (GstGlesFrameBoxes *boxes,
    const GstGlesImage *image, const GstGlesFrameBoxList *list, guint32 *counts, GError **error);

G_END_DECLS

#endif
