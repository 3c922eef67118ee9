/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loop of a device's thread: executes work in order, polls fences, answers calls, and
 * sleeps. */
#include "config.h"

#include <GLES3/gl31.h>

#include <gst/gles/core/log.h>
#include <gst/gles/device/driver.h>
#include <gst/gles/device/procs.h>
#include <gst/gles/device/thread-private.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* On hardware a sleeping thread wakes up tens of microseconds late, which is as long as the work of
 * a whole frame can take. The thread therefore polls the oldest fence for twice the recent duration
 * of work, at most MAX_POLL_US, and after that sleeps NAP_US between two looks. */
#define MAX_POLL_US 200
#define NAP_US 50

/* So many pieces of work share a fence when several are queued, or as many as were interleaved: a
 * fence, its flush and the reset check cost the driver about as much as a small submission. A
 * software renderer has finished a piece of work when its GL calls return, so it gets a fence per
 * piece and reports each at once. */
#define MAX_UNFENCED 4

/* The most fences that the device may have before it. It has enough to do then, so further work
 * waits, and what has come together is executed interleaved. One fence leaves the device idle
 * between two pieces of work. */
#define MAX_FENCES 4

/* Stands for a fence that has been passed. */
static gchar finished;
#define FINISHED ((gpointer) &finished)

/* ---- errors ---- */

/* An error that a call, a fence or a deletion left must not be taken for one of the next
 * submission, which may be of another stream. Drivers are asked only where an error is
 * likely, not before each submission, since each question takes them time. */
static void
forget_errors (const gchar *culprit)
{
  const GLenum code = glGetError ();

  if (code == GL_NO_ERROR)
    return;
  GST_WARNING ("%s on the device's thread left OpenGL ES error 0x%04x", culprit, code);
  gst_gles_forget_gl_errors ();
}

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

/* Returns whether the device has passed @fence; if so, deletes it. */
static gboolean
poll_fence (GstGlesThread *thread, GLsync fence)
{
  GLenum status = GL_CONDITION_SATISFIED;

  if (fence == FINISHED)
    return TRUE;
  /* A lost device may never signal a fence. */
  gst_gles_driver_enter (thread->share);
  if (gst_gles_share_check (thread->share, NULL))
    status = glClientWaitSync (fence, 0, 0);
  if (status == GL_WAIT_FAILED)
    forget_errors ("waiting for a fence");
  if (status != GL_TIMEOUT_EXPIRED)
    glDeleteSync (fence);
  gst_gles_driver_leave (thread->share);
  if (status == GL_WAIT_FAILED)
    gst_gles_share_mark_lost (thread->share, "waiting for a fence failed");
  return status != GL_TIMEOUT_EXPIRED;
}

