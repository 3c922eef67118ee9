/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structure of readbacks that C and GLSL share. lib/layout.h has the rules. */
#ifndef GST_GLES_READBACK_LAYOUT_H
#define GST_GLES_READBACK_LAYOUT_H

#ifdef GL_ES
#include "lib/layout.h"
#else
#include <layout.h>
#endif

/* 16-byte rows in front of the items: a multiple of every device's alignment. */
#define GST_GLES_READBACK_HEAD_ROWS 16u

/* Copies the items of a result, whose number the result has. */
GST_GLES_STRUCT (GstGlesReadbackItems)
{
  GST_GLES_U32 first_row; /* the 16-byte row that is row 0 of the bindings */
  GST_GLES_U32 n_rows;    /* rows that the bindings cover */
  GST_GLES_U32 item_bytes;
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesReadbackItems)

#endif
