/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the search for the border. */
#ifndef GST_GLES_CPU_FRAME_CROP_H
#define GST_GLES_CPU_FRAME_CROP_H

#include <glsl/frame/frame-rows-layout.h>

#include <gst/gles/cpu/frame/frame-mad.h>

G_BEGIN_DECLS

/* Writes GST_GLES_FRAME_ROWS_CROP_WORDS to @words. @samples: without spans. Uses the shared pool.
 * Errors: NO_MEMORY. */
gboolean gst_gles_cpu_frame_crop (const GstGlesCpuChannel *channel,
    const GstGlesCpuSamples *samples, const GstGlesFrameRowsPlace *place, guint32 *words,
    GError **error);

G_END_DECLS

#endif
