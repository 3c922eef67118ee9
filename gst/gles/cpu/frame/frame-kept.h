/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The samples of a channel that are kept for the next frame: a byte or two each, row after row. */
#ifndef GST_GLES_CPU_FRAME_KEPT_H
#define GST_GLES_CPU_FRAME_KEPT_H

#include <gst/gles/cpu/frame/frame-histogram-rows.h>

G_BEGIN_DECLS

static inline guint
gst_gles_cpu_frame_kept_bytes_per_sample (const GstGlesCpuChannel *channel)
{
  return channel->depth > 8 ? 2 : 1;
}

gsize gst_gles_cpu_frame_kept_bytes (const GstGlesCpuChannel *channel);

/* Stores row @y. */
void gst_gles_cpu_frame_keep_row (const GstGlesCpuRows *rows, guint y, guint8 *kept);

/* Reads the samples of @run. */
void gst_gles_cpu_frame_read_kept (const GstGlesCpuChannel *channel, const guint8 *kept,
    const GstGlesCpuSampleRun *run, guint16 *values);

G_END_DECLS

#endif
