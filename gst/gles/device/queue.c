/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>

#include <gst/gles/core/log.h>
#include <gst/gles/device/queue.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* spelled differently by EGL 1.4 + KHR, EXT and 1.5: the values are the same */
#define CONTEXT_RESET_STRATEGY 0x3138
#define LOSE_CONTEXT_ON_RESET 0x31BF
#define CONTEXT_FLAGS_KHR 0x30FC
#define CONTEXT_DEBUG_BIT_KHR 0x00000001
#define CONTEXT_RELEASE_BEHAVIOR 0x2097
#define CONTEXT_RELEASE_NONE 0

G_DEFINE_TYPE (GstGlesQueue, gst_gles_queue, GST_TYPE_OBJECT)

static void
gst_gles_queue_init (GstGlesQueue *queue)
{
  static gint next_serial = 1;

  g_rec_mutex_init (&queue->lock);
  g_weak_ref_init (&queue->device, NULL);
  queue->serial = g_atomic_int_add (&next_serial, 1);
  queue->context = EGL_NO_CONTEXT;
}

static void
gst_gles_queue_finalize (GObject *object)
{
  GstGlesQueue *queue = GST_GLES_QUEUE (object);

  if (queue->gl_destroy != NULL)
    queue->gl_destroy (queue->gl);
  if (queue->context != EGL_NO_CONTEXT)
    eglDestroyContext (queue->share->display->egl, queue->context);
  g_rec_mutex_clear (&queue->lock);
  g_weak_ref_clear (&queue->device);
  g_clear_pointer (&queue->share, gst_gles_share_unref);
  g_clear_object (&queue->held_device);
  G_OBJECT_CLASS (gst_gles_queue_parent_class)->finalize (object);
}

static void
gst_gles_queue_class_init (GstGlesQueueClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_gles_queue_finalize;
}

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

/* Driver messages cost time, so contexts are debug contexts only where somebody listens. */
static gboolean
wants_driver_messages (void)
{
  return gst_debug_category_get_threshold (GST_GLES_CAT_DRIVER) > GST_LEVEL_NONE;
}

static void
listen_to_driver (GstGlesQueue *queue)
{
  PFNGLDEBUGMESSAGECALLBACKKHRPROC set_callback;

  if (!gst_gles_has_extension ((const gchar *) glGetString (GL_EXTENSIONS), "GL_KHR_debug"))
    return;
  set_callback = (PFNGLDEBUGMESSAGECALLBACKKHRPROC) eglGetProcAddress ("glDebugMessageCallbackKHR");
  if (set_callback == NULL)
    return;
  glEnable (GL_DEBUG_OUTPUT_KHR);
  glEnable (GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR);
  /* the context does not outlive the share, which owns the id */
  set_callback (on_driver_message, queue->share->id);
}

static gboolean
create_context (GstGlesQueue *queue, gboolean debug, GError **error)
{
  GstGlesShare *share = queue->share;
  GstGlesDisplay *display = share->display;
  EGLenum saved_api = eglQueryAPI ();
  EGLint attributes[16];
  guint n = 0;

  if (!display->surfaceless_context || !display->no_config_context) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INIT,
        "%s: EGL of %s has no %s, so it cannot work without a window; use device=software or "
        "device=cpu",
        share->id, display->vendor,
        display->surfaceless_context ? "EGL_KHR_no_config_context" : "EGL_KHR_surfaceless_context");
    return FALSE;
  }
  attributes[n++] = EGL_CONTEXT_MAJOR_VERSION_KHR;
  attributes[n++] = 3;
  attributes[n++] = EGL_CONTEXT_MINOR_VERSION_KHR;
  attributes[n++] = 1;
  if (display->robustness) {
    attributes[n++] = CONTEXT_RESET_STRATEGY;
    attributes[n++] = LOSE_CONTEXT_ON_RESET;
  }
  /* a submission is flushed with its fence: releasing the context need not do it again */
  if (display->flush_control) {
    attributes[n++] = CONTEXT_RELEASE_BEHAVIOR;
    attributes[n++] = CONTEXT_RELEASE_NONE;
  }
  if (debug) {
    attributes[n++] = CONTEXT_FLAGS_KHR;
    attributes[n++] = CONTEXT_DEBUG_BIT_KHR;
  }
  attributes[n] = EGL_NONE;

  eglBindAPI (EGL_OPENGL_ES_API);
  queue->context = eglCreateContext (display->egl, EGL_NO_CONFIG_KHR, share->root, attributes);
  eglBindAPI (saved_api);
  if (queue->context == EGL_NO_CONTEXT) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INIT,
        "%s: no OpenGL ES 3.1 context from EGL of %s (%s); use device=software or device=cpu",
        share->id, display->vendor, gst_gles_egl_error_name (eglGetError ()));
    return FALSE;
  }
  if (share->root == EGL_NO_CONTEXT)
    share->root = queue->context;
  return TRUE;
}

