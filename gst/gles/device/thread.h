/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The thread that owns a device's OpenGL ES context.
 *
 * The context is current on this thread from the opening of the device to its end, and on no other
 * thread. Every call of GL and EGL is made here, so that the callers' EGL state is never touched.
 * Other threads hand it two kinds of things: work, which is queued, executed in order and reported
 * when the device has finished it; and calls, which somebody waits for.
 *
 * Work is numbered in the order in which it is handed over. The numbers are the device's timeline:
 * the thread keeps a fence behind each piece of work and publishes the number of the newest one that
 * is complete. A number is all that a waiter needs. */
#ifndef GST_GLES_THREAD_H
#define GST_GLES_THREAD_H

#include <gst/gles/device/device.h>

G_BEGIN_DECLS

typedef struct _GstGlesShare GstGlesShare;
typedef struct _GstGlesThread GstGlesThread;
typedef struct _GstGlesWork GstGlesWork;

/* A place in the device's timeline; 0 is before all work. Numbers may wrap on 32-bit machines. */
typedef gsize GstGlesSerial;

/* Embedded in what is handed over. The owner sets the functions; the rest is the thread's until done()
 * is called. */
struct _GstGlesWork {
  /* On the thread that hands @work over, as soon as its serial is known and before anything else can
   * happen to it. A lock is held: this only takes note. */
  void (*queued) (GstGlesWork *work);
  /* On the thread: issues the work's GL commands. FALSE with @error: the work has failed. */
  gboolean (*execute) (GstGlesWork *work, GError **error);
  /* On the thread, once, in order: the device has finished the work, or it failed with @error. Called
   * before the serial is published. The work belongs to its owner again. */
  void (*done) (GstGlesWork *work, const GError *error);

  GstGlesWork *next;
  GstGlesSerial serial;
  gpointer fence; /* GLsync; NULL: nothing to wait for */
  gint64 executed_us;
  GError *error;
};

/* Opens or closes what the thread works with; on the thread. */
typedef gboolean (*GstGlesThreadFunc) (gpointer data, GError **error);

/* Starts the thread of @share, which calls @open (@share) first and waits for its answer.
 * Returns: (transfer full): ended with gst_gles_thread_end(); NULL with @open's error. */
GstGlesThread *gst_gles_thread_new (GstGlesShare *share, GstGlesThreadFunc open, GError **error);

/* Ends the thread when all that was handed over is done; then calls @after (@share). On any other
 * thread this waits; on the thread itself it returns, and @after is called when the thread ends. */
void gst_gles_thread_end (GstGlesThread *thread, void (*after) (GstGlesShare *share));

/* Hands @work over. Does not wait, unless so much is waiting to be executed that the caller would
 * only fill memory. Thread: any. */
GstGlesSerial gst_gles_thread_submit (GstGlesThread *thread, GstGlesWork *work);

/* Calls @func (@data) on the thread, between two pieces of work, and waits for its answer. On a lost
 * device @func is not called. Thread: any, the thread itself included. Errors: DEVICE_LOST, and
 * those of @func. */
gboolean gst_gles_thread_call (
    GstGlesThread *thread, GstGlesThreadFunc func, gpointer data, GError **error);

/* Whether all work up to @serial is complete. Thread: any; never waits. */
gboolean gst_gles_thread_is_done (GstGlesThread *thread, GstGlesSerial serial);

/* Waits until all work up to @serial is complete, whether it succeeded or not, at most @timeout_ns
 * (0 asks, GST_GLES_WAIT_FOREVER). Thread: any but the thread itself. Errors: TIMEOUT, DEVICE_LOST. */
gboolean gst_gles_thread_wait (
    GstGlesThread *thread, GstGlesSerial serial, guint64 timeout_ns, GError **error);

/* Waits until all work up to @serial has been told to be done, also on a lost device: for who lent the
 * work memory. Thread: any but the thread itself. */
void gst_gles_thread_wait_until_told (GstGlesThread *thread, GstGlesSerial serial);

/* Makes the thread look after discarded objects or a lost device. Thread: any. */
void gst_gles_thread_notify (GstGlesThread *thread);

/* Makes the end of the process, from here on, end the threads before it calls the exit handlers that are
 * registered so far. On the thread, when the driver may have registered some. */
void gst_gles_thread_register_exit_handler (void);

/* Whether the caller runs on @thread. */
gboolean gst_gles_thread_is_current (GstGlesThread *thread);

G_END_DECLS

#endif
