/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Starts and ends a device's thread, and ends all of them when the process exits. */
#include "config.h"

#include <stdlib.h>
#include <unistd.h>

#include <gst/gles/device/thread-private.h>

/* How long process exit waits for the threads, in microseconds. */
#define EXIT_US (2 * G_USEC_PER_SEC)

/* The limit on registrations of the exit handler: one per opened device and per first run of a
 * program. */
#define MAX_EXIT_HANDLERS 256

/* ---- all threads of the process ---- */

static GMutex all_lock;
/* GstGlesThreads that run, and those that were ended from inside themselves and are still to be
 * joined. */
static GList *all;

static void
thread_free (GstGlesThread *thread)
{
  g_mutex_clear (&thread->submit_lock);
  g_mutex_clear (&thread->lock);
  g_cond_clear (&thread->wake);
  g_cond_clear (&thread->space);
  g_cond_clear (&thread->opened);
  g_free (thread);
}

/* Joins the threads that were ended from inside themselves and have finished. */
static void
join_finished (void)
{
  GList *finished = NULL;

  g_mutex_lock (&all_lock);
  for (GList *link = all, *next; link != NULL; link = next) {
    GstGlesThread *thread = link->data;
    gboolean ready;

    next = link->next;
    g_mutex_lock (&thread->lock);
    ready = thread->finished && thread->after != NULL;
    g_mutex_unlock (&thread->lock);
    if (!ready)
      continue;
    all = g_list_remove_link (all, link);
    finished = g_list_concat (link, finished);
  }
  g_mutex_unlock (&all_lock);
  for (GList *link = finished; link != NULL; link = link->next) {
    g_thread_join (((GstGlesThread *) link->data)->thread);
    thread_free (link->data);
  }
  g_list_free (finished);
}

static gboolean
wait_until_finished (GstGlesThread *thread, gint64 end_us)
{
  gboolean finished;

  g_mutex_lock (&thread->lock);
  while (!thread->finished && g_cond_wait_until (&thread->opened, &thread->lock, end_us))
    ;
  finished = thread->finished;
  g_mutex_unlock (&thread->lock);
  return finished;
}

/* Makes the thread end without executing queued work. Waits and calls fail at once from now on. The
 * share of a finished thread may be freed already, so it is not accessed. */
static void
abandon (GstGlesThread *thread)
{
  g_mutex_lock (&thread->lock);
  if (!thread->finished) {
    g_atomic_int_set (&thread->share->lost, TRUE);
    g_atomic_int_set (&thread->abandon, TRUE);
    gst_gles_thread_notify_locked (thread);
  }
  g_mutex_unlock (&thread->lock);
}

/* Ends and joins all threads when the process exits, perhaps with work pending. A thread that is
 * inside the driver while the driver's own exit handlers run would crash, and one that ends during
 * them would free EGL's per-thread state a second time. Also called when the library is
 * unloaded. */
__attribute__ ((destructor)) static void
end_all (void)
{
  const gint64 end_us = g_get_monotonic_time () + EXIT_US;
  GList *threads;

  g_mutex_lock (&all_lock);
  threads = g_steal_pointer (&all);
  g_mutex_unlock (&all_lock);
  for (GList *link = threads; link != NULL; link = link->next) {
    GstGlesThread *thread = link->data;

    /* A forked child has none of its parent's threads. */
    if (thread->pid != getpid () || gst_gles_thread_is_current (thread))
      continue;
    abandon (thread);
    if (!wait_until_finished (thread, end_us))
      continue;
    g_thread_join (thread->thread);
    if (thread->after != NULL)
      thread_free (thread);
  }
  g_list_free (threads);
}

/* Exit handlers run in reverse order of registration, and ours must run before the driver's. The
 * driver registers more of them when it first compiles something (LLVM keeps tables in static
 * objects), so ours is registered again after the first run of each program. */
void
gst_gles_thread_register_exit_handler (void)
{
  static gint n_registered;

  if (g_atomic_int_get (&n_registered) < MAX_EXIT_HANDLERS &&
      g_atomic_int_add (&n_registered, 1) < MAX_EXIT_HANDLERS)
    atexit (end_all);
}

