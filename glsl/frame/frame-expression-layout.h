/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structures of expressions on pictures that C and GLSL share. lib/layout.h has the rules. */
#ifndef GST_GLES_FRAME_EXPRESSION_LAYOUT_H
#define GST_GLES_FRAME_EXPRESSION_LAYOUT_H

#ifdef GL_ES
#include "lib/layout.h"
#else
#include <layout.h>
#endif

/* The most rows of four words of a table: half of the least uniform block. */
#define GST_GLES_FRAME_EXPRESSION_TABLE_ROWS 512

/* Samples are calculated in groups of four of a row. The grid is that of the picture of values. */
GST_GLES_STRUCT (GstGlesFrameExpressionPass)
{
  GST_GLES_U32 n;           /* groups, or the most points */
  GST_GLES_U32 row_groups;  /* groups of a row of the region, at least 1 */
  GST_GLES_U32 x;           /* the first sample of the region, a multiple of four */
  GST_GLES_U32 y;           /* its first row */
  GST_GLES_U32 last_column; /* of the grid */
  GST_GLES_U32 row_words;   /* of the picture of values */
  GST_GLES_U32 last_word;   /* of the image's buffer */
  GST_GLES_U32 previous;    /* the first word of the previous frame in the reference */
  GST_GLES_U32 sub_x;       /* of the grid */
  GST_GLES_U32 sub_y;
  GST_GLES_U32 crop_x; /* the visible picture */
  GST_GLES_U32 crop_y;
  GST_GLES_U32 crop_width;
  GST_GLES_U32 crop_height;
  GST_GLES_U32 frame; /* its number */
  GST_GLES_U32 lower; /* values that are kept, and what stands for others */
  GST_GLES_U32 upper;
  GST_GLES_U32 outside;
  GST_GLES_U32 out_word; /* of a row of words that a kernel writes beside the picture's */
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesFrameExpressionPass)

/* The visible samples of a component, from the first to the last, and where the averages of its
 * background begin in the reference. */
GST_GLES_STRUCT (GstGlesFrameExpressionSource)
{
  GST_GLES_U32 left;
  GST_GLES_U32 top;
  GST_GLES_U32 right;
  GST_GLES_U32 bottom;
  GST_GLES_U32 averages;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesFrameExpressionSource)

/* Where the counters of values go: offsets are indices of words. */
GST_GLES_STRUCT (GstGlesFrameExpressionCounts)
{
  GST_GLES_U32 n_values; /* counters of the region, from word 0 of the source on, at least 4 */
  GST_GLES_U32 n_bins;   /* of all cells together; 0: there is no grid */
  GST_GLES_U32 bins;     /* of a cell, at least 1 */
  GST_GLES_U32 source_bins;
  GST_GLES_U32 source_cells; /* where they begin in the source */
  GST_GLES_U32 native_offset;
  GST_GLES_U32 difference_offset; /* of a row of four words, which become 0 */
  GST_GLES_U32 cells_offset;
};
GST_GLES_STRUCT_END (GstGlesFrameExpressionCounts)

#endif
