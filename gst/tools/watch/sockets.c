/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rtspsrc says on the bus that it connects, in the thread that does so, and GSocketClient tells
 * what it has connected in the same thread. Elements give no other access to their sockets. */
#include "sockets.h"

#include <gio/gio.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

struct _WatchSockets {
  GMutex lock;        /* of what follows: */
  GPtrArray *sockets; /* of GSocket */
  gboolean shut;
};

static void
release (gpointer data)
{
  watch_sockets_unref (data);
}

/* Whom the connections of a thread belong to. */
static GPrivate owner = G_PRIVATE_INIT (release);

WatchSockets *
watch_sockets_new (void)
{
  WatchSockets *self = g_atomic_rc_box_new0 (WatchSockets);

  g_mutex_init (&self->lock);
  self->sockets = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

static void
clear (gpointer data)
{
  WatchSockets *self = data;

  g_ptr_array_unref (self->sockets);
  g_mutex_clear (&self->lock);
}

void
watch_sockets_unref (WatchSockets *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/* With the lock. Forgets what the element has closed. */
static void
forget_closed (WatchSockets *self)
{
  for (guint i = self->sockets->len; i > 0; i--) {
    if (g_socket_is_closed (self->sockets->pdata[i - 1]))
      g_ptr_array_remove_index_fast (self->sockets, i - 1);
  }
}

static gboolean
on_event (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer user_data)
{
  WatchSockets *self = g_private_get (&owner);
  GObject *connection = g_value_get_object (&values[3]);
  GSocket *socket;

  if (self == NULL || g_value_get_enum (&values[1]) != G_SOCKET_CLIENT_CONNECTED ||
      !G_IS_SOCKET_CONNECTION (connection))
    return TRUE;
  socket = g_socket_connection_get_socket (G_SOCKET_CONNECTION (connection));
  g_mutex_lock (&self->lock);
  forget_closed (self);
  g_ptr_array_add (self->sockets, g_object_ref (socket));
  if (self->shut)
    g_socket_shutdown (socket, TRUE, TRUE, NULL);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

static gpointer
add_hook (gpointer unused)
{
  g_type_class_ref (G_TYPE_SOCKET_CLIENT);
  g_signal_add_emission_hook (
      g_signal_lookup ("event", G_TYPE_SOCKET_CLIENT), 0, on_event, NULL, NULL);
  return NULL;
}

void
watch_sockets_on_message (WatchSockets *self, GstMessage *message)
{
  static GOnce once = G_ONCE_INIT;
  GstStreamStatusType type;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_PROGRESS) {
    g_once (&once, add_hook, NULL);
    g_private_replace (&owner, g_atomic_rc_box_acquire (self));
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_STREAM_STATUS) {
    gst_message_parse_stream_status (message, &type, NULL);
    /* threads of a pool work for others later */
    if (type == GST_STREAM_STATUS_TYPE_ENTER)
      g_private_replace (&owner, NULL);
  }
}

void
watch_sockets_shut (WatchSockets *self)
{
  g_mutex_lock (&self->lock);
  self->shut = TRUE;
  forget_closed (self);
  for (guint i = 0; i < self->sockets->len; i++)
    g_socket_shutdown (self->sockets->pdata[i], TRUE, TRUE, NULL);
  g_mutex_unlock (&self->lock);
}

guint64
watch_sockets_get_received (WatchSockets *self)
{
  guint64 received = 0;

  g_mutex_lock (&self->lock);
  forget_closed (self);
  for (guint i = 0; i < self->sockets->len; i++) {
    struct tcp_info info = { 0 };
    socklen_t size = sizeof info;

    if (getsockopt (
            g_socket_get_fd (self->sockets->pdata[i]), IPPROTO_TCP, TCP_INFO, &info, &size) == 0)
      received += info.tcpi_bytes_received;
  }
  g_mutex_unlock (&self->lock);
  return received;
}
