/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Devices of pipelines, which all cameras of a process share: ours, and those of CUDA and GL. */
#ifndef WATCH_CONTEXTS_H
#define WATCH_CONTEXTS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* A pipeline that shares devices. */
typedef struct {
  const gchar *device; /* the device on which it analyses frames */
  /* atomic: once set, the pipeline waits for no other one; set before watch_contexts_unshare() is
   * called */
  gint *cut;
} WatchSharer;

/* To be called synchronously for each @message on the @bus of a pipeline: gives its elements the
 * devices that other pipelines have opened. An element refuses a device that is lost. */
void watch_contexts_on_message (GstBus *bus, GstMessage *message, const WatchSharer *sharer);
/* To be called when the pipeline of @bus is told to end. It may not have opened the device that
 * others wait for; these stop waiting for it. Does not wait. */
void watch_contexts_unshare (GstBus *bus);
/* Forgets all. */
void watch_contexts_clear (void);

G_END_DECLS

#endif