GstGlesQueue *
gst_gles_queue_create (GstGlesShare *share, GstGlesDevice *device, GError **error)
{
  GstGlesQueue *queue = g_object_new (GST_TYPE_GLES_QUEUE, NULL);
  gboolean debug = wants_driver_messages ();

  gst_object_ref_sink (queue);
  queue->share = gst_gles_share_ref (share);
  g_set_object (&queue->held_device, device);
  if (share->kind == GST_GLES_DEVICE_CPU)
    return queue;

  if (!create_context (queue, debug, error))
    goto failed;
  if (debug && gst_gles_queue_enter (queue, NULL)) {
    listen_to_driver (queue);
    gst_gles_queue_leave (queue);
  }
  return queue;
failed:
  gst_object_unref (queue);
  return NULL;
}

GstGlesQueue *
gst_gles_queue_new (GstGlesDevice *device, GError **error)
{
  GstGlesShare *share;

  g_return_val_if_fail (GST_IS_GLES_DEVICE (device), NULL);
  share = gst_gles_device_get_share (device);
  if (!gst_gles_share_check (share, error))
    return NULL;
  return gst_gles_queue_create (share, device, error);
}

GstGlesDevice *
gst_gles_queue_get_device (GstGlesQueue *queue)
{
  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue), NULL);
  if (queue->held_device != NULL)
    return gst_object_ref (queue->held_device);
  return g_weak_ref_get (&queue->device);
}

/* ---- current or not ---- */

static gboolean
make_current (GstGlesQueue *queue, GError **error)
{
  GstGlesShare *share = queue->share;
  EGLint code;

  queue->saved_api = eglQueryAPI ();
  queue->saved_display = eglGetCurrentDisplay ();
  queue->saved_context = eglGetCurrentContext ();
  queue->saved_draw = eglGetCurrentSurface (EGL_DRAW);
  queue->saved_read = eglGetCurrentSurface (EGL_READ);

  eglBindAPI (EGL_OPENGL_ES_API);
  if (eglMakeCurrent (share->display->egl, EGL_NO_SURFACE, EGL_NO_SURFACE, queue->context))
    return TRUE;

  code = eglGetError ();
  eglBindAPI (queue->saved_api);
  if (code == EGL_CONTEXT_LOST)
    gst_gles_share_mark_lost (share, "EGL_CONTEXT_LOST");
  g_set_error (error, GST_GLES_ERROR,
      code == EGL_CONTEXT_LOST ? GST_GLES_ERROR_DEVICE_LOST : GST_GLES_ERROR_FAILED,
      "%s: the context cannot be made current: %s", share->id, gst_gles_egl_error_name (code));
  return FALSE;
}

static void
restore_current (GstGlesQueue *queue)
{
  eglBindAPI (queue->saved_api);
  if (queue->saved_context != EGL_NO_CONTEXT) {
    if (eglMakeCurrent (
            queue->saved_display, queue->saved_draw, queue->saved_read, queue->saved_context))
      return;
    GST_WARNING ("the context that was current before could not be restored: %s",
        gst_gles_egl_error_name (eglGetError ()));
  }
  /* Releasing needs the API that the context is current for. Not eglReleaseThread(), which would leave
   * nothing to free when the thread ends: NVIDIA takes tens of milliseconds for it, and timer queries
   * that are read afterwards make no sense. */
  eglBindAPI (EGL_OPENGL_ES_API);
  eglMakeCurrent (queue->share->display->egl, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglBindAPI (queue->saved_api);
}

gboolean
gst_gles_queue_enter (GstGlesQueue *queue, GError **error)
{
  g_rec_mutex_lock (&queue->lock);
  if (queue->depth == 0) {
    if (!gst_gles_share_check (queue->share, error))
      goto failed;
    if (queue->context != EGL_NO_CONTEXT) {
      if (!make_current (queue, error))
        goto failed;
      gst_gles_share_empty_trash (queue->share);
    }
    queue->flushed = FALSE;
  }
  queue->depth++;
  return TRUE;
failed:
  g_rec_mutex_unlock (&queue->lock);
  return FALSE;
}

void
gst_gles_queue_leave (GstGlesQueue *queue)
{
  g_assert (queue->depth > 0);
  if (--queue->depth == 0 && queue->context != EGL_NO_CONTEXT) {
    if (!queue->flushed)
      glFlush ();
    restore_current (queue);
  }
  g_rec_mutex_unlock (&queue->lock);
}

gboolean
gst_gles_queue_check_reset (GstGlesQueue *queue, GError **error)
{
  static PFNGLGETGRAPHICSRESETSTATUSEXTPROC get_status;
  GstGlesShare *share = queue->share;

  if (share->limits.robustness) {
    if (g_atomic_pointer_get (&get_status) == NULL) {
      gpointer proc = (gpointer) eglGetProcAddress ("glGetGraphicsResetStatusKHR");
      if (proc == NULL)
        proc = (gpointer) eglGetProcAddress ("glGetGraphicsResetStatusEXT");
      g_atomic_pointer_set (&get_status, proc);
    }
    if (get_status != NULL && get_status () != GL_NO_ERROR)
      gst_gles_share_mark_lost (share, "the driver reports a GPU reset");
  }
  return gst_gles_share_check (share, error);
}
