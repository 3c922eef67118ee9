/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts GstBuffers to images that algorithms read. Frames in the memory of GstGlesAllocator are
 * read where they lie; others are copied to an upload slot. */
#ifndef GST_GLES_FRAME_SOURCE_H
#define GST_GLES_FRAME_SOURCE_H

#include <gst/video/video.h>
#include <gst/gles/gl/image.h>

G_BEGIN_DECLS

typedef struct _GstGlesFrameSource GstGlesFrameSource;

/* How a frame came to the device. */
typedef enum {
  GST_GLES_FRAME_COPIED,   /* the host copied it */
  GST_GLES_FRAME_RESIDENT, /* it lies in memory that the device reads */
  GST_GLES_FRAME_REUSED,   /* an earlier element brought it there */
  GST_GLES_FRAME_IMPORTED, /* it came from memory of another API, without the host */
  GST_GLES_FRAME_N_KINDS
} GstGlesFrameKind;

/* The cost of one frame. */
typedef struct {
  GstGlesFrameKind kind;
  guint64 uploaded_bytes;
  gboolean waited; /* the streaming thread waited for a free upload slot */
} GstGlesFrameCost;

/* Creates a source for frames of @info that are analysed on @queue. Keeps a reference to @queue.
 * Errors: SETTINGS (format), TOO_LARGE, NO_MEMORY. */
GST_GLES_API GstGlesFrameSource *gst_gles_frame_source_new (
    GstGlesQueue *queue, const GstVideoInfo *info, GError **error);
/* NULL is safe. */
GST_GLES_API void gst_gles_frame_source_free (GstGlesFrameSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameSource, gst_gles_frame_source_free)

/* Returns the layout of this source's images: on a GL device that of upload slots until a frame
 * changes it, on a cpu device that of frames with the caps' strides. Buffer and planes are NULL, so
 * plans can be made before the first frame. */
GST_GLES_API void gst_gles_frame_source_get_layout (
    GstGlesFrameSource *source, GstGlesImage *image);

/* Sets which components kernels read, as a bit mask; all by default. On a GL device, planes without
 * such a component are not copied, and their contents in an image are undefined. */
GST_GLES_API void gst_gles_frame_source_use_components (
    GstGlesFrameSource *source, guint components);

/* Sets how often kernels read each sample of the next frames. It decides whether they read it in
 * mapped memory, where the host wrote it, or from a copy on the device; the first frame of host
 * memory measures which is faster (gst_gles_link_choose_reads_in_place()). Not set, or on a device
 * without mapped memory, frames are copied. */
GST_GLES_API void gst_gles_frame_source_set_n_reads (GstGlesFrameSource *source, guint n_reads);

/* Sets whether the next frames may change the layout of this source's images to their own strides
 * and offsets; off by default. A frame in the memory of GstGlesAllocator with another layout is
 * copied if this is off. The caller compares the layout of each image with that of its plan. */
GST_GLES_API void gst_gles_frame_source_adopt_layout (GstGlesFrameSource *source, gboolean adopt);

/* Sets whether a copy of a frame in system memory is recorded on its buffer, which must be
 * writable, so that later elements on the same device need not copy the frame again; off by
 * default. Without it, records of earlier elements are used and then removed. An element that
 * writes into the frame while there is a record gets a copy of the memory. */
GST_GLES_API void gst_gles_frame_source_share_copies (GstGlesFrameSource *source, gboolean share);

/* Sets the layout modifier of the DMABufs of the next frames, as their caps name it; 0, the
 * default, is linear. */
GST_GLES_API void gst_gles_frame_source_set_modifier (GstGlesFrameSource *source, guint64 modifier);

/* Returns why frames are mapped although the device imports such memory: static until the source is
 * freed; NULL while nothing was refused. */
GST_GLES_API const gchar *gst_gles_frame_source_get_refusal (GstGlesFrameSource *source);

/* Returns the size that the image of @buffer will have: of its GstVideoCropMeta, which may lie
 * outside the picture, or of the caps, and of a field where buffers hold fields. */
GST_GLES_API void gst_gles_frame_source_get_visible_size (
    GstGlesFrameSource *source, GstBuffer *buffer, guint *width, guint *height);

/* Makes the samples of @buffer available and fills @image. On a GL device nothing of @buffer is
 * used after release, except that the device may still read memory of GstGlesAllocator, which waits
 * for that before it is written. On a cpu device @buffer is mapped for reading. The caller then
 * calls commit, or, if it fails itself, only release. Honours GstVideoMeta and GstVideoCropMeta.
 * A field of its own (interlace-mode=alternate) is a picture of half the lines. Errors: BAD_FRAME
 * (truncated buffer, memory that cannot be mapped, stride smaller than a row, crop outside the
 * picture), after which the source is as before. Thread: one at a time per source. */
GST_GLES_API gboolean gst_gles_frame_source_acquire (GstGlesFrameSource *source, GstBuffer *buffer,
    GstGlesImage *image, GstGlesFrameCost *cost, GError **error);

/* Called inside a submission, before the kernels that read the image. */
GST_GLES_API gboolean gst_gles_frame_source_commit (GstGlesFrameSource *source, GError **error);

/* Called after the submission has ended. Releases what acquire took. */
GST_GLES_API void gst_gles_frame_source_release (GstGlesFrameSource *source);

/* Optional. Called last, when nothing more will be added to @buffer, which holds the frame that was
 * committed last. If the frame was imported and @buffer comes from a pool, @buffer is kept until
 * the device has read it. Without this call the pool may get @buffer back earlier, find its memory
 * in use, and allocate other memory. */
GST_GLES_API void gst_gles_frame_source_keep (GstGlesFrameSource *source, GstBuffer *buffer);

G_END_DECLS

#endif
