/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regions-forms.h"

/* Scales a coordinate from a size of @from to one of @to pixels, rounding down, or up with @up. */
static guint
scale (guint at, guint from, guint to, gboolean up)
{
  return (guint) (((guint64) at * to + (up ? from - 1 : 0)) / from);
}

void
regions_add_roi (GstBuffer *buffer, GstGlesRegionsResult *result, guint width, guint height)
{
  const guint n = gst_gles_regions_result_get_count (result);
  const gchar *label = gst_gles_regions_result_get_label (result);
  guint from_width, from_height;

  gst_gles_regions_result_get_size (result, &from_width, &from_height);
  for (guint i = 0; i < n; i++) {
    const GstGlesRegion *region = gst_gles_regions_result_get_region (result, i, NULL);
    guint x = scale (region->left, from_width, width, FALSE);
    guint y = scale (region->top, from_height, height, FALSE);
    guint right = scale (region->right + 1, from_width, width, TRUE);
    guint bottom = scale (region->bottom + 1, from_height, height, TRUE);
    GstVideoRegionOfInterestMeta *meta;
    gdouble centroid_x, centroid_y;

    meta =
        gst_buffer_add_video_region_of_interest_meta (buffer, label, x, y, right - x, bottom - y);
    meta->id = i;
    gst_gles_region_get_centroid (region, &centroid_x, &centroid_y);
    gst_video_region_of_interest_meta_add_param (meta,
        gst_structure_new ("gles-region", "pixels", G_TYPE_UINT, region->pixels, "centroid-x",
            G_TYPE_DOUBLE, centroid_x * width / from_width, "centroid-y", G_TYPE_DOUBLE,
            centroid_y * height / from_height, "mean", G_TYPE_DOUBLE,
            gst_gles_region_get_mean (region), "max", G_TYPE_UINT, region->max_value, NULL));
  }
}
