/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What C and GLSL share of the background that keeps samples. */
#ifndef GST_GLES_FRAME_SAMPLES_LAYOUT_H
#define GST_GLES_FRAME_SAMPLES_LAYOUT_H

#ifdef GL_ES
#include "lib/layout.h"
#else
#include <layout.h>
#endif

/* The planes of a state, a byte per pixel each: the samples, the smoothed picture, and the values,
 * which later stages read as a picture. */
#define GST_GLES_FRAME_SAMPLES_N 8
#define GST_GLES_FRAME_SAMPLES_SMOOTH 8
#define GST_GLES_FRAME_SAMPLES_VALUES 9
#define GST_GLES_FRAME_SAMPLES_PLANES 10

/* Behind the planes of a device's state, for an even and for an odd frame: how many pixels are
 * brighter than their first sample by 1, 2, 4 and 8 at least, how many are darker by these, and how
 * many are not background; then how many frames the samples are from. */
#define GST_GLES_FRAME_SAMPLES_STEPS 4
#define GST_GLES_FRAME_SAMPLES_DARKER 4
#define GST_GLES_FRAME_SAMPLES_MOVING 8
#define GST_GLES_FRAME_SAMPLES_COUNTS 9
#define GST_GLES_FRAME_SAMPLES_LEARNT 9
#define GST_GLES_FRAME_SAMPLES_WORDS 10

/* The samples are learnt from so many frames, in which nothing moves: all of them from the first
 * one, then two of them from each of the others. */
#define GST_GLES_FRAME_SAMPLES_FRAMES 4

/* Rows whose number is a multiple of this are counted for the light. */
#define GST_GLES_FRAME_SAMPLES_LIGHT_ROWS 8

/* Whether the light has changed to one side: @more pixels are on it and @less on the other, of
 * @n. Samples then follow by 1, or by the largest step that most pixels have changed by. */
#define GST_GLES_FRAME_SAMPLES_IS_LIGHT(more, less, n) ((more) > (less) + (n) / 2u)
#define GST_GLES_FRAME_SAMPLES_IS_STEP(more, n) ((more) > (n) / 2u)

/* Whether the samples begin anew: @moving of @n_all pixels are not background, and of the @n that
 * are counted for the light, @changed are brighter or darker by the last step. Most pixels, or one
 * of 16 while most have changed by that step: infrared shows some things nearly as bright as
 * before. */
#define GST_GLES_FRAME_SAMPLES_IS_OTHER(moving, n_all, changed, n)                                 \
  ((moving) > (n_all) / 2u || ((moving) > (n_all) / 16u && (changed) > (n) / 2u))

/* In each frame one pixel of so many side by side replaces a sample by its value, and one by that
 * of a neighbour. */
#define GST_GLES_FRAME_SAMPLES_BLOCK 16

/* An x that no pixel has: the number of a row. */
#define GST_GLES_FRAME_SAMPLES_ROW 0xffffffffu

GST_GLES_STRUCT (GstGlesFrameSamplesPass)
{
  GST_GLES_U32 n;     /* words of a plane, or blocks */
  GST_GLES_U32 width; /* of the picture, in samples */
  GST_GLES_U32 height;
  GST_GLES_U32 row_words;   /* of a plane */
  GST_GLES_U32 plane_words; /* of a plane */
  GST_GLES_U32 frame;       /* its number since the state was empty */
  GST_GLES_U32 radius;      /* of what is background: its value is 0 */
  GST_GLES_U32 chance;      /* in 65536, with which another pixel replaces a sample */
  GST_GLES_U32 depth;       /* of the samples, which are brought to 8 bits */
  GST_GLES_U32 last_word;   /* of the image's buffer */
  GST_GLES_U32 scale_to_8;  /* luma: bring every component to 8 bits first */
  GST_GLES_U32 kr;
  GST_GLES_U32 kg;
  GST_GLES_U32 kb;
  GST_GLES_U32 pad_0;
  GST_GLES_U32 pad_1;
};
GST_GLES_STRUCT_END (GstGlesFrameSamplesPass)

#endif
