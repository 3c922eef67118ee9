/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A background that knows how each pixel varies: eight samples of the smoothed picture for each
 * pixel. A plan writes how far each pixel of a frame is from the second nearest of its samples, or
 * 0 for background, to a picture of bytes, which frame compaction reads like any other. Where more
 * than half of a picture is not background, or one of 16 pixels while most have changed by 8, that
 * is another light or another view: it is 0, and the samples begin anew. After Barnich and Van
 * Droogenbroeck (ViBe, 2011), in integers and without an order: see
 * docs/elements/glescompact.md. */
#ifndef GST_GLES_FRAME_SAMPLES_H
#define GST_GLES_FRAME_SAMPLES_H

#include <gst/gles/algo/frame/plan.h>

G_BEGIN_DECLS

/* Parameters that can differ from frame to frame. */
typedef struct {
  guint radius;     /* 1 to 255; a pixel that is less away from its samples is background */
  guint adaptation; /* frames after which what has stopped is background, about */
} GstGlesFrameSamplesCall;

/* Begins with a GstGlesFramePlan, which keeps the samples. */
typedef struct _GstGlesFrameSamples GstGlesFrameSamples;

/* Makes a plan for images with the layout @format. @channel: a component of the format, or
 * GST_GLES_FRAME_LUMA. On a device with GL: builds its programs, dispatches them without work, and
 * allocates 10 bytes per sample. Errors: TOO_LARGE (more than a storage block), those of programs
 * and of buffers. */
GST_GLES_API GstGlesFrameSamples *gst_gles_frame_samples_new (
    GstGlesQueue *queue, const GstGlesImage *format, gint channel, GError **error);
/* NULL is safe. */
GST_GLES_API void gst_gles_frame_samples_unref (GstGlesFrameSamples *samples);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameSamples, gst_gles_frame_samples_unref)

/* Sets the layout of the picture of values, without pixels, with the crop of @image. */
GST_GLES_API void gst_gles_frame_samples_get_picture (
    const GstGlesFrameSamples *samples, const GstGlesImage *image, GstGlesImage *picture);

/* Writes the values of @image to *@picture, which is valid until the next call, and replaces
 * samples. The first four frames have the value 0 everywhere. On a device with GL the work is
 * queued, in the open submission. Errors: INVALID (with GL: another layout than the plan was made
 * for), NO_MEMORY, and those of dispatches. */
GST_GLES_API gboolean gst_gles_frame_samples_run (GstGlesFrameSamples *samples,
    const GstGlesImage *image, const GstGlesFrameSamplesCall *call, GstGlesImage *picture,
    GError **error);

/* The native twin, with any plan. What @native keeps is the state. */
GST_GLES_API gboolean gst_gles_frame_samples_run_native (GstGlesFrameSamples *samples,
    const GstGlesFrameNative *native, const GstGlesFrameSamplesCall *call, GstGlesImage *picture,
    GError **error);

G_END_DECLS

#endif
