/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The OpenGL ES context of a device, on the device's thread. */
#include "config.h"

#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>

#include <gst/gles/core/log.h>
#include <gst/gles/device/procs.h>
#include <gst/gles/device/share.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* EGL 1.4 with KHR, EXT and EGL 1.5 name these differently; the values are the same. */
#define CONTEXT_RESET_STRATEGY 0x3138
#define LOSE_CONTEXT_ON_RESET 0x31BF
#define CONTEXT_FLAGS_KHR 0x30FC
#define CONTEXT_DEBUG_BIT_KHR 0x00000001

static void GL_APIENTRY
on_driver_message (GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
    const GLchar *message, const void *user_data)
{
  GstDebugLevel level = GST_LEVEL_DEBUG;

  if (type == GL_DEBUG_TYPE_ERROR_KHR)
    level = GST_LEVEL_ERROR;
  else if (severity == GL_DEBUG_SEVERITY_HIGH_KHR)
    level = GST_LEVEL_WARNING;
  else if (severity == GL_DEBUG_SEVERITY_MEDIUM_KHR)
    level = GST_LEVEL_INFO;
  GST_CAT_LEVEL_LOG (
      GST_GLES_CAT_DRIVER, level, NULL, "%s: %s", (const gchar *) user_data, message);
}

/* Driver messages cost time, so a debug context is made only if a log level would show them. */
static gboolean
wants_driver_messages (void)
{
  return gst_debug_category_get_threshold (GST_GLES_CAT_DRIVER) > GST_LEVEL_NONE;
}

static void
enable_driver_messages (GstGlesShare *share)
{
  const GstGlesProcs *procs = gst_gles_procs ();

  if (procs->set_debug_callback == NULL ||
      !gst_gles_has_extension ((const gchar *) glGetString (GL_EXTENSIONS), "GL_KHR_debug"))
    return;
  glEnable (GL_DEBUG_OUTPUT_KHR);
  glEnable (GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR);
  /* The share owns the id and outlives the context. */
  procs->set_debug_callback (on_driver_message, share->id);
}

static gboolean
check_display (GstGlesShare *share, GError **error)
{
  const GstGlesDisplay *display = share->display;

  if (display->surfaceless_context && display->no_config_context)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INIT,
      "%s: EGL of %s has no %s, so it cannot work without a window; use device=software or "
      "device=cpu",
      share->id, display->vendor,
      display->surfaceless_context ? "EGL_KHR_no_config_context" : "EGL_KHR_surfaceless_context");
  return FALSE;
}

/* Makes a context and makes it current. *code receives the error of EGL. */
static EGLContext
enter_context (const GstGlesDisplay *display, const EGLint *attributes, EGLint *code)
{
  EGLContext context =
      eglCreateContext (display->egl, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);

  *code = EGL_SUCCESS;
  if (context != EGL_NO_CONTEXT &&
      eglMakeCurrent (display->egl, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
    return context;
  *code = eglGetError ();
  if (context != EGL_NO_CONTEXT)
    eglDestroyContext (display->egl, context);
  return EGL_NO_CONTEXT;
}

/* Other users of the display in this process, such as libgstgl, terminate it when they are done,
 * at any moment. It is then started again; contexts that are current stay valid. */
static EGLContext
enter_context_again (const GstGlesDisplay *display, const EGLint *attributes, EGLint *code)
{
  EGLContext context = enter_context (display, attributes, code);

  for (guint i = 0; i < 3 && (*code == EGL_NOT_INITIALIZED || *code == EGL_BAD_DISPLAY); i++) {
    eglInitialize (display->egl, NULL, NULL);
    context = enter_context (display, attributes, code);
  }
  return context;
}

gboolean
gst_gles_share_make_context (GstGlesShare *share, GError **error)
{
  const GstGlesDisplay *display = share->display;
  const gboolean debug = wants_driver_messages ();
  EGLint attributes[16];
  EGLint code;
  guint n = 0;

  if (!check_display (share, error))
    return FALSE;
  attributes[n++] = EGL_CONTEXT_MAJOR_VERSION_KHR;
  attributes[n++] = 3;
  attributes[n++] = EGL_CONTEXT_MINOR_VERSION_KHR;
  attributes[n++] = 1;
  if (display->robustness) {
    attributes[n++] = CONTEXT_RESET_STRATEGY;
    attributes[n++] = LOSE_CONTEXT_ON_RESET;
  }
  if (debug) {
    attributes[n++] = CONTEXT_FLAGS_KHR;
    attributes[n++] = CONTEXT_DEBUG_BIT_KHR;
  }
  attributes[n] = EGL_NONE;

  eglBindAPI (EGL_OPENGL_ES_API);
  share->context = enter_context_again (display, attributes, &code);
  if (share->context != EGL_NO_CONTEXT) {
    if (debug)
      enable_driver_messages (share);
    return TRUE;
  }
  if (code == EGL_CONTEXT_LOST) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_DEVICE_LOST,
        "%s: the GPU was reset while it was opened (EGL_CONTEXT_LOST); restart the pipeline",
        share->id);
    return FALSE;
  }
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INIT,
      "%s: no OpenGL ES 3.1 context from EGL of %s (%s); use device=software or device=cpu",
      share->id, display->vendor, gst_gles_egl_error_name (code));
  return FALSE;
}

void
gst_gles_share_close (GstGlesShare *share, gboolean exits)
{
  if (share->replay != NULL && !exits) {
    share->replay_unbind (share->replay);
    share->replay_free (share->replay);
    share->replay = NULL;
  }
  if (share->zeros != 0 && !exits)
    glDeleteBuffers (1, &share->zeros);
  share->zeros = 0;
  /* NVIDIA's driver (580.159) keeps about 1 KiB for a context that is destroyed with objects. */
  if (share->context != EGL_NO_CONTEXT && !exits)
    gst_gles_share_empty_trash (share);
  if (share->context != EGL_NO_CONTEXT) {
    EGLDisplay egl = share->display->egl;

    eglMakeCurrent (egl, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (!exits)
      eglDestroyContext (egl, share->context);
    share->context = EGL_NO_CONTEXT;
  }
  eglReleaseThread ();
}

gboolean
gst_gles_share_check_reset (GstGlesShare *share, GError **error)
{
  const GstGlesProcs *procs = gst_gles_procs ();
  PFNGLGETGRAPHICSRESETSTATUSEXTPROC get_status =
      procs->get_reset_status != NULL ? procs->get_reset_status : procs->get_reset_status_ext;

  if (share->limits.robustness && get_status != NULL && get_status () != GL_NO_ERROR)
    gst_gles_share_mark_lost (share, "the driver reports a GPU reset");
  return gst_gles_share_check (share, error);
}
