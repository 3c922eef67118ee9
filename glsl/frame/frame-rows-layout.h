/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What C and GLSL share of the measures of rows. */
#ifndef GST_GLES_FRAME_ROWS_LAYOUT_H
#define GST_GLES_FRAME_ROWS_LAYOUT_H

#ifdef GL_ES
#include "lib/layout.h"
#else
#include <layout.h>
#endif

/* Words of the border: of rows and then of columns that are brighter than the limit, the distance
 * of the first one from the end, and that of the last one from the beginning, counted from 1; 0
 * where there is none, so that the largest of two words is that of both. */
#define GST_GLES_FRAME_ROWS_CROP_WORDS 4u

/* Words of outliers: rows that repeat the one so many rows above, because their samples differ by
 * less than 1 on average, and samples that are farther from those above and below than half of the
 * distance of those and so much more. */
#define GST_GLES_FRAME_ROWS_N_REPEATED 0u
#define GST_GLES_FRAME_ROWS_N_OUTLIERS 1u
#define GST_GLES_FRAME_ROWS_OUTLIERS_WORDS 4u
#define GST_GLES_FRAME_ROWS_REPEAT 4u
#define GST_GLES_FRAME_ROWS_OUTLIER 4

/* A channel as rows of samples. */
GST_GLES_STRUCT (GstGlesFrameRowsPlace)
{
  GST_GLES_U32 component;  /* (the first one) */
  GST_GLES_U32 luma;       /* computed from all three */
  GST_GLES_U32 scale_to_8; /* luma: bring every component to 8 bits first */
  GST_GLES_U32 kr;
  GST_GLES_U32 kg;
  GST_GLES_U32 kb;
  GST_GLES_U32 last_word; /* of the image's buffer */
  GST_GLES_U32 out_word;  /* the first word of what is measured */
  GST_GLES_U32 x;         /* the first sample */
  GST_GLES_U32 y;
  GST_GLES_U32 width; /* samples; 0: there are none */
  GST_GLES_U32 height;
  GST_GLES_U32 row_sum; /* border: the least sum of a row that is brighter than the limit */
  GST_GLES_U32 column_sum;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
};
GST_GLES_STRUCT_END (GstGlesFrameRowsPlace)

#endif
