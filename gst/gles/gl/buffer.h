/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_BUFFER_H
#define GST_GLES_BUFFER_H

#include <gst/gles/gl/queue.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_BUFFER (gst_gles_buffer_get_type ())
GST_GLES_API GType gst_gles_buffer_get_type (void);

/**
 * GstGlesBuffer:
 *
 * Bytes on a device: an OpenGL ES buffer object, or plain memory on a cpu device. Its storage is
 * rounded up to at least 16 bytes more than a multiple of 16; the bytes beyond its size are zero.
 * Submissions that use a buffer are executed in the order in which they end, so no further
 * synchronisation is needed. A #GstMiniObject: gst_mini_object_ref() and gst_mini_object_unref()
 * apply.
 *
 * Since: 0.1
 */
typedef struct _GstGlesBuffer GstGlesBuffer;

/**
 * gst_gles_buffer_new:
 * @device: the device that holds the buffer
 * @size_bytes: the size in bytes; 0 is allowed
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
 * Thread: any; needs no context: the device's thread deletes the storage later.
 */
GST_GLES_API void gst_gles_buffer_unref (GstGlesBuffer *buffer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesBuffer, gst_gles_buffer_unref)

/**
 * gst_gles_buffer_get_size:
 * @buffer: a buffer
 *
 * Returns: its size in bytes, as requested. Thread: any.
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
 * @offset_bytes: where to write in @buffer
 * @data: (array length=size_bytes) (element-type guint8): the bytes
 * @size_bytes: the number of bytes
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
 * gst_gles_buffer_upload_from:
 * @buffer: a buffer
 * @queue: the queue in whose order the bytes arrive
 * @offset_bytes: where to write in @buffer
 * @address: (type gpointer): where the bytes are, an integer in Python
 * @size_bytes: the number of bytes, all of which have to be readable
 * @error: set when %FALSE is returned
 *
 * Like gst_gles_buffer_upload(), for language bindings that would copy an array of bytes first.
 *
 * Thread: any.
 *
 * Returns: %TRUE if queued. Errors: as gst_gles_buffer_upload().
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_buffer_upload_from (GstGlesBuffer *buffer, GstGlesQueue *queue,
    gsize offset_bytes, gconstpointer address, gsize size_bytes, GError **error);

/**
 * gst_gles_buffer_download: (skip)
 * @buffer: a buffer
 * @queue: the queue after whose work so far the bytes are read
 * @offset_bytes: where to read in @buffer
 * @data: (out caller-allocates) (array length=size_bytes) (element-type guint8): receives the bytes
 * @size_bytes: the number of bytes
 * @error: set when %FALSE is returned
 *
 * Copies bytes out of @buffer and waits for them. For tests and tools; elements read results back
 * without waiting for the queue.
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
 * @offset_bytes: where to read in @buffer
 * @size_bytes: the number of bytes
 * @error: set when %NULL is returned
 *
 * Like gst_gles_buffer_download(), into new memory: for language bindings.
 *
 * Thread: any.
 *
 * Returns: (transfer full) (nullable): the bytes. Errors: as gst_gles_buffer_upload().
 * Since: 0.1
 */
GST_GLES_API GBytes *gst_gles_buffer_download_bytes (GstGlesBuffer *buffer, GstGlesQueue *queue,
    gsize offset_bytes, gsize size_bytes, GError **error);

#ifndef __GI_SCANNER__ /* not exported */
/* Returns the bytes of a buffer on a cpu device, NULL on other devices. Call inside a submission
 * only. The memory lives as long as @buffer. For the native code of this library. */
guint8 *gst_gles_buffer_peek_memory (GstGlesBuffer *buffer);
#endif

G_END_DECLS

#endif
