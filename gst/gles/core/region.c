/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/core/region.h>

G_DEFINE_BOXED_TYPE (GstGlesRegion, gst_gles_region, gst_gles_region_copy, gst_gles_region_free)

GstGlesRegion *
gst_gles_region_copy (const GstGlesRegion *region)
{
  g_return_val_if_fail (region != NULL, NULL);
  return g_memdup2 (region, sizeof (*region));
}

void
gst_gles_region_free (GstGlesRegion *region)
{
  g_free (region);
}

void
gst_gles_region_get_box (
    const GstGlesRegion *region, guint *x, guint *y, guint *width, guint *height)
{
  g_return_if_fail (region != NULL);
  if (x != NULL)
    *x = region->left;
  if (y != NULL)
    *y = region->top;
  if (width != NULL)
    *width = region->right - region->left + 1;
  if (height != NULL)
    *height = region->bottom - region->top + 1;
}

void
gst_gles_region_get_centroid (const GstGlesRegion *region, gdouble *x, gdouble *y)
{
  gdouble n;

  g_return_if_fail (region != NULL);
  n = MAX (region->pixels, 1);
  if (x != NULL)
    *x = (gdouble) region->sum_x / n;
  if (y != NULL)
    *y = (gdouble) region->sum_y / n;
}

gdouble
gst_gles_region_get_mean (const GstGlesRegion *region)
{
  g_return_val_if_fail (region != NULL, 0);
  return (gdouble) region->sum_value / (gdouble) MAX (region->pixels, 1);
}
