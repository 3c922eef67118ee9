/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What elements make point results with. Not installed. */
#ifndef GST_GLES_META_POINTS_INFO_H
#define GST_GLES_META_POINTS_INFO_H

#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/points.h>

G_BEGIN_DECLS

typedef struct _GstGlesPointsInfo GstGlesPointsInfo;

/* GstGlesPointsInfo:
 * @x: left edge of the region, in pixels
 * @y: top edge of the region
 * @region_width: width of the region
 * @region_height: height of the region
 * @predicate: what passes
 * @channel: 0 to 3, or %GST_GLES_POINTS_LUMA
 * @lower: the least value that passes
 * @upper: the largest value that passes
 * @max_points: the most points that are listed
 * @depth: bits per sample of the channel; 0: unknown
 * @adaptation: motion: 0: the reference is the frame analysed before; else a running average of the
 *     earlier frames, which takes over 95 % of a change in this many frames
 *
 * What was analysed.
 */
struct _GstGlesPointsInfo {
  GstGlesFrameInfo frame;
  guint x, y;
  guint region_width, region_height;
  GstGlesPointsPredicate predicate;
  gint channel;
  guint lower, upper;
  guint max_points;
  guint depth;
  guint adaptation;
};

/* Makes a result of work that is queued, for elements that analyse. Keeps @readback, the points on
 * their way to the host, counted (nullable: they stay on the device), @points, those on the device
 * (nullable), and @counts, their number there, a GstGlesResult. Thread: any. */
GST_GLES_API GstGlesPointsResult *gst_gles_points_result_new_queued (const GstGlesPointsInfo *info,
    GstGlesReadback *readback, GstGlesBuffer *points, GstGlesBuffer *counts);

/* Returns (transfer none) what @result was made with. */
GST_GLES_API const GstGlesPointsInfo *gst_gles_points_result_get_info (GstGlesPointsResult *result);

/* Drops the points on the device of a result that is read back, which results that are kept would
 * hold. Thread: any. */
GST_GLES_API void gst_gles_points_result_release_device (GstGlesPointsResult *result);

/* Whether all of @n @points lie in the picture. */
gboolean gst_gles_points_info_check (
    const GstGlesPointsInfo *info, const GstGlesPoint *points, gsize n);

G_END_DECLS

#endif
