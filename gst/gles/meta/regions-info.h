/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What elements make region results with. Not installed. */
#ifndef GST_GLES_META_REGIONS_INFO_H
#define GST_GLES_META_REGIONS_INFO_H

#include <gst/gles/gl/readback-info.h>
#include <gst/gles/meta/regions.h>

G_BEGIN_DECLS

/* Makes a result of work that is queued, for elements that analyse. Keeps @regions and @counts, on
 * the device (nullable), and @readback, the regions on their way to the host, counted (nullable:
 * they stay on the device). Thread: any. */
GST_GLES_API GstGlesRegionsResult *gst_gles_regions_result_new_queued (
    const GstGlesRegionsInfo *info, GstGlesReadback *readback, GstGlesBuffer *regions,
    GstGlesBuffer *counts);

/* Changes the @counted regions that came from the device, in place: none may become more. */
typedef void (*GstGlesRegionsFinishFunc) (
    gpointer data, GstGlesRegion *regions, GstGlesResult *counted);
/* Has @func called once, on the thread that first finds the regions there, before any getter
 * returns them. For who made @result, before others see it. @data: (transfer full): freed with
 * g_free(). What is on the device stays as it is. */
GST_GLES_API void gst_gles_regions_result_set_finish (
    GstGlesRegionsResult *result, GstGlesRegionsFinishFunc func, gpointer data);

/* Whether all of @n @regions have pixels, lie in the picture, and have their means in their boxes:
 * readers divide by what they say. */
gboolean gst_gles_regions_info_check (
    const GstGlesRegionsInfo *info, const GstGlesRegion *regions, gsize n);

G_END_DECLS

#endif
