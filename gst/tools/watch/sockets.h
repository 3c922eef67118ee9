/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The connections of a pipeline, so that they can be shut down. rtspsrc does not end one whose peer
 * goes on sending: it reads the header of an answer without a limit, in a thread that nothing can
 * end. */
#ifndef WATCH_SOCKETS_H
#define WATCH_SOCKETS_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _WatchSockets WatchSockets;

WatchSockets *watch_sockets_new (void);
/* Connections are not closed by this. */
void watch_sockets_unref (WatchSockets *self);
/* To be called synchronously for each @message on the bus of the pipeline, from which this learns
 * which threads connect for it. */
void watch_sockets_on_message (WatchSockets *self, GstMessage *message);
/* Shuts down all connections, and each that is made from now on. Any thread; does not wait. */
void watch_sockets_shut (WatchSockets *self);
/* Returns how many bytes have come by the connections that are open. Any thread. */
guint64 watch_sockets_get_received (WatchSockets *self);

G_END_DECLS

#endif
