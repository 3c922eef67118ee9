/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the counts of repeated rows and of outliers. */
#ifndef GST_GLES_CPU_FRAME_OUTLIERS_H
#define GST_GLES_CPU_FRAME_OUTLIERS_H

#include <gst/gles/cpu/frame/frame-mad.h>

G_BEGIN_DECLS

/* The widest channel that is measured: sums of a row fit 32 bits. */
#define GST_GLES_CPU_FRAME_ROWS_MAX_WIDTH 32767

/* The bytes of a picture of @width * @height samples of 16 bits whose rows are whole vectors. */
gsize gst_gles_cpu_frame_rows_bytes (guint width, guint height);

/* Writes GST_GLES_FRAME_ROWS_OUTLIERS_WORDS to @words. @samples: without spans. @picture: so many
 * bytes, which were 0 before the first call. Uses the shared pool. */
void gst_gles_cpu_frame_outliers (const GstGlesCpuChannel *channel,
    const GstGlesCpuSamples *samples, guint8 *picture, guint32 *words);

G_END_DECLS

#endif
