/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The thread that owns a device's OpenGL ES context.
 *
 * The context is current on this thread from the opening of the device to its end, and on no other
 * thread. Every call of GL and EGL is made here, so that the callers' EGL state is never touched.
 * Other threads hand it two kinds of things: work, which is queued, executed in order and reported
 * when the device has finished it; and calls, which somebody waits for.
 *
 * Work is numbered in the order in which it is submitted. The numbers (serials) are the device's
 * timeline: the thread inserts fences behind work and publishes the serial of the newest complete
 * work. A waiter needs nothing but a serial. */
#ifndef GST_GLES_THREAD_H
#define GST_GLES_THREAD_H

#include <gst/gles/device/share.h>

G_BEGIN_DECLS

typedef struct _GstGlesWork GstGlesWork;

/* A position in the device's timeline; 0 is before all work. Serials may wrap on 32-bit
 * machines. */
typedef gsize GstGlesSerial;

/* Embedded in the object that is submitted. The owner sets the functions; the rest belongs to the
 * thread until done() is called. */
struct _GstGlesWork {
  /* Called on the submitting thread as soon as the serial is known, before the work can be
   * executed. A lock is held: the function may only record the serial. */
  void (*queued) (GstGlesWork *work);
  /* Called on the device's thread: issues the GL commands of this work, and may issue those of the
   * works behind it, which are linked by next up to NULL: at most @n in all. Sets the error of each
   * that fails. Returns how many were executed, at least one. All works of a thread have the same
   * function. */
  guint (*execute) (GstGlesWork *work, guint n);
  /* Called on the device's thread, once, in order of serials: the device has finished the work, or
   * it failed with @error. Called before the serial is published. The work belongs to its owner
   * again. */
  void (*done) (GstGlesWork *work, const GError *error);

  GstGlesWork *next;
  GstGlesSerial serial;
  gpointer fence; /* GLsync; NULL: a later fence covers the work */
  gint64 executed_us;
  GError *error;
};

/* A function that runs on the device's thread. */
typedef gboolean (*GstGlesThreadFunc) (gpointer data, GError **error);

/* Starts the thread of @share, which first calls @open (@share), and waits until that returns.
 * Returns: (transfer full): ended with gst_gles_thread_end(); NULL with @open's error. */
GstGlesThread *gst_gles_thread_new (GstGlesShare *share, GstGlesThreadFunc open, GError **error);

/* Ends the thread when all submitted work is done, then calls @after (@share). Called on another
 * thread, this waits; called on the thread itself, it returns, and @after is called when the thread
 * ends. */
void gst_gles_thread_end (GstGlesThread *thread, void (*after) (GstGlesShare *share));

/* Submits @work. Does not wait unless the queue is full (GST_GLES_THREAD_MAX_QUEUED). Thread:
 * any. */
GstGlesSerial gst_gles_thread_submit (GstGlesThread *thread, GstGlesWork *work);

/* Calls @func (@data) on the thread, between two pieces of work, and waits until it returns. On a
 * lost device @func is not called. Thread: any, the device's own included. Errors: DEVICE_LOST, and
 * those of @func. */
gboolean gst_gles_thread_call (
    GstGlesThread *thread, GstGlesThreadFunc func, gpointer data, GError **error);

/* Whether all work up to @serial is complete. Thread: any; never waits. */
gboolean gst_gles_thread_is_done (GstGlesThread *thread, GstGlesSerial serial);

/* Waits until all work up to @serial is complete, successful or not, at most @timeout_ns (0 does
 * not wait; GST_GLES_WAIT_FOREVER). Thread: any but the device's own. Errors: TIMEOUT,
 * DEVICE_LOST. */
gboolean gst_gles_thread_wait (
    GstGlesThread *thread, GstGlesSerial serial, guint64 timeout_ns, GError **error);

/* Waits until done() of all work up to @serial has returned, even if the device is lost: for
 * callers that lent the work memory. Thread: any but the device's own. */
void gst_gles_thread_wait_until_reported (GstGlesThread *thread, GstGlesSerial serial);

/* Makes the thread look for discarded objects and a lost device. Thread: any. */
void gst_gles_thread_notify (GstGlesThread *thread);

/* Registers the exit handler that ends the threads, so that it runs before all handlers that are
 * registered so far. Called on the device's thread when the driver may have registered some. */
void gst_gles_thread_register_exit_handler (void);

/* Whether the caller runs on @thread. */
gboolean gst_gles_thread_is_current (GstGlesThread *thread);

G_END_DECLS

#endif
