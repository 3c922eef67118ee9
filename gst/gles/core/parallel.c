/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The first parallel call that can use threads starts them. They sleep on a condition variable
 * between calls and live as long as the process. A call is a job on its caller's stack: it is in
 * the list, where workers find it, only until the call returns. */
#include <gst/gles/core/parallel.h>

#include <gst/gles/core/log.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* A thread whose last parallel call is at most this old is expected to make another one. */
#define RECENT_US 20000
#define N_CALLERS 64

typedef struct _Job Job;

struct _Job {
  GstGlesCpuFunc func;
  gpointer user_data;
  guint n_tasks;
  gint next_task; /* atomic; may run past n_tasks */
  /* protected by the lock: */
  guint n_participants;   /* threads that have joined so far, the caller included */
  guint max_participants; /* the caller included */
  guint n_working;        /* workers that may still access the job */
  GCond done;             /* n_working fell to 0 */
  Job *next;
};

static struct {
  GMutex lock;
  GCond work; /* a job was added */
  Job *jobs;  /* jobs that have tasks to hand out, oldest first */
  gboolean started;
} pool;

/* The time of the last parallel call of each calling thread, in microseconds; 0 is never. Threads
 * are numbered modulo N_CALLERS. */
static struct {
  GMutex lock;
  gint64 last_call_us[N_CALLERS];
} callers;
static _Thread_local guint caller_number;
static _Thread_local gboolean is_worker;

guint
gst_gles_cpu_n_threads (void)
{
  static gsize n_threads = 0;

  if (g_once_init_enter (&n_threads)) {
    guint64 n = CLAMP (g_get_num_processors (), 1, GST_GLES_CPU_MAX_THREADS);
    const gchar *text = g_getenv ("GST_GLES_CPU_THREADS");

    if (text != NULL && *text != '\0' &&
        !g_ascii_string_to_unsigned (text, 10, 1, GST_GLES_CPU_MAX_THREADS, &n, NULL))
      GST_WARNING ("GST_GLES_CPU_THREADS is \"%s\" but must be a number from 1 to %d: using %u",
          text, GST_GLES_CPU_MAX_THREADS, (guint) n);
    g_once_init_leave (&n_threads, (gsize) n);
  }
  return (guint) n_threads;
}

#ifdef GST_GLES_TEST_HOOKS
static gint64 forced_us;

void
gst_gles_cpu_set_clock (gint64 time_us)
{
  forced_us = time_us;
}
#endif

static gint64
get_time_us (void)
{
#ifdef GST_GLES_TEST_HOOKS
  if (forced_us != 0)
    return forced_us;
#endif
  return g_get_monotonic_time ();
}

/* Records a call of this thread. Returns the number of threads with a recent call, at least 1. */
static guint
count_callers (void)
{
  static gint next_number;
  const gint64 now_us = get_time_us ();
  guint n = 0;

  if (caller_number == 0)
    caller_number = (guint) g_atomic_int_add (&next_number, 1) % N_CALLERS + 1;
  g_mutex_lock (&callers.lock);
  callers.last_call_us[caller_number - 1] = now_us;
  for (guint i = 0; i < N_CALLERS; i++)
    n += callers.last_call_us[i] != 0 && now_us - callers.last_call_us[i] < RECENT_US;
  g_mutex_unlock (&callers.lock);
  return MAX (n, 1);
}

guint
gst_gles_cpu_n_available (void)
{
  const guint n_threads = gst_gles_cpu_n_threads ();

  /* A call from inside a task belongs to a call that is counted already. */
  if (n_threads == 1 || is_worker)
    return n_threads;
  return MAX (n_threads / count_callers (), 1);
}

/* Call with the lock held. */
static void
remove_job (Job *job)
{
  for (Job **at = &pool.jobs; *at != NULL; at = &(*at)->next) {
    if (*at == job) {
      *at = job->next;
      return;
    }
  }
}

static void
run_tasks (Job *job, guint participant)
{
  for (;;) {
    guint task = (guint) g_atomic_int_add (&job->next_task, 1);

    if (task >= job->n_tasks)
      return;
    job->func (task, participant, job->user_data);
  }
}

static gpointer
worker_main (gpointer data)
{
  is_worker = TRUE;
  g_mutex_lock (&pool.lock);
  for (;;) {
    Job *job = pool.jobs;
    guint participant;

    if (job == NULL) {
      g_cond_wait (&pool.work, &pool.lock);
      continue;
    }
    participant = job->n_participants++;
    job->n_working++;
    if (job->n_participants == job->max_participants)
      remove_job (job);
    g_mutex_unlock (&pool.lock);
    run_tasks (job, participant);
    g_mutex_lock (&pool.lock);
    remove_job (job);
    if (--job->n_working == 0)
      g_cond_signal (&job->done);
  }
  return NULL;
}

/* Call with the lock held. If threads cannot be started, calls run with fewer. */
static void
start_workers (void)
{
  pool.started = TRUE;
  for (guint i = 1; i < gst_gles_cpu_n_threads (); i++) {
    g_autoptr (GError) error = NULL;
    GThread *thread = g_thread_try_new ("gles-cpu", worker_main, NULL, &error);

    if (thread == NULL) {
      GST_WARNING ("working with %u threads: %s", i, error->message);
      return;
    }
    g_thread_unref (thread);
  }
}

static void
add_job (Job *job)
{
  const guint n_helpers = MIN (job->max_participants, job->n_tasks) - 1;
  Job **tail;

  g_mutex_lock (&pool.lock);
  if (!pool.started)
    start_workers ();
  for (tail = &pool.jobs; *tail != NULL; tail = &(*tail)->next)
    ;
  *tail = job;
  g_mutex_unlock (&pool.lock);
  /* The lock is released first, since woken threads take it. Each signal is a system call. */
  if (n_helpers >= gst_gles_cpu_n_threads () - 1) {
    g_cond_broadcast (&pool.work);
  } else {
    for (guint i = 0; i < n_helpers; i++)
      g_cond_signal (&pool.work);
  }
}

void
gst_gles_cpu_parallel (guint n_tasks, GstGlesCpuFunc func, gpointer user_data)
{
  Job job = { .func = func, .user_data = user_data, .n_tasks = n_tasks, .n_participants = 1 };

  if (n_tasks > 1)
    job.max_participants = gst_gles_cpu_n_available ();
  if (n_tasks <= 1 || job.max_participants == 1) {
    for (guint i = 0; i < n_tasks; i++)
      func (i, 0, user_data);
    return;
  }
  g_cond_init (&job.done);
  add_job (&job);
  run_tasks (&job, 0);
  g_mutex_lock (&pool.lock);
  remove_job (&job);
  while (job.n_working > 0)
    g_cond_wait (&job.done, &pool.lock);
  g_mutex_unlock (&pool.lock);
  g_cond_clear (&job.done);
}
