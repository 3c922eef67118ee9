/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SoupServer has no bound for connections: they are accepted here and handed to it. */
#include "http.h"

#include <libsoup/soup.h>

#define MAX_CLIENTS 32 /* the oldest is disconnected for another */
#define BACKLOG 128
#define CLIENT_S 10 /* from the connection to its end */

struct _WatchHttp {
  WatchHttpPage page;
  SoupServer *server;
  GSocketService *service;
  GQueue clients; /* of Client, the oldest first */
};

/* Lives as long as its connection, or the server. */
typedef struct {
  WatchHttp *http;
  GSocketConnection *connection; /* not owned */
  GSocketAddress *remote;
  guint timeout;
} Client;

/* ---- clients ---- */

/* Has the server read the end of the connection. */
static void
disconnect (Client *client)
{
  g_socket_shutdown (g_socket_connection_get_socket (client->connection), TRUE, TRUE, NULL);
}

static gboolean
on_time (gpointer user_data)
{
  Client *client = user_data;

  client->timeout = 0;
  disconnect (client);
  return G_SOURCE_REMOVE;
}

static void
on_gone (gpointer user_data, GObject *connection)
{
  Client *client = user_data;

  g_queue_remove (&client->http->clients, client);
  g_clear_handle_id (&client->timeout, g_source_remove);
  g_object_unref (client->remote);
  g_free (client);
}

static gboolean
on_incoming (
    GSocketService *service, GSocketConnection *connection, GObject *source, gpointer user_data)
{
  WatchHttp *self = user_data;
  g_autoptr (GSocketAddress) local = g_socket_connection_get_local_address (connection, NULL);
  g_autoptr (GSocketAddress) remote = g_socket_connection_get_remote_address (connection, NULL);
  Client *client;
  guint n;

  if (local == NULL || remote == NULL)
    return TRUE;
  client = g_new0 (Client, 1);
  client->http = self;
  client->connection = connection;
  client->remote = g_object_ref (remote);
  client->timeout = g_timeout_add_seconds (CLIENT_S, on_time, client);
  g_object_weak_ref (G_OBJECT (connection), on_gone, client);
  g_queue_push_tail (&self->clients, client);
  n = g_queue_get_length (&self->clients);
  /* those before it are disconnected, and maybe not gone */
  if (n > MAX_CLIENTS)
    disconnect (g_queue_peek_nth (&self->clients, n - MAX_CLIENTS - 1));
  soup_server_accept_iostream (self->server, G_IO_STREAM (connection), local, remote, NULL);
  return TRUE;
}

/* ---- requests ---- */

static gboolean
has_body (SoupServerMessage *message)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  const SoupEncoding encoding = soup_message_headers_get_encoding (headers);

  return encoding == SOUP_ENCODING_CHUNKED ||
      (encoding == SOUP_ENCODING_CONTENT_LENGTH &&
          soup_message_headers_get_content_length (headers) > 0);
}

/* Ends a connection with an answer: the server would read the whole body. */
static gboolean
on_body (gpointer connection)
{
  static const gchar answer[] = "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\n"
                                "Content-Length: 0\r\n\r\n";
  GSocket *socket = g_socket_connection_get_socket (connection);

  g_socket_send (socket, answer, strlen (answer), NULL, NULL);
  g_socket_shutdown (socket, TRUE, TRUE, NULL);
  return G_SOURCE_REMOVE;
}

/* Returns the connection of @message: (transfer none) (nullable). */
static GSocketConnection *
find_connection (WatchHttp *self, SoupServerMessage *message)
{
  GInetSocketAddress *remote =
      G_INET_SOCKET_ADDRESS (soup_server_message_get_remote_address (message));

  for (const GList *item = self->clients.head; item != NULL; item = item->next) {
    const Client *client = item->data;
    GInetSocketAddress *other = G_INET_SOCKET_ADDRESS (client->remote);

    if (g_inet_socket_address_get_port (other) == g_inet_socket_address_get_port (remote) &&
        g_inet_address_equal (
            g_inet_socket_address_get_address (other), g_inet_socket_address_get_address (remote)))
      return client->connection;
  }
  return NULL;
}

/* Called when the headers are there. */
static void
on_headers (SoupServer *server, SoupServerMessage *message, const gchar *path, GHashTable *query,
    gpointer user_data)
{
  WatchHttp *self = user_data;
  GSocketConnection *connection = has_body (message) ? find_connection (self, message) : NULL;
  const gchar *method = soup_server_message_get_method (message);
  guint status = SOUP_STATUS_NONE;

  /* libsoup 3.2 does not notice that a client has closed a connection that was kept */
  soup_message_headers_replace (
      soup_server_message_get_response_headers (message), "Connection", "close");
  soup_message_body_set_accumulate (soup_server_message_get_request_body (message), FALSE);
  if (!g_str_equal (path, self->page.path))
    status = SOUP_STATUS_NOT_FOUND;
  else if (!g_str_equal (method, "GET") && !g_str_equal (method, "HEAD"))
    status = SOUP_STATUS_METHOD_NOT_ALLOWED;
  if (status != SOUP_STATUS_NONE)
    soup_server_message_set_status (message, status, NULL);
  if (connection != NULL)
    g_idle_add_full (G_PRIORITY_HIGH, on_body, g_object_ref (connection), g_object_unref);
}

static void
on_request (SoupServer *server, SoupServerMessage *message, const gchar *path, GHashTable *query,
    gpointer user_data)
{
  const WatchHttp *self = user_data;
  gchar *text;

  if (soup_server_message_get_status (message) != SOUP_STATUS_NONE)
    return;
  text = self->page.get (self->page.user_data);
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
  soup_server_message_set_response (
      message, self->page.type, SOUP_MEMORY_TAKE, text, strlen (text));
}

/* ---- object ---- */

WatchHttp *
watch_http_new (GSocketAddress *address, const WatchHttpPage *page, GError **error)
{
  WatchHttp *self = g_new0 (WatchHttp, 1);

  self->page = *page;
  g_queue_init (&self->clients);
  self->server = soup_server_new (NULL, NULL);
  soup_server_add_early_handler (self->server, NULL, on_headers, self, NULL);
  soup_server_add_handler (self->server, NULL, on_request, self, NULL);
  self->service = g_socket_service_new ();
  g_socket_listener_set_backlog (G_SOCKET_LISTENER (self->service), BACKLOG);
  g_signal_connect (self->service, "incoming", G_CALLBACK (on_incoming), self);
  if (!g_socket_listener_add_address (G_SOCKET_LISTENER (self->service), address,
          G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL, NULL, error))
    g_clear_pointer (&self, watch_http_free);
  return self;
}

void
watch_http_free (WatchHttp *self)
{
  Client *client;

  if (self == NULL)
    return;
  g_socket_service_stop (self->service);
  g_socket_listener_close (G_SOCKET_LISTENER (self->service));
  g_object_unref (self->service);
  while ((client = g_queue_peek_head (&self->clients)) != NULL) {
    g_object_weak_unref (G_OBJECT (client->connection), on_gone, client);
    on_gone (client, NULL);
  }
  soup_server_disconnect (self->server);
  g_object_unref (self->server);
  g_free (self);
}
