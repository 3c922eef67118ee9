/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structure of reductions that C and GLSL share. lib/layout.h has the rules. */
#ifndef GST_GLES_REDUCE_LAYOUT_H
#define GST_GLES_REDUCE_LAYOUT_H

#ifdef GL_ES
#include "lib/array-layout.h"
#else
#include <array-layout.h>
#endif

GST_GLES_STRUCT (GstGlesReducePass)
{
  GstGlesArrayPass array;
  GST_GLES_U32 max_teams; /* capacity for partial results */
  GST_GLES_U32 is_signed; /* the sum is of i32 */
  GST_GLES_U32 flip;      /* XORed to a word to make it an unsigned key */
  GST_GLES_U32 sign_flip; /* additionally XORed to words whose highest bit is set */
};
GST_GLES_STRUCT_END (GstGlesReducePass)

#endif
