/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structure of compaction of pictures that C and GLSL share. lib/layout.h has the rules. */
#ifndef GST_GLES_FRAME_COMPACT_LAYOUT_H
#define GST_GLES_FRAME_COMPACT_LAYOUT_H

#ifdef GL_ES
#include "lib/layout.h"
#else
#include <layout.h>
#endif

/* Frame compaction: the samples that the values of the pass are. Value i is sample (x + i % width,
 * y + i / width). */
GST_GLES_STRUCT (GstGlesFramePass)
{
  GST_GLES_U32 width; /* samples per row, at least 1 */
  GST_GLES_U32 x;
  GST_GLES_U32 y;
  GST_GLES_U32 base; /* byte samples: index of the load that begins with value 0 */
  GST_GLES_U32 left; /* edge: the first and the last visible samples */
  GST_GLES_U32 top;
  GST_GLES_U32 right;
  GST_GLES_U32 bottom;
  GST_GLES_U32 sub_x; /* point = (sample << sub) - origin */
  GST_GLES_U32 sub_y;
  GST_GLES_U32 origin_x;
  GST_GLES_U32 origin_y;
  GST_GLES_U32 stride;    /* byte samples: loads from one row to the next */
  GST_GLES_U32 last_word; /* last word of the image that the components cover */
  GST_GLES_U32 scale_to_8;
  GST_GLES_U32 kr; /* weights of R, G and B for luma */
  GST_GLES_U32 kg;
  GST_GLES_U32 kb;
  GST_GLES_U32 row_samples; /* samples per row of the whole picture */
  GST_GLES_U32 mask_words;  /* MASK: words per row of the mask */
};
GST_GLES_STRUCT_END (GstGlesFramePass)

#endif
