/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frame compaction: the pixels of a picture that pass a predicate, as a dense list in raster
 * order. The first pass of compaction reads the samples of the picture, so there is no image of
 * flags in between. */
#ifndef GST_GLES_FRAME_COMPACT_H
#define GST_GLES_FRAME_COMPACT_H

#include <gst/gles/algo/frame/plan.h>
#include <gst/gles/core/types.h>
#include <gst/gles/gl/pool.h>

G_BEGIN_DECLS

/* The configuration of a plan. */
typedef struct {
  GstGlesPointsPredicate predicate;
  gint channel; /* component, or GST_GLES_FRAME_LUMA */
  /* motion: the reference is a running average of the earlier frames instead of the previous
   * frame: a word per sample with 16 fractional bits, rounded for the comparison. */
  gboolean background;
} GstGlesFrameCompactConfig;

/* Parameters that can differ from frame to frame. */
typedef struct {
  guint x, y, width, height; /* luma positions of the stored picture */
  guint lower, upper;
  guint max_points;
  /* background: frames after which 5 % of a change are left; each frame moves the average by
   * 3 / adaptation of its distance, in steps of 2^-16, and by all of it up to 3 */
  guint adaptation;
  /* nullable; of the size of the picture. A sample passes only where its top-left luma position is
   * inside. A device needs five storage blocks for a mask. */
  GstGlesMaskBits *mask;
} GstGlesFrameCompactCall;

/* The points of a frame. All zero: a plan fills it from its own pools. */
typedef struct {
  GstGlesBuffer *points; /* 8 bytes per point: u16 x, u16 y from the visible corner, u32 value */
  GstGlesBuffer *counts; /* a GstGlesResult */
  /* on a cpu device */
  GBytes *bytes; /* the memory of @points, as far as there are points; else NULL */
  GstGlesResult result;
} GstGlesFramePoints;

static inline void
gst_gles_frame_points_clear (GstGlesFramePoints *points)
{
  g_clear_pointer (&points->points, gst_gles_buffer_unref);
  g_clear_pointer (&points->counts, gst_gles_buffer_unref);
  g_clear_pointer (&points->bytes, g_bytes_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GstGlesFramePoints, gst_gles_frame_points_clear)

/* Begins with a GstGlesFramePlan, which keeps what motion compares with. */
typedef struct _GstGlesFrameCompact GstGlesFrameCompact;

/* Makes a plan for images with the layout @format. Errors: SETTINGS (channel,
 * GST_GLES_FRAME_COMPACT_VARIANT), TOO_LARGE, and the errors of programs and buffers. */
GST_GLES_API GstGlesFrameCompact *gst_gles_frame_compact_new (GstGlesQueue *queue,
    const GstGlesImage *format, const GstGlesFrameCompactConfig *config, GError **error);
/* Drops a reference; NULL is allowed. */
GST_GLES_API void gst_gles_frame_compact_unref (GstGlesFrameCompact *compact);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameCompact, gst_gles_frame_compact_unref)

/* Returns the most points that a call can list: the samples in its region, or max_points. */
GST_GLES_API guint gst_gles_frame_compact_capacity (
    GstGlesFrameCompact *compact, const GstGlesFrameCompactCall *call);

/* On a device with GL: builds the programs that such calls need and dispatches them without work,
 * so that no frame waits for a compiler. @points as for gst_gles_frame_compact_run(), with a count
 * of 0. */
GST_GLES_API gboolean gst_gles_frame_compact_prepare (GstGlesFrameCompact *compact,
    const GstGlesFrameCompactCall *call, GstGlesFramePoints *points, GError **error);

/* Lists the points of a frame: on a device with GL inside a submission, where the work is queued,
 * on a cpu device at once. @points has buffers of the caller's, which are large enough for
 * gst_gles_frame_compact_capacity() points, or gets some, (transfer full). Errors: INVALID,
 * NO_MEMORY, and those of programs. */
GST_GLES_API gboolean gst_gles_frame_compact_run (GstGlesFrameCompact *compact,
    const GstGlesImage *image, const GstGlesFrameCompactCall *call, GstGlesFramePoints *points,
    GError **error);

/* Runs the native twin, with any plan. For motion, what @native keeps is the reference, which is
 * replaced by that of the next frame. Returns the points: (transfer full). Errors: NO_MEMORY. */
GST_GLES_API guint32 *gst_gles_frame_compact_run_native (GstGlesFrameCompact *compact,
    const GstGlesFrameNative *native, const GstGlesFrameCompactCall *call, GstGlesResult *result,
    GError **error);

/* Returns how often such a call reads the picture: once by look-back, and twice in two passes, if
 * the frame is kept for the next one, or if neighbours are read. */
GST_GLES_API guint gst_gles_frame_compact_get_n_reads (
    GstGlesFrameCompact *compact, const GstGlesFrameCompactCall *call);

G_END_DECLS

#endif
