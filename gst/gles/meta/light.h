/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Light levels of HDR, from the histogram of max(R, G, B). */
#ifndef GST_GLES_META_LIGHT_H
#define GST_GLES_META_LIGHT_H

#include <gst/gles/meta/histogram.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_LIGHT (gst_gles_light_get_type ())
GST_GLES_API GType gst_gles_light_get_type (void);

/**
 * GST_GLES_LIGHT_CHANNEL:
 *
 * The name of the channel that gleshistogram adds with `light=true` where the caps say PQ. Its
 * values are max(R, G, B) of each pixel in PQ, with 8 to 12 bits and full range.
 *
 * Since: 0.1
 */
#define GST_GLES_LIGHT_CHANNEL "light"

typedef struct _GstGlesLight GstGlesLight;

/**
 * GstGlesLight:
 * @max: of the brightest pixel; the largest of a video is its MaxCLL
 * @mean: of all pixels; the largest of a video is its MaxFALL
 * @p1: 1st percentile, as the others: the smallest value that at least so many pixels do not exceed
 *     (nearest rank)
 * @p5: 5th percentile
 * @p10: 10th percentile
 * @p25: 25th percentile
 * @p50: the median
 * @p75: 75th percentile
 * @p90: 90th percentile
 * @p95: 95th percentile
 * @p98: 98th percentile
 * @p99: 99th percentile
 * @p99_98: 99.98th percentile, as HDR10+ has it in place of the brightest pixel
 *
 * Light levels of a picture in cd/m²: of max(R, G, B) of each pixel, as CTA-861.3 and HDR10+ count
 * it. All but @mean are multiples of 1/65536 cd/m². Pixels are code values of PQ of the channel's
 * depth; docs/elements/gleshistogram.md states the error.
 *
 * Since: 0.1
 */
struct _GstGlesLight {
  gdouble max;
  gdouble mean;
  gdouble p1, p5, p10, p25, p50, p75, p90, p95, p98, p99, p99_98;
};

/**
 * gst_gles_light_compute:
 * @counts: (array length=n): how many pixels have each value of max(R, G, B) in PQ
 * @n: the number of values: 256, 512, 1024, 2048 or 4096
 * @light: (out caller-allocates): the levels; all 0 if there are no pixels
 *
 * Computes light levels by the EOTF of ITU-R BT.2100, each value of which is rounded to 1/65536
 * cd/m². The counters may be sums over many frames, of fewer than 2^49 pixels altogether.
 *
 * Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_light_compute (const guint64 *counts, guint n, GstGlesLight *light);

/**
 * gst_gles_histogram_result_get_light:
 * @result: a result
 * @light: (out caller-allocates): the levels
 * @error: set when %FALSE is returned because the counters do not come
 *
 * The light levels of a result that has a channel %GST_GLES_LIGHT_CHANNEL. Waits for the counters.
 *
 * Thread: any.
 *
 * Returns: %TRUE if @light is set; %FALSE and no error if there is no such channel. Errors: as
 *     gst_gles_histogram_result_wait().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_histogram_result_get_light (
    GstGlesHistogramResult *result, GstGlesLight *light, GError **error);

G_END_DECLS

#endif
