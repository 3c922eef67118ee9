/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structure of compaction that C and GLSL share. lib/layout.h has the rules. */
#ifndef GST_GLES_COMPACT_LAYOUT_H
#define GST_GLES_COMPACT_LAYOUT_H

#ifdef GL_ES
#include "lib/array-layout.h"
#else
#include <array-layout.h>
#endif

/* Bounds of PREDICATE in compact/compact_tile.glsl. */
GST_GLES_STRUCT (GstGlesCompactPass)
{
  GstGlesArrayPass array;
  GstGlesLookBackPass look_back;
  GST_GLES_U32 lower;     /* the smallest key, or integer, that passes */
  GST_GLES_U32 upper;     /* the largest key that passes */
  GST_GLES_U32 span;      /* of integers: the largest that passes, minus lower */
  GST_GLES_U32 flip;      /* XORed to a word to make it an unsigned key */
  GST_GLES_U32 sign_flip; /* additionally XORed to words whose highest bit is set */
  GST_GLES_U32 max_count; /* capacity of the outputs, in entries */
  GST_GLES_U32 out_first; /* the entry that is word 0 of the bindings */
  GST_GLES_U32 out_count; /* number of entries that the bindings cover */
};
GST_GLES_STRUCT_END (GstGlesCompactPass)
GST_GLES_NESTED (GstGlesCompactPass, look_back)

#endif
