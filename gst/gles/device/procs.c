/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/device/procs.h>

const GstGlesProcs *
gst_gles_procs (void)
{
  static GstGlesProcs procs;
  static gsize once = 0;

  if (g_once_init_enter (&once)) {
#define LOAD(type, member, name) procs.member = (type) eglGetProcAddress (#name);
    GST_GLES_PROCS (LOAD)
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
