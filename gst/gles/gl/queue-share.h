/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A queue: the submissions whose errors are reported together. */
#ifndef GST_GLES_QUEUE_SHARE_H
#define GST_GLES_QUEUE_SHARE_H

#include <gst/gles/device/device-share.h>
#include <gst/gles/device/thread.h>
#include <gst/gles/gl/queue.h>

struct _GstGlesQueue {
  GstObject parent;

  GstGlesShare *share;
  GWeakRef device;            /* set for the default queue, which the device owns */
  GstGlesDevice *held_device; /* set for every other queue */

  gsize last_serial; /* atomic: of the newest submission */

  GMutex lock;
  GError *failure; /* the first that gst_gles_queue_finish() has not yet reported */
  void (*on_failure) (const GError *error, gpointer user_data);
  gpointer on_failure_data;
};

/* Ask or wait whether the submission of @serial is complete; serial 0 always is. Errors: as
 * gst_gles_thread_wait(). */
gboolean gst_gles_queue_is_done (GstGlesQueue *queue, GstGlesSerial serial);
gboolean gst_gles_queue_wait (
    GstGlesQueue *queue, GstGlesSerial serial, guint64 timeout_ns, GError **error);

#endif
