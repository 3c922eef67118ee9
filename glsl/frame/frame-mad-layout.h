/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The structures of differences between frames that C and GLSL share. */
#ifndef GST_GLES_FRAME_MAD_LAYOUT_H
#define GST_GLES_FRAME_MAD_LAYOUT_H

#ifdef GL_ES
#include "lib/layout.h"
#else
#include <layout.h>
#endif

/* The words of the state: which place has the reference (0: the first), whether the other place has
 * the previous picture (otherwise the reference is the previous picture), how many workgroups have
 * finished, and for each channel two sums in 64 bits, the low word first: against the reference and
 * against the previous picture. Ticket and sums are 0 between dispatches. */
#define GST_GLES_FRAME_MAD_PLACE 0u
#define GST_GLES_FRAME_MAD_APART 1u
#define GST_GLES_FRAME_MAD_TICKET 2u
#define GST_GLES_FRAME_MAD_SUMS 4u
#define GST_GLES_FRAME_MAD_STATE_WORDS 20u

/* The parameters that all channels share. */
GST_GLES_STRUCT (GstGlesFrameMadShape)
{
  GST_GLES_U32 n_jobs;
  GST_GLES_U32 n_groups;
  GST_GLES_U32 last_word;  /* of the image's buffer */
  GST_GLES_U32 scale_to_8; /* luma: bring every component to 8 bits first */
  GST_GLES_U32 kr;
  GST_GLES_U32 kg;
  GST_GLES_U32 kb;
  GST_GLES_U32 has_reference;
  GST_GLES_U32 limit_low; /* of the sums, scaled to 16 bits, for the picture to be kept */
  GST_GLES_U32 limit_high;
  GST_GLES_U32 out_word; /* word of the sums where the first channel's row begins */
  GST_GLES_U32 pad_0;
};
GST_GLES_STRUCT_END (GstGlesFrameMadShape)

/* One channel. A word of a reference has 4 samples, or 2 of more than 8 bits; rows are padded. */
GST_GLES_STRUCT (GstGlesFrameMadJob)
{
  GST_GLES_U32 first_group; /* the job's workgroups: n_groups of them */
  GST_GLES_U32 n_groups;
  GST_GLES_U32 component; /* index of the (first) component in the block */
  GST_GLES_U32 luma;
  GST_GLES_U32 depth;
  GST_GLES_U32 x; /* the first sample */
  GST_GLES_U32 y;
  GST_GLES_U32 width; /* samples per row */
  GST_GLES_U32 row_words;
  GST_GLES_U32 n_words;
  GST_GLES_U32 reference; /* the first word there */
  /* MASK: the word of the first place's buffer with which the bits of row y begin, a bit for each
   * sample from x on, words per row, and the last word */
  GST_GLES_U32 mask;
  GST_GLES_U32 mask_words;
  GST_GLES_U32 mask_last;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
};
GST_GLES_STRUCT_END (GstGlesFrameMadJob)

#endif
