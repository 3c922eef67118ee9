/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <EGL/egl.h>

#include <gst/gles/device/procs.h>

const GstGlesGlProcs *
gst_gles_gl_procs (void)
{
  static GstGlesGlProcs procs;
  static gsize once = 0;

  if (g_once_init_enter (&once)) {
    procs.buffer_storage = (void *) eglGetProcAddress ("glBufferStorageEXT");
    procs.tex_buffer = (void *) eglGetProcAddress ("glTexBufferEXT");
    procs.get_query = (void *) eglGetProcAddress ("glGetQueryivEXT");
    procs.query_counter = (void *) eglGetProcAddress ("glQueryCounterEXT");
    procs.get_query_object_ui64 = (void *) eglGetProcAddress ("glGetQueryObjectui64vEXT");
    procs.get_bytes = (void *) eglGetProcAddress ("glGetUnsignedBytevEXT");
    procs.get_indexed_bytes = (void *) eglGetProcAddress ("glGetUnsignedBytei_vEXT");
    procs.create_memory_objects = (void *) eglGetProcAddress ("glCreateMemoryObjectsEXT");
    procs.delete_memory_objects = (void *) eglGetProcAddress ("glDeleteMemoryObjectsEXT");
    procs.memory_object_parameteriv = (void *) eglGetProcAddress ("glMemoryObjectParameterivEXT");
    procs.import_memory_fd = (void *) eglGetProcAddress ("glImportMemoryFdEXT");
    procs.buffer_storage_mem = (void *) eglGetProcAddress ("glBufferStorageMemEXT");
    g_once_init_leave (&once, 1);
  }
  return &procs;
}

void
gst_gles_forget_gl_errors (void)
{
  /* OpenGL ES has fewer flags for errors than this. */
  for (guint i = 0; i < 16 && glGetError () != GL_NO_ERROR; i++)
    ;
}
