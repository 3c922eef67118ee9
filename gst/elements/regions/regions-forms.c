/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "regions-forms.h"

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

/* A box in pixels. */
typedef struct {
  guint x, y, width, height;
} Box;

/* Scales a coordinate from a size of @from to one of @to pixels, rounding down, or up with @up. */
static guint
scale (guint at, guint from, guint to, gboolean up)
{
  return (guint) (((guint64) at * to + (up ? from - 1 : 0)) / from);
}

/* Returns the box of @region in a frame of @width x @height. */
static Box
scaled_box (const GstGlesRegionsInfo *info, const GstGlesRegion *region, guint width, guint height)
{
  const guint x = scale (region->left, info->frame.width, width, FALSE);
  const guint y = scale (region->top, info->frame.height, height, FALSE);

  return (Box){ x, y, scale (region->right + 1, info->frame.width, width, TRUE) - x,
    scale (region->bottom + 1, info->frame.height, height, TRUE) - y };
}

void
regions_add_roi (GstBuffer *buffer, GstGlesRegionsResult *result, guint width, guint height)
{
  const GstGlesRegionsInfo *info = gst_gles_regions_result_get_info (result);
  const guint n = gst_gles_regions_result_get_count (result);
  /* exactly 1 where the size is the same, so that the centroid stays the same double */
  const gdouble x_scale = (gdouble) width / info->frame.width,
                y_scale = (gdouble) height / info->frame.height;

  for (guint i = 0; i < n; i++) {
    const GstGlesRegion *region = gst_gles_regions_result_get_region (result, i, NULL);
    const Box box = scaled_box (info, region, width, height);
    GstVideoRegionOfInterestMeta *meta;
    gdouble centroid_x, centroid_y;

    meta = gst_buffer_add_video_region_of_interest_meta (
        buffer, info->label, box.x, box.y, box.width, box.height);
    meta->id = i;
    gst_gles_region_get_centroid (region, &centroid_x, &centroid_y);
    gst_video_region_of_interest_meta_add_param (meta,
        gst_structure_new ("gles-region", "pixels", G_TYPE_UINT, region->pixels, "centroid-x",
            G_TYPE_DOUBLE, centroid_x * x_scale, "centroid-y", G_TYPE_DOUBLE, centroid_y * y_scale,
            "mean", G_TYPE_DOUBLE, gst_gles_region_get_mean (region), "max", G_TYPE_UINT,
            region->max_value, "index", G_TYPE_UINT, i, "element", G_TYPE_STRING,
            info->frame.origin != NULL ? info->frame.origin->element : NULL, NULL));
  }
}

#if HAVE_ANALYTICS
void
regions_add_analytics (GstBuffer *buffer, GstGlesRegionsResult *result, guint width, guint height)
{
  const GstGlesRegionsInfo *info = gst_gles_regions_result_get_info (result);
  const GQuark label = g_quark_from_string (info->label);
  const guint n = gst_gles_regions_result_get_count (result);
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (buffer);

  if (n > 0 && meta == NULL)
    meta = gst_buffer_add_analytics_relation_meta (buffer);
  for (guint i = 0; i < n; i++) {
    const GstGlesRegion *region = gst_gles_regions_result_get_region (result, i, NULL);
    const Box box = scaled_box (info, region, width, height);
    GstAnalyticsODMtd detection;

    gst_analytics_relation_meta_add_od_mtd (meta, label, (gint) box.x, (gint) box.y,
        (gint) box.width, (gint) box.height, 1.0f, &detection);
  }
}
#endif
