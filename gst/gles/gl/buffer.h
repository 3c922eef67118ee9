/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_BUFFER_H
#define GST_GLES_BUFFER_H

#include <gst/gles/device/device.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_BUFFER (gst_gles_buffer_get_type ())
GST_GLES_API GType gst_gles_buffer_get_type (void);

/**
 * GstGlesBuffer:
 *
 * Bytes on a device: an OpenGL ES buffer object, or plain memory on a cpu device. Its storage is
 * rounded up to at least 16 bytes more than a multiple of 16, and what lies behind its size is
 * zero. Knows which queue last wrote and read it, so that queues and pools need no help to keep
 * their order. A #GstMiniObject: gst_mini_object_ref() and gst_mini_object_unref() apply.
 *
 * Since: 0.1
 */
typedef struct _GstGlesBuffer GstGlesBuffer;

/**
 * gst_gles_buffer_new:
 * @device: where
 * @size_bytes: how much; 0 is allowed
 * @error: set when %NULL is returned
 *
 * Allocates a buffer. Its contents are zero.
 *
 * Thread: any.
 *
 * Returns: (transfer full) (nullable): a buffer. Errors: %GST_GLES_ERROR_TOO_LARGE,
 *     %GST_GLES_ERROR_NO_MEMORY, %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesBuffer *gst_gles_buffer_new (
    GstGlesDevice *device, gsize size_bytes, GError **error);

/**
 * gst_gles_buffer_ref: (skip)
 * @buffer: a buffer
 *
 * Returns: (transfer full): @buffer
 */
GST_GLES_API GstGlesBuffer *gst_gles_buffer_ref (GstGlesBuffer *buffer);

/**
 * gst_gles_buffer_unref: (skip)
 * @buffer: (transfer full) (nullable): a buffer
 *
 * Thread: any; needs no context: the storage goes when its queue next runs.
 */
GST_GLES_API void gst_gles_buffer_unref (GstGlesBuffer *buffer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesBuffer, gst_gles_buffer_unref)

/**
 * gst_gles_buffer_get_size:
 * @buffer: a buffer
 *
 * Returns: its size in bytes, as asked for. Thread: any.
 * Since: 0.1
 */
GST_GLES_API gsize gst_gles_buffer_get_size (GstGlesBuffer *buffer);

/**
 * gst_gles_buffer_get_device:
 * @buffer: a buffer
 *
 * Returns: (transfer full): its device. Thread: any.
 * Since: 0.1
 */
GST_GLES_API GstGlesDevice *gst_gles_buffer_get_device (GstGlesBuffer *buffer);

/**
 * gst_gles_buffer_upload:
 * @buffer: a buffer
 * @queue: the queue in whose order the bytes arrive
 * @offset_bytes: where in @buffer
 * @data: (array length=size_bytes) (element-type guint8): what
 * @size_bytes: how much
 * @error: set when %FALSE is returned
 *
 * Copies bytes into @buffer. @data can be reused when the call returns. Queues work; does not wait.
 *
 * Thread: any.
 *
 * Returns: %TRUE if queued. Errors: %GST_GLES_ERROR_INVALID (out of range, another device's queue),
 *     %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_buffer_upload (GstGlesBuffer *buffer, GstGlesQueue *queue,
    gsize offset_bytes, gconstpointer data, gsize size_bytes, GError **error);

/**
 * gst_gles_buffer_download: (skip)
 * @buffer: a buffer
 * @queue: the queue after whose work so far the bytes are read
 * @offset_bytes: where in @buffer
 * @data: (out caller-allocates) (array length=size_bytes) (element-type guint8): where to
 * @size_bytes: how much
 * @error: set when %FALSE is returned
 *
 * Copies bytes out of @buffer and waits for them. For tests and tools: results of elements come
 * back without stopping the queue.
 *
 * Thread: any.
 *
 * Returns: %TRUE if @data holds the bytes. Errors: as gst_gles_buffer_upload().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_buffer_download (GstGlesBuffer *buffer, GstGlesQueue *queue,
    gsize offset_bytes, gpointer data, gsize size_bytes, GError **error);

/**
 * gst_gles_buffer_download_bytes:
 * @buffer: a buffer
 * @queue: the queue after whose work so far the bytes are read
 * @offset_bytes: where in @buffer
 * @size_bytes: how much
 * @error: set when %NULL is returned
 *
 * gst_gles_buffer_download() into new memory, for languages that do not hand out their own.
 *
 * Thread: any.
 *
 * Returns: (transfer full) (nullable): the bytes. Errors: as gst_gles_buffer_upload().
 * Since: 0.1
 */
GST_GLES_API GBytes *gst_gles_buffer_download_bytes (GstGlesBuffer *buffer, GstGlesQueue *queue,
    gsize offset_bytes, gsize size_bytes, GError **error);

#ifndef __GI_SCANNER__ /* not exported */
/* On a cpu device the bytes themselves, NULL elsewhere; lives as long as @buffer. Inside a submission
 * only. For the native code of this library. */
guint8 *gst_gles_buffer_peek_memory (GstGlesBuffer *buffer);
#endif

G_END_DECLS

#endif
