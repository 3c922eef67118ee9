/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the files of the device thread: thread.c (start and end), thread-loop.c (its loop) and
 * thread-wait.c (requests of other threads). */
#ifndef GST_GLES_THREAD_PRIVATE_H
#define GST_GLES_THREAD_PRIVATE_H

#include <gst/gles/device/thread.h>

/* The largest number of queued pieces of work. A submitter waits beyond it, since each holds
 * memory. */
#define GST_GLES_THREAD_MAX_QUEUED 256

/* A function that another thread has the device's thread call, on that thread's stack. */
typedef struct _GstGlesCall GstGlesCall;
struct _GstGlesCall {
  GstGlesThreadFunc func;
  gpointer data;
  GError **error;
  gboolean result, answered;
  GCond cond;
  GstGlesCall *next;
};

/* A thread that waits for a serial. */
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
  void (*after) (GstGlesShare *share); /* set when the thread was ended from inside itself */
  pid_t pid;

  gsize completed; /* atomic: serial of the newest complete work */
  gint n_waiters;  /* atomic */
  gint has_news;   /* atomic: a call, work, a discarded object, a loss or the end is pending */
  gint abandon;    /* atomic: the process exits; queued work is dropped */

  GMutex submit_lock; /* held while a serial is assigned; taken before lock */
  GstGlesSerial last_serial;

  GMutex lock;
  GCond wake;  /* has_news was set while the thread slept */
  GCond space; /* the thread executed queued work */
  GCond opened;
  gboolean is_open, sleeping, stop, finished;
  GstGlesCall *calls, **last_call;
  GstGlesWork *queued, **last_queued;
  guint n_queued; /* work that was not executed yet, taken from this list or not */
  GstGlesWaitPoint *waiters;

  /* used on the device's thread only: */
  GstGlesWork *pending,
      **last_pending;  /* executed, not yet complete; the last of a batch has a fence */
  guint n_unfenced;    /* pending work after the newest fence */
  guint n_fences;      /* of pending work */
  gint64 completed_us; /* time of the last completion */
  gint64 expected_us;  /* moving average of the duration of work */
};

/* Runs the loop on the device's thread until the thread is to end. */
void gst_gles_thread_loop (GstGlesThread *thread);

/* On the device's thread: answers the waiting calls. */
void gst_gles_thread_answer_calls (GstGlesThread *thread);

/* gst_gles_thread_notify() for a caller that holds the lock. */
void gst_gles_thread_notify_locked (GstGlesThread *thread);

/* Wakes the waiters whose work is complete, or all of them. Call with the lock held. */
void gst_gles_thread_wake_waiters (GstGlesThread *thread, gboolean wake_all);

#endif
