/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of images: a plan for one format and one configuration, run for every frame. */
#ifndef GST_GLES_HISTOGRAM_H
#define GST_GLES_HISTOGRAM_H

#include <gst/gles/gl/image.h>

G_BEGIN_DECLS

#define GST_GLES_HISTOGRAM_MAX_COUNTERS (1u << 24)

/* What to count. */
typedef struct {
  guint x, y, width, height; /* region in luma positions of the stored picture, not empty */
  guint columns, rows;       /* cells over the region, at least 1 each, at most its size */
  guint bins;                /* 2 to 65536 */
  gboolean luma;             /* one channel, luma, instead of each stored component */
  gboolean mad;              /* leave room for the sums of gst_gles_frame_mad_run() */
  gboolean emd;              /* also compute the earth mover's distance to the frame before */
} GstGlesHistogramConfig;

/* Where a run leaves its counters: u32 words of the counts buffer.
 *
 * Per channel the native histogram (bin = code value, 2^depth words, whole region), one word for the
 * sum over native bins of |count - previous count|, and, with `emd`, two for the sum of
 * |cumulative count - previous cumulative count|, low word first. With more than one cell also, per channel,
 * columns * rows histograms of `bins` words in cell raster order, bin = value * bins >> depth; with
 * one cell the `bins` histogram follows from the native one: see gst_gles_histogram_rebin(). */
typedef struct {
  guint n_channels;
  struct {
    const gchar *name; /* static */
    guint depth;
    guint64 n_samples; /* in the region */
    guint native_offset;
    guint difference_offset;
    guint emd_offset;   /* difference_offset + 1; 0 lies there without `emd` */
    guint mad_offset;   /* with `mad`: a row of 4 words, not written by a run; else 0 */
    guint cells_offset; /* G_MAXUINT when there is one cell */
  } channels[GST_GLES_MAX_COMPONENTS];
  guint columns, rows, bins;
  gsize size_bytes; /* of the counts buffer */
} GstGlesHistogramLayout;

typedef struct _GstGlesHistogram GstGlesHistogram;

/* A plan for images with the format, size and strides of @format (crop ignored) on @queue. Keeps
 * @queue. Builds its programs and dispatches them once, empty, so that no frame pays for it.
 * Errors: SETTINGS (bins, region, grid), TOO_LARGE (over GST_GLES_HISTOGRAM_MAX_COUNTERS, over
 * 2^31 - 1 samples), COMPILE. */
GST_GLES_API GstGlesHistogram *gst_gles_histogram_new (GstGlesQueue *queue,
    const GstGlesImage *format, const GstGlesHistogramConfig *config, GError **error);
/* NULL is safe. */
GST_GLES_API void gst_gles_histogram_free (GstGlesHistogram *histogram);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesHistogram, gst_gles_histogram_free)

GST_GLES_API const GstGlesHistogramLayout *gst_gles_histogram_get_layout (
    GstGlesHistogram *histogram);

/* How often a run reads the picture's bytes, rounded up: at least 1. What reads single samples counts as
 * if it read 16 bytes for each. */
GST_GLES_API guint gst_gles_histogram_get_n_reads (GstGlesHistogram *histogram);

/* Queues the counting of @image into @counts (at least layout size; everything in it is written) and
 * the comparison with @previous, the counts of the frame before (nullable: differences are 0).
 * On a cpu device the work is done when the call returns. Thread: one at a time per plan. */
GST_GLES_API gboolean gst_gles_histogram_run (GstGlesHistogram *histogram,
    const GstGlesImage *image, GstGlesBuffer *previous, GstGlesBuffer *counts, GError **error);

/* The same with the native twin, into @counts of layout size, whatever @queue's device is: for
 * validation. @image must have planes, not a buffer; @previous is nullable. Errors: NO_MEMORY. */
GST_GLES_API gboolean gst_gles_histogram_run_native (GstGlesHistogram *histogram,
    const GstGlesImage *image, const guint32 *previous, guint32 *counts, GError **error);

G_END_DECLS

#endif
