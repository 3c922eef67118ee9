/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/core/log.h>
#include <gst/gles/gl/gl-private.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* how much is zeroed per call when a buffer is made */
#define STAGING_CHUNK (4 * 1024 * 1024)

GST_DEFINE_MINI_OBJECT_TYPE (GstGlesBuffer, gst_gles_buffer);

const GstGlesGlProcs *
gst_gles_gl_procs (void)
{
  static GstGlesGlProcs procs;
  static gsize once = 0;

  if (g_once_init_enter (&once)) {
    procs.buffer_storage = (void *) eglGetProcAddress ("glBufferStorageEXT");
    procs.tex_buffer = (void *) eglGetProcAddress ("glTexBufferEXT");
    procs.query_counter = (void *) eglGetProcAddress ("glQueryCounterEXT");
    procs.get_query_object_ui64 = (void *) eglGetProcAddress ("glGetQueryObjectui64vEXT");
    procs.create_memory_objects = (void *) eglGetProcAddress ("glCreateMemoryObjectsEXT");
    procs.delete_memory_objects = (void *) eglGetProcAddress ("glDeleteMemoryObjectsEXT");
    procs.memory_object_parameteriv = (void *) eglGetProcAddress ("glMemoryObjectParameterivEXT");
    procs.import_memory_fd = (void *) eglGetProcAddress ("glImportMemoryFdEXT");
    procs.buffer_storage_mem = (void *) eglGetProcAddress ("glBufferStorageMemEXT");
    g_once_init_leave (&once, 1);
  }
  return &procs;
}

static void
reader_clear (gpointer data)
{
  gst_gles_sync_unref (((GstGlesReader *) data)->sync);
}

static void
buffer_free (GstMiniObject *object)
{
  GstGlesBuffer *buffer = (GstGlesBuffer *) object;
  const GstGlesTrash trash[] = {
    { GST_GLES_TRASH_TEXTURE, buffer->texels },
    { GST_GLES_TRASH_BUFFER, buffer->name },
    { GST_GLES_TRASH_MEMORY, buffer->imported },
  };

  gst_gles_share_discard_all (
      gst_gles_device_get_share (buffer->device), trash, G_N_ELEMENTS (trash));
  if (buffer->name == 0)
    g_free (buffer->memory);
  gst_gles_sync_unref (buffer->write_sync);
  g_array_unref (buffer->readers);
  g_mutex_clear (&buffer->lock);
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
  buffer->readers = g_array_new (FALSE, FALSE, sizeof (GstGlesReader));
  g_array_set_clear_func (buffer->readers, reader_clear);
  g_mutex_init (&buffer->lock);
  return buffer;
}

/* Copies @data, or zeros, to the buffer bound to GL_COPY_WRITE_BUFFER, on the device, by way of another
 * one: glBufferSubData() lets drivers move a buffer to host memory for good (NVIDIA's does, and kernels
 * that use it then are ten times as slow). */
static void
fill_gl (gsize offset_bytes, const guint8 *data, gsize size_bytes)
{
  const gsize chunk_bytes = MIN (size_bytes, STAGING_CHUNK);
  g_autofree guint8 *zeros = data == NULL ? g_malloc0 (chunk_bytes) : NULL;
  GLuint staging;

  glGenBuffers (1, &staging);
  glBindBuffer (GL_COPY_READ_BUFFER, staging);
  if (data == NULL)
    glBufferData (GL_COPY_READ_BUFFER, chunk_bytes, zeros, GL_STREAM_COPY);
  for (gsize at = 0; at < size_bytes; at += chunk_bytes) {
    gsize n = MIN (chunk_bytes, size_bytes - at);

    /* new storage for each chunk: nothing waits for the copy of the one before */
    if (data != NULL)
      glBufferData (GL_COPY_READ_BUFFER, n, data + at, GL_STREAM_COPY);
    glCopyBufferSubData (GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, offset_bytes + at, n);
  }
  glBindBuffer (GL_COPY_READ_BUFFER, 0);
  glDeleteBuffers (1, &staging);
}

/* Storage that only the device uses, for @buffer, bound to GL_COPY_WRITE_BUFFER. */
static gboolean
allocate_device (GstGlesBuffer *buffer, GstGlesQueue *queue, GError **error)
{
  if (!gst_gles_memory_import (queue, buffer, error))
    return FALSE;
  if (buffer->imported == 0 && queue->share->limits.buffer_storage)
    gst_gles_gl_procs ()->buffer_storage (GL_COPY_WRITE_BUFFER, buffer->storage_bytes, NULL, 0);
  else if (buffer->imported == 0)
    glBufferData (GL_COPY_WRITE_BUFFER, buffer->storage_bytes, NULL, GL_DYNAMIC_COPY);
  return TRUE;
}

