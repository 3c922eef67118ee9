/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the sum of absolute differences between a frame and an earlier one. */
#ifndef GST_GLES_CPU_FRAME_MAD_H
#define GST_GLES_CPU_FRAME_MAD_H

#include <gst/gles/cpu/histogram.h>

G_BEGIN_DECLS

/* Samples of a channel: columns @x to before @x + @width of the rows @y to before @y + @height. */
typedef struct {
  guint x, y, width, height;
} GstGlesCpuSamples;

/* Sum of |sample - sample of the earlier frame|, which gst_gles_cpu_frame_keep() kept. Uses the shared
 * pool. */
guint64 gst_gles_cpu_frame_mad (
    const GstGlesCpuChannel *channel, const GstGlesCpuSamples *samples, const guint8 *kept);

G_END_DECLS

#endif
