/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A queue as the gl layer sees it: an EGL context, a lock, and who was current before. */
#ifndef GST_GLES_QUEUE_PRIVATE_H
#define GST_GLES_QUEUE_PRIVATE_H

#include <gst/gles/device/share.h>

struct _GstGlesQueue {
  GstObject parent;

  GstGlesShare *share;
  GWeakRef device;            /* of the default queue, which the device owns */
  GstGlesDevice *held_device; /* of every other queue */
  EGLContext context;         /* EGL_NO_CONTEXT on cpu */
  guint serial;               /* process-wide, never reused: names the queue in hazards */

  GRecMutex lock;
  guint depth;      /* nested enters of the thread that holds the lock */
  gboolean flushed; /* nothing was queued since the last flush: releasing the context does not */
  EGLenum saved_api;
  EGLDisplay saved_display;
  EGLContext saved_context;
  EGLSurface saved_draw, saved_read;

  gpointer gl; /* of gl/submission.c */
  GDestroyNotify gl_destroy;
};

/* A queue on @share; with @device it keeps it. The first becomes the share group's root. */
GstGlesQueue *gst_gles_queue_create (GstGlesShare *share, GstGlesDevice *device, GError **error);

/* Locks @queue and makes its context current on this thread; nests. To be followed by
 * gst_gles_queue_leave() on the same thread when TRUE is returned. Errors: DEVICE_LOST. */
gboolean gst_gles_queue_enter (GstGlesQueue *queue, GError **error);
void gst_gles_queue_leave (GstGlesQueue *queue);

/* With the context current: asks the driver whether the GPU was reset, FALSE with DEVICE_LOST. */
gboolean gst_gles_queue_check_reset (GstGlesQueue *queue, GError **error);

#endif
