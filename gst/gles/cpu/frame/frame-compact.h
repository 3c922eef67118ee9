/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of frame compaction: the samples of a picture that pass a predicate, in raster
 * order. */
#ifndef GST_GLES_CPU_FRAME_COMPACT_H
#define GST_GLES_CPU_FRAME_COMPACT_H

#include <gst/gles/core/mask.h>
#include <gst/gles/core/types.h>
#include <gst/gles/cpu/frame/frame-histogram.h>

G_BEGIN_DECLS

typedef struct {
  GstGlesCpuChannel channel;
  GstGlesPointsPredicate predicate;
  guint lower, upper;
  guint x, y, width, height; /* the samples that are tested */
  GstGlesCpuEdges visible;   /* edge: the border is repeated outside */
  guint sub_x, sub_y;        /* point = (sample << sub) - origin */
  guint origin_x, origin_y;
  /* motion: what samples are compared with, of gst_gles_cpu_frame_kept_bytes(), or of
   * gst_gles_cpu_frame_background_bytes() with a background. The call replaces it. */
  guint8 *reference;
  gboolean is_first; /* motion: the reference is undefined, and nothing moves */
  gboolean background;
  guint weight;                /* of this frame in the background */
  const GstGlesMaskBits *mask; /* nullable; samples outside do not pass */
} GstGlesCpuFrameCompactCall;

typedef struct _GstGlesCpuFrameCompact GstGlesCpuFrameCompact;

GstGlesCpuFrameCompact *gst_gles_cpu_frame_compact_new (void);
void gst_gles_cpu_frame_compact_free (GstGlesCpuFrameCompact *compact); /* nullable */

/* Lists the samples that pass; *total receives their number. @call is borrowed until the points are
 * written. Returns FALSE if there is not enough memory; the reference is undefined then. Uses the
 * shared pool. */
gboolean gst_gles_cpu_frame_compact_list (
    GstGlesCpuFrameCompact *compact, const GstGlesCpuFrameCompactCall *call, guint64 *total);
/* Writes the first @capacity points of the list, two words each: x | y << 16 (a pair of u16 in
 * memory) and the value. Uses the shared pool. */
void gst_gles_cpu_frame_compact_write (
    GstGlesCpuFrameCompact *compact, guint32 *points, gsize capacity);

G_END_DECLS

#endif
