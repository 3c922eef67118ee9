/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A thread of an element that waits for results in order, so that the streaming thread need not. */
#ifndef GST_GLES_WAITER_H
#define GST_GLES_WAITER_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _GstGlesWaiter GstGlesWaiter;

/* Called on the waiter's thread, once per job, in the order in which jobs were pushed. May wait. */
typedef void (*GstGlesWaitFunc) (gpointer job, gpointer user_data);

/* Makes a waiter without a thread; the first job starts it. */
GstGlesWaiter *gst_gles_waiter_new (
    const gchar *name, GstGlesWaitFunc func, GDestroyNotify free_job, gpointer user_data);

/* Stops @waiter and frees it. NULL is safe. */
void gst_gles_waiter_free (GstGlesWaiter *waiter);

/* Drops jobs that have not begun, waits for one that has, and ends the thread. The next job starts
 * another thread. Thread: the one that pushes. */
void gst_gles_waiter_stop (GstGlesWaiter *waiter);

/* Appends @job, which the waiter owns from now on. FALSE with @error: there can be no thread, and
 * @job was freed. Thread: one at a time. */
gboolean gst_gles_waiter_push (GstGlesWaiter *waiter, gpointer job, GError **error);

/* Waits until every job pushed so far is done. Thread: any but the waiter's own. */
void gst_gles_waiter_drain (GstGlesWaiter *waiter);

/* Drops every job that has not begun; does not wait for one that has. Thread: any. */
void gst_gles_waiter_flush (GstGlesWaiter *waiter);

G_END_DECLS

#endif
