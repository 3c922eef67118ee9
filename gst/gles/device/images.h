/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* EGL images: pixels of other APIs, which a device reads as textures. */
#ifndef GST_GLES_IMAGES_H
#define GST_GLES_IMAGES_H

#include <gst/gles/device/display.h>
#include <gst/gles/device/procs.h>

G_BEGIN_DECLS

/* A code of the Linux DRM subsystem for a pixel format, as in drm_fourcc.h. */
#define GST_GLES_FOURCC(a, b, c, d)                                                                \
  ((guint32) (a) | (guint32) (b) << 8 | (guint32) (c) << 16 | (guint32) (d) << 24)

/* Planes of DMABufs are read as texels of one, two or four bytes, whatever the video format: with
 * 8-bit components every byte arrives unchanged, and all drivers that import DMABufs have these
 * three formats. Entry i has texels of 1 << i bytes. */
#define GST_GLES_N_PLANE_FORMATS 3
extern const guint32 gst_gles_plane_fourccs[GST_GLES_N_PLANE_FORMATS];

/* The layout modifier of rows one after the other. */
#define GST_GLES_MODIFIER_LINEAR G_GUINT64_CONSTANT (0)

/* What a device can read as textures. Constant once the device is open. */
typedef struct {
  gboolean textures; /* textures of other contexts of the display, and their fences */
  gboolean dmabufs;
  /* The layout modifiers other than the linear one that the driver lists for each of
   * gst_gles_plane_fourccs, without those that need external textures: of guint64, or NULL. */
  GArray *modifiers[GST_GLES_N_PLANE_FORMATS];
} GstGlesImageSupport;

/* Reads the support of @display with a context whose OpenGL ES extensions are @extensions. Call on
 * the device's thread. */
void gst_gles_image_support_probe (
    GstGlesImageSupport *support, const GstGlesDisplay *display, const gchar *extensions);
void gst_gles_image_support_clear (GstGlesImageSupport *support);

/* Returns the modifiers in which the driver lists every plane format, so that any video format can
 * be read in them, without the linear one: (transfer full), of guint64. */
GArray *gst_gles_image_support_list_modifiers (const GstGlesImageSupport *support);

/* A plane in a DMABuf. */
typedef struct {
  gint fd; /* borrowed */
  gsize offset_bytes, stride_bytes;
  guint width, height; /* in texels */
  guint format;        /* index in gst_gles_plane_fourccs */
  guint64 modifier;
} GstGlesDmaBufPlane;

/* Makes an image of @plane on @display: destroyed with destroy_image(). Call on the device's
 * thread. Errors: INVALID with the reason of EGL. */
EGLImageKHR gst_gles_image_from_dmabuf (
    const GstGlesDisplay *display, const GstGlesDmaBufPlane *plane, GError **error);

G_END_DECLS

#endif
