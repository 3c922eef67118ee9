/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Devices of pipelines, which all cameras of a process share: ours, and those of CUDA and GL. */
#ifndef WATCH_CONTEXTS_H
#define WATCH_CONTEXTS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Has the elements of the pipeline of @bus share what those of others have, if they are to analyse
 * on the same @device, which must outlive @bus. An element does not take a device that is lost. */
void watch_contexts_share (GstBus *bus, const gchar *device);
/* The pipeline of @bus has ended, maybe before it opened what others wait for. */
void watch_contexts_unshare (GstBus *bus);
/* Forgets all. No pipeline runs. */
void watch_contexts_clear (void);

G_END_DECLS

#endif
