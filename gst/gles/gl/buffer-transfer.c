/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies between buffers and the host's memory. */
#include "config.h"

#include <string.h>

#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/submission.h>

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
  const GstGlesWrite write = { buffer, offset_bytes, data, size_bytes, .stays = FALSE };
  gboolean ok;

  g_return_val_if_fail (buffer != NULL && GST_IS_GLES_QUEUE (queue), FALSE);
  g_return_val_if_fail (data != NULL || size_bytes == 0, FALSE);

  if (!check_range (buffer, offset_bytes, size_bytes, error) ||
      !gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = gst_gles_queue_write (queue, &write, error);
  return gst_gles_queue_end (queue, ok ? error : NULL) && ok;
}

gboolean
gst_gles_buffer_upload_from (GstGlesBuffer *buffer, GstGlesQueue *queue, gsize offset_bytes,
    gconstpointer address, gsize size_bytes, GError **error)
{
  return gst_gles_buffer_upload (buffer, queue, offset_bytes, address, size_bytes, error);
}

/* A download, on the stack of the caller that waits for it. */
typedef struct {
  GstGlesBuffer *buffer;
  gsize offset_bytes, size_bytes;
  gpointer data;
  GError *error;
} Download;

/* Copies into a temporary buffer and maps that: mapping a buffer that kernels use can move it to
 * host memory for good. */
static gboolean
download_gl (GstGlesShare *share, gpointer user_data, GError **error)
{
  const Download *download = user_data;
  gconstpointer mapped;
  GLuint staging;

  glGenBuffers (1, &staging);
  glBindBuffer (GL_COPY_READ_BUFFER, download->buffer->name);
  glBindBuffer (GL_COPY_WRITE_BUFFER, staging);
  glBufferData (GL_COPY_WRITE_BUFFER, download->size_bytes, NULL, GL_STREAM_READ);
  glCopyBufferSubData (
      GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, download->offset_bytes, 0, download->size_bytes);
  mapped = glMapBufferRange (GL_COPY_WRITE_BUFFER, 0, download->size_bytes, GL_MAP_READ_BIT);
  if (mapped != NULL) {
    memcpy (download->data, mapped, download->size_bytes);
    glUnmapBuffer (GL_COPY_WRITE_BUFFER);
  }
  glBindBuffer (GL_COPY_READ_BUFFER, 0);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  glDeleteBuffers (1, &staging);
  if (mapped != NULL)
    return TRUE;
  if (gst_gles_check_gl (share, "reading a buffer back", error))
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "%s: %" G_GSIZE_FORMAT " bytes cannot be mapped for reading", share->id,
        download->size_bytes);
  return FALSE;
}

static void
on_downloaded (const GError *error, gpointer user_data)
{
  if (error != NULL)
    ((Download *) user_data)->error = g_error_copy (error);
}

static const GstGlesHook download_hook = { NULL, on_downloaded };

static gboolean
queue_download (Download *download, GstGlesQueue *queue, GError **error)
{
  if (!gst_gles_queue_use (queue, download->buffer, error))
    return FALSE;
  if (download->size_bytes == 0)
    return TRUE;
  if (!gst_gles_share_is_gl (queue->share)) {
    memcpy (
        download->data, download->buffer->memory + download->offset_bytes, download->size_bytes);
    return TRUE;
  }
  gst_gles_queue_record_call (queue, download_gl, download);
  gst_gles_queue_add_hook (queue, &download_hook, download);
  gst_gles_queue_flush (queue);
  if (download->error == NULL)
    return TRUE;
  g_propagate_error (error, download->error);
  return FALSE;
}

gboolean
gst_gles_buffer_download (GstGlesBuffer *buffer, GstGlesQueue *queue, gsize offset_bytes,
    gpointer data, gsize size_bytes, GError **error)
{
  Download download = { buffer, offset_bytes, size_bytes, data, NULL };
  gboolean ok;

  g_return_val_if_fail (buffer != NULL && GST_IS_GLES_QUEUE (queue), FALSE);
  g_return_val_if_fail (data != NULL || size_bytes == 0, FALSE);

  if (!check_range (buffer, offset_bytes, size_bytes, error) ||
      !gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = queue_download (&download, queue, error);
  return gst_gles_queue_end (queue, ok ? error : NULL) && ok;
}

GBytes *
gst_gles_buffer_download_bytes (GstGlesBuffer *buffer, GstGlesQueue *queue, gsize offset_bytes,
    gsize size_bytes, GError **error)
{
  guint8 *data;

  g_return_val_if_fail (buffer != NULL && GST_IS_GLES_QUEUE (queue), NULL);

  /* The range is checked before the allocation, so that a wrong size fails instead of aborting the
   * process. */
  if (!check_range (buffer, offset_bytes, size_bytes, error))
    return NULL;
  data = g_try_malloc (MAX (size_bytes, 1));
  if (data == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate %" G_GSIZE_FORMAT " bytes", size_bytes);
    return NULL;
  }
  if (!gst_gles_buffer_download (buffer, queue, offset_bytes, data, size_bytes, error)) {
    g_free (data);
    return NULL;
  }
  return g_bytes_new_take (data, size_bytes);
}
