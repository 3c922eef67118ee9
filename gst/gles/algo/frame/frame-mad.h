/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sums of absolute differences (SAD) between the samples of a picture and those of earlier ones. */
#ifndef GST_GLES_FRAME_MAD_H
#define GST_GLES_FRAME_MAD_H

#include <gst/gles/algo/frame/plan.h>

G_BEGIN_DECLS

/* Compares the same samples that a histogram of the same region and channels counts.
 *
 * Each picture is compared with a reference picture. The first picture becomes the reference. A
 * later picture replaces the reference when its mean absolute difference, as a share of full scale
 * (2^depth) and over the samples of all channels, exceeds @noise. With a @noise of 0 the reference
 * is the last picture that differed in any sample, so the sums are those against the previous
 * picture. Sums against the previous picture are always there, too. */
typedef struct {
  guint x, y, width, height; /* region in luma positions of the stored picture, not empty */
  gboolean luma;             /* one channel, luma, instead of each stored component */
  gdouble noise;             /* 0 to 1 */
  /* what is compared, of the size of the pictures; nullable: all. Not kept. */
  const struct _GstGlesMaskBits *mask;
} GstGlesFrameMadConfig;

/* A run writes one row of 4 words for each channel: the 64-bit sums of |sample - reference| and of
 * |sample - sample of the previous picture|, low words first. */
#define GST_GLES_FRAME_MAD_WORDS 4

/* Begins with a GstGlesFramePlan, which keeps the reference picture. */
typedef struct _GstGlesFrameMad GstGlesFrameMad;

/* Creates a plan for images laid out as @format (crop ignored) on @queue, of which it keeps a
 * reference. Builds the programs and dispatches each once without work. Errors: TOO_LARGE,
 * NO_MEMORY, COMPILE, DEVICE_LOST. */
GST_GLES_API GstGlesFrameMad *gst_gles_frame_mad_new (GstGlesQueue *queue,
    const GstGlesImage *format, const GstGlesFrameMadConfig *config, GError **error);
/* NULL is safe. */
GST_GLES_API void gst_gles_frame_mad_unref (GstGlesFrameMad *mad);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameMad, gst_gles_frame_mad_unref)

/* Queues the comparison of @image, laid out as the plan's format; does not wait. The channels' rows
 * are written to @sums from word @offset on, a multiple of 4. On a cpu device the work is done when
 * the call returns. Thread: any, one at a time per plan. Errors: NO_MEMORY, DEVICE_LOST. */
GST_GLES_API gboolean gst_gles_frame_mad_run (GstGlesFrameMad *mad, const GstGlesImage *image,
    GstGlesBuffer *sums, guint offset, GError **error);

/* Does the same with the native twin, whatever the queue's device is. *@kept is the reference, NULL
 * before the first picture: (transfer full), released by g_free(). @image must have planes, not a
 * buffer. Errors: NO_MEMORY. */
GST_GLES_API gboolean gst_gles_frame_mad_run_native (
    GstGlesFrameMad *mad, const GstGlesImage *image, guint8 **kept, guint32 *sums, GError **error);

G_END_DECLS

#endif
