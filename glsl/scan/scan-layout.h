/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structure of scans that C and GLSL share. lib/layout.h has the rules. */
#ifndef GST_GLES_SCAN_LAYOUT_H
#define GST_GLES_SCAN_LAYOUT_H

#ifdef GL_ES
#include "lib/array-layout.h"
#else
#include <array-layout.h>
#endif

GST_GLES_STRUCT (GstGlesScanPass)
{
  GstGlesArrayPass array;
  GstGlesLookBackPass look_back;
  GST_GLES_U32 inclusive;
  GST_GLES_U32 block_size;   /* values per block */
  GST_GLES_U32 block_factor; /* 2^32 - 1 divided by block_size, rounded down */
  GST_GLES_U32 first_block;  /* the block whose total is word 0 of the binding */
  GST_GLES_U32 write_totals; /* 1: write the totals of blocks */
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
  GST_GLES_U32 pad_2;
};
GST_GLES_STRUCT_END (GstGlesScanPass)
GST_GLES_NESTED (GstGlesScanPass, look_back)

#endif
