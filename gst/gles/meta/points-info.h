/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What elements make point results with. Not installed. */
#ifndef GST_GLES_META_POINTS_INFO_H
#define GST_GLES_META_POINTS_INFO_H

#include <gst/gles/gl/readback-info.h>
#include <gst/gles/meta/points.h>

G_BEGIN_DECLS

/* Makes a result of work that is queued, for elements that analyse. Keeps @readback, the points on
 * their way to the host, counted (nullable: they stay on the device), @points, those on the device
 * (nullable), and @counts, their number there, a GstGlesResult. Thread: any. */
GST_GLES_API GstGlesPointsResult *gst_gles_points_result_new_queued (const GstGlesPointsInfo *info,
    GstGlesReadback *readback, GstGlesBuffer *points, GstGlesBuffer *counts);

/* Drops the points on the device of a result that is read back, which results that are kept would
 * hold. Thread: any. */
GST_GLES_API void gst_gles_points_result_release_device (GstGlesPointsResult *result);

/* Whether all of @n @points lie in the picture. */
gboolean gst_gles_points_info_check (
    const GstGlesPointsInfo *info, const GstGlesPoint *points, gsize n);

G_END_DECLS

#endif
