/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the sum of absolute differences between a frame and an earlier one. */
#ifndef GST_GLES_CPU_FRAME_MAD_H
#define GST_GLES_CPU_FRAME_MAD_H

#include <gst/gles/cpu/frame/frame-histogram.h>

G_BEGIN_DECLS

/* A rectangle of a channel's samples: columns @x to @x + @width - 1, rows @y to @y + @height - 1;
 * of these, what @spans (nullable: all) includes is compared. */
typedef struct {
  guint x, y, width, height;
  const GstGlesCpuSpans *spans;
} GstGlesCpuSamples;

/* Earlier pictures, as gst_gles_cpu_frame_keep() wrote them. */
typedef struct {
  guint8 *reference;
  guint8 *previous; /* (nullable): the place for the new picture is that of the reference */
  gboolean apart;   /* what is in previous is another picture than the reference */
} GstGlesCpuFrameEarlier;

/* Sets sums[0] to the sum of |sample - earlier sample| over @samples from the reference, and
 * sums[1] to that from the previous picture if it is apart, otherwise 0. The picture is kept in the
 * place for it. Uses the shared pool; allocates nothing. */
void gst_gles_cpu_frame_mad (const GstGlesCpuChannel *channel, const GstGlesCpuSamples *samples,
    const GstGlesCpuFrameEarlier *earlier, guint64 sums[2]);

/* Keeps the rows of @samples. @kept has gst_gles_cpu_frame_kept_bytes(). Uses the shared pool. */
void gst_gles_cpu_frame_keep (
    const GstGlesCpuChannel *channel, const GstGlesCpuSamples *samples, guint8 *kept);

G_END_DECLS

#endif
