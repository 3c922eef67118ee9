/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <unistd.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/device/procs.h>
#include <gst/gles/gl/buffer.h>
#include <gst/gles/gl/gl-private.h>

/* The bytes that are copied from the host at a time. */
#define STAGING_CHUNK (4 * 1024 * 1024)

/* The same of zeros, of which the device keeps as many. */
#define ZEROS_BYTES ((gsize) 1024 * 1024)

GST_DEFINE_MINI_OBJECT_TYPE (GstGlesBuffer, gst_gles_buffer);

static void
buffer_free (GstMiniObject *object)
{
  GstGlesBuffer *buffer = (GstGlesBuffer *) object;
  const GstGlesTrash trash[] = {
    { GST_GLES_TRASH_TEXTURE, buffer->texels },
    { GST_GLES_TRASH_BUFFER, buffer->name },
    { GST_GLES_TRASH_MEMORY, buffer->imported },
  };
  GstGlesShare *share = gst_gles_device_get_share (buffer->device);

  __atomic_sub_fetch (&share->buffer_bytes, buffer->storage_bytes, __ATOMIC_RELAXED);
  gst_gles_share_discard (share, trash, G_N_ELEMENTS (trash));
  if (buffer->name == 0)
    g_free (buffer->memory);
  gst_object_unref (buffer->device);
  g_free (buffer);
}

static GstGlesBuffer *
buffer_alloc (GstGlesDevice *device, gsize size_bytes, gsize storage_bytes)
{
  GstGlesBuffer *buffer = g_new0 (GstGlesBuffer, 1);

  gst_mini_object_init (
      GST_MINI_OBJECT_CAST (buffer), 0, gst_gles_buffer_get_type (), NULL, NULL, buffer_free);
  buffer->device = gst_object_ref (device);
  buffer->size_bytes = size_bytes;
  buffer->storage_bytes = storage_bytes;
  __atomic_add_fetch (
      &gst_gles_device_get_share (device)->buffer_bytes, storage_bytes, __ATOMIC_RELAXED);
  return buffer;
}

/* Copies through another buffer, since glBufferSubData() makes some drivers move a buffer to host
 * memory for good. NVIDIA's does; kernels that use the buffer are then ten times as slow. */
void
gst_gles_fill (GLuint name, gsize offset_bytes, const guint8 *data, gsize size_bytes)
{
  const gsize chunk_bytes = MIN (size_bytes, STAGING_CHUNK);
  GLuint staging;

  glGenBuffers (1, &staging);
  glBindBuffer (GL_COPY_WRITE_BUFFER, name);
  glBindBuffer (GL_COPY_READ_BUFFER, staging);
  for (gsize at = 0; at < size_bytes; at += chunk_bytes) {
    gsize n = MIN (chunk_bytes, size_bytes - at);

    /* Each chunk gets new storage, so that no chunk waits for the copy of the one before. */
    glBufferData (GL_COPY_READ_BUFFER, n, data + at, GL_STREAM_COPY);
    glCopyBufferSubData (GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, offset_bytes + at, n);
  }
  glBindBuffer (GL_COPY_READ_BUFFER, 0);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  glDeleteBuffers (1, &staging);
}

/* Copies zeros of the device to all of the bound buffer: zeros of the host for each buffer took 2.6
 * ms a buffer, 1.4 s before 24 streams had begun (H200). */
static void
clear (GstGlesShare *share, gsize size_bytes)
{
  if (share->zeros == 0) {
    g_autofree guint8 *zeros = g_malloc0 (ZEROS_BYTES);

    glGenBuffers (1, &share->zeros);
    glBindBuffer (GL_COPY_READ_BUFFER, share->zeros);
    glBufferData (GL_COPY_READ_BUFFER, ZEROS_BYTES, zeros, GL_STATIC_COPY);
  }
  glBindBuffer (GL_COPY_READ_BUFFER, share->zeros);
  for (gsize at = 0; at < size_bytes; at += ZEROS_BYTES)
    glCopyBufferSubData (
        GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, at, MIN (size_bytes - at, ZEROS_BYTES));
  glBindBuffer (GL_COPY_READ_BUFFER, 0);
}

typedef struct {
  GstGlesBuffer *buffer;
  GstGlesStorage storage;
  GstGlesExportedMemory *exported; /* NULL: the memory is the buffer's alone */
} Allocation;

/* Allocates the storage of a buffer that only the device uses. @buffer is bound to
 * GL_COPY_WRITE_BUFFER. */
static gboolean
allocate_device (
    GstGlesBuffer *buffer, GstGlesShare *share, GstGlesExportedMemory *exported, GError **error)
{
  if (exported != NULL)
    return gst_gles_memory_export (share, buffer, exported, error);
  if (!gst_gles_memory_import (share, buffer, error))
    return FALSE;
  if (buffer->imported == 0 && share->limits.buffer_storage)
    gst_gles_procs ()->buffer_storage (GL_COPY_WRITE_BUFFER, buffer->storage_bytes, NULL, 0);
  else if (buffer->imported == 0)
    glBufferData (GL_COPY_WRITE_BUFFER, buffer->storage_bytes, NULL, GL_DYNAMIC_COPY);
  return TRUE;
}

static gboolean
map_storage (GstGlesBuffer *buffer, GstGlesShare *share, GLbitfield access, GError **error)
{
  glBindBuffer (GL_COPY_WRITE_BUFFER, buffer->name);
  buffer->memory = glMapBufferRange (GL_COPY_WRITE_BUFFER, 0, buffer->storage_bytes, access);
  if (!gst_gles_check_gl (share, "mapping a buffer", error))
    return FALSE;
  if (buffer->memory != NULL)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
      "%s: a buffer of %" G_GSIZE_FORMAT
      " bytes cannot be mapped; use fewer or smaller frames, or another device",
      share->id, buffer->storage_bytes);
  return FALSE;
}

