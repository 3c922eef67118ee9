/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/core/log.h>
#include <gst/gles/gl/gl-private.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

struct _GstGlesSync {
  gint ref_count;
  gint done; /* atomic */
  GstGlesShare *share;
  EGLSyncKHR egl; /* EGL_NO_SYNC_KHR with GL fences */

  GMutex lock;
  GCond cond; /* done was set */
  GLsync gl;
};

static GstGlesSync *
sync_alloc (GstGlesShare *share)
{
  GstGlesSync *sync = g_new0 (GstGlesSync, 1);

  sync->ref_count = 1;
  sync->share = gst_gles_share_ref (share);
  sync->egl = EGL_NO_SYNC_KHR;
  g_mutex_init (&sync->lock);
  g_cond_init (&sync->cond);
  return sync;
}

/* NULL where it cannot be made, or nobody watches it. */
static GstGlesSync *
new_watched_fence (GstGlesShare *share, GstGlesWatcher *watcher)
{
  GLsync gl = glFenceSync (GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  GstGlesSync *sync;

  if (gl == NULL)
    return NULL;
  glFlush ();
  sync = sync_alloc (share);
  sync->gl = gl;
  if (gst_gles_watcher_push (watcher, sync))
    return sync;
  gst_gles_sync_complete (sync);
  gst_gles_sync_unref (sync);
  return NULL;
}

/* NULL where no thread can watch it. */
static GstGlesSync *
new_gl_fence (GstGlesShare *share)
{
  GstGlesWatcher *watcher = gst_gles_watcher_get (share);
  GstGlesSync *sync;

  if (watcher == NULL)
    return NULL;
  sync = new_watched_fence (share, watcher);
  gst_gles_watcher_unref (watcher);
  return sync;
}

static GstGlesSync *
new_egl_fence (GstGlesShare *share)
{
  EGLSyncKHR egl =
      gst_gles_egl_procs ()->create_sync (share->display->egl, EGL_SYNC_FENCE_KHR, NULL);
  GstGlesSync *sync;

  if (egl == EGL_NO_SYNC_KHR)
    return NULL;
  /* a fence that is not flushed would never be reached for a waiter without our context */
  glFlush ();
  sync = sync_alloc (share);
  sync->egl = egl;
  return sync;
}

GstGlesSync *
gst_gles_sync_new (GstGlesQueue *queue)
{
  GstGlesShare *share = queue->share;
  GstGlesSync *sync = NULL;

  if (share->limits.fence_sync)
    sync = share->gl_fences ? new_gl_fence (share) : new_egl_fence (share);
  if (sync == NULL)
    glFinish ();
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
  if (sync->egl != EGL_NO_SYNC_KHR)
    gst_gles_egl_procs ()->destroy_sync (sync->share->display->egl, sync->egl);
  g_mutex_clear (&sync->lock);
  g_cond_clear (&sync->cond);
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

/* ---- GL fences: the watcher sets `done` ---- */

GLsync
gst_gles_sync_get_gl (GstGlesSync *sync)
{
  return sync->gl;
}

void
gst_gles_sync_complete (GstGlesSync *sync)
{
  g_mutex_lock (&sync->lock);
  glDeleteSync (sync->gl);
  sync->gl = NULL;
  g_atomic_int_set (&sync->done, TRUE);
  g_cond_broadcast (&sync->cond);
  g_mutex_unlock (&sync->lock);
}

static gboolean
wait_for_watcher (GstGlesSync *sync, guint64 timeout_ns)
{
  gint64 now = g_get_monotonic_time ();
  gint64 timeout_us = (gint64) MIN (timeout_ns / 1000, (guint64) G_MAXINT64 / 2);
  gint64 spin_end = now + MIN (SPIN_US, timeout_us);

  while (!g_atomic_int_get (&sync->done) && g_get_monotonic_time () < spin_end)
    ;
  g_mutex_lock (&sync->lock);
  while (!g_atomic_int_get (&sync->done)) {
    if (timeout_ns == GST_GLES_WAIT_FOREVER)
      g_cond_wait (&sync->cond, &sync->lock);
    else if (!g_cond_wait_until (&sync->cond, &sync->lock, now + timeout_us))
      break;
  }
  g_mutex_unlock (&sync->lock);
  return g_atomic_int_get (&sync->done);
}

/* ---- either ---- */

gboolean
gst_gles_sync_wait (GstGlesSync *sync, guint64 timeout_ns, GError **error)
{
  EGLint result;

  if (sync == NULL || g_atomic_int_get (&sync->done))
    return sync == NULL || gst_gles_share_check (sync->share, error);
  if (!gst_gles_share_check (sync->share, error))
    return FALSE;

  if (sync->egl == EGL_NO_SYNC_KHR)
    result =
        wait_for_watcher (sync, timeout_ns) ? EGL_CONDITION_SATISFIED_KHR : EGL_TIMEOUT_EXPIRED_KHR;
  else
    result = client_wait (sync, timeout_ns == GST_GLES_WAIT_FOREVER ? EGL_FOREVER_KHR : timeout_ns);
  if (result == EGL_CONDITION_SATISFIED_KHR) {
    g_atomic_int_set (&sync->done, TRUE);
    return gst_gles_share_check (sync->share, error);
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

/* FALSE when the device cannot do it. */
static gboolean
queue_wait (GstGlesSync *sync, GstGlesQueue *queue)
{
  const GstGlesEglProcs *procs = gst_gles_egl_procs ();

  if (sync->egl != EGL_NO_SYNC_KHR)
    return queue->share->limits.wait_sync &&
        procs->wait_sync (queue->share->display->egl, sync->egl, 0);
  g_mutex_lock (&sync->lock);
  if (sync->gl != NULL)
    glWaitSync (sync->gl, 0, GL_TIMEOUT_IGNORED);
  g_mutex_unlock (&sync->lock);
  return TRUE;
}

void
gst_gles_sync_wait_on_device (GstGlesSync *sync, GstGlesQueue *queue)
{
  if (!gst_gles_sync_is_done (sync) && !queue_wait (sync, queue))
    gst_gles_sync_wait (sync, GST_GLES_WAIT_FOREVER, NULL);
}
