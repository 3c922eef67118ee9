/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The `region` property of analysers that read pixels. */
#ifndef GST_GLES_REGION_SETTING_H
#define GST_GLES_REGION_SETTING_H

#include <gst/gles/gl/image.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/* A number of pixels, or a share of the picture's width or height. */
typedef struct {
  gboolean is_share;
  gint64 value; /* pixels, or thousandths of a percent */
} GstGlesRegionNumber;

/* A rectangle in the visible picture; if it is not set, the whole visible picture. */
typedef struct {
  gboolean set;
  GstGlesRegionNumber x, y, width, height;
} GstGlesRegionSetting;

/* Returns the property. It is a string, "x,y,width,height" with or without the brackets of an
 * array, and accepts any four numbers, integers or percentages: whether the rectangle is inside the
 * frame is known only with the caps. A rectangle outside never silently becomes the whole frame.
 * @what: what the region is for, the beginning of the blurb. */
GParamSpec *gst_gles_region_spec (const gchar *what);
/* Sets the region of @object under its lock. If @value is not a region, warns and changes
 * nothing. */
void gst_gles_region_set (GObject *object, GstGlesRegionSetting *region, const GValue *value);
/* Writes the region of @object to @value, under its lock. */
void gst_gles_region_get (GObject *object, const GstGlesRegionSetting *region, GValue *value);

/* Where a region is, in pixels of the stored picture. */
typedef struct {
  guint x, y, width, height;
} GstGlesRegionPlace;

/* Sets @place to the region in coordinates of the stored picture, which depend on the crop. Each
 * edge is computed exactly and rounded down to a whole pixel; a share that comes to no pixel is one
 * pixel. Errors: OUTSIDE if the region is empty or leaves the visible picture. */
gboolean gst_gles_region_place (const GstGlesRegionSetting *region, const GstGlesImage *image,
    GstGlesRegionPlace *place, GError **error);

/* Whether a plan that was made for @a can process @b. Native code reads the strides of each frame;
 * kernels use those of the plan. */
gboolean gst_gles_region_same_image (const GstGlesImage *a, const GstGlesImage *b);

G_END_DECLS

#endif