/* On the device's thread. */
static gboolean
allocate_gl (gpointer data, GError **error)
{
  const Allocation *allocation = data;
  GstGlesBuffer *buffer = allocation->buffer;
  GstGlesShare *share = gst_gles_device_get_share (buffer->device);
  GLbitfield map = GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT | GL_MAP_READ_BIT;
  gboolean ok = TRUE;

  if (allocation->storage == GST_GLES_STORAGE_UPLOAD)
    map |= GL_MAP_WRITE_BIT;
  gst_gles_forget_gl_errors ();
  glGenBuffers (1, &buffer->name);
  glBindBuffer (GL_COPY_WRITE_BUFFER, buffer->name);
  if (allocation->storage == GST_GLES_STORAGE_DEVICE)
    ok = allocate_device (buffer, share, allocation->exported, error);
  else
    gst_gles_procs ()->buffer_storage (GL_COPY_WRITE_BUFFER, buffer->storage_bytes, NULL,
        map | GL_DYNAMIC_STORAGE_BIT_EXT | GL_CLIENT_STORAGE_BIT_EXT);
  ok = ok && gst_gles_check_gl (share, "allocating a buffer", error);
  if (ok) {
    clear (share, buffer->storage_bytes);
    ok = gst_gles_check_gl (share, "clearing a buffer", error);
  }
  /* the other API may write at once */
  if (ok && allocation->exported != NULL)
    glFinish ();
  if (ok && allocation->storage != GST_GLES_STORAGE_DEVICE)
    ok = map_storage (buffer, share, map, error);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  return ok;
}

/* The code that llvmpipe generates for a buffer texture depends on these properties of its size
 * (GST_GLES_WARM_UP_BYTES). No buffer has the rarer ones, so that no kernel is compiled twice. */
static gsize
usual_size (gsize storage_bytes)
{
  gboolean power_of_two = (storage_bytes & (storage_bytes - 1)) == 0;

  return (storage_bytes & 0xff00) == 0 || power_of_two ? storage_bytes + 256 : storage_bytes;
}

GstGlesBuffer *
gst_gles_buffer_new_storage (GstGlesDevice *device, GstGlesStorage storage, gsize size_bytes,
    GstGlesExportedMemory *exported, GError **error)
{
  GstGlesShare *share = gst_gles_device_get_share (device);
  Allocation allocation = { NULL, storage, exported };
  GstGlesBuffer *buffer;
  gboolean ok;
  gsize storage_bytes;

  /* GL takes sizes as GLsizeiptr, which is signed. */
  if (!gst_gles_size_add (size_bytes, GST_GLES_BUFFER_PADDING + 15, &storage_bytes) ||
      storage_bytes > G_MAXSSIZE) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "a buffer of %" G_GSIZE_FORMAT " bytes is more than can be addressed", size_bytes);
    return NULL;
  }
  storage_bytes &= ~(gsize) 15;
  if (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_SOFTWARE)
    storage_bytes = usual_size (storage_bytes);

  buffer = buffer_alloc (device, size_bytes, storage_bytes);
  if (gst_gles_share_is_gl (share)) {
    allocation.buffer = buffer;
    ok = gst_gles_thread_call (share->thread, allocate_gl, &allocation, error);
  } else {
    buffer->memory = g_try_malloc0 (storage_bytes);
    ok = buffer->memory != NULL;
    if (!ok)
      g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
          "cannot allocate %" G_GSIZE_FORMAT " bytes", storage_bytes);
  }
  if (!ok)
    g_clear_pointer (&buffer, gst_gles_buffer_unref);
  return buffer;
}

GstGlesBuffer *
gst_gles_buffer_new_exported (
    GstGlesDevice *device, gsize size_bytes, GstGlesExportedMemory *exported, GError **error)
{
  GstGlesBuffer *buffer;

  exported->fd = -1;
  buffer =
      gst_gles_buffer_new_storage (device, GST_GLES_STORAGE_DEVICE, size_bytes, exported, error);
  if (buffer == NULL && exported->fd >= 0)
    close (exported->fd);
  return buffer;
}

GstGlesBuffer *
gst_gles_buffer_new (GstGlesDevice *device, gsize size_bytes, GError **error)
{
  g_return_val_if_fail (GST_IS_GLES_DEVICE (device), NULL);
  return gst_gles_buffer_new_storage (device, GST_GLES_STORAGE_DEVICE, size_bytes, NULL, error);
}

GstGlesBuffer *
gst_gles_buffer_ref (GstGlesBuffer *buffer)
{
  return (GstGlesBuffer *) gst_mini_object_ref (GST_MINI_OBJECT_CAST (buffer));
}

void
gst_gles_buffer_unref (GstGlesBuffer *buffer)
{
  if (buffer != NULL)
    gst_mini_object_unref (GST_MINI_OBJECT_CAST (buffer));
}

gsize
gst_gles_buffer_get_size (GstGlesBuffer *buffer)
{
  g_return_val_if_fail (buffer != NULL, 0);
  return buffer->size_bytes;
}

GstGlesDevice *
gst_gles_buffer_get_device (GstGlesBuffer *buffer)
{
  g_return_val_if_fail (buffer != NULL, NULL);
  return gst_object_ref (buffer->device);
}

guint8 *
gst_gles_buffer_peek_memory (GstGlesBuffer *buffer)
{
  return buffer->name == 0 ? buffer->memory : NULL;
}
