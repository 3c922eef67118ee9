/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From GstBuffers to images that algorithms read. System memory by staged copy today; the interface
 * leaves room for GLMemory, DMABuf and buffers of an own allocator, which are imported instead. */
#ifndef GST_GLES_FRAME_SOURCE_H
#define GST_GLES_FRAME_SOURCE_H

#include <gst/video/video.h>
#include <gst/gles/gl/image.h>

G_BEGIN_DECLS

typedef struct _GstGlesFrameSource GstGlesFrameSource;

/* What one frame cost. */
typedef struct {
  guint64 uploaded_bytes;
  gboolean waited; /* the streaming thread waited for a free upload slot */
} GstGlesFrameCost;

/* For frames of @info that are analysed on @queue. Keeps @queue.
 * Errors: SETTINGS (format), TOO_LARGE, NO_MEMORY. */
GST_GLES_API GstGlesFrameSource *gst_gles_frame_source_new (
    GstGlesQueue *queue, const GstVideoInfo *info, GError **error);
/* NULL is safe. */
GST_GLES_API void gst_gles_frame_source_free (GstGlesFrameSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameSource, gst_gles_frame_source_free)

/* The layout that images of this source have on a GL device, and that of frames with the caps' strides
 * on a cpu device: without buffer and planes, so that plans can be made before the first frame. */
GST_GLES_API void gst_gles_frame_source_get_layout (
    GstGlesFrameSource *source, GstGlesImage *image);

/* Says which components kernels are going to read, as bits; all at first. On a GL device planes that
 * hold none of them are not copied: their place in an image then holds anything. */
GST_GLES_API void gst_gles_frame_source_use_components (
    GstGlesFrameSource *source, guint components);

/* Says whether kernels of the next frames read samples where the host wrote them, in mapped memory, rather
 * than from a copy on the device: see gst_gles_tuning_get_max_reads_in_place(). Off at first; devices
 * without mapped memory copy always. */
GST_GLES_API void gst_gles_frame_source_read_in_place (
    GstGlesFrameSource *source, gboolean in_place);

/* Takes @buffer in: on a GL device copies its samples to an upload slot (no ref is kept), on a cpu
 * device maps it for reading. Fills @image. To be followed by commit, or by release alone on
 * failure of the caller. Honours GstVideoMeta and GstVideoCropMeta.
 * Errors: INVALID (truncated buffer, stride smaller than a row, crop outside the picture).
 * Thread: one at a time per source. */
GST_GLES_API gboolean gst_gles_frame_source_acquire (GstGlesFrameSource *source, GstBuffer *buffer,
    GstGlesImage *image, GstGlesFrameCost *cost, GError **error);

/* Inside a submission, before the kernels that read the image. */
GST_GLES_API gboolean gst_gles_frame_source_commit (GstGlesFrameSource *source, GError **error);

/* After the submission has ended: gives back what acquire took. */
GST_GLES_API void gst_gles_frame_source_release (GstGlesFrameSource *source);

G_END_DECLS

#endif
