/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of frame compaction: the samples of a picture that pass a predicate, in raster
 * order. */
#ifndef GST_GLES_CPU_FRAME_COMPACT_H
#define GST_GLES_CPU_FRAME_COMPACT_H

#include <gst/gles/core/types.h>
#include <gst/gles/cpu/frame-histogram.h>

G_BEGIN_DECLS

typedef struct {
  GstGlesCpuChannel channel;
  GstGlesPointsPredicate predicate;
  guint lower, upper;
  guint x, y, width, height; /* the samples that are tested */
  guint left, top;           /* edge: the first visible samples; the border is repeated outside */
  guint right, bottom;       /* edge: the last visible samples */
  guint sub_x, sub_y;        /* point = (sample << sub) - origin */
  guint origin_x, origin_y;
  /* motion: the previous frame as gst_gles_cpu_frame_keep() wrote it; NULL: no motion */
  const guint8 *previous;
} GstGlesCpuFrameCompactCall;

/* Returns how many bytes gst_gles_cpu_frame_keep() writes. */
gsize gst_gles_cpu_frame_kept_bytes (const GstGlesCpuChannel *channel);
/* Stores all samples of @channel for the next frame. Uses the shared pool. */
void gst_gles_cpu_frame_keep (const GstGlesCpuChannel *channel, guint8 *kept);
/* Reads @n samples from (@x, @y) on of what gst_gles_cpu_frame_keep() wrote. */
void gst_gles_cpu_frame_read_kept (const GstGlesCpuChannel *channel, const guint8 *kept, guint x,
    guint y, guint n, guint16 *values);

/* A compaction between its two passes. */
typedef struct _GstGlesCpuFrameCompact GstGlesCpuFrameCompact;

/* Counts the samples that pass; *total receives their number. @call is borrowed. Uses the shared
 * pool. */
GstGlesCpuFrameCompact *gst_gles_cpu_frame_compact_count (
    const GstGlesCpuFrameCompactCall *call, guint64 *total);
/* Writes the first @capacity points, two words each: x | y << 16 (a pair of u16 in memory) and the
 * value. */
void gst_gles_cpu_frame_compact_write (
    GstGlesCpuFrameCompact *compact, guint32 *points, gsize capacity);
void gst_gles_cpu_frame_compact_free (GstGlesCpuFrameCompact *compact);

G_END_DECLS

#endif
