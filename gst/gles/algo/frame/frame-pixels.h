/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A channel of pictures whose samples kernels and native code bring to 8 bits. */
#ifndef GST_GLES_FRAME_PIXELS_H
#define GST_GLES_FRAME_PIXELS_H

#include <glsl/frame/frame-samples-layout.h>

#include <gst/gles/cpu/frame-histogram-rows.h>
#include <gst/gles/gl/image.h>

G_BEGIN_DECLS

typedef struct {
  GstGlesImage format; /* without pixels */
  guint component;     /* the first one of the channel */
  gboolean matrix;
  guint depth;
  gsize used_to; /* the end of the channel in an image */
} GstGlesFramePixels;

/* The uniform block of kernels that include frame/pixels.glsl. */
typedef struct {
  GstGlesFrameSamplesPass pass;
  GstGlesComponent components[3];
} GstGlesFramePixelsParams;

/* @channel: a component of @format, or GST_GLES_FRAME_LUMA. */
void gst_gles_frame_pixels_init (
    GstGlesFramePixels *pixels, const GstGlesImage *format, gint channel);

const GstGlesComponent *gst_gles_frame_pixels_get_component (const GstGlesFramePixels *pixels);

/* Returns the defines of frame/pixels.glsl. */
void gst_gles_frame_pixels_define (
    const GstGlesFramePixels *pixels, gboolean *bytes, gboolean *luma);

/* Returns how many bytes of @buffer, a picture, a kernel binds. */
gsize gst_gles_frame_pixels_bound_bytes (const GstGlesFramePixels *pixels, GstGlesBuffer *buffer);

/* Sets what kernels need to read a picture of which @bound_bytes are bound; the rest is 0. */
void gst_gles_frame_pixels_describe (
    const GstGlesFramePixels *pixels, gsize bound_bytes, GstGlesFramePixelsParams *params);

/* The samples of @image, which has planes, as native code reads them. */
GstGlesCpuChannel gst_gles_frame_pixels_channel (
    const GstGlesFramePixels *pixels, const GstGlesImage *image);

/* Whether @image is laid out as the format. Error: INVALID. */
gboolean gst_gles_frame_pixels_check (
    const GstGlesFramePixels *pixels, const GstGlesImage *image, GError **error);

G_END_DECLS

#endif
