/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A channel of pictures whose samples kernels and native code bring to 8 bits. */
#ifndef GST_GLES_FRAME_PIXELS_H
#define GST_GLES_FRAME_PIXELS_H

#include <glsl/frame/frame-samples-layout.h>

#include <gst/gles/algo/frame/plan.h>
#include <gst/gles/gl/program.h>

G_BEGIN_DECLS

typedef struct {
  const GstGlesImage *format; /* of the plan */
  GstGlesFrameChannel channel;
  GstGlesFrameRange used; /* by the channel */
} GstGlesFramePixels;

/* The uniform block of kernels that include frame/pixels.glsl. */
typedef struct {
  GstGlesFrameSamplesPass pass;
  GstGlesComponent components[3];
} GstGlesFramePixelsParams;

/* @plan: the owner of @pixels, initialised. @channel: a component of its format, or
 * GST_GLES_FRAME_LUMA. */
void gst_gles_frame_pixels_init (
    GstGlesFramePixels *pixels, const GstGlesFramePlan *plan, gint channel);

/* Returns the first component. */
const GstGlesComponent *gst_gles_frame_pixels_get_component (const GstGlesFramePixels *pixels);

/* Sets the defines of @spec, of a kernel that includes frame/pixels.glsl. */
void gst_gles_frame_pixels_specialise (const GstGlesFramePixels *pixels, GstGlesProgramSpec *spec);
/* Calls @func for each specialisation of such a kernel, with the defines of @spec set to it. */
void gst_gles_frame_pixels_specialisations (
    GstGlesProgramSpec *spec, GstGlesSpecialisationFunc func, gpointer user_data);

/* Sets what kernels need to read a picture of which @bound_bytes are bound; the rest is 0. */
void gst_gles_frame_pixels_describe (
    const GstGlesFramePixels *pixels, gsize bound_bytes, GstGlesFramePixelsParams *params);

G_END_DECLS

#endif
