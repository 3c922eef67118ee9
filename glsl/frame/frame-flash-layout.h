/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What C and GLSL share of the comparison of luminance and red between pictures. */
#ifndef GST_GLES_FRAME_FLASH_LAYOUT_H
#define GST_GLES_FRAME_FLASH_LAYOUT_H

/* Words of a row: the sums of luminance and of red, the samples of which each has changed, the
 * samples, and whether there was a picture to compare with. */
#define GST_GLES_FRAME_FLASH_LUMINANCE 0u
#define GST_GLES_FRAME_FLASH_RED 1u
#define GST_GLES_FRAME_FLASH_LUMINANCE_CHANGED 2u
#define GST_GLES_FRAME_FLASH_RED_CHANGED 3u
#define GST_GLES_FRAME_FLASH_SAMPLES 4u
#define GST_GLES_FRAME_FLASH_COMPARED 5u
#define GST_GLES_FRAME_FLASH_WORDS 8u

/* The most samples of a picture: 65536 of 16 bits have a sum of 32 bits. */
#define GST_GLES_FRAME_FLASH_MAX_SAMPLES 32768u

/* What is kept on the device: the four sums, which are 0 between dispatches, a ticket, and from
 * here on the values of the previous picture. */
#define GST_GLES_FRAME_FLASH_TICKET 4u
#define GST_GLES_FRAME_FLASH_KEPT 8u

#endif
