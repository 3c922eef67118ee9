/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "gstgleswaiter.h"

struct _GstGlesWaiter {
  const gchar *name;
  GThread *thread; /* accessed by the thread that pushes and stops; NULL until there is a job */
  GMutex lock;
  GCond cond; /* signalled when a job came, the thread went idle, or stop was set */
  GQueue jobs;
  gboolean busy;
  gboolean stop;
  GstGlesWaitFunc func;
  GDestroyNotify free_job;
  gpointer user_data;
};

static gpointer
waiter_main (gpointer data)
{
  GstGlesWaiter *waiter = data;

  g_mutex_lock (&waiter->lock);
  for (;;) {
    gpointer job;
    while (!waiter->stop && g_queue_is_empty (&waiter->jobs))
      g_cond_wait (&waiter->cond, &waiter->lock);
    if (waiter->stop)
      break;
    job = g_queue_pop_head (&waiter->jobs);
    waiter->busy = TRUE;
    g_mutex_unlock (&waiter->lock);
    waiter->func (job, waiter->user_data);
    waiter->free_job (job);
    g_mutex_lock (&waiter->lock);
    waiter->busy = FALSE;
    g_cond_broadcast (&waiter->cond);
  }
  g_mutex_unlock (&waiter->lock);
  return NULL;
}

GstGlesWaiter *
gst_gles_waiter_new (
    const gchar *name, GstGlesWaitFunc func, GDestroyNotify free_job, gpointer user_data)
{
  GstGlesWaiter *waiter = g_new0 (GstGlesWaiter, 1);

  g_mutex_init (&waiter->lock);
  g_cond_init (&waiter->cond);
  g_queue_init (&waiter->jobs);
  waiter->name = name;
  waiter->func = func;
  waiter->free_job = free_job;
  waiter->user_data = user_data;
  return waiter;
}

void
gst_gles_waiter_stop (GstGlesWaiter *waiter)
{
  gst_gles_waiter_flush (waiter);
  if (waiter->thread == NULL)
    return;
  g_mutex_lock (&waiter->lock);
  waiter->stop = TRUE;
  g_cond_broadcast (&waiter->cond);
  g_mutex_unlock (&waiter->lock);
  g_thread_join (g_steal_pointer (&waiter->thread));
  gst_gles_waiter_flush (waiter);
  waiter->stop = FALSE;
}

void
gst_gles_waiter_free (GstGlesWaiter *waiter)
{
  if (waiter == NULL)
    return;
  gst_gles_waiter_stop (waiter);
  g_mutex_clear (&waiter->lock);
  g_cond_clear (&waiter->cond);
  g_free (waiter);
}

gboolean
gst_gles_waiter_push (GstGlesWaiter *waiter, gpointer job, GError **error)
{
  if (waiter->thread == NULL)
    waiter->thread = g_thread_try_new (waiter->name, waiter_main, waiter, error);
  if (waiter->thread == NULL) {
    waiter->free_job (job);
    return FALSE;
  }
  g_mutex_lock (&waiter->lock);
  g_queue_push_tail (&waiter->jobs, job);
  g_cond_broadcast (&waiter->cond);
  g_mutex_unlock (&waiter->lock);
  return TRUE;
}

void
gst_gles_waiter_drain (GstGlesWaiter *waiter)
{
  g_mutex_lock (&waiter->lock);
  while (waiter->busy || !g_queue_is_empty (&waiter->jobs))
    g_cond_wait (&waiter->cond, &waiter->lock);
  g_mutex_unlock (&waiter->lock);
}

void
gst_gles_waiter_flush (GstGlesWaiter *waiter)
{
  GQueue dropped = G_QUEUE_INIT;

  g_mutex_lock (&waiter->lock);
  dropped = waiter->jobs;
  g_queue_init (&waiter->jobs);
  g_cond_broadcast (&waiter->cond);
  g_mutex_unlock (&waiter->lock);
  /* Freed without the lock, as freeing a result may take other locks. */
  g_queue_clear_full (&dropped, waiter->free_job);
}
