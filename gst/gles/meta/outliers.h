/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Repeated rows and outliers of a frame: a part of results of histograms. */
#ifndef GST_GLES_META_OUTLIERS_H
#define GST_GLES_META_OUTLIERS_H

#include <gst/gles/meta/histogram.h>

G_BEGIN_DECLS

/**
 * gst_gles_histogram_result_get_outliers:
 * @result: a result
 * @repeated_rows: (out): receives the number of rows whose samples differ by less than 1 on average
 *     from those of the row four above
 * @outliers: (out): receives the number of samples that are, with those beside them, far from the
 *     samples above and below
 * @error: set when %FALSE is returned because the counters do not come
 *
 * What gleshistogram counts in the region with `outliers=true`, of luma or the first component.
 * VREP and TOUT of FFmpeg's filter signalstats are shares: the first number of the rows, and the
 * second of the samples. Of more than 8 bits outliers are those of the lower 8 bits, as there.
 * Waits for the counters.
 *
 * Thread: any.
 *
 * Returns: %TRUE if both are set; %FALSE and no error if the element was not told to count them.
 *     Errors: as gst_gles_histogram_result_wait().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_histogram_result_get_outliers (
    GstGlesHistogramResult *result, guint *repeated_rows, guint *outliers, GError **error);

G_END_DECLS

#endif
