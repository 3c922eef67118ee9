/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How far the samples of a picture are from those of an earlier one, as sums of absolute differences. */
#ifndef GST_GLES_FRAME_MAD_H
#define GST_GLES_FRAME_MAD_H

#include <gst/gles/gl/image.h>

G_BEGIN_DECLS

/* The samples that are compared are those that a histogram of the same region and channels counts.
 *
 * A picture is compared with a reference. The first becomes it, and so does each picture that differs
 * from it by more than @noise of the largest difference: (sum over channels of mean difference / 2^depth,
 * weighted by their samples) > noise. With 0 that is the picture before. */
typedef struct {
  guint x, y, width, height; /* luma positions of the stored picture, not empty */
  gboolean luma;             /* one channel, luma, instead of each stored component */
  gdouble noise;             /* 0 to 1 */
} GstGlesFrameMadConfig;

/* What a run leaves of each channel, in a row of 4 words: the sum of |sample - reference|, the lower
 * word first, and two words of 0. */
#define GST_GLES_FRAME_MAD_WORDS 4

/* The reference of the native twin, for validation. Zeroed: there is none. */
typedef struct {
  guint8 *samples[GST_GLES_MAX_COMPONENTS];
} GstGlesFrameMadReference;

typedef struct _GstGlesFrameMad GstGlesFrameMad;

/* A plan for images laid out as @format (crop ignored) on @queue. Keeps @queue. Builds its programs and
 * dispatches them once, empty. Errors: those of programs and buffers. */
GST_GLES_API GstGlesFrameMad *gst_gles_frame_mad_new (GstGlesQueue *queue,
    const GstGlesImage *format, const GstGlesFrameMadConfig *config, GError **error);
/* NULL is safe. */
GST_GLES_API void gst_gles_frame_mad_free (GstGlesFrameMad *mad);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameMad, gst_gles_frame_mad_free)

/* Forgets the reference: the sums of the next picture are 0. */
GST_GLES_API void gst_gles_frame_mad_reset (GstGlesFrameMad *mad);

/* Queues the comparison of @image, laid out as the plan's format, and writes the channels' rows to @sums
 * from word @offset on, a multiple of 4. On a cpu device the work is done when the call returns.
 * Thread: one at a time per plan. */
GST_GLES_API gboolean gst_gles_frame_mad_run (GstGlesFrameMad *mad, const GstGlesImage *image,
    GstGlesBuffer *sums, guint offset, GError **error);

/* The same with the native twin and a reference of the caller's, whatever the queue's device is. @image
 * must have planes, not a buffer. */
GST_GLES_API void gst_gles_frame_mad_run_native (GstGlesFrameMad *mad, const GstGlesImage *image,
    GstGlesFrameMadReference *reference, guint32 *sums);

GST_GLES_API void gst_gles_frame_mad_reference_clear (GstGlesFrameMadReference *reference);

G_END_DECLS

#endif
