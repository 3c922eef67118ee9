/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A point in a queue's work that any thread can wait for, with or without a GL context: an EGL fence,
 * or a GL fence that a thread of the device waits for (gl/watcher.c). */
#ifndef GST_GLES_SYNC_H
#define GST_GLES_SYNC_H

#include <gst/gles/gl/queue.h>

G_BEGIN_DECLS

typedef struct _GstGlesSync GstGlesSync;

GstGlesSync *gst_gles_sync_ref (GstGlesSync *sync);
/* NULL is safe. Thread: any; needs no context. */
void gst_gles_sync_unref (GstGlesSync *sync);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesSync, gst_gles_sync_unref)

/* Waits until the work before @sync is done, at most @timeout_ns nanoseconds (0 polls). NULL is
 * work that is done already. Errors: TIMEOUT, DEVICE_LOST. Thread: any; needs no context. */
gboolean gst_gles_sync_wait (GstGlesSync *sync, guint64 timeout_ns, GError **error);

/* Whether @sync is known to be done, without asking the driver twice once it is. */
gboolean gst_gles_sync_is_done (GstGlesSync *sync);

G_END_DECLS

#endif
