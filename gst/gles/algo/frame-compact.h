/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pixels of a picture that pass a predicate, as a dense list in raster order, without an image of
 * flags in between: what compaction's first pass tests are the picture's samples. */
#ifndef GST_GLES_FRAME_COMPACT_H
#define GST_GLES_FRAME_COMPACT_H

#include <gst/gles/algo/types.h>
#include <gst/gles/gl/image.h>

G_BEGIN_DECLS

typedef enum {
  GST_GLES_FRAME_THRESHOLD, /* lower <= v <= upper */
  GST_GLES_FRAME_MOTION, /* the same of |v - v of the frame before|; nothing in the first frame */
  GST_GLES_FRAME_EDGE    /* the same of |Gx| + |Gy|, 3x3 Sobel, the visible border replicated */
} GstGlesFramePredicate;

#define GST_GLES_FRAME_LUMA (-1)

/* What a plan is for. */
typedef struct {
  GstGlesFramePredicate predicate;
  gint channel; /* component, or GST_GLES_FRAME_LUMA */
} GstGlesFrameCompactConfig;

/* What can differ from frame to frame. */
typedef struct {
  guint x, y, width, height; /* luma positions of the stored picture */
  guint lower, upper;
  guint max_points;
} GstGlesFrameCompactCall;

typedef struct _GstGlesFrameCompact GstGlesFrameCompact;

/* A plan for images laid out as @format. Errors: SETTINGS (channel, GST_GLES_FRAME_COMPACT_VARIANT),
 * TOO_LARGE, and those of programs and buffers. */
GST_GLES_API GstGlesFrameCompact *gst_gles_frame_compact_new (GstGlesQueue *queue,
    const GstGlesImage *format, const GstGlesFrameCompactConfig *config, GError **error);
/* NULL is safe. */
GST_GLES_API void gst_gles_frame_compact_free (GstGlesFrameCompact *compact);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameCompact, gst_gles_frame_compact_free)

/* The most points a call can list: the samples in its region, or max_points. */
GST_GLES_API guint gst_gles_frame_compact_capacity (
    GstGlesFrameCompact *compact, const GstGlesFrameCompactCall *call);

/* On a device with GL: builds the programs that such calls need and runs them once, over nothing, so that
 * no frame waits for a compiler. @points and @counts as for gst_gles_frame_compact_run(); @counts tells of
 * no points. */
GST_GLES_API gboolean gst_gles_frame_compact_prepare (GstGlesFrameCompact *compact,
    const GstGlesFrameCompactCall *call, GstGlesBuffer *points, GstGlesBuffer *counts,
    GError **error);

/* Inside a submission, on a device with GL: queues a frame. @points receives 8 bytes per point (u16 x,
 * u16 y from the visible corner, u32 value), @counts a GstGlesResult. */
GST_GLES_API gboolean gst_gles_frame_compact_run (GstGlesFrameCompact *compact,
    const GstGlesImage *image, const GstGlesFrameCompactCall *call, GstGlesBuffer *points,
    GstGlesBuffer *counts, GError **error);

/* The same on a cpu device: *points: (transfer full): of their exact size; *bytes: (transfer full): the
 * same memory. */
GST_GLES_API gboolean gst_gles_frame_compact_run_cpu (GstGlesFrameCompact *compact,
    const GstGlesImage *image, const GstGlesFrameCompactCall *call, GstGlesResult *result,
    GstGlesBuffer **points, GBytes **bytes, GError **error);

/* The native twin alone, of any plan: @image has planes. @kept (of the frame before, NULL: none) is
 * replaced by that of this frame when the predicate is motion. Returns the points: (transfer full).
 * Errors: NO_MEMORY. */
GST_GLES_API guint32 *gst_gles_frame_compact_run_native (GstGlesFrameCompact *compact,
    const GstGlesImage *image, const GstGlesFrameCompactCall *call, guint8 **kept,
    GstGlesResult *result, GError **error);

/* How often such a call reads the picture: once by look-back, twice in two passes, where the frame is
 * kept for the next, and where neighbours are read. */
GST_GLES_API guint gst_gles_frame_compact_get_n_reads (
    GstGlesFrameCompact *compact, const GstGlesFrameCompactCall *call);

/* Forgets the frame before. */
GST_GLES_API void gst_gles_frame_compact_reset (GstGlesFrameCompact *compact);

G_END_DECLS

#endif
