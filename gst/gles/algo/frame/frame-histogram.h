/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frame histogram: a plan for one format and one configuration, run for every frame. */
#ifndef GST_GLES_FRAME_HISTOGRAM_H
#define GST_GLES_FRAME_HISTOGRAM_H

#include <gst/gles/gl/image.h>

G_BEGIN_DECLS

#define GST_GLES_FRAME_HISTOGRAM_MAX_COUNTERS (1u << 24)

/* Configures a histogram. */
typedef struct {
  guint x, y, width, height; /* region in luma positions of the stored picture, not empty */
  guint columns, rows;       /* cells over the region, at least 1 each, at most its size */
  guint bins;                /* 2 to 65536 */
  gboolean luma;             /* one channel, luma, instead of each stored component */
  gboolean mad;              /* reserve words for the sums of gst_gles_frame_mad_run() */
  gboolean emd;              /* also compute the earth mover's distance to the frame before */
  gboolean overview;         /* also compute the overview of luma */
  /* What counts, of the size of the pictures; nullable: all. The overview is of the whole region.
   * A sample counts if its top left luma position does. The plan keeps a reference. */
  struct _GstGlesMaskBits *mask;
} GstGlesFrameHistogramConfig;

/* The layout of the counts buffer, in u32 words.
 *
 * Each channel has the native histogram of the whole region (bin = code value, 2^depth words),
 * one word for the sum over native bins of |count - previous count|, and, with `emd`, two words
 * for the sum of |cumulative count - previous cumulative count|, low word first. With more than
 * one cell, each channel also has columns * rows histograms of `bins` words in cell raster
 * order, bin = value * bins >> depth. With one cell the `bins` histogram follows from the native
 * one: see gst_gles_frame_histogram_rebin(). With `overview`, the words of the overview follow:
 * 32 counters for each of 16 areas, then for each area the sum of its gradients, low word first. */
typedef struct {
  guint n_channels;
  struct {
    const gchar *name; /* static */
    guint depth;
    guint64 n_samples; /* samples in the region, and in the mask */
    guint native_offset;
    guint difference_offset;
    guint emd_offset;   /* difference_offset + 1; the words are 0 without `emd` */
    guint mad_offset;   /* with `mad`: a row of 4 words that a run does not write; otherwise 0 */
    guint cells_offset; /* G_MAXUINT when there is one cell */
  } channels[GST_GLES_MAX_COMPONENTS];
  guint columns, rows, bins;
  guint overview_offset, overview_depth; /* with `overview`; otherwise 0 */
  gsize size_bytes;                      /* of the counts buffer */
} GstGlesFrameHistogramLayout;

typedef struct _GstGlesFrameHistogram GstGlesFrameHistogram;

/* Makes a plan for images with the format, size and strides of @format (its crop is ignored).
 * The plan keeps a reference to @queue. Programs are built and dispatched once without work
 * here, so that the first frame does not wait for the compiler. Errors: SETTINGS (bins, region,
 * grid), TOO_LARGE (over GST_GLES_FRAME_HISTOGRAM_MAX_COUNTERS, over 2^31 - 1 samples), COMPILE. */
GST_GLES_API GstGlesFrameHistogram *gst_gles_frame_histogram_new (GstGlesQueue *queue,
    const GstGlesImage *format, const GstGlesFrameHistogramConfig *config, GError **error);
/* NULL is safe. */
GST_GLES_API void gst_gles_frame_histogram_unref (GstGlesFrameHistogram *histogram);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameHistogram, gst_gles_frame_histogram_unref)

GST_GLES_API const GstGlesFrameHistogramLayout *gst_gles_frame_histogram_get_layout (
    GstGlesFrameHistogram *histogram);

/* How often a run reads the bytes of the picture, rounded up: at least 1. Kernels that read single
 * samples count as if they read 16 bytes per sample. */
GST_GLES_API guint gst_gles_frame_histogram_get_n_reads (GstGlesFrameHistogram *histogram);

/* Queues counting @image into @counts (at least layout size; all words are written) and
 * comparing it with @previous, the counts of the frame before (nullable: differences are 0). On
 * a cpu device the work is done when the call returns. Thread: one at a time per plan. */
GST_GLES_API gboolean gst_gles_frame_histogram_run (GstGlesFrameHistogram *histogram,
    const GstGlesImage *image, GstGlesBuffer *previous, GstGlesBuffer *counts, GError **error);

/* Does the same with the native twin on any kind of device, for validation. @counts has layout
 * size. @image must have planes, not a buffer; @previous is nullable. Errors: NO_MEMORY. */
GST_GLES_API gboolean gst_gles_frame_histogram_run_native (GstGlesFrameHistogram *histogram,
    const GstGlesImage *image, const guint32 *previous, guint32 *counts, GError **error);

G_END_DECLS

#endif
