/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/core/error.h>
#include <gst/gles/gl/gl-private.h>

gboolean
gst_gles_check_gl (GstGlesShare *share, const gchar *what, GError **error)
{
  GLenum code = glGetError ();

  if (code == GL_NO_ERROR)
    return TRUE;
  gst_gles_forget_gl_errors ();
  if (code == GL_CONTEXT_LOST_KHR) {
    gst_gles_share_mark_lost (share, "OpenGL ES reports that the context was lost");
    return gst_gles_share_check (share, error);
  }
  if (code == GL_OUT_OF_MEMORY)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "%s: out of memory when %s; use fewer or smaller frames, or another device", share->id,
        what);
  else
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
        "%s: OpenGL ES error 0x%04x when %s; GST_DEBUG=gles*:6 shows what the driver says",
        share->id, code, what);
  return FALSE;
}
