/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A queue as the gl layer sees it: a name for submissions whose errors belong together. */
#ifndef GST_GLES_QUEUE_PRIVATE_H
#define GST_GLES_QUEUE_PRIVATE_H

#include <gst/gles/device/share.h>

struct _GstGlesQueue {
  GstObject parent;

  GstGlesShare *share;
  GWeakRef device;            /* of the default queue, which the device owns */
  GstGlesDevice *held_device; /* of every other queue */

  gsize last_serial; /* atomic: of the newest submission */

  GMutex lock;
  GError *failure; /* the first that gst_gles_queue_finish() has not told of */
  void (*on_failure) (const GError *error, gpointer user_data);
  gpointer on_failure_data;
};

/* A queue on @share; with @device it keeps it. */
GstGlesQueue *gst_gles_queue_create (GstGlesShare *share, GstGlesDevice *device);

#endif
