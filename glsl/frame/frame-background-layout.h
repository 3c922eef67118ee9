/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structures of the running average of frames that C and GLSL share. */
#ifndef GST_GLES_FRAME_BACKGROUND_LAYOUT_H
#define GST_GLES_FRAME_BACKGROUND_LAYOUT_H

#ifdef GL_ES
#include "lib/layout.h"
#else
#include <layout.h>
#endif

/* Averages have 16 fractional bits; a weight of 65536 is 1. */
GST_GLES_STRUCT (GstGlesFrameBackgroundPass)
{
  GST_GLES_U32 n;          /* bytes: words of the picture; else samples */
  GST_GLES_U32 first_word; /* bytes: the first of these words; its samples have average 0 */
  GST_GLES_U32 width;      /* samples per row */
  GST_GLES_U32 weight;     /* of a new frame */
  GST_GLES_U32 first;      /* 1: there are no averages yet */
  GST_GLES_U32 last_word;  /* of the image's buffer */
  GST_GLES_U32 scale_to_8; /* luma: bring every component to 8 bits first */
  GST_GLES_U32 kr;
  GST_GLES_U32 kg;
  GST_GLES_U32 kb;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
};
GST_GLES_STRUCT_END (GstGlesFrameBackgroundPass)

#endif
