/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The noise of pictures: by how much the pixels of every sixteenth row have changed since the
 * picture before. Noise makes pixels brighter and darker, so light that changes is none, and things
 * that move are few pixels. */
#ifndef GST_GLES_FRAME_NOISE_H
#define GST_GLES_FRAME_NOISE_H

#include <glsl/frame/frame-noise-layout.h>

#include <gst/gles/gl/image.h>
#include <gst/gles/gl/queue.h>
#include <gst/gles/gl/readback-info.h>

G_BEGIN_DECLS

/* Pictures that can be measured before the counts of the first one have to be read: with more, a
 * run waits for the oldest. */
#define GST_GLES_FRAME_NOISE_SLOTS 6

/* Begins with a GstGlesFramePlan, which keeps the rows of the picture before. */
typedef struct _GstGlesFrameNoise GstGlesFrameNoise;

/* Makes a plan for images with the layout @format. @channel: a component of the format, or
 * GST_GLES_FRAME_LUMA. On a device with GL: builds its program, dispatches it without work, and
 * allocates a byte for each pixel that is measured. Errors: those of programs and of buffers. */
GST_GLES_API GstGlesFrameNoise *gst_gles_frame_noise_new (
    GstGlesQueue *queue, const GstGlesImage *format, gint channel, GError **error);
/* NULL is safe. */
GST_GLES_API void gst_gles_frame_noise_unref (GstGlesFrameNoise *noise);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameNoise, gst_gles_frame_noise_unref)

/* Measures @image. *@counts: (transfer full): GST_GLES_FRAME_NOISE_BINS words, pixels by their
 * change of 8 bits: bin GST_GLES_FRAME_NOISE_ZERO + d has those that became brighter by d, the
 * first and the last bin also those beyond; NULL for the first picture. On a device with GL the
 * work is queued, in the open submission. Errors: INVALID (with GL: another layout than the plan
 * was made for), NO_MEMORY, and those of dispatches. */
GST_GLES_API gboolean gst_gles_frame_noise_run (
    GstGlesFrameNoise *noise, const GstGlesImage *image, GstGlesReadback **counts, GError **error);

/* The native twin, with any plan; @image must have planes. @kept has the rows of the picture
 * before, NULL before the first one, whose counts are 0: (transfer full), released by g_free().
 * Errors: NO_MEMORY. */
GST_GLES_API gboolean gst_gles_frame_noise_run_native (GstGlesFrameNoise *noise,
    const GstGlesImage *image, guint8 **kept, guint32 counts[GST_GLES_FRAME_NOISE_BINS],
    GError **error);

G_END_DECLS

#endif
