/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/gl/pool.h>

/* The pool releases idle buffers above this number, so that memory of a burst is not kept. */
#define MAX_IDLE 8

struct _GstGlesBufferPool {
  GstGlesDevice *device;
  gsize size_bytes;
  GPtrArray *buffers; /* every buffer that the pool made and has not released */
};

GstGlesBufferPool *
gst_gles_buffer_pool_new (GstGlesDevice *device, gsize size_bytes)
{
  GstGlesBufferPool *pool = g_new0 (GstGlesBufferPool, 1);

  pool->device = gst_object_ref (device);
  pool->size_bytes = size_bytes;
  pool->buffers = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_gles_buffer_unref);
  return pool;
}

void
gst_gles_buffer_pool_free (GstGlesBufferPool *pool)
{
  if (pool == NULL)
    return;
  g_ptr_array_unref (pool->buffers);
  gst_object_unref (pool->device);
  g_free (pool);
}

GstGlesBuffer *
gst_gles_buffer_pool_acquire (GstGlesBufferPool *pool, GError **error)
{
  GstGlesBuffer *found = NULL;
  guint n_idle = 0;

  for (guint i = pool->buffers->len; i > 0; i--) {
    GstGlesBuffer *buffer = g_ptr_array_index (pool->buffers, i - 1);
    if (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer) != 1)
      continue;
    if (found == NULL)
      found = buffer;
    else if (++n_idle > MAX_IDLE)
      g_ptr_array_remove_index_fast (pool->buffers, i - 1);
  }
  if (found != NULL)
    return gst_gles_buffer_ref (found);
  found = gst_gles_buffer_new (pool->device, pool->size_bytes, error);
  if (found != NULL)
    g_ptr_array_add (pool->buffers, gst_gles_buffer_ref (found));
  return found;
}
