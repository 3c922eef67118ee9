/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Devices of pipelines, which all cameras of a process share: ours, and those of CUDA and GL. */
#ifndef WATCH_CONTEXTS_H
#define WATCH_CONTEXTS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* A pipeline that shares devices. */
typedef struct {
  const gchar *device; /* where it analyses */
  gint *cut;           /* atomic: set before watch_contexts_unshare(), it waits no more */
} WatchSharer;

/* Called synchronously for each @message on the @bus of a pipeline: has its elements share what
 * those of others have. An element does not take a device that is lost. */
void watch_contexts_on_message (GstBus *bus, GstMessage *message, const WatchSharer *sharer);
/* The pipeline of @bus ends, maybe before it opened what others wait for, and maybe never. Does not
 * wait. */
void watch_contexts_unshare (GstBus *bus);
/* Forgets all. */
void watch_contexts_clear (void);

G_END_DECLS

#endif
