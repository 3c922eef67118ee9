/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What C and GLSL share of the overview of a frame. */
#ifndef GST_GLES_FRAME_OVERVIEW_LAYOUT_H
#define GST_GLES_FRAME_OVERVIEW_LAYOUT_H

#ifdef GL_ES
#include "lib/layout.h"
#else
#include <layout.h>
#endif

/* Areas side by side over the region, and one below the other. */
#define GST_GLES_OVERVIEW_SIDE 4u
#define GST_GLES_OVERVIEW_AREAS 16u
#define GST_GLES_OVERVIEW_BINS 32u
/* Every so many rows are visited, beginning with the region's first one. */
#define GST_GLES_OVERVIEW_ROW_STEP 4u

/* The words: the counters of area 0, of area 1, ..., then for each area the sum of its gradients in
 * 64 bits, the low word first. */
#define GST_GLES_OVERVIEW_SUMS 512u
#define GST_GLES_OVERVIEW_WORDS 544u

/* The first column (row) of the areas in column (row) @i of a region of @size columns (rows):
 * ceil (i * size / 4), without an overflow. The column (row) of sample x is floor (x * 4 /
 * size). */
#define GST_GLES_OVERVIEW_EDGE(size, i) (((size) >> 2) * (i) + ((((size) &3u) * (i) + 3u) >> 2))

/* Of @n rows, how many are visited. */
#define GST_GLES_OVERVIEW_VISITED(n) (((n) + 3u) >> 2)

GST_GLES_STRUCT (GstGlesFrameOverviewShape)
{
  GST_GLES_U32 x; /* the region, in samples */
  GST_GLES_U32 y;
  GST_GLES_U32 width;
  GST_GLES_U32 height;
  GST_GLES_U32 depth;
  GST_GLES_U32 luma;       /* 1: luma is computed from the components 0, 1 and 2 */
  GST_GLES_U32 scale_to_8; /* luma: bring every component to 8 bits first */
  GST_GLES_U32 kr;
  GST_GLES_U32 kg;
  GST_GLES_U32 kb;
  GST_GLES_U32 last_word; /* of the image's buffer */
  GST_GLES_U32 parts;     /* workgroups of an area; 0: no work */
  GST_GLES_U32 out_word;  /* of the counts, where the overview begins */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesFrameOverviewShape)

#endif
