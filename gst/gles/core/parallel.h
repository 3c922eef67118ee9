/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The thread pool of the native code, one per process. */
#ifndef GST_GLES_PARALLEL_H
#define GST_GLES_PARALLEL_H

#include <glib.h>

G_BEGIN_DECLS

/* Executes task @task of a parallel call. @participant numbers the threads that work on the call,
 * below gst_gles_cpu_n_threads(). Within a call the number belongs to one thread, so it can index
 * memory that is private to the thread. */
typedef void (*GstGlesCpuFunc) (guint task, guint participant, gpointer user_data);

#define GST_GLES_CPU_MAX_THREADS 256

/* The largest number of threads that a parallel call uses, the caller included: one per processor
 * that the process may run on, or GST_GLES_CPU_THREADS (1 to GST_GLES_CPU_MAX_THREADS). Thread:
 * any. */
guint gst_gles_cpu_n_threads (void);

/* The number of threads that a parallel call of this thread would use now. If other threads have
 * made parallel calls within the last 20 ms, each gets an equal share, at least 1: streams with a
 * thread each already keep the processors busy, and would only wake each other's workers. Thread:
 * any. */
guint gst_gles_cpu_n_available (void);

#ifdef GST_GLES_TEST_HOOKS
/* What the clock says from now on, in microseconds since the machine started; 0: the truth. Thread:
 * any, while no other makes parallel calls. */
void gst_gles_cpu_set_clock (gint64 time_us);
#endif

/* Calls @func once for every task from 0 to @n_tasks - 1, handed out in that order, and returns
 * when all are done. The caller works too, alone if no other thread is free, and waits only for
 * tasks that are running: calls from several threads and from inside a task cannot deadlock. Memory
 * that tasks wrote is visible to the caller afterwards. Thread: any. */
void gst_gles_cpu_parallel (guint n_tasks, GstGlesCpuFunc func, gpointer user_data);

G_END_DECLS

#endif
