/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gst.h>

#include <gst/gles/core/parallel.h>

#define N_TASKS 10000

typedef struct {
  gint done[N_TASKS]; /* atomic: how often each task ran */
  gint present[256];  /* atomic: whether a participant is at work */
  gint clashes;       /* atomic: two threads with one participant number */
  guint depth;        /* of nested calls still to make */
} Call;

static void
count_task (guint task, guint participant, gpointer user_data)
{
  Call *call = user_data;

  if (participant >= gst_gles_cpu_n_threads () ||
      g_atomic_int_add (&call->present[participant], 1) != 0)
    g_atomic_int_inc (&call->clashes);
  g_atomic_int_inc (&call->done[task]);
  if (call->depth > 0 && task % 1000 == 0) {
    Call *inner = g_new0 (Call, 1);

    inner->depth = call->depth - 1;
    gst_gles_cpu_parallel (100, count_task, inner);
    for (guint i = 0; i < 100; i++) {
      if (g_atomic_int_get (&inner->done[i]) != 1)
        g_atomic_int_inc (&call->clashes);
    }
    g_free (inner);
  }
  g_atomic_int_add (&call->present[participant], -1);
}

static void
check_call (guint n_tasks, guint depth)
{
  g_autofree Call *call = g_new0 (Call, 1);

  call->depth = depth;
  gst_gles_cpu_parallel (n_tasks, count_task, call);
  for (guint i = 0; i < N_TASKS; i++) {
    if (call->done[i] != (i < n_tasks ? 1 : 0))
      g_error ("task %u of %u ran %d times", i, n_tasks, call->done[i]);
  }
  g_assert_cmpint (call->clashes, ==, 0);
}

/* Also if tasks make calls. */
static void
every_task_runs_once (void)
{
  for (guint n = 0; n < 20; n++)
    check_call (n, 0);
  for (guint i = 0; i < 50; i++)
    check_call (N_TASKS, i % 4);
}

static gpointer
call_often (gpointer data)
{
  for (guint i = 0; i < 200; i++)
    check_call (1 + i % 37, i % 2);
  return NULL;
}

static void
calls_from_several_threads (void)
{
  GThread *threads[8];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new (NULL, call_often, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

/* Both tasks wait for each other: without a second thread this would never end. */
static void
meet (guint task, guint participant, gpointer user_data)
{
  gint *arrived = user_data;

  g_atomic_int_inc (arrived);
  while (g_atomic_int_get (arrived) < 2)
    g_thread_yield ();
}

/* longer than a caller counts as recent */
#define FORGOTTEN_US 100000

static void
more_than_one_thread_works (void)
{
  gint arrived = 0;

  g_usleep (FORGOTTEN_US);
  g_assert_cmpuint (gst_gles_cpu_n_threads (), >=, 2);
  gst_gles_cpu_parallel (2, meet, &arrived);
  g_assert_cmpint (arrived, ==, 2);
}

typedef struct {
  GThread *caller;
  gint strangers; /* atomic: tasks that another thread did */
} Alone;

static void
count_strangers (guint task, guint participant, gpointer user_data)
{
  Alone *alone = user_data;

  if (g_thread_self () != alone->caller)
    g_atomic_int_inc (&alone->strangers);
  g_usleep (5000);
}

static gpointer
call_once (gpointer data)
{
  gst_gles_cpu_n_available ();
  return NULL;
}

/* With as many callers as threads, no worker is woken. A thread that a busy system suspends for
 * 20 ms does not count as a caller for a moment. */
static void
many_callers_work_alone (void)
{
  Alone alone = { g_thread_self (), 1 };

  for (guint i = 0; i < 20 && alone.strangers > 0; i++) {
    for (guint k = 0; k < 3; k++)
      g_thread_join (g_thread_new (NULL, call_once, NULL));
    g_atomic_int_set (&alone.strangers, 0);
    gst_gles_cpu_parallel (8, count_strangers, &alone);
  }
  g_assert_cmpint (alone.strangers, ==, 0);
}

#ifdef GST_GLES_TEST_HOOKS
/* A thread that made its last call days ago is no caller, however long the machine has run: 2^31 ms
 * are 24.9 days. Afterwards the clock is behind recorded times, so this test is the last. */
static void
uptime_of_weeks (void)
{
  const gint64 wrap_us = G_GINT64_CONSTANT (1000) << 31, hour_us = G_GINT64_CONSTANT (3600000000);
  const gint64 at = wrap_us * (g_get_monotonic_time () / wrap_us + 2);
  const gint64 days[][2] = { { at - hour_us, at + hour_us },
    { at + hour_us, at + wrap_us + hour_us }, { at + 2 * wrap_us - hour_us, at + 2 * wrap_us } };

  for (guint i = 0; i < G_N_ELEMENTS (days); i++) {
    gst_gles_cpu_set_clock (days[i][0]);
    g_thread_join (g_thread_new (NULL, call_once, NULL));
    g_assert_cmpint (gst_gles_cpu_n_available (), ==, 2);
    gst_gles_cpu_set_clock (days[i][1]);
    g_assert_cmpint (gst_gles_cpu_n_available (), ==, 4);
  }
}
#endif

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* so that a machine with one processor tests the same */
  g_setenv ("GST_GLES_CPU_THREADS", "4", TRUE);
  gst_init (&argc, &argv);
  g_test_add_func ("/pool/every-task-runs-once", every_task_runs_once);
  g_test_add_func ("/pool/calls-from-several-threads", calls_from_several_threads);
  g_test_add_func ("/pool/more-than-one-thread-works", more_than_one_thread_works);
  g_test_add_func ("/pool/many-callers-work-alone", many_callers_work_alone);
#ifdef GST_GLES_TEST_HOOKS
  g_test_add_func ("/pool/uptime-of-weeks", uptime_of_weeks);
#endif
  return g_test_run ();
}