/* Completes work in order. A fence also covers the work without one that precedes it. */
static void
complete_finished (GstGlesThread *thread)
{
  for (;;) {
    GstGlesWork *fenced = thread->pending, *work;

    while (fenced != NULL && fenced->fence == NULL)
      fenced = fenced->next;
    if (fenced == NULL || !poll_fence (thread, fenced->fence))
      return;
    thread->n_fences--;
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

/* Whether the commands of several pieces of work are interleaved, so that the device has something
 * to do while one of them waits for its own results. A software renderer executes one command after
 * the other. */
static gboolean
interleaves (const GstGlesThread *thread)
{
#ifdef GST_GLES_TEST_HOOKS
  if (g_getenv ("GST_GLES_INTERLEAVE") != NULL)
    return TRUE;
#endif
  return thread->share->kind == GST_GLES_DEVICE_HARDWARE;
}

static gboolean
is_full (const GstGlesThread *thread)
{
  return thread->n_fences >= MAX_FENCES && interleaves (thread);
}

/* Inserts a fence after @newest, the newest pending work. */
static void
insert_fence (GstGlesThread *thread, GstGlesWork *newest)
{
  GLsync fence = NULL;

  thread->n_unfenced = 0;
  thread->n_fences++;
  newest->fence = FINISHED;
  if (!gst_gles_share_check (thread->share, NULL))
    return;
  gst_gles_driver_enter (thread->share);
  fence = glFenceSync (GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (fence != NULL) {
    newest->fence = fence;
    glFlush ();
  } else {
    forget_errors ("a fence");
    glFinish ();
  }
  gst_gles_share_check_reset (thread->share, NULL);
  gst_gles_driver_leave (thread->share);
}

/* Executes @work and perhaps some of the works behind it. Returns the next one, and stores the last
 * that was executed in @last. */
static GstGlesWork *
execute (GstGlesThread *thread, GstGlesWork *work, GstGlesWork **last)
{
  guint n = 1;
  gint64 now_us;

  *last = work;
  if (gst_gles_share_check (thread->share, &work->error))
    n = work->execute (work, interleaves (thread) ? G_MAXUINT : 1);
  now_us = g_get_monotonic_time ();
  for (guint i = 0; i < n; i++) {
    GstGlesWork *next = work->next;

    work->next = NULL;
    work->fence = NULL;
    work->executed_us = now_us;
    *thread->last_pending = *last = work;
    thread->last_pending = &work->next;
    work = next;
  }
  thread->n_unfenced += n;
  g_mutex_lock (&thread->lock);
  if (thread->n_queued >= GST_GLES_THREAD_MAX_QUEUED)
    g_cond_broadcast (&thread->space);
  thread->n_queued -= n;
  g_mutex_unlock (&thread->lock);
  return work;
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
    gst_gles_share_unbind (thread->share);
  while (calls != NULL) {
    GstGlesCall *call = calls;

    calls = call->next;
    call->result =
        gst_gles_share_check (thread->share, call->error) && call->func (call->data, call->error);
    forget_errors ("a call");
    /* The call lives on its caller's stack: it must not be accessed after the lock is released. */
    g_mutex_lock (&thread->lock);
    call->answered = TRUE;
    g_cond_signal (&call->cond);
    g_mutex_unlock (&thread->lock);
  }
}

/* Whether the oldest work may complete so soon that sleeping would delay its report. */
static gboolean
is_worth_polling (GstGlesThread *thread)
{
  gint64 since_us = MAX (thread->pending->executed_us, thread->completed_us);

  return thread->share->kind == GST_GLES_DEVICE_HARDWARE &&
      g_get_monotonic_time () - since_us < MIN (2 * thread->expected_us, MAX_POLL_US);
}

/* Sleeps until something needs attention, or until it is time to poll the oldest fence again. */
static void
sleep_until_needed (GstGlesThread *thread)
{
  if (thread->pending == NULL)
    gst_gles_share_unbind (thread->share);
  else if (is_worth_polling (thread))
    return;
  g_mutex_lock (&thread->lock);
  thread->sleeping = TRUE;
  if (thread->pending != NULL && !g_atomic_int_get (&thread->has_news))
    g_cond_wait_until (&thread->wake, &thread->lock, g_get_monotonic_time () + NAP_US);
  while (thread->pending == NULL && !g_atomic_int_get (&thread->has_news) && !thread->stop)
    g_cond_wait (&thread->wake, &thread->lock);
  thread->sleeping = FALSE;
  g_mutex_unlock (&thread->lock);
}

/* Answers calls, deletes what was discarded, and returns @work followed by what is queued. */
static GstGlesWork *
take_news (GstGlesThread *thread, GstGlesWork *work)
{
  GstGlesWork **end = &work;

  g_atomic_int_set (&thread->has_news, FALSE);
  gst_gles_thread_answer_calls (thread);
  if (gst_gles_share_empty_trash (thread->share))
    forget_errors ("deleting objects");
  while (*end != NULL)
    end = &(*end)->next;
  g_mutex_lock (&thread->lock);
  *end = g_steal_pointer (&thread->queued);
  thread->last_queued = &thread->queued;
  g_mutex_unlock (&thread->lock);
  return work;
}

/* Executes all queued work, oldest first. Calls are answered and completions reported in between,
 * so that neither waits for a long queue. */
static void
execute_queued (GstGlesThread *thread)
{
  const guint max_unfenced = thread->share->kind == GST_GLES_DEVICE_SOFTWARE ? 1 : MAX_UNFENCED;
  GstGlesWork *work = take_news (thread, NULL);

  while (work != NULL && !g_atomic_int_get (&thread->abandon)) {
    GstGlesWork *last;

    if (!is_full (thread)) {
      work = execute (thread, work, &last);
      if (work == NULL || thread->n_unfenced >= max_unfenced)
        insert_fence (thread, last);
    }
    complete_finished (thread);
    if (is_full (thread) && !g_atomic_int_get (&thread->has_news))
      sleep_until_needed (thread);
    if (g_atomic_int_get (&thread->has_news))
      work = take_news (thread, work);
  }
  complete_finished (thread);
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
    if (g_atomic_int_get (&thread->has_news))
      execute_queued (thread);
    else
      complete_finished (thread);
    if (!g_atomic_int_get (&thread->has_news))
      sleep_until_needed (thread);
  }
}
