/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structure of the search for the first k keys that C and GLSL share. lib/layout.h has the
 * rules. */
#ifndef GST_GLES_TOP_K_LAYOUT_H
#define GST_GLES_TOP_K_LAYOUT_H

#ifdef GL_ES
#include "lib/array-layout.h"
#else
#include <array-layout.h>
#endif

/* Additional words at the head of the state. */
#define GST_GLES_TOP_K_PREFIX 12 /* the digits of the k-th key that are known */
#define GST_GLES_TOP_K_LEFT 13   /* number of keys with these digits that are among the first k */

/* One step of the search for the k-th key, or of the selection of the first k keys. */
GST_GLES_STRUCT (GstGlesTopKPass)
{
  GstGlesArrayPass array;
  GST_GLES_U32 k;
  GST_GLES_U32 shift;     /* search: first bit of the digit: 24, 16, 8, 0 */
  GST_GLES_U32 flip;      /* XORed to a key to get unsigned order */
  GST_GLES_U32 sign_flip; /* additionally XORed to keys whose highest bit is set */
};
GST_GLES_STRUCT_END (GstGlesTopKPass)

#endif
