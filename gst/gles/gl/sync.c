/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/core/log.h>
#include <gst/gles/gl/gl-private.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

struct _GstGlesSync {
  gint ref_count;
  gint done; /* atomic */
  GstGlesShare *share;
  EGLSyncKHR egl;
};

GstGlesSync *
gst_gles_sync_new (GstGlesQueue *queue)
{
  GstGlesShare *share = queue->share;
  GstGlesSync *sync;
  EGLSyncKHR egl = EGL_NO_SYNC_KHR;

  if (share->limits.fence_sync)
    egl = gst_gles_egl_procs ()->create_sync (share->display->egl, EGL_SYNC_FENCE_KHR, NULL);
  if (egl == EGL_NO_SYNC_KHR) {
    glFinish ();
    return NULL;
  }
  /* a fence that is not flushed would never be reached for a waiter without our context */
  glFlush ();

  sync = g_new0 (GstGlesSync, 1);
  sync->ref_count = 1;
  sync->share = gst_gles_share_ref (share);
  sync->egl = egl;
  return sync;
}

GstGlesSync *
gst_gles_sync_ref (GstGlesSync *sync)
{
  g_atomic_int_inc (&sync->ref_count);
  return sync;
}

void
gst_gles_sync_unref (GstGlesSync *sync)
{
  if (sync == NULL || !g_atomic_int_dec_and_test (&sync->ref_count))
    return;
  gst_gles_egl_procs ()->destroy_sync (sync->share->display->egl, sync->egl);
  gst_gles_share_unref (sync->share);
  g_free (sync);
}

/* A blocking wait wakes up tens of microseconds late on hardware, as long as a frame's whole work may
 * take: so the first moments are spent asking. */
#define SPIN_US 100

static EGLint
client_wait (GstGlesSync *sync, EGLTimeKHR limit)
{
  const GstGlesEglProcs *procs = gst_gles_egl_procs ();
  EGLDisplay egl = sync->share->display->egl;
  EGLint result = procs->client_wait_sync (egl, sync->egl, 0, 0);

  if (result != EGL_TIMEOUT_EXPIRED_KHR || limit == 0)
    return result;
  if (sync->share->kind == GST_GLES_DEVICE_HARDWARE) {
    gint64 end = g_get_monotonic_time () + MIN (SPIN_US, limit / 1000);
    while (result == EGL_TIMEOUT_EXPIRED_KHR && g_get_monotonic_time () < end)
      result = procs->client_wait_sync (egl, sync->egl, 0, 0);
    if (result != EGL_TIMEOUT_EXPIRED_KHR)
      return result;
  }
  return procs->client_wait_sync (egl, sync->egl, 0, limit);
}

gboolean
gst_gles_sync_wait (GstGlesSync *sync, guint64 timeout_ns, GError **error)
{
  EGLTimeKHR limit = timeout_ns == GST_GLES_WAIT_FOREVER ? EGL_FOREVER_KHR : timeout_ns;
  EGLint result;

  if (sync == NULL || g_atomic_int_get (&sync->done))
    return TRUE;
  if (!gst_gles_share_check (sync->share, error))
    return FALSE;

  result = client_wait (sync, limit);
  if (result == EGL_CONDITION_SATISFIED_KHR) {
    g_atomic_int_set (&sync->done, TRUE);
    return TRUE;
  }
  if (result == EGL_TIMEOUT_EXPIRED_KHR) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT,
        "%s: the device was not done within %" G_GUINT64_FORMAT " ns", sync->share->id, timeout_ns);
    return FALSE;
  }
  gst_gles_share_mark_lost (sync->share, "waiting for a fence failed");
  return gst_gles_share_check (sync->share, error);
}

gboolean
gst_gles_sync_is_done (GstGlesSync *sync)
{
  return gst_gles_sync_wait (sync, 0, NULL);
}

void
gst_gles_sync_wait_on_device (GstGlesSync *sync, GstGlesQueue *queue)
{
  if (gst_gles_sync_is_done (sync))
    return;
  if (queue->share->limits.wait_sync &&
      gst_gles_egl_procs ()->wait_sync (queue->share->display->egl, sync->egl, 0))
    return;
  gst_gles_sync_wait (sync, GST_GLES_WAIT_FOREVER, NULL);
}
