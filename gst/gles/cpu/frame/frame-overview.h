/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the overview of a frame. */
#ifndef GST_GLES_CPU_FRAME_OVERVIEW_H
#define GST_GLES_CPU_FRAME_OVERVIEW_H

#include <glsl/frame/frame-overview-layout.h>

#include <gst/gles/cpu/frame/frame-histogram.h>

G_BEGIN_DECLS

/* Whether the overview of @channel over @region, of which columns, rows and bins are ignored, is
 * counted by value first: then it can make the native histogram on the way. */
gboolean gst_gles_cpu_frame_overview_has_values (
    const GstGlesCpuChannel *channel, const GstGlesCpuFrameHistogramShape *region);

/* Writes the words of the overview. @values, for an overview that has them, is nullable: a counter
 * for each code value, to which the samples of all rows of the region are added. Uses the shared
 * pool. Errors: GST_GLES_ERROR_NO_MEMORY. */
gboolean gst_gles_cpu_frame_overview (const GstGlesCpuChannel *channel,
    const GstGlesCpuFrameHistogramShape *region, guint32 *values, guint32 *words, GError **error);

G_END_DECLS

#endif
