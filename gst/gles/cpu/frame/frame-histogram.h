/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the frame histogram. */
#ifndef GST_GLES_CPU_FRAME_HISTOGRAM_H
#define GST_GLES_CPU_FRAME_HISTOGRAM_H

#include <gst/gles/cpu/frame/frame-histogram-rows.h>
#include <gst/gles/cpu/frame/spans.h>

G_BEGIN_DECLS

/* A region in luma positions, the cells that divide it, the bins: bin = value * bins >> depth, and
 * the samples of the component that count (nullable: all). */
typedef struct {
  guint x, y, width, height;
  guint columns, rows;
  guint bins;
  const GstGlesCpuSpans *spans;
} GstGlesCpuFrameHistogramShape;

/* Counts into @counts, which has columns * rows * bins words and is overwritten. Uses the shared
 * pool. Errors: GST_GLES_ERROR_NO_MEMORY. */
gboolean gst_gles_cpu_frame_histogram (const GstGlesCpuChannel *channel,
    const GstGlesCpuFrameHistogramShape *shape, guint32 *counts, GError **error);

/* Sum of |a[i] - b[i]| over @n counters, modulo 2^32. */
guint32 gst_gles_cpu_frame_histogram_difference (const guint32 *a, const guint32 *b, gsize n);

/* Sum over i of |a[0] + ... + a[i] - b[0] - ... - b[i]|, for counters whose sums are equal and
 * below 2^31: the earth mover's distance, in samples times bins. */
guint64 gst_gles_cpu_frame_histogram_emd (const guint32 *a, const guint32 *b, gsize n);

/* The number of samples of a component in a region. A sample belongs to the region that contains
 * its top-left luma position. */
guint64 gst_gles_cpu_frame_histogram_n_samples (
    const GstGlesComponent *component, const GstGlesCpuFrameHistogramShape *shape);

G_END_DECLS

#endif
