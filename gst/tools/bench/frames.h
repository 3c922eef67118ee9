/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames that experiments share. */
#ifndef BENCH_FRAMES_H
#define BENCH_FRAMES_H

#include <gst/gles/gl/image.h>

#include "bench.h"

/* From here on 9 % of the pixels of bench_pixel() pass. */
#define BENCH_BRIGHT 215

void bench_frame_size (guint n, guint *width, guint *height);
/* Makes the frame of run->n pixels: input and device buffer 0, and what describes them. */
gboolean bench_frame_setup (BenchRun *run, GstGlesImage *image, GError **error);

#endif
