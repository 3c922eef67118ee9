/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buffers of one size that come back when nobody holds them. */
#ifndef GST_GLES_POOL_H
#define GST_GLES_POOL_H

#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

typedef struct _GstGlesBufferPool GstGlesBufferPool;

/* Buffers of @size_bytes on @device. Keeps @device. */
GST_GLES_API GstGlesBufferPool *gst_gles_buffer_pool_new (GstGlesDevice *device, gsize size_bytes);
/* NULL is safe. Buffers that are still held stay valid. */
GST_GLES_API void gst_gles_buffer_pool_free (GstGlesBufferPool *pool);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesBufferPool, gst_gles_buffer_pool_free)

/* A buffer that nobody else holds, with whatever it held last: (transfer full). It may still be read
 * on the device: queues wait for that by themselves. Grows when all are held, never waits.
 * Thread: one at a time per pool. Errors: as gst_gles_buffer_new(). */
GST_GLES_API GstGlesBuffer *gst_gles_buffer_pool_acquire (GstGlesBufferPool *pool, GError **error);

G_END_DECLS

#endif
