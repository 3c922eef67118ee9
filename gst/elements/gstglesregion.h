/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The `region` property of analysers that read pixels. */
#ifndef GST_GLES_REGION_H
#define GST_GLES_REGION_H

#include <gst/gles/gl/image.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/* A part of the visible picture; not set: all of it. */
typedef struct {
  gboolean set;
  gint x, y, width, height;
} GstGlesRegion;

/* A string, "x,y,width,height" with or without the brackets of an array. Any four integers are taken: whether it lies in the frame is known only with the caps, and then a wrong one is
 * an error, never silently the whole frame. */
void gst_gles_region_install (GObjectClass *klass, guint id, const gchar *blurb);
/* Sets the region of @object, under its lock; warns and leaves it as it is where @value is none. */
void gst_gles_region_set (GObject *object, GstGlesRegion *region, const GValue *value);
/* With the object's lock held. */
void gst_gles_region_get (const GstGlesRegion *region, GValue *value);
/* Where in the stored picture the region lies: it moves with the crop. Errors: SETTINGS when it is
 * empty or leaves the visible picture. */
gboolean gst_gles_region_place (const GstGlesRegion *region, const GstGlesImage *image, guint *x,
    guint *y, guint *width, guint *height, GError **error);

/* Whether a plan that was made for @a serves @b. Native code reads the strides of each frame, kernels those
 * of the plan. */
gboolean gst_gles_region_same_image (const GstGlesImage *a, const GstGlesImage *b);

G_END_DECLS

#endif
