/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Storage of buffers that Vulkan allocates: see docs/decisions/0006. */
#include "config.h"

#include <fcntl.h>
#include <unistd.h>

#include <gst/gles/core/log.h>
#include <gst/gles/gl/gl-private.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* Imports @fd, which it takes ownership of, as the storage of the bound buffer. Returns 0 on
 * failure; the buffer then has no storage. */
static GLuint
import (GstGlesShare *share, gint fd, guint64 memory_bytes, gsize storage_bytes, GError **error)
{
  const GstGlesProcs *procs = gst_gles_procs ();
  const GLint dedicated = GL_TRUE;
  GLuint memory = 0;
  gboolean ok;

  procs->create_memory_objects (1, &memory);
  procs->set_memory_parameter (memory, GL_DEDICATED_MEMORY_OBJECT_EXT, &dedicated);
  ok = gst_gles_check_gl (share, "making a memory object", error);
  if (ok) {
    procs->import_memory_fd (memory, memory_bytes, GL_HANDLE_TYPE_OPAQUE_FD_EXT, fd);
    ok = gst_gles_check_gl (share, "importing memory from Vulkan", error);
  }
  if (!ok)
    close (fd); /* GL takes it only when the import succeeds */
  if (ok) {
    procs->buffer_storage_mem (GL_COPY_WRITE_BUFFER, storage_bytes, memory, 0);
    ok = gst_gles_check_gl (share, "giving a buffer memory from Vulkan", error);
  }
  if (ok)
    return memory;
  procs->delete_memory_objects (1, &memory);
  return 0;
}

/* @exported (nullable) receives another descriptor of the memory. */
static GLuint
allocate (GstGlesShare *share, gsize storage_bytes, GstGlesExportedMemory *exported, GError **error)
{
  GstGlesVulkan *vulkan = gst_gles_share_get_vulkan (share, error);
  guint64 memory_bytes;
  gint fd;

  if (vulkan == NULL)
    return 0;
  fd = gst_gles_vulkan_export (vulkan, storage_bytes, &memory_bytes, error);
  if (fd < 0)
    return 0;
  if (exported != NULL) {
    exported->fd = fcntl (fd, F_DUPFD_CLOEXEC, 0);
    exported->size_bytes = memory_bytes;
  }
  return import (share, fd, memory_bytes, storage_bytes, error);
}

gboolean
gst_gles_memory_export (
    GstGlesShare *share, GstGlesBuffer *buffer, GstGlesExportedMemory *exported, GError **error)
{
  buffer->imported = allocate (share, buffer->storage_bytes, exported, error);
  if (buffer->imported != 0 && exported->fd >= 0)
    return TRUE;
  if (buffer->imported != 0)
    g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
        "the process has no file descriptor left for memory of a buffer; raise its limit "
        "(ulimit -n)");
  return FALSE;
}

/* Warns once per device that large buffers come from GL, where kernels may be slower. */
static void
warn_fallback (GstGlesShare *share, gsize storage_bytes, const GError *failure)
{
  gboolean warned;

  g_mutex_lock (&share->vulkan_lock);
  warned = share->vulkan_warned;
  share->vulkan_warned = TRUE;
  g_mutex_unlock (&share->vulkan_lock);
  GST_CAT_LEVEL_LOG (GST_CAT_DEFAULT, warned ? GST_LEVEL_DEBUG : GST_LEVEL_WARNING, NULL,
      "%s: a buffer of %" G_GSIZE_FORMAT
      " MiB has memory from OpenGL ES, in which kernels are slower: %s",
      share->id, storage_bytes >> 20, failure->message);
}

gboolean
gst_gles_memory_import (GstGlesShare *share, GstGlesBuffer *buffer, GError **error)
{
  const GstGlesMemory memory = share->memory;
  g_autoptr (GError) failure = NULL;

  if (memory == GST_GLES_MEMORY_GL ||
      (memory != GST_GLES_MEMORY_VULKAN && buffer->storage_bytes < GST_GLES_LARGE_BYTES))
    return TRUE;
  buffer->imported = allocate (share, buffer->storage_bytes, NULL, &failure);
  if (buffer->imported != 0)
    return TRUE;
  if (memory == GST_GLES_MEMORY_VULKAN) {
    g_propagate_error (error, g_steal_pointer (&failure));
    return FALSE;
  }
  warn_fallback (share, buffer->storage_bytes, failure);
  /* On Mesa, a buffer whose import failed accepts no other storage, so a new buffer object is
   * needed. */
  glDeleteBuffers (1, &buffer->name);
  glGenBuffers (1, &buffer->name);
  glBindBuffer (GL_COPY_WRITE_BUFFER, buffer->name);
  return TRUE;
}
