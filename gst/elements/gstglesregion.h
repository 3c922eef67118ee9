/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The `region` property of analysers that read pixels. */
#ifndef GST_GLES_REGION_H
#define GST_GLES_REGION_H

#include <gst/gles/gl/image.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/* A rectangle in the visible picture; if it is not set, the whole visible picture. */
typedef struct {
  gboolean set;
  gint x, y, width, height;
} GstGlesRegionSetting;

/* Installs the property. It is a string, "x,y,width,height" with or without the brackets of an
 * array, and accepts any four integers: whether the rectangle is inside the frame is known only
 * with the caps. A rectangle outside is an error then; it never silently becomes the whole
 * frame. */
void gst_gles_region_install (GObjectClass *klass, guint id, const gchar *blurb);
/* Sets the region of @object under its lock. If @value is not a region, warns and changes
 * nothing. */
void gst_gles_region_set (GObject *object, GstGlesRegionSetting *region, const GValue *value);
/* Writes the region to @value. Call with the object's lock held. */
void gst_gles_region_get (const GstGlesRegionSetting *region, GValue *value);
/* Returns the region in coordinates of the stored picture, which depend on the crop. Errors:
 * SETTINGS if the region is empty or leaves the visible picture. */
gboolean gst_gles_region_place (const GstGlesRegionSetting *region, const GstGlesImage *image,
    guint *x, guint *y, guint *width, guint *height, GError **error);

/* Whether a plan that was made for @a can process @b. Native code reads the strides of each frame;
 * kernels use those of the plan. */
gboolean gst_gles_region_same_image (const GstGlesImage *a, const GstGlesImage *b);

G_END_DECLS

#endif
