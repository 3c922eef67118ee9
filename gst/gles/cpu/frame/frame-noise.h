/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the noise of pictures. */
#ifndef GST_GLES_CPU_FRAME_NOISE_H
#define GST_GLES_CPU_FRAME_NOISE_H

#include <gst/gles/cpu/frame/frame-histogram-rows.h>

G_BEGIN_DECLS

/* Adds the pixels of each measured row of @channel to the bins of frame-noise-layout.h by how much
 * they differ from @rows, which has them @stride bytes apart, unless @bins is NULL, and replaces
 * @rows. @scratch: @stride bytes. */
void gst_gles_cpu_frame_noise_run (
    const GstGlesCpuChannel *channel, guint8 *rows, gsize stride, guint8 *scratch, guint32 *bins);

G_END_DECLS

#endif
