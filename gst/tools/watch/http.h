/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An HTTP server for one page, which clients can neither fill nor hold: their number and the time
 * of a connection are bounded, and a request has no body. */
#ifndef WATCH_HTTP_H
#define WATCH_HTTP_H

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _WatchHttp WatchHttp;

/* Returns the page: (transfer full). */
typedef gchar *(*WatchHttpFunc) (gpointer user_data);

typedef struct {
  const gchar *path, *type; /* static; of the page */
  WatchHttpFunc get;        /* called in the default main context */
  gpointer user_data;
} WatchHttpPage;

/* Listens in the default main context. NULL with @error. */
WatchHttp *watch_http_new (GSocketAddress *address, const WatchHttpPage *page, GError **error);
void watch_http_free (WatchHttp *self);

G_END_DECLS

#endif
