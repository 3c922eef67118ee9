/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a device's thread does: executes work in order, asks for its fences, answers calls, and sleeps. */
#include "config.h"

#include <GLES3/gl31.h>

#include <gst/gles/device/thread-private.h>

/* A thread that sleeps is woken tens of microseconds late on hardware, as long as a frame's whole work
 * may take. So the device thread polls a fence for as long as work has taken lately, but not longer
 * than this, and then looks again after each nap. */
#define MAX_POLL_US 200
#define NAP_US 50

/* Pieces of work that share a fence when several wait to be executed: a fence, its flush and the question
 * for a reset take the driver about as long as a small submission. A software renderer has executed a
 * piece of work when its calls return, and tells of each. */
#define MAX_BATCH 4

/* In place of a fence: there is nothing to wait for. */
static gchar finished;
#define FINISHED ((gpointer) &finished)

/* ---- completion ---- */

static void
complete (GstGlesThread *thread, GstGlesWork *work)
{
  const GstGlesSerial serial = work->serial;
  GError *error = g_steal_pointer (&work->error);
  gint64 now_us = g_get_monotonic_time ();
  gint64 taken_us = now_us - MAX (work->executed_us, thread->completed_us);

  thread->expected_us = (7 * thread->expected_us + taken_us) / 8;
  thread->completed_us = now_us;
  if (error == NULL)
    gst_gles_share_check (thread->share, &error);
  work->done (work, error);
  g_clear_error (&error);
  g_atomic_pointer_set (&thread->completed, serial);
  if (g_atomic_int_get (&thread->n_waiters) == 0)
    return;
  g_mutex_lock (&thread->lock);
  gst_gles_thread_wake_waiters (thread, FALSE);
  g_mutex_unlock (&thread->lock);
}

/* Whether the device has passed @fence, which is deleted then. */
static gboolean
ask_fence (GstGlesThread *thread, GLsync fence)
{
  GLenum status;

  if (fence == FINISHED)
    return TRUE;
  /* a lost device may never reach a fence */
  if (gst_gles_share_check (thread->share, NULL)) {
    status = glClientWaitSync (fence, 0, 0);
    if (status == GL_TIMEOUT_EXPIRED)
      return FALSE;
    if (status == GL_WAIT_FAILED)
      gst_gles_share_mark_lost (thread->share, "waiting for a fence failed");
  }
  glDeleteSync (fence);
  return TRUE;
}

/* The oldest work with a fence stands for all before it. */
static void
complete_what_is_done (GstGlesThread *thread)
{
  for (;;) {
    GstGlesWork *fenced = thread->pending, *work;

    while (fenced != NULL && fenced->fence == NULL)
      fenced = fenced->next;
    if (fenced == NULL || !ask_fence (thread, fenced->fence))
      return;
    do {
      work = thread->pending;
      thread->pending = work->next;
      if (thread->pending == NULL)
        thread->last_pending = &thread->pending;
      complete (thread, work);
    } while (work != fenced);
  }
}

/* ---- execution ---- */

