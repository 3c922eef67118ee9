/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames that several experiments use. */
#ifndef BENCH_FRAMES_H
#define BENCH_FRAMES_H

#include <gst/gles/gl/image.h>

#include "bench.h"

/* 9 % of the pixels of bench_pixel() are at least this bright. */
#define BENCH_BRIGHT 215

void bench_frame_size (guint n, guint *width, guint *height);
/* Makes a frame of run->n pixels as input 0 and device buffer 0, and its description @image. */
gboolean bench_frame_setup (BenchRun *run, GstGlesImage *image, GError **error);

#endif
