/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the rows of pictures tell: the border, which is the first and last rows and columns of luma
 * that are brighter than a limit on average; rows that repeat others, and samples that are
 * far from those above and below. */
#ifndef GST_GLES_FRAME_ROWS_H
#define GST_GLES_FRAME_ROWS_H

#include <glsl/frame/frame-rows-layout.h>

#include <gst/gles/algo/frame/plan.h>

G_BEGIN_DECLS

typedef enum {
  GST_GLES_FRAME_ROWS_CROP,     /* the border, of luma */
  GST_GLES_FRAME_ROWS_OUTLIERS, /* of luma, or the first component */
  GST_GLES_FRAME_ROWS_N_MEASURES
} GstGlesFrameRowsMeasure;

typedef struct {
  GstGlesFrameRowsMeasure measure;
  GstGlesFrameRegion region; /* not empty */
  gboolean luma;             /* outliers: of luma, in place of the first component */
  guint limit;               /* border: the code value that a mean, rounded down, has to exceed */
} GstGlesFrameRowsConfig;

/* Begins with a GstGlesFramePlan. */
typedef struct _GstGlesFrameRows GstGlesFrameRows;

/* Creates a plan for images laid out as @format (crop ignored) on @queue, of which it keeps a
 * reference. Builds the programs and dispatches each once without work. Errors: TOO_LARGE (also
 * where the region is wider or higher than 32767), NO_MEMORY, COMPILE, DEVICE_LOST. */
GST_GLES_API GstGlesFrameRows *gst_gles_frame_rows_new (GstGlesQueue *queue,
    const GstGlesImage *format, const GstGlesFrameRowsConfig *config, GError **error);
/* NULL is safe. */
GST_GLES_API void gst_gles_frame_rows_unref (GstGlesFrameRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameRows, gst_gles_frame_rows_unref)

/* Queues the measure of @image, laid out as the plan's format; does not wait. The words of
 * frame-rows-layout.h are written to @words from word @offset on, a multiple of 4. On a cpu device
 * the work is done when the call returns. Thread: any, one at a time per plan. Errors: NO_MEMORY,
 * DEVICE_LOST. */
GST_GLES_API gboolean gst_gles_frame_rows_run (GstGlesFrameRows *rows, const GstGlesImage *image,
    GstGlesBuffer *words, guint offset, GError **error);

/* Does the same with the native twin, whatever the queue's device is. *@kept is NULL at first, and
 * what the twin keeps for the next picture then: (transfer full), released by g_free(). @image must
 * have planes, not a buffer. Errors: NO_MEMORY. */
GST_GLES_API gboolean gst_gles_frame_rows_run_native (GstGlesFrameRows *rows,
    const GstGlesImage *image, guint8 **kept, guint32 *words, GError **error);

G_END_DECLS

#endif
