/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Requests of other threads to a device's thread: submit, call, wait. */
#include "config.h"

#include <gst/gles/device/device.h>
#include <gst/gles/device/thread-private.h>

/* A waiter whose work is among the next WAIT_POLL_DISTANCE to complete polls this long before it
 * sleeps. */
#define WAIT_POLL_US 50
#define WAIT_POLL_DISTANCE 2

static gboolean
reached (GstGlesSerial completed, GstGlesSerial serial)
{
  return (gssize) (completed - serial) >= 0;
}

gboolean
gst_gles_thread_is_done (GstGlesThread *thread, GstGlesSerial serial)
{
  return reached ((gsize) g_atomic_pointer_get (&thread->completed), serial);
}

/* Call with the lock held. @wake_all also wakes waiters whose work is not complete. */
void
gst_gles_thread_wake_waiters (GstGlesThread *thread, gboolean wake_all)
{
  for (GstGlesWaitPoint *waiter = thread->waiters; waiter != NULL; waiter = waiter->next) {
    if (wake_all || gst_gles_thread_is_done (thread, waiter->serial))
      g_cond_signal (&waiter->cond);
  }
}

/* ---- requests ---- */

gboolean
gst_gles_thread_is_current (GstGlesThread *thread)
{
  return thread->thread == g_thread_self ();
}

void
gst_gles_thread_notify_locked (GstGlesThread *thread)
{
  g_atomic_int_set (&thread->has_news, TRUE);
  g_cond_signal (&thread->wake);
  if (!gst_gles_share_check (thread->share, NULL)) {
    gst_gles_thread_wake_waiters (thread, TRUE);
    g_cond_broadcast (&thread->space);
  }
}

void
gst_gles_thread_notify (GstGlesThread *thread)
{
  g_mutex_lock (&thread->lock);
  gst_gles_thread_notify_locked (thread);
  g_mutex_unlock (&thread->lock);
}

static void
wait_for_space (GstGlesThread *thread)
{
  g_mutex_lock (&thread->lock);
  while (
      thread->n_queued >= GST_GLES_THREAD_MAX_QUEUED && gst_gles_share_check (thread->share, NULL))
    g_cond_wait (&thread->space, &thread->lock);
  g_mutex_unlock (&thread->lock);
}

GstGlesSerial
gst_gles_thread_submit (GstGlesThread *thread, GstGlesWork *work)
{
  GstGlesSerial serial;
  gboolean sleeping;

  if (!gst_gles_thread_is_current (thread))
    wait_for_space (thread);
  g_mutex_lock (&thread->submit_lock);
  serial = ++thread->last_serial;
  work->serial = serial;
  work->next = NULL;
  work->error = NULL;
  work->queued (work);

  g_mutex_lock (&thread->lock);
  *thread->last_queued = work;
  thread->last_queued = &work->next;
  thread->n_queued++;
  g_atomic_int_set (&thread->has_news, TRUE);
  sleeping = thread->sleeping;
  g_mutex_unlock (&thread->lock);
  g_mutex_unlock (&thread->submit_lock);
  if (sleeping)
    g_cond_signal (&thread->wake);
  return serial;
}

gboolean
gst_gles_thread_call (GstGlesThread *thread, GstGlesThreadFunc func, gpointer data, GError **error)
{
  GstGlesCall call = { .func = func, .data = data, .error = error };

  if (gst_gles_thread_is_current (thread)) {
    gst_gles_share_unbind (thread->share);
    return gst_gles_share_check (thread->share, error) && func (data, error);
  }
  if (!gst_gles_share_check (thread->share, error))
    return FALSE;
  g_cond_init (&call.cond);
  g_mutex_lock (&thread->lock);
  *thread->last_call = &call;
  thread->last_call = &call.next;
  g_atomic_int_set (&thread->has_news, TRUE);
  g_cond_signal (&thread->wake);
  while (!call.answered)
    g_cond_wait (&call.cond, &thread->lock);
  g_mutex_unlock (&thread->lock);
  g_cond_clear (&call.cond);
  return call.result;
}

/* Polls for WAIT_POLL_US if the work is among the next to complete. Returns TRUE if it is
 * complete. */
static gboolean
poll_for (GstGlesThread *thread, GstGlesSerial serial, guint64 timeout_ns)
{
  gsize completed = (gsize) g_atomic_pointer_get (&thread->completed);
  gint64 end_us;

  if (thread->share->kind != GST_GLES_DEVICE_HARDWARE || serial - completed > WAIT_POLL_DISTANCE)
    return FALSE;
  end_us = g_get_monotonic_time () + (gint64) MIN (WAIT_POLL_US, timeout_ns / 1000);
  do {
    if (gst_gles_thread_is_done (thread, serial))
      return TRUE;
  } while (g_get_monotonic_time () < end_us);
  return FALSE;
}

/* Sleeps until @serial is complete, the timeout is over, or, unless @even_if_lost, the device is
 * lost. */
static void
sleep_for (GstGlesThread *thread, GstGlesSerial serial, guint64 timeout_ns, gboolean even_if_lost)
{
  GstGlesWaitPoint waiter = { .serial = serial };
  const gboolean forever = timeout_ns == GST_GLES_WAIT_FOREVER;
  const guint64 timeout_us = MIN (timeout_ns / 1000, (guint64) G_MAXINT64 / 2);
  const gint64 end_us = g_get_monotonic_time () + (gint64) timeout_us;
  gboolean in_time = TRUE;
  GstGlesWaitPoint **at;

  g_cond_init (&waiter.cond);
  g_mutex_lock (&thread->lock);
  waiter.next = thread->waiters;
  thread->waiters = &waiter;
  g_atomic_int_inc (&thread->n_waiters);
  while (in_time && !gst_gles_thread_is_done (thread, serial) &&
      (even_if_lost || gst_gles_share_check (thread->share, NULL))) {
    if (forever)
      g_cond_wait (&waiter.cond, &thread->lock);
    else
      in_time = g_cond_wait_until (&waiter.cond, &thread->lock, end_us);
  }
  g_atomic_int_add (&thread->n_waiters, -1);
  for (at = &thread->waiters; *at != &waiter; at = &(*at)->next)
    ;
  *at = waiter.next;
  g_mutex_unlock (&thread->lock);
  g_cond_clear (&waiter.cond);
}

gboolean
gst_gles_thread_wait (
    GstGlesThread *thread, GstGlesSerial serial, guint64 timeout_ns, GError **error)
{
  if (gst_gles_thread_is_done (thread, serial))
    return TRUE;
  if (!gst_gles_share_check (thread->share, error))
    return FALSE;
  if (gst_gles_thread_is_current (thread)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "%s: a function that the device's thread calls cannot wait for the device",
        thread->share->id);
    return FALSE;
  }
  if (timeout_ns > 0 && !poll_for (thread, serial, timeout_ns))
    sleep_for (thread, serial, timeout_ns, FALSE);
  if (gst_gles_thread_is_done (thread, serial))
    return TRUE;
  if (gst_gles_share_check (thread->share, error))
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT,
        "%s: the device was not done within %.3f ms", thread->share->id, timeout_ns / 1e6);
  return FALSE;
}

void
gst_gles_thread_wait_until_reported (GstGlesThread *thread, GstGlesSerial serial)
{
  g_return_if_fail (!gst_gles_thread_is_current (thread));
  if (!gst_gles_thread_is_done (thread, serial) &&
      !poll_for (thread, serial, GST_GLES_WAIT_FOREVER))
    sleep_for (thread, serial, GST_GLES_WAIT_FOREVER, TRUE);
}
