/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A picture as algorithms see it: a description of its components instead of a format. */
#ifndef GST_GLES_IMAGE_H
#define GST_GLES_IMAGE_H

#include <gst/gles/gl/buffer.h>
#include <gst/gles/glsl/layout.h>

G_BEGIN_DECLS

#define GST_GLES_MAX_COMPONENTS 4

/* How luma is obtained. */
typedef enum {
  GST_GLES_LUMA_STORED, /* component 0 is luma (or grey) */
  GST_GLES_LUMA_MATRIX  /* (kr * R + kg * G + kb * B + 2^15) >> 16 of components 0, 1, 2 */
} GstGlesLumaKind;

/* The samples are borrowed. On a device with GL, components[i].offset counts from the start of
 * @buffer; on a cpu device it counts from planes[components[i].plane]. */
typedef struct {
  guint width, height;                           /* of the whole stored picture, in luma samples */
  guint crop_x, crop_y, crop_width, crop_height; /* the visible part (GstVideoCropMeta) */
  guint n_components;
  GstGlesComponent components[GST_GLES_MAX_COMPONENTS];
  const gchar *names[GST_GLES_MAX_COMPONENTS]; /* "Y", "U", "V", "A", "R", ...: static */
  GstGlesLumaKind luma;
  guint kr, kg, kb;    /* 16-bit fixed point, sum 65536 */
  gboolean full_range; /* of Y, U and V */
  guint luma_depth;    /* bits of luma: the components' depth, or 8 when depths are mixed */
  GstGlesBuffer *buffer;
  const guint8 *planes[GST_GLES_MAX_COMPONENTS];
} GstGlesImage;

G_END_DECLS

#endif
