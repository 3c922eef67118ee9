/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Regions in the formats that other elements read. */
#ifndef GST_GLES_REGIONS_FORMS_H
#define GST_GLES_REGIONS_FORMS_H

#include <gst/gles/meta/regions-info.h>

G_BEGIN_DECLS

/* Adds a GstVideoRegionOfInterestMeta to @buffer for each region of the complete @result, in pixels
 * of a frame of @width x @height. Its type is the label, its id the index in the list, and it has a
 * structure "gles-region" with pixels, centroid-x, centroid-y, mean and max of the region, its
 * index in the result, and the name of the element. */
void regions_add_roi (GstBuffer *buffer, GstGlesRegionsResult *result, guint width, guint height);

#if HAVE_ANALYTICS
/* The same as a GstAnalyticsODMtd for each region, with a confidence of 1, in the
 * GstAnalyticsRelationMeta of @buffer, which is added if there is none. */
void regions_add_analytics (
    GstBuffer *buffer, GstGlesRegionsResult *result, guint width, guint height);
#endif

G_END_DECLS

#endif
