/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of histogram results share. */
#ifndef GST_GLES_META_HISTOGRAM_PRIVATE_H
#define GST_GLES_META_HISTOGRAM_PRIVATE_H

#include <gst/gles/meta/histogram-info.h>
#include <gst/gles/meta/result.h>

G_BEGIN_DECLS

/* Samples of a channel: sums of squares of code values fit 64 bits, see get_variance(). */
#define GST_GLES_HISTOGRAM_MAX_SAMPLES (G_GUINT64_CONSTANT (1) << 31)

struct _GstGlesHistogramResult {
  GstGlesResultBase base;
  GstGlesHistogramInfo info;
  GBytes *boxes; /* nullable: GstGlesBox, whose counters are the second array */

  /* derived on first use, under the lock of the base */
  guint32 *rebinned[GST_GLES_HISTOGRAM_MAX_CHANNELS];
  GstGlesHistogramStatistics statistics[GST_GLES_HISTOGRAM_MAX_CHANNELS];
  gboolean has_statistics[GST_GLES_HISTOGRAM_MAX_CHANNELS];
  GstGlesOverview *overview;
};

/* ---- histogram-statistics.c ---- */

/* Sets @statistics from @n counters, one per code value; without samples all are 0. What compares
 * frames is 0. */
void gst_gles_histogram_statistics_compute (
    const guint32 *counts, guint n, GstGlesHistogramStatistics *statistics);

G_END_DECLS

#endif
