/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The threads that native code of this process shares. */
#ifndef GST_GLES_POOL_THREADS_H
#define GST_GLES_POOL_THREADS_H

#include <glib.h>

G_BEGIN_DECLS

/* Does task @task of a parallel call. @participant numbers the threads that work on the call, below
 * gst_gles_cpu_n_threads(); no two of them have the same number at the same time or at different
 * times of one call, so it can index memory of their own. */
typedef void (*GstGlesCpuFunc) (guint task, guint participant, gpointer user_data);

#define GST_GLES_CPU_MAX_THREADS 256

/* How many threads a parallel call uses at most, the caller among them: one per processor this
 * process may run on, or GST_GLES_CPU_THREADS (1 to GST_GLES_CPU_MAX_THREADS). Thread: any. */
guint gst_gles_cpu_n_threads (void);

/* How many threads a parallel call of this thread would use now: all where it is the only one that makes
 * such calls, its share where others have made some lately (within 20 ms), down to itself alone. Streams
 * that each have a thread of their own would only wake each other up. Thread: any. */
guint gst_gles_cpu_n_available (void);

/* Calls @func for every task from 0 to @n_tasks - 1, each once, handed out in that order, and returns
 * when all are done. The caller works too, and alone if no other thread is free: it never waits for
 * anything but tasks that run, so calls from several threads, and from inside a task, are fine. What
 * tasks wrote is visible to the caller afterwards. Thread: any. */
void gst_gles_cpu_parallel (guint n_tasks, GstGlesCpuFunc func, gpointer user_data);

G_END_DECLS

#endif
