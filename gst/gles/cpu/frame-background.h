/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the background of motion: a running average of each sample, in fixed point. */
#ifndef GST_GLES_CPU_FRAME_BACKGROUND_H
#define GST_GLES_CPU_FRAME_BACKGROUND_H

#include <gst/gles/cpu/frame-histogram.h>

G_BEGIN_DECLS

/* A weight of 1. */
#define GST_GLES_CPU_FRAME_BACKGROUND_ONE 65536u

/* Returns how many bytes a background takes. It begins with its samples, rounded, as
 * gst_gles_cpu_frame_keep() writes them. */
gsize gst_gles_cpu_frame_background_bytes (const GstGlesCpuChannel *channel);

/* Moves the average of each sample of @channel by @weight of its distance from the sample. @first:
 * @background is undefined, and the samples become the averages. Uses the shared pool. */
void gst_gles_cpu_frame_background_update (
    const GstGlesCpuChannel *channel, guint weight, gboolean first, guint8 *background);

G_END_DECLS

#endif
