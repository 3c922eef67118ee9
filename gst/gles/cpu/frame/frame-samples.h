/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the background that keeps samples. */
#ifndef GST_GLES_CPU_FRAME_SAMPLES_H
#define GST_GLES_CPU_FRAME_SAMPLES_H

#include <gst/gles/cpu/frame/frame-histogram-rows.h>

G_BEGIN_DECLS

typedef struct {
  GstGlesCpuChannel channel;
  guint radius;      /* 1 to 255: of what is background */
  guint chance;      /* in 65536, with which another pixel replaces a sample */
  guint frame;       /* since the state was empty; 0: it is undefined, and nothing moves */
  guint32 *n_learnt; /* of the frames that samples are learnt from; kept with the state */
} GstGlesCpuFrameSamplesCall;

/* Returns how many bytes a row of a plane takes. */
gsize gst_gles_cpu_frame_samples_stride (guint width);

/* Finds the values of a frame, and replaces samples of @state, which has the planes of
 * frame-samples-layout.h. Returns FALSE if there is not enough memory. Uses the shared pool. */
gboolean gst_gles_cpu_frame_samples_run (const GstGlesCpuFrameSamplesCall *call, guint8 *state);

G_END_DECLS

#endif
