/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the background of motion: a running average of each sample, in fixed point. */
#ifndef GST_GLES_CPU_FRAME_BACKGROUND_H
#define GST_GLES_CPU_FRAME_BACKGROUND_H

#include <gst/gles/cpu/frame/frame-histogram-rows.h>

G_BEGIN_DECLS

/* A weight of 1. */
#define GST_GLES_CPU_FRAME_BACKGROUND_ONE 65536u

/* Returns how many bytes a background takes. It begins with its samples, rounded, as
 * gst_gles_cpu_frame_keep_row() writes them. It is aligned to 2
 * bytes. */
gsize gst_gles_cpu_frame_background_bytes (const GstGlesCpuChannel *channel);

/* Moves the averages of row @y by @weight of their distance from the samples. With a weight of 1
 * the row of the background may be undefined before. */
void gst_gles_cpu_frame_background_move_row (
    const GstGlesCpuRows *rows, guint y, guint weight, guint8 *background);

G_END_DECLS

#endif