/* ---- start and end ---- */

static gpointer
thread_main (gpointer data)
{
  GstGlesThread *thread = data;
  GstGlesShare *share = thread->share;
  gboolean exits;
  void (*after) (GstGlesShare * share);

  gst_gles_thread_loop (thread);
  exits = g_atomic_int_get (&thread->abandon);
  gst_gles_share_close (share, exits);
  if (exits)
    gst_gles_thread_answer_calls (thread);
  g_mutex_lock (&thread->lock);
  after = thread->after;
  thread->finished = TRUE;
  g_cond_broadcast (&thread->opened);
  g_mutex_unlock (&thread->lock);
  if (after != NULL)
    after (share);
  return NULL;
}

typedef struct {
  GstGlesThread *thread;
  GError *error;
} Opening;

static gpointer
open_and_run (gpointer data)
{
  Opening *opening = data;
  GstGlesThread *thread = opening->thread;
  gboolean is_open;

  /* Waits until gst_gles_thread_new() has set thread->thread, which gst_gles_thread_is_current()
   * reads. */
  g_mutex_lock (&thread->lock);
  g_mutex_unlock (&thread->lock);
  is_open = thread->open (thread->share, &opening->error);
  if (is_open)
    gst_gles_thread_register_exit_handler ();
  else
    gst_gles_share_close (thread->share, FALSE);
  g_mutex_lock (&thread->lock);
  thread->is_open = is_open;
  thread->finished = !is_open;
  g_cond_broadcast (&thread->opened);
  g_mutex_unlock (&thread->lock);
  return is_open ? thread_main (thread) : NULL;
}

GstGlesThread *
gst_gles_thread_new (GstGlesShare *share, GstGlesThreadFunc open, GError **error)
{
  GstGlesThread *thread = g_new0 (GstGlesThread, 1);
  Opening opening = { thread, NULL };

  join_finished ();
  thread->share = share;
  thread->open = open;
  thread->pid = getpid ();
  thread->last_call = &thread->calls;
  thread->last_queued = &thread->queued;
  thread->last_pending = &thread->pending;
  g_mutex_init (&thread->submit_lock);
  g_mutex_init (&thread->lock);
  g_cond_init (&thread->wake);
  g_cond_init (&thread->space);
  g_cond_init (&thread->opened);

  g_mutex_lock (&thread->lock);
  thread->thread = g_thread_try_new ("gles-device", open_and_run, &opening, error);
  while (thread->thread != NULL && !thread->is_open && !thread->finished)
    g_cond_wait (&thread->opened, &thread->lock);
  g_mutex_unlock (&thread->lock);
  if (thread->thread == NULL || !thread->is_open) {
    if (thread->thread != NULL) {
      g_thread_join (thread->thread);
      g_propagate_error (error, opening.error);
    }
    thread_free (thread);
    return NULL;
  }
  g_mutex_lock (&all_lock);
  all = g_list_prepend (all, thread);
  g_mutex_unlock (&all_lock);
  return thread;
}

void
gst_gles_thread_end (GstGlesThread *thread, void (*after) (GstGlesShare *share))
{
  GstGlesShare *share = thread->share;
  const gboolean own = gst_gles_thread_is_current (thread);
  gboolean known;

  g_mutex_lock (&all_lock);
  known = g_list_find (all, thread) != NULL;
  if (known && !own)
    all = g_list_remove (all, thread);
  g_mutex_unlock (&all_lock);

  g_mutex_lock (&thread->lock);
  thread->stop = TRUE;
  if (own)
    thread->after = after; /* the next gst_gles_thread_new() or the exit handler joins the thread */
  g_cond_signal (&thread->wake);
  g_mutex_unlock (&thread->lock);
  if (own || !known) /* not known: the exit handler has ended the thread */
    return;
  g_thread_join (thread->thread);
  thread_free (thread);
  after (share);
}
