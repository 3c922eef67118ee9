/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_REGION_H
#define GST_GLES_REGION_H

#include <gst/gles/core/prelude.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_REGION (gst_gles_region_get_type ())
GST_GLES_API GType gst_gles_region_get_type (void);

/**
 * GstGlesRegion:
 * @first: its label: the index, in raster order, of its first word or of its first cell
 * @left: the smallest x of its pixels
 * @top: the smallest y
 * @right: the largest x, inclusive
 * @bottom: the largest y, inclusive
 * @pixels: the number of its pixels, or points
 * @max_value: the largest of their values
 * @sum_x: the sum of their x
 * @sum_y: the sum of their y
 * @sum_value: the sum of their values
 *
 * A connected component. In a device buffer a region takes 64 bytes in the layout of this
 * structure, little-endian.
 *
 * Since: 0.1
 */
typedef struct {
  guint32 first;
  guint32 left, top, right, bottom;
  guint32 pixels;
  guint32 max_value;
  /*< private >*/
  guint32 reserved_0;
  /*< public >*/
  guint64 sum_x, sum_y, sum_value;
  /*< private >*/
  guint64 reserved_1;
} GstGlesRegion;

/**
 * gst_gles_region_copy:
 * @region: a region
 *
 * Returns: (transfer full): a copy
 * Since: 0.1
 */
GST_GLES_API GstGlesRegion *gst_gles_region_copy (const GstGlesRegion *region);

/**
 * gst_gles_region_free:
 * @region: (transfer full) (nullable): a region from gst_gles_region_copy()
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_region_free (GstGlesRegion *region);

/**
 * gst_gles_region_get_box:
 * @region: a region
 * @x: (out) (optional): the left edge, in pixels
 * @y: (out) (optional): the upper edge, in pixels
 * @width: (out) (optional): pixels from the left edge to the right one, both included
 * @height: (out) (optional): pixels from the upper edge to the lower one, both included
 *
 * Computes the bounding box of a region. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_region_get_box (
    const GstGlesRegion *region, guint *x, guint *y, guint *width, guint *height);

/**
 * gst_gles_region_get_centroid:
 * @region: a region
 * @x: (out) (optional): the mean x of its pixels
 * @y: (out) (optional): the mean y of its pixels
 *
 * Computes the centroid of a region, in pixels. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_region_get_centroid (
    const GstGlesRegion *region, gdouble *x, gdouble *y);

/**
 * gst_gles_region_get_mean:
 * @region: a region
 *
 * Thread: any.
 *
 * Returns: the mean of the values of its pixels
 * Since: 0.1
 */
GST_GLES_API gdouble gst_gles_region_get_mean (const GstGlesRegion *region);

G_END_DECLS

#endif
