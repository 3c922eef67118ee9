/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the device thread share: thread.c starts and ends it, thread-loop.c is what it does,
 * thread-wait.c what others ask of it. */
#ifndef GST_GLES_THREAD_PRIVATE_H
#define GST_GLES_THREAD_PRIVATE_H

#include <gst/gles/device/share.h>
#include <gst/gles/device/thread.h>

/* Pieces of work that may wait to be executed. Whoever hands over more waits: they hold memory. */
#define GST_GLES_THREAD_MAX_QUEUED 256

/* Somebody waits for the answer of a function. */
typedef struct _GstGlesCall GstGlesCall;
struct _GstGlesCall {
  GstGlesThreadFunc func;
  gpointer data;
  GError **error;
  gboolean result, answered;
  GCond cond;
  GstGlesCall *next;
};

/* Somebody waits for a place in the timeline. */
typedef struct _GstGlesWaitPoint GstGlesWaitPoint;
struct _GstGlesWaitPoint {
  GstGlesSerial serial;
  GCond cond;
  GstGlesWaitPoint *next;
};

struct _GstGlesThread {
  GstGlesShare *share;
  GThread *thread;
  GstGlesThreadFunc open;
  void (*after) (GstGlesShare *share); /* set when the thread ends itself */
  pid_t pid;

  gsize completed; /* atomic: serial of the newest complete work */
  gint n_waiters;  /* atomic */
  gint news;    /* atomic: calls, work, discarded objects, a loss or the end are to be looked at */
  gint abandon; /* atomic: the process exits: what is queued is not executed any more */

  GMutex submit_lock; /* held while work gets its number; taken before the other */
  GstGlesSerial last_serial;

  GMutex lock;
  GCond wake;  /* news was set while the thread slept */
  GCond space; /* the queue was taken */
  GCond opened;
  gboolean is_open, sleeping, stop, finished;
  GstGlesCall *calls, **last_call;
  GstGlesWork *queued, **last_queued;
  guint n_queued;
  GstGlesWaitPoint *waiters;

  /* of the thread itself */
  GstGlesWork *pending,
      **last_pending;  /* executed, not yet complete; the last of a batch has a fence */
  guint n_unfenced;    /* of those behind the newest fence */
  gint64 completed_us; /* when the newest of them was */
  gint64 expected_us;  /* what work has taken lately */
};

/* On the thread: until it is to end. */
void gst_gles_thread_loop (GstGlesThread *thread);

/* On the thread: answers the calls that are waiting. */
void gst_gles_thread_answer_calls (GstGlesThread *thread);

/* gst_gles_thread_notify() under the lock. */
void gst_gles_thread_notify_locked (GstGlesThread *thread);

/* Under the lock: wakes those whose work is complete, or all of them. */
void gst_gles_thread_wake_waiters (GstGlesThread *thread, gboolean all_of_them);

#endif
