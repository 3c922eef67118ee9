/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structures of connected components that C and GLSL share. lib/layout.h has the rules. */
#ifndef GST_GLES_COMPONENTS_LAYOUT_H
#define GST_GLES_COMPONENTS_LAYOUT_H

#ifdef GL_ES
#include "lib/array-layout.h"
#else
#include <array-layout.h>
#endif

/* One connected component; 64-bit sums have the low word first. */
GST_GLES_STRUCT (GstGlesComponentRecord)
{
  GST_GLES_U32 first; /* raster index of its first pixel, or cell */
  GST_GLES_U32 left;  /* the box in pixels; all four sides are inclusive */
  GST_GLES_U32 top;
  GST_GLES_U32 right;
  GST_GLES_U32 bottom;
  GST_GLES_U32 pixels;
  GST_GLES_U32 max_value;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 sum_x_low;
  GST_GLES_U32 sum_x_high;
  GST_GLES_U32 sum_y_low;
  GST_GLES_U32 sum_y_high;
  GST_GLES_U32 sum_value_low;
  GST_GLES_U32 sum_value_high;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesComponentRecord)

/* The label of background words. */
#define GST_GLES_COMPONENTS_BACKGROUND 0xffffffffu

/* A row of the grid is stored as mask words of 32 pixels. The runs of foreground within a mask word
 * are the nodes of the union-find forest: node 16 * word + i is the word's i-th run. */
#define GST_GLES_COMPONENTS_NODES 16u
/* The counters of candidates: one for each bucket of sizes, then the number of all. */
#define GST_GLES_COMPONENTS_BUCKETS 256u
#define GST_GLES_COMPONENTS_COUNTERS 257u
/* Set in the label of a listed root; the other bits are its index in the list. */
#define GST_GLES_COMPONENTS_LISTED 0x80000000u

GST_GLES_STRUCT (GstGlesComponentsPass)
{
  GST_GLES_U32 width; /* the grid, in words */
  GST_GLES_U32 height;
  GST_GLES_U32 row_words; /* mask words per row */
  GST_GLES_U32 n_words;   /* mask words of the grid */
  GST_GLES_U32 lower;     /* a word w is foreground when w - lower <= span */
  GST_GLES_U32 span;
  GST_GLES_U32 weighted;  /* 1: a word adds its value to the size, 0: it adds 1 */
  GST_GLES_U32 diagonal;  /* 1: 8-connected, 0: 4-connected */
  GST_GLES_U32 first_row; /* the band of rows that the binding of words covers: whole tiles */
  GST_GLES_U32 n_rows;
  GST_GLES_U32 base; /* index, in the binding, of the first word of first_row */
  GST_GLES_U32 max_regions;
  GST_GLES_U32 n;       /* points */
  GST_GLES_U32 counted; /* 1: the number of points, at most n, is on the device */
  GST_GLES_U32 cell_width;
  GST_GLES_U32 cell_height;
  GST_GLES_U32 frame_width; /* points outside this frame are ignored */
  GST_GLES_U32 frame_height;
  GST_GLES_U32 nodes_at;    /* index, in the candidates, of the first node; sizes come before it */
  GST_GLES_U32 empty;       /* 1: nothing is foreground */
  GST_GLES_U32 roots_at;    /* index, in the buffer of masks, of the masks of tile roots */
  GST_GLES_U32 counters_at; /* the same, of the counters of candidates */
  GST_GLES_U32 min_size;
  GST_GLES_U32 count_at; /* index, in its binding, of the number of points */
};
GST_GLES_STRUCT_END (GstGlesComponentsPass)

/* Lists the candidates. */
GST_GLES_STRUCT (GstGlesComponentsListPass)
{
  GstGlesArrayPass array; /* of mask words */
  GST_GLES_U32 min_size;
  GST_GLES_U32 nodes_at; /* word of the candidates: the first node */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
};
GST_GLES_STRUCT_END (GstGlesComponentsListPass)

#endif
