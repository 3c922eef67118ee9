/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Luminance and saturated red of a frame, for the detection of flashes: a part of results of
 * histograms. */
#ifndef GST_GLES_META_FLASH_H
#define GST_GLES_META_FLASH_H

#include <gst/gles/meta/histogram.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_FLASH (gst_gles_flash_get_type ())
GST_GLES_API GType gst_gles_flash_get_type (void);

typedef struct _GstGlesFlash GstGlesFlash;

/**
 * GstGlesFlash:
 * @n_samples: samples that are visited, at most 65536: those of every n-th column and row of the
 *     region, where n is a power of two
 * @compared: whether there was a picture before, which the samples were compared with
 * @luminance_changed: samples whose relative luminance differs from that in the picture before
 * @red_changed: samples whose saturated red differs
 * @luminance: the sum of the relative luminance of the samples, from 0 to 65535 each
 * @red: the sum of their saturated red, from 0 to 65535 each: the light of red less that of green
 *     and blue where it is at least 80 % of all, else 0
 *
 * What flashes are detected by, according to WCAG 2.3.1.
 *
 * Since: 0.1
 */
struct _GstGlesFlash {
  guint n_samples;
  gboolean compared;
  guint luminance_changed, red_changed;
  guint64 luminance, red;
};

/**
 * gst_gles_histogram_result_get_flash:
 * @result: a result
 * @flash: (out caller-allocates): receives the sums
 * @error: set when %FALSE is returned because the counters do not come
 *
 * Luminance and saturated red, which gleshistogram compares with `flash=true`. Waits for the
 * counters.
 *
 * Thread: any.
 *
 * Returns: %TRUE if @flash is set; %FALSE and no error if the element was not told to compare them.
 *     Errors: as gst_gles_histogram_result_wait().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_histogram_result_get_flash (
    GstGlesHistogramResult *result, GstGlesFlash *flash, GError **error);

G_END_DECLS

#endif