/* With the queue entered. */
static gboolean
allocate_gl (GstGlesBuffer *buffer, GstGlesQueue *queue, GstGlesStorage storage, GError **error)
{
  GLbitfield map = GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT | GL_MAP_READ_BIT;
  gboolean ok = TRUE;

  if (storage == GST_GLES_STORAGE_UPLOAD)
    map |= GL_MAP_WRITE_BIT;
  while (glGetError () != GL_NO_ERROR)
    ;
  glGenBuffers (1, &buffer->name);
  glBindBuffer (GL_COPY_WRITE_BUFFER, buffer->name);
  if (storage == GST_GLES_STORAGE_DEVICE)
    ok = allocate_device (buffer, queue, error);
  else
    gst_gles_gl_procs ()->buffer_storage (GL_COPY_WRITE_BUFFER, buffer->storage_bytes, NULL,
        map | GL_DYNAMIC_STORAGE_BIT_EXT | GL_CLIENT_STORAGE_BIT_EXT);
  ok = ok && gst_gles_check_gl (queue, "allocating a buffer", error);
  if (ok)
    fill_gl (0, NULL, buffer->storage_bytes);
  if (ok && storage != GST_GLES_STORAGE_DEVICE) {
    buffer->memory = glMapBufferRange (GL_COPY_WRITE_BUFFER, 0, buffer->storage_bytes, map);
    ok = gst_gles_check_gl (queue, "mapping a buffer", error) && buffer->memory != NULL;
  }
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  return ok;
}

GstGlesBuffer *
gst_gles_buffer_new_storage (
    GstGlesDevice *device, GstGlesStorage storage, gsize size_bytes, GError **error)
{
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  GstGlesBuffer *buffer;
  GError *failure = NULL;
  gsize storage_bytes;

  /* GLsizeiptr is signed */
  if (!gst_gles_size_add (size_bytes, GST_GLES_BUFFER_PADDING + 15, &storage_bytes) ||
      storage_bytes > G_MAXSSIZE) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "a buffer of %" G_GSIZE_FORMAT " bytes is more than can be addressed", size_bytes);
    return NULL;
  }
  storage_bytes &= ~(gsize) 15;

  buffer = buffer_alloc (device, size_bytes, storage_bytes);
  if (queue->context == EGL_NO_CONTEXT) {
    buffer->memory = g_try_malloc0 (storage_bytes);
    if (buffer->memory == NULL)
      g_set_error (&failure, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
          "cannot allocate %" G_GSIZE_FORMAT " bytes", storage_bytes);
  } else if (gst_gles_queue_enter (queue, &failure)) {
    allocate_gl (buffer, queue, storage, &failure);
    gst_gles_queue_leave (queue);
  }
  if (failure != NULL) {
    g_propagate_error (error, failure);
    gst_gles_buffer_unref (buffer);
    return NULL;
  }
  return buffer;
}

GstGlesBuffer *
gst_gles_buffer_new (GstGlesDevice *device, gsize size_bytes, GError **error)
{
  g_return_val_if_fail (GST_IS_GLES_DEVICE (device), NULL);
  return gst_gles_buffer_new_storage (device, GST_GLES_STORAGE_DEVICE, size_bytes, error);
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

/* ---- hazards between queues ---- */

gboolean
gst_gles_buffer_acquire (
    GstGlesBuffer *buffer, GstGlesQueue *queue, GstGlesUsage usage, GError **error)
{
  gboolean ok = TRUE;

  if (gst_gles_device_get_share (buffer->device) != queue->share) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "a buffer of %s cannot be used on %s; copy it through the host",
        gst_gles_device_get_id (buffer->device), queue->share->id);
    return FALSE;
  }
  g_mutex_lock (&buffer->lock);
  if (buffer->open_writer != 0 && buffer->open_writer != queue->serial) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "a buffer is used on one queue while another still has a submission open that writes it; "
        "end that submission first");
    ok = FALSE;
  } else {
    if (buffer->writer != queue->serial)
      gst_gles_sync_wait_on_device (buffer->write_sync, queue);
    for (guint i = 0; (usage & GST_GLES_WRITE) != 0 && i < buffer->readers->len; i++) {
      const GstGlesReader *reader = &g_array_index (buffer->readers, GstGlesReader, i);
      if (reader->queue_serial != queue->serial)
        gst_gles_sync_wait_on_device (reader->sync, queue);
    }
    if ((usage & GST_GLES_WRITE) != 0)
      buffer->open_writer = queue->serial;
  }
  g_mutex_unlock (&buffer->lock);
  return ok;
}

static void
set_reader (GArray *readers, guint queue_serial, GstGlesSync *sync)
{
  GstGlesReader reader = { queue_serial, sync };

  for (guint i = 0; i < readers->len; i++) {
    GstGlesReader *known = &g_array_index (readers, GstGlesReader, i);
    if (known->queue_serial == queue_serial) {
      gst_gles_sync_unref (known->sync);
      known->sync = gst_gles_sync_ref (sync);
      return;
    }
  }
  gst_gles_sync_ref (sync);
  g_array_append_val (readers, reader);
}

