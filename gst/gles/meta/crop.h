/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The border around a picture: a part of results of histograms. */
#ifndef GST_GLES_META_CROP_H
#define GST_GLES_META_CROP_H

#include <gst/gles/meta/histogram.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_CROP (gst_gles_crop_get_type ())
GST_GLES_API GType gst_gles_crop_get_type (void);

typedef struct _GstGlesCrop GstGlesCrop;

/**
 * GstGlesCrop:
 * @left: the first column whose mean, rounded down, exceeds the limit of `crop-limit`; -1: there is
 *     none
 * @top: the first such row
 * @right: the last such column
 * @bottom: the last such row
 *
 * What lies inside of a border that is dark, in samples of luma from the top left corner of the
 * region.
 *
 * Since: 0.1
 */
struct _GstGlesCrop {
  gint left, top, right, bottom;
};

/**
 * gst_gles_histogram_result_get_crop:
 * @result: a result
 * @crop: (out caller-allocates): receives the rows and columns
 * @error: set when %FALSE is returned because the counters do not come
 *
 * The border, which gleshistogram finds with `crop-limit`. Waits for the counters.
 *
 * Thread: any.
 *
 * Returns: %TRUE if @crop is set; %FALSE and no error if the element was not told to find it.
 *     Errors: as gst_gles_histogram_result_wait().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_histogram_result_get_crop (
    GstGlesHistogramResult *result, GstGlesCrop *crop, GError **error);

G_END_DECLS

#endif
