/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts GstBuffers to images that algorithms read. Frames in the memory of GstGlesAllocator are
 * read where they lie; others are copied to an upload slot. */
#ifndef GST_GLES_FRAME_SOURCE_H
#define GST_GLES_FRAME_SOURCE_H

#include <gst/video/video.h>
#include <gst/gles/gl/image.h>
#ifndef __GI_SCANNER__ /* see image.h */
G_BEGIN_DECLS

/**
 * GstGlesFrameSource: (skip)
 *
 * Brings the frames of a stream to a device, as images that kernels and native code read.
 *
 * Thread: one at a time per source.
 *
 * Since: 0.1
 */
typedef struct _GstGlesFrameSource GstGlesFrameSource;

/**
 * GstGlesFrameKind: (skip)
 * @GST_GLES_FRAME_COPIED: the host copied it
 * @GST_GLES_FRAME_RESIDENT: it lies in memory that the device reads
 * @GST_GLES_FRAME_REUSED: an earlier element brought it there
 * @GST_GLES_FRAME_IMPORTED: it came from memory of another API, without the host
 * @GST_GLES_FRAME_N_KINDS: their number
 *
 * How a frame came to the device.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_FRAME_COPIED,
  GST_GLES_FRAME_RESIDENT,
  GST_GLES_FRAME_REUSED,
  GST_GLES_FRAME_IMPORTED,
  GST_GLES_FRAME_N_KINDS
} GstGlesFrameKind;

/**
 * GstGlesFrameCost: (skip)
 * @kind: how the frame came to the device
 * @uploaded_bytes: bytes that were copied
 * @waited: the streaming thread waited for a free upload slot
 *
 * The cost of one frame.
 *
 * Since: 0.1
 */
typedef struct {
  GstGlesFrameKind kind;
  guint64 uploaded_bytes;
  gboolean waited;
} GstGlesFrameCost;

/**
 * gst_gles_format_caps: (skip)
 *
 * Returns: (transfer full): video/x-raw in system memory, with all formats that a source takes, of
 *     any size and rate. Thread: any.
 * Since: 0.1
 */
GST_GLES_API GstCaps *gst_gles_format_caps (void);

/**
 * gst_gles_frame_source_new: (skip)
 * @queue: the queue that analyses the frames; kept
 * @info: format and size of the frames
 * @error: set when %NULL is returned
 *
 * Creates a source.
 *
 * Returns: (transfer full) (nullable): a source. Errors: %GST_GLES_ERROR_SETTINGS (a format that
 *     is not supported), %GST_GLES_ERROR_TOO_LARGE, %GST_GLES_ERROR_NO_MEMORY.
 * Since: 0.1
 */
GST_GLES_API GstGlesFrameSource *gst_gles_frame_source_new (
    GstGlesQueue *queue, const GstVideoInfo *info, GError **error);

/**
 * gst_gles_frame_source_free: (skip)
 * @source: (transfer full) (nullable): a source
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_frame_source_free (GstGlesFrameSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameSource, gst_gles_frame_source_free)

/**
 * gst_gles_frame_source_get_layout: (skip)
 * @source: a source
 * @image: (out caller-allocates): receives the layout
 *
 * Tells the layout of the images: on a device with OpenGL ES that of upload slots, on a cpu device
 * that of frames with the strides of the caps. Buffer and planes are %NULL, so plans can be made
 * before the first frame.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_frame_source_get_layout (
    GstGlesFrameSource *source, GstGlesImage *image);

/**
 * gst_gles_frame_source_acquire: (skip)
 * @source: a source
 * @buffer: a frame
 * @image: (out caller-allocates): receives the image
 * @cost: (out caller-allocates) (optional): receives what it cost
 * @error: set when %FALSE is returned
 *
 * Makes the samples of @buffer available. On a device with OpenGL ES nothing of @buffer is used
 * after gst_gles_frame_source_release(), except that the device may still read memory of our
 * allocator, which waits for that before it is written. On a cpu device @buffer is mapped for
 * reading until then. The caller then calls gst_gles_frame_source_commit(), or, if it fails itself,
 * only release. Honours #GstVideoMeta and #GstVideoCropMeta. A field of its own
 * (interlace-mode=alternate) is a picture of half the lines. May wait for a free upload slot.
 *
 * Returns: %TRUE if @image can be read. Errors: %GST_GLES_ERROR_BAD_FRAME (a truncated buffer,
 *     memory that cannot be mapped, a stride smaller than a row, a crop outside of the picture),
 *     after which the source is as before.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_frame_source_acquire (GstGlesFrameSource *source, GstBuffer *buffer,
    GstGlesImage *image, GstGlesFrameCost *cost, GError **error);

/**
 * gst_gles_frame_source_commit: (skip)
 * @source: a source that has acquired a frame
 * @error: set when %FALSE is returned
 *
 * Brings the frame to the device. Called inside of a submission, before the kernels that read the
 * image. Does not wait.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_NO_MEMORY, %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_frame_source_commit (GstGlesFrameSource *source, GError **error);

/**
 * gst_gles_frame_source_release: (skip)
 * @source: a source that has acquired a frame
 *
 * Releases what acquire took. Called after the submission has ended.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_frame_source_release (GstGlesFrameSource *source);

G_END_DECLS
#endif

#endif
