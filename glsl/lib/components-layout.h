/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What C and GLSL share of components, as lib/layout.h does. */
#ifndef GST_GLES_COMPONENTS_LAYOUT_H
#define GST_GLES_COMPONENTS_LAYOUT_H

#ifdef GL_ES
#include "lib/layout.h"
#else
#include <layout.h>
#endif

/* One connected component; 64-bit sums have the low word first. */
GST_GLES_STRUCT (GstGlesComponentRecord)
{
  GST_GLES_U32 first; /* place of its first pixel, or cell, in raster order */
  GST_GLES_U32 left;  /* pixels, all four included */
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

/* A label of background, where labels are written. */
#define GST_GLES_COMPONENTS_BACKGROUND 0xffffffffu

/* A row of the grid is a row of mask words of 32 pixels each; the runs of pixels within a mask word are the
 * nodes of the union-find forest, at most 16 to a word. Node 16 * word + i is the word's i-th run. The label of
 * a root that is listed is its place in the list, with this bit. */
#define GST_GLES_COMPONENTS_NODES 16u
#define GST_GLES_COMPONENTS_LISTED 0x80000000u

GST_GLES_STRUCT (GstGlesComponentsPass)
{
  GST_GLES_U32 width; /* of the grid */
  GST_GLES_U32 height;
  GST_GLES_U32 row_words; /* mask words of a row */
  GST_GLES_U32 n_words;   /* mask words in all */
  GST_GLES_U32 lower;     /* a word w is foreground when w - lower <= span */
  GST_GLES_U32 span;
  GST_GLES_U32 weighted;  /* 1: a word counts as often as it says, 0: once */
  GST_GLES_U32 diagonal;  /* 1: 8-connected, 0: 4-connected */
  GST_GLES_U32 first_row; /* the rows that the binding of words covers: a band of whole tiles */
  GST_GLES_U32 n_rows;
  GST_GLES_U32 base; /* word of the binding that is the first one of first_row */
  GST_GLES_U32 max_regions;
  GST_GLES_U32 n;       /* points */
  GST_GLES_U32 counted; /* 1: their number is in the state instead, or behind the masks */
  GST_GLES_U32 cell_width;
  GST_GLES_U32 cell_height;
  GST_GLES_U32 frame_width; /* that points lie in */
  GST_GLES_U32 frame_height;
  GST_GLES_U32 nodes_at; /* word of the candidates where their nodes begin */
  GST_GLES_U32 empty;    /* 1: nothing is foreground */
};
GST_GLES_STRUCT_END (GstGlesComponentsPass)

#endif
