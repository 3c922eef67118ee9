/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Structures that C and GLSL share. In GLSL they are in std140 uniform blocks or std430 storage
 * blocks, so every structure consists of u32 words and its size is a multiple of 16 bytes. C
 * asserts the sizes. */
#ifndef GST_GLES_LAYOUT_H
#define GST_GLES_LAYOUT_H

#ifdef GL_ES
#define GST_GLES_U32 uint
#define GST_GLES_STRUCT(name) struct name
#define GST_GLES_STRUCT_END(name)
#define GST_GLES_NESTED(name, member)
#else
#include <glib.h>
#define GST_GLES_U32 guint32
#define GST_GLES_STRUCT(name)                                                                      \
  typedef struct _##name name;                                                                     \
  struct _##name
#define GST_GLES_STRUCT_END(name) G_STATIC_ASSERT (sizeof (name) % 16 == 0);
/* std140 aligns a structure within a structure to 16 bytes. */
#define GST_GLES_NESTED(name, member) G_STATIC_ASSERT (G_STRUCT_OFFSET (name, member) % 16 == 0);
#endif

/* One stored component of an image: the position and encoding of its samples. Sample (x, y), 0 <=
 * x < width, 0 <= y < height, lies in the word of `word_bytes` bytes (1, 2 or 4, big-endian when
 * `big_endian`) at byte offset + y * stride + x * step; its value is (word >> shift) & ((1 <<
 * depth) - 1). It stands for the luma positions (x << sub_x, y << sub_y) and following. */
GST_GLES_STRUCT (GstGlesComponent)
{
  GST_GLES_U32 offset;     /* bytes from the start of the plane's data to sample (0, 0) */
  GST_GLES_U32 stride;     /* bytes from one row of samples to the next */
  GST_GLES_U32 step;       /* bytes from one sample to the next on its right */
  GST_GLES_U32 word_bytes; /* 1, 2 or 4 */
  GST_GLES_U32 big_endian; /* 0 or 1 */
  GST_GLES_U32 shift;      /* bits below the sample in its word */
  GST_GLES_U32 depth;      /* bits per sample, 1 to 16 */
  GST_GLES_U32 sub_x;      /* log2 of the horizontal subsampling */
  GST_GLES_U32 sub_y;      /* log2 of the vertical subsampling */
  GST_GLES_U32 width;      /* samples per row */
  GST_GLES_U32 height;     /* rows of samples */
  GST_GLES_U32 plane;      /* index of the GstVideoFrame plane that holds it */
};
GST_GLES_STRUCT_END (GstGlesComponent)

/* Scales a sample of `depth` bits to 8 bits, rounded; max = (1 << depth) - 1. Luma is computed
 * from such values where R, G and B differ in depth. The identity for 8 bits. */
#define GST_GLES_SCALE_TO_8(v, max) (((v) *255u + ((max) >> 1)) / (max))

/* Luma of R, G, B; kr + kg + kb = 65536, so the sum fits a u32 up to 16 bits per sample. */
#define GST_GLES_LUMA(kr, kg, kb, r, g, b) (((kr) * (r) + (kg) * (g) + (kb) * (b) + 32768u) >> 16)

#endif
