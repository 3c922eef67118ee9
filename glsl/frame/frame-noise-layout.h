/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What C and GLSL share of the noise of pictures. The uniform block is that of the background that
 * keeps samples. */
#ifndef GST_GLES_FRAME_NOISE_LAYOUT_H
#define GST_GLES_FRAME_NOISE_LAYOUT_H

/* Rows whose number is a multiple of this are measured: few, because each pixel is one of
 * thousands that tell the same noise. */
#define GST_GLES_FRAME_NOISE_ROWS 16

/* A pixel that has changed by d code values counts for bin d + ZERO, from the first to the last
 * bin. Behind the rows of a device's state stand the bins of even and of odd frames. */
#define GST_GLES_FRAME_NOISE_BINS 128
#define GST_GLES_FRAME_NOISE_ZERO 64

#endif
