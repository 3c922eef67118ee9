/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structures of histograms of boxes that C and GLSL share. */
#ifndef GST_GLES_FRAME_BOXES_LAYOUT_H
#define GST_GLES_FRAME_BOXES_LAYOUT_H

#ifdef GL_ES
#include "lib/layout.h"
#else
#include <layout.h>
#endif

#define GST_GLES_FRAME_BOXES_MAX 256

/* What a dispatch does. */
#define GST_GLES_FRAME_BOXES_NOTHING 0u
#define GST_GLES_FRAME_BOXES_CLEAR 1u
#define GST_GLES_FRAME_BOXES_COUNT 2u

GST_GLES_STRUCT (GstGlesFrameBoxesShape)
{
  GST_GLES_U32 task;
  GST_GLES_U32 n_channels;
  GST_GLES_U32 bins;
  GST_GLES_U32 luma;       /* 1: the channel is computed from the components 0, 1 and 2 */
  GST_GLES_U32 scale_to_8; /* luma: bring every component to 8 bits first */
  GST_GLES_U32 depth;      /* of luma */
  GST_GLES_U32 kr;
  GST_GLES_U32 kg;
  GST_GLES_U32 kb;
  GST_GLES_U32 last_word; /* of the image's buffer */
  GST_GLES_U32 n_words;   /* of the counts */
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesFrameBoxesShape)

/* A box inside of the picture, in luma positions. */
GST_GLES_STRUCT (GstGlesFrameBoxesBox)
{
  GST_GLES_U32 x;
  GST_GLES_U32 y;
  GST_GLES_U32 right; /* the first position behind the box */
  GST_GLES_U32 bottom;
};
GST_GLES_STRUCT_END (GstGlesFrameBoxesBox)

#endif
