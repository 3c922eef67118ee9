/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waiting for GL fences on behalf of threads without a context.
 *
 * An EGL fence can be waited for by any thread, but NVIDIA's headless EGL creates one only after the
 * device has done everything before it (measured, driver 580: eglCreateSyncKHR() behind a kernel of
 * 2.2 ms takes 2.2 ms, glFenceSync() 3 us). There, fences are GL's, and one thread per device, with a
 * context of its own in the share group, waits for them in the order of their making. */
#include "config.h"

#include <gst/gles/core/log.h>
#include <gst/gles/gl/gl-private.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* a blocking wait of the driver wakes up late: the first moments are spent asking */
#define SPIN_US 200

/* one blocking wait; the loop around it looks after a device that is lost */
#define SLICE_NS G_GUINT64_CONSTANT (100000000)

struct _GstGlesWatcher {
  gint ref_count;      /* the share's, which ends the thread, and those of who is about to push */
  GstGlesQueue *queue; /* the thread's context */
  GThread *thread;
  GMutex lock;
  GCond cond;
  GQueue syncs; /* of GstGlesSync, oldest first */
  gboolean stop;
};

static void
wait_for (GstGlesWatcher *watcher, GstGlesSync *sync)
{
  gint64 spin_end = g_get_monotonic_time () + SPIN_US;
  GLenum result;

  do {
    gboolean spin = g_get_monotonic_time () < spin_end;
    result = glClientWaitSync (gst_gles_sync_get_gl (sync), 0, spin ? 0 : SLICE_NS);
  } while (result == GL_TIMEOUT_EXPIRED && gst_gles_share_check (watcher->queue->share, NULL));
  if (result == GL_WAIT_FAILED)
    gst_gles_share_mark_lost (watcher->queue->share, "waiting for a fence failed");
  gst_gles_sync_complete (sync);
}

static gpointer
watcher_main (gpointer data)
{
  GstGlesWatcher *watcher = data;
  g_autoptr (GError) error = NULL;
  gboolean entered = gst_gles_queue_enter (watcher->queue, &error);

  if (!entered)
    GST_WARNING ("fences cannot be watched: %s", error->message);
  g_mutex_lock (&watcher->lock);
  for (;;) {
    GstGlesSync *sync;
    while (!watcher->stop && g_queue_is_empty (&watcher->syncs))
      g_cond_wait (&watcher->cond, &watcher->lock);
    /* what was queued before the stop is still waited for: somebody may hold its sync */
    sync = g_queue_pop_head (&watcher->syncs);
    if (sync == NULL)
      break;
    g_mutex_unlock (&watcher->lock);
    if (entered)
      wait_for (watcher, sync);
    else
      gst_gles_sync_complete (sync);
    gst_gles_sync_unref (sync);
    g_mutex_lock (&watcher->lock);
  }
  g_mutex_unlock (&watcher->lock);
  if (entered)
    gst_gles_queue_leave (watcher->queue);
  return NULL;
}

void
gst_gles_watcher_unref (GstGlesWatcher *watcher)
{
  if (!g_atomic_int_dec_and_test (&watcher->ref_count))
    return;
  g_mutex_clear (&watcher->lock);
  g_cond_clear (&watcher->cond);
  gst_object_unref (watcher->queue);
  g_free (watcher);
}

static void
watcher_end (gpointer data)
{
  GstGlesWatcher *watcher = data;

  g_mutex_lock (&watcher->lock);
  watcher->stop = TRUE;
  g_cond_broadcast (&watcher->cond);
  g_mutex_unlock (&watcher->lock);
  g_thread_join (watcher->thread);
  gst_gles_watcher_unref (watcher);
}

static GstGlesWatcher *
watcher_new (GstGlesShare *share)
{
  GstGlesQueue *queue = gst_gles_queue_create (share, NULL, NULL);
  GstGlesWatcher *watcher;

  if (queue == NULL)
    return NULL;
  watcher = g_new0 (GstGlesWatcher, 1);
  watcher->ref_count = 1;
  watcher->queue = queue;
  g_mutex_init (&watcher->lock);
  g_cond_init (&watcher->cond);
  g_queue_init (&watcher->syncs);
  watcher->thread = g_thread_new ("gles-fences", watcher_main, watcher);
  return watcher;
}

/* With the share's lock, which the device object takes to take the watcher away. */
static GstGlesWatcher *
ref_of_share (GstGlesShare *share)
{
  GstGlesWatcher *watcher = share->watcher;

  if (watcher != NULL)
    g_atomic_int_inc (&watcher->ref_count);
  return watcher;
}

GstGlesWatcher *
gst_gles_watcher_get (GstGlesShare *share)
{
  GstGlesWatcher *watcher, *fresh = NULL;
  gboolean wanted;

  g_mutex_lock (&share->lock);
  watcher = ref_of_share (share);
  /* once the device object is gone, so is the one who ends the thread */
  wanted = !share->closed && watcher == NULL;
  g_mutex_unlock (&share->lock);
  if (!wanted)
    return watcher;

  /* without the lock, which entering a queue takes: a debug context is entered when it is made */
  fresh = watcher_new (share);
  g_mutex_lock (&share->lock);
  if (!share->closed && share->watcher == NULL && fresh != NULL) {
    share->watcher = g_steal_pointer (&fresh);
    share->watcher_end = watcher_end;
  }
  watcher = ref_of_share (share);
  g_mutex_unlock (&share->lock);
  g_clear_pointer (&fresh, watcher_end);
  return watcher;
}

gboolean
gst_gles_watcher_push (GstGlesWatcher *watcher, GstGlesSync *sync)
{
  gboolean watches;

  g_mutex_lock (&watcher->lock);
  watches = !watcher->stop;
  if (watches) {
    g_queue_push_tail (&watcher->syncs, gst_gles_sync_ref (sync));
    g_cond_signal (&watcher->cond);
  }
  g_mutex_unlock (&watcher->lock);
  return watches;
}
