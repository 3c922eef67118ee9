/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structures of segments that C and GLSL share. lib/layout.h has the rules. */
#ifndef GST_GLES_SEGMENTS_LAYOUT_H
#define GST_GLES_SEGMENTS_LAYOUT_H

#ifdef GL_ES
#include "lib/array-layout.h"
#else
#include <array-layout.h>
#endif

/* log2 of the values below a node of the lowest stored level. */
#define GST_GLES_SEGMENTS_LEAF_BITS 4

/* Lists the runs of equal keys. */
GST_GLES_STRUCT (GstGlesSegmentsRunsPass)
{
  GstGlesArrayPass array;
  GST_GLES_U32 max_count; /* capacity for runs */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesSegmentsRunsPass)

/* A step after the heads of the runs are known. */
GST_GLES_STRUCT (GstGlesSegmentsPass)
{
  GST_GLES_U32 n;         /* values */
  GST_GLES_U32 counted;   /* 1: the number of values is in the state instead */
  GST_GLES_U32 tree;      /* word of the scratch block: the first node */
  GST_GLES_U32 leaves;    /* capacity for nodes on the lowest level, a power of two */
  GST_GLES_U32 level;     /* the level that is read when nodes are made */
  GST_GLES_U32 flip;      /* XORed to a value to make it an unsigned key */
  GST_GLES_U32 sign_flip; /* additionally XORed to values whose highest bit is set */
  GST_GLES_U32 is_signed; /* 64-bit sums of i32 */
  GST_GLES_U32 high;      /* 64-bit sums: 1: write the high words */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesSegmentsPass)

#endif
