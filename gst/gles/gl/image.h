/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A picture as algorithms see it: a description of its components instead of a format. */
#ifndef GST_GLES_IMAGE_H
#define GST_GLES_IMAGE_H

#include <gst/gles/gl/buffer.h>
#ifndef __GI_SCANNER__ /* it does not understand structures that GLSL shares */
#include <gst/gles/glsl/layout.h>
G_BEGIN_DECLS

/**
 * GST_GLES_MAX_COMPONENTS:
 *
 * The most components that a picture has.
 *
 * Since: 0.1
 */
#define GST_GLES_MAX_COMPONENTS 4

/**
 * GstGlesLumaKind: (skip)
 * @GST_GLES_LUMA_STORED: component 0 is luma (or grey)
 * @GST_GLES_LUMA_MATRIX: GST_GLES_LUMA() of the components 0, 1 and 2, which are R, G and B
 *
 * How luma is obtained.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_LUMA_STORED,
  GST_GLES_LUMA_MATRIX
} GstGlesLumaKind;

/**
 * GstGlesImage: (skip)
 * @width: of the whole stored picture, in luma samples
 * @height: likewise
 * @crop_x: the visible part (#GstVideoCropMeta), in luma samples
 * @crop_y: likewise
 * @crop_width: likewise
 * @crop_height: likewise
 * @n_components: number of components
 * @components: where the samples of each are; see gst/gles/glsl/layout.h
 * @names: "Y", "U", "V", "A", "R", ...: static
 * @luma: how luma is obtained
 * @kr: of the matrix: 16-bit fixed point; the three sum up to 65536
 * @kg: likewise
 * @kb: likewise
 * @full_range: of Y, U and V
 * @luma_depth: bits of luma: the components' depth, or 8 when depths are mixed
 * @buffer: (nullable): on a device with OpenGL ES: the samples; offsets count from its start
 * @planes: (nullable): on a cpu device: the samples; offsets count from planes[components[i].plane]
 *
 * A picture. Its samples are borrowed: they are there from gst_gles_frame_source_acquire() to
 * gst_gles_frame_source_release().
 *
 * Since: 0.1
 */
typedef struct {
  guint width, height;
  guint crop_x, crop_y, crop_width, crop_height;
  guint n_components;
  GstGlesComponent components[GST_GLES_MAX_COMPONENTS];
  const gchar *names[GST_GLES_MAX_COMPONENTS];
  GstGlesLumaKind luma;
  guint kr, kg, kb;
  gboolean full_range;
  guint luma_depth;
  GstGlesBuffer *buffer;
  const guint8 *planes[GST_GLES_MAX_COMPONENTS];
} GstGlesImage;

G_END_DECLS
#endif

#endif
