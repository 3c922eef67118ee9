/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A pool of buffers of one size, which are reused when nobody holds them. */
#ifndef GST_GLES_POOL_H
#define GST_GLES_POOL_H

#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

typedef struct _GstGlesBufferPool GstGlesBufferPool;

/* Makes a pool of buffers of @size_bytes on @device. Holds a reference to @device. */
GST_GLES_API GstGlesBufferPool *gst_gles_buffer_pool_new (GstGlesDevice *device, gsize size_bytes);
/* NULL is safe. Buffers that are still held stay valid. */
GST_GLES_API void gst_gles_buffer_pool_free (GstGlesBufferPool *pool);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesBufferPool, gst_gles_buffer_pool_free)

/* Returns a buffer that nobody else holds, with undefined content: (transfer full). Work that was
 * submitted earlier may still read it; queue order makes that safe. Makes a new buffer when all are
 * held; never waits.
 * Thread: one at a time per pool. Errors: as gst_gles_buffer_new(). */
GST_GLES_API GstGlesBuffer *gst_gles_buffer_pool_acquire (GstGlesBufferPool *pool, GError **error);

G_END_DECLS

#endif