/* Puts a fence behind @newest, the newest of the pending work. */
static void
put_fence (GstGlesThread *thread, GstGlesWork *newest)
{
  GLsync fence = NULL;

  thread->n_unfenced = 0;
  newest->fence = FINISHED;
  if (!gst_gles_share_check (thread->share, NULL))
    return;
  fence = glFenceSync (GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (fence != NULL) {
    newest->fence = fence;
    glFlush ();
  } else {
    glFinish ();
  }
  gst_gles_share_check_reset (thread->share, NULL);
}

static void
execute (GstGlesThread *thread, GstGlesWork *work)
{
  work->next = NULL;
  work->fence = NULL;
  if (gst_gles_share_check (thread->share, &work->error))
    work->execute (work, &work->error);
  work->executed_us = g_get_monotonic_time ();
  *thread->last_pending = work;
  thread->last_pending = &work->next;
  thread->n_unfenced++;
}

void
gst_gles_thread_answer_calls (GstGlesThread *thread)
{
  GstGlesCall *calls;

  g_mutex_lock (&thread->lock);
  calls = g_steal_pointer (&thread->calls);
  thread->last_call = &thread->calls;
  g_mutex_unlock (&thread->lock);
  if (calls != NULL)
    gst_gles_share_rest (thread->share);
  while (calls != NULL) {
    GstGlesCall *call = calls;

    calls = call->next;
    call->result =
        gst_gles_share_check (thread->share, call->error) && call->func (call->data, call->error);
    /* the call is on its caller's stack */
    g_mutex_lock (&thread->lock);
    call->answered = TRUE;
    g_cond_signal (&call->cond);
    g_mutex_unlock (&thread->lock);
  }
}

static GstGlesWork *
take_queued (GstGlesThread *thread)
{
  GstGlesWork *work;

  g_mutex_lock (&thread->lock);
  work = g_steal_pointer (&thread->queued);
  thread->last_queued = &thread->queued;
  if (thread->n_queued >= GST_GLES_THREAD_MAX_QUEUED)
    g_cond_broadcast (&thread->space);
  thread->n_queued = 0;
  g_mutex_unlock (&thread->lock);
  return work;
}

/* Does all there is to do, oldest work first; calls and completions in between, so that neither waits
 * for a long queue. */
static void
work_off (GstGlesThread *thread)
{
  const guint max_batch = thread->share->kind == GST_GLES_DEVICE_SOFTWARE ? 1 : MAX_BATCH;
  GstGlesWork *work;

  g_atomic_int_set (&thread->news, FALSE);
  gst_gles_thread_answer_calls (thread);
  gst_gles_share_empty_trash (thread->share);
  work = take_queued (thread);
  while (work != NULL && !g_atomic_int_get (&thread->abandon)) {
    GstGlesWork *next = work->next;

    execute (thread, work);
    if (next == NULL || thread->n_unfenced >= max_batch) {
      put_fence (thread, work);
      complete_what_is_done (thread);
    }
    if (next != NULL && g_atomic_int_get (&thread->news))
      gst_gles_thread_answer_calls (thread);
    work = next;
  }
  complete_what_is_done (thread);
}

/* Whether the oldest work may be complete so soon that sleeping would tell of it late. */
static gboolean
is_worth_polling (GstGlesThread *thread)
{
  gint64 since_us = MAX (thread->pending->executed_us, thread->completed_us);

  return thread->share->kind == GST_GLES_DEVICE_HARDWARE &&
      g_get_monotonic_time () - since_us < MIN (2 * thread->expected_us, MAX_POLL_US);
}

/* With nothing to execute: until there is news, or the time has come to ask the oldest fence again. */
static void
rest (GstGlesThread *thread)
{
  if (thread->pending == NULL)
    gst_gles_share_rest (thread->share);
  else if (is_worth_polling (thread))
    return;
  g_mutex_lock (&thread->lock);
  thread->sleeping = TRUE;
  if (thread->pending != NULL && !g_atomic_int_get (&thread->news))
    g_cond_wait_until (&thread->wake, &thread->lock, g_get_monotonic_time () + NAP_US);
  while (thread->pending == NULL && !g_atomic_int_get (&thread->news) && !thread->stop)
    g_cond_wait (&thread->wake, &thread->lock);
  thread->sleeping = FALSE;
  g_mutex_unlock (&thread->lock);
}

static gboolean
must_end (GstGlesThread *thread)
{
  gboolean end;

  g_mutex_lock (&thread->lock);
  end = thread->stop && thread->pending == NULL && thread->queued == NULL;
  g_mutex_unlock (&thread->lock);
  return end || g_atomic_int_get (&thread->abandon);
}

void
gst_gles_thread_loop (GstGlesThread *thread)
{
  while (!must_end (thread)) {
    if (g_atomic_int_get (&thread->news))
      work_off (thread);
    else
      complete_what_is_done (thread);
    if (!g_atomic_int_get (&thread->news))
      rest (thread);
  }
}
