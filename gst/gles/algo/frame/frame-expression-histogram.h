/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The histogram of the values of an expression: that of their picture, without what lies outside
 * the bounds. */
#ifndef GST_GLES_FRAME_EXPRESSION_HISTOGRAM_H
#define GST_GLES_FRAME_EXPRESSION_HISTOGRAM_H

#include <gst/gles/algo/frame/frame-expression.h>
#include <gst/gles/algo/frame/frame-histogram.h>
#include <gst/gles/gl/program.h>

G_BEGIN_DECLS

/* Where the counters lie, in words of the counts, as in GstGlesFrameHistogramLayout. */
typedef struct {
  guint depth;       /* of the values: 2^depth counters */
  guint64 n_samples; /* of the region, of which some may not count */
  guint native_offset, difference_offset, emd_offset;
  guint cells_offset; /* G_MAXUINT when there is one cell */
  gsize size_bytes;   /* of the counts, up to the last counter */
} GstGlesFrameExpressionHistogramLayout;

typedef struct _GstGlesFrameExpressionHistogram GstGlesFrameExpressionHistogram;

/* Makes a plan on the queue of @expression, for its pictures, which are of the region, grid and
 * bins of @config, and for counts whose words from @first_word, a multiple of four, on are free.
 * Errors: as gst_gles_frame_histogram_new(). */
GST_GLES_API GstGlesFrameExpressionHistogram *gst_gles_frame_expression_histogram_new (
    const GstGlesFrameExpression *expression, const GstGlesImage *image,
    const GstGlesFrameHistogramConfig *config, guint first_word, GError **error);
/* NULL is safe. */
GST_GLES_API void gst_gles_frame_expression_histogram_unref (
    GstGlesFrameExpressionHistogram *histogram);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (
    GstGlesFrameExpressionHistogram, gst_gles_frame_expression_histogram_unref)

GST_GLES_API const GstGlesFrameExpressionHistogramLayout *
gst_gles_frame_expression_histogram_get_layout (const GstGlesFrameExpressionHistogram *histogram);

/* Counts @picture, the values of a frame, and compares the counters with those of @previous
 * (nullable). On a device with GL the work is queued. Errors: as gst_gles_frame_histogram_run(). */
GST_GLES_API gboolean gst_gles_frame_expression_histogram_run (
    GstGlesFrameExpressionHistogram *histogram, const GstGlesImage *picture,
    GstGlesBuffer *previous, GstGlesBuffer *counts, GError **error);

/* The native twin, with any plan; @picture must have planes. */
GST_GLES_API gboolean gst_gles_frame_expression_histogram_run_native (
    GstGlesFrameExpressionHistogram *histogram, const GstGlesImage *picture,
    const guint32 *previous, guint32 *counts, GError **error);

void gst_gles_frame_expression_histogram_specialisations (
    GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
