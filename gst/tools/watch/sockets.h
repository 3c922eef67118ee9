/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The connections of a pipeline, as rtspsrc does not give up one that goes on sending: it reads the
 * head of an answer without a bound, in a thread that cannot be ended. */
#ifndef WATCH_SOCKETS_H
#define WATCH_SOCKETS_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _WatchSockets WatchSockets;

WatchSockets *watch_sockets_new (void);
/* The connections stay as they are. */
void watch_sockets_unref (WatchSockets *self);
/* Called synchronously for each @message on the bus of the pipeline, which tells what threads
 * connect for it. */
void watch_sockets_on_message (WatchSockets *self, GstMessage *message);
/* Ends all connections, those that come as well. Any thread; does not wait. */
void watch_sockets_shut (WatchSockets *self);
/* Returns how many bytes have come by the connections that are open. Any thread. */
guint64 watch_sockets_get_received (WatchSockets *self);

G_END_DECLS

#endif
