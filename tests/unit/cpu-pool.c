/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>

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
      fail ("task %u of %u ran %d times", i, n_tasks, call->done[i]);
  }
  fail_unless_equals_int (call->clashes, 0);
}

GST_START_TEST (every_task_runs_once)
{
  for (guint n = 0; n < 20; n++)
    check_call (n, 0);
  for (guint i = 0; i < 50; i++)
    check_call (N_TASKS, 0);
}
GST_END_TEST;

GST_START_TEST (tasks_may_make_calls)
{
  check_call (N_TASKS, 3);
}
GST_END_TEST;

static gpointer
call_often (gpointer data)
{
  for (guint i = 0; i < 200; i++)
    check_call (1 + i % 37, i % 2);
  return NULL;
}

GST_START_TEST (calls_from_several_threads)
{
  GThread *threads[8];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new (NULL, call_often, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}
GST_END_TEST;

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

GST_START_TEST (more_than_one_thread_works)
{
  gint arrived = 0;

  g_usleep (FORGOTTEN_US);
  fail_unless (gst_gles_cpu_n_threads () >= 2);
  gst_gles_cpu_parallel (2, meet, &arrived);
  fail_unless_equals_int (arrived, 2);
}
GST_END_TEST;

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
  g_usleep (50);
}

/* Calls of each thread, beside those of the others, that are counted. */
#define N_COUNTED 500

static gint n_calling, n_counted;
static gint n_done, n_by_others; /* atomic: tasks since all callers had arrived */

static gpointer
call_beside_others (gpointer data)
{
  Alone alone = { g_thread_self (), 0 };

  gst_gles_cpu_parallel (8, count_strangers, &alone);
  g_atomic_int_inc (&n_calling);
  while (g_atomic_int_get (&n_calling) < 4)
    gst_gles_cpu_parallel (8, count_strangers, &alone);
  g_atomic_int_set (&alone.strangers, 0);
  for (guint i = 0; i < N_COUNTED; i++)
    gst_gles_cpu_parallel (8, count_strangers, &alone);
  g_atomic_int_add (&n_done, 8 * N_COUNTED);
  g_atomic_int_add (&n_by_others, g_atomic_int_get (&alone.strangers));
  /* the others are still counting */
  g_atomic_int_inc (&n_counted);
  while (g_atomic_int_get (&n_counted) < 4)
    gst_gles_cpu_parallel (8, count_strangers, &alone);
  return NULL;
}

/* With as many callers as threads, no worker is woken. */
GST_START_TEST (many_callers_work_alone)
{
  GThread *threads[4];

  g_usleep (FORGOTTEN_US);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new (NULL, call_beside_others, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  /* A thread that a busy system suspends for 20 ms does not count as a caller for a moment. */
  fail_unless (n_by_others < n_done / 4, "%d of %d tasks were done by others", n_by_others, n_done);
}
GST_END_TEST;

#ifdef GST_GLES_TEST_HOOKS
static gpointer
call_once (gpointer data)
{
  gst_gles_cpu_n_available ();
  return NULL;
}

/* A thread that made its last call days ago is no caller, however long the machine has run: 2^31 ms
 * are 24.9 days. Afterwards the clock is behind recorded times, so this test is the last. */
GST_START_TEST (uptime_of_weeks)
{
  const gint64 wrap_us = G_GINT64_CONSTANT (1000) << 31, hour_us = G_GINT64_CONSTANT (3600000000);
  const gint64 at = wrap_us * (g_get_monotonic_time () / wrap_us + 2);
  const gint64 days[][2] = { { at - hour_us, at + hour_us },
    { at + hour_us, at + wrap_us + hour_us }, { at + 2 * wrap_us - hour_us, at + 2 * wrap_us } };

  for (guint i = 0; i < G_N_ELEMENTS (days); i++) {
    gst_gles_cpu_set_clock (days[i][0]);
    g_thread_join (g_thread_new (NULL, call_once, NULL));
    fail_unless_equals_int (gst_gles_cpu_n_available (), 2);
    gst_gles_cpu_set_clock (days[i][1]);
    fail_unless_equals_int (gst_gles_cpu_n_available (), 4);
  }
}
GST_END_TEST;
#endif

static Suite *
cpu_pool_suite (void)
{
  Suite *suite = suite_create ("cpu-pool");
  TCase *tcase = tcase_create ("cpu-pool");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, every_task_runs_once);
  tcase_add_test (tcase, tasks_may_make_calls);
  tcase_add_test (tcase, calls_from_several_threads);
  tcase_add_test (tcase, more_than_one_thread_works);
  tcase_add_test (tcase, many_callers_work_alone);
#ifdef GST_GLES_TEST_HOOKS
  tcase_add_test (tcase, uptime_of_weeks);
#endif
  return suite;
}

int
main (int argc, char **argv)
{
  /* so that a machine with one processor tests the same */
  g_setenv ("GST_GLES_CPU_THREADS", "4", TRUE);
  gst_check_init (&argc, &argv);
  return gst_check_run_suite (cpu_pool_suite (), "cpu-pool", __FILE__);
}