void
gst_gles_buffer_release (
    GstGlesBuffer *buffer, GstGlesQueue *queue, GstGlesUsage usage, GstGlesSync *sync)
{
  g_mutex_lock (&buffer->lock);
  if ((usage & GST_GLES_WRITE) != 0) {
    buffer->open_writer = 0;
    buffer->writer = queue->serial;
    g_clear_pointer (&buffer->write_sync, gst_gles_sync_unref);
    if (sync != NULL)
      buffer->write_sync = gst_gles_sync_ref (sync);
    g_array_set_size (buffer->readers, 0);
  } else if (sync != NULL) {
    set_reader (buffer->readers, queue->serial, sync);
  }
  g_mutex_unlock (&buffer->lock);
}

/* ---- host access ---- */

static gboolean
check_range (GstGlesBuffer *buffer, gsize offset, gsize size, GError **error)
{
  if (offset <= buffer->size_bytes && size <= buffer->size_bytes - offset)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "bytes %" G_GSIZE_FORMAT " to %" G_GSIZE_FORMAT " are outside a buffer of %" G_GSIZE_FORMAT,
      offset, offset + size, buffer->size_bytes);
  return FALSE;
}

gboolean
gst_gles_buffer_upload (GstGlesBuffer *buffer, GstGlesQueue *queue, gsize offset_bytes,
    gconstpointer data, gsize size_bytes, GError **error)
{
  gboolean ok;

  g_return_val_if_fail (buffer != NULL && GST_IS_GLES_QUEUE (queue), FALSE);
  g_return_val_if_fail (data != NULL || size_bytes == 0, FALSE);

  if (!check_range (buffer, offset_bytes, size_bytes, error))
    return FALSE;
  if (!gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = gst_gles_queue_use (queue, buffer, GST_GLES_WRITE, error);
  if (ok && size_bytes > 0) {
    if (buffer->name == 0) {
      memcpy (buffer->memory + offset_bytes, data, size_bytes);
    } else {
      gst_gles_queue_barrier (queue);
      glBindBuffer (GL_COPY_WRITE_BUFFER, buffer->name);
      fill_gl (offset_bytes, data, size_bytes);
      glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
    }
  }
  return gst_gles_queue_end (queue, ok ? error : NULL) && ok;
}

/* Through a buffer of its own: mapping one that kernels use can move it to host memory for good. */
static gboolean
download_gl (GstGlesBuffer *buffer, GstGlesQueue *queue, gsize offset, gpointer data, gsize size,
    GError **error)
{
  gconstpointer mapped;
  GLuint staging;

  gst_gles_queue_barrier (queue);
  glGenBuffers (1, &staging);
  glBindBuffer (GL_COPY_READ_BUFFER, buffer->name);
  glBindBuffer (GL_COPY_WRITE_BUFFER, staging);
  glBufferData (GL_COPY_WRITE_BUFFER, size, NULL, GL_STREAM_READ);
  glCopyBufferSubData (GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, offset, 0, size);
  mapped = glMapBufferRange (GL_COPY_WRITE_BUFFER, 0, size, GL_MAP_READ_BIT);
  if (mapped != NULL) {
    memcpy (data, mapped, size);
    glUnmapBuffer (GL_COPY_WRITE_BUFFER);
  }
  glBindBuffer (GL_COPY_READ_BUFFER, 0);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  glDeleteBuffers (1, &staging);
  if (mapped != NULL)
    return TRUE;
  if (gst_gles_check_gl (queue, "reading a buffer back", error))
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "%s: %" G_GSIZE_FORMAT " bytes cannot be mapped for reading", queue->share->id, size);
  return FALSE;
}

gboolean
gst_gles_buffer_download (GstGlesBuffer *buffer, GstGlesQueue *queue, gsize offset_bytes,
    gpointer data, gsize size_bytes, GError **error)
{
  gboolean ok;

  g_return_val_if_fail (buffer != NULL && GST_IS_GLES_QUEUE (queue), FALSE);
  g_return_val_if_fail (data != NULL || size_bytes == 0, FALSE);

  if (!check_range (buffer, offset_bytes, size_bytes, error))
    return FALSE;
  if (!gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = gst_gles_queue_use (queue, buffer, GST_GLES_READ, error);
  if (ok && size_bytes > 0) {
    if (buffer->name == 0)
      memcpy (data, buffer->memory + offset_bytes, size_bytes);
    else
      ok = download_gl (buffer, queue, offset_bytes, data, size_bytes, error);
  }
  return gst_gles_queue_end (queue, ok ? error : NULL) && ok;
}

GBytes *
gst_gles_buffer_download_bytes (GstGlesBuffer *buffer, GstGlesQueue *queue, gsize offset_bytes,
    gsize size_bytes, GError **error)
{
  guint8 *data;

  g_return_val_if_fail (buffer != NULL && GST_IS_GLES_QUEUE (queue), NULL);

  /* before the allocation: a size from who knows where must not end the process */
  if (!check_range (buffer, offset_bytes, size_bytes, error))
    return NULL;
  data = g_malloc (MAX (size_bytes, 1));
  if (!gst_gles_buffer_download (buffer, queue, offset_bytes, data, size_bytes, error)) {
    g_free (data);
    return NULL;
  }
  return g_bytes_new_take (data, size_bytes);
}
