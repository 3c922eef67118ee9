/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The element that reads from HTTP, for cameras and for playlists of cameras. souphttpsrc gives the
 * password to whoever asks for it after a redirect, and follows one to anywhere, and elements that
 * read playlists make sources of their own. This one is preferred to it in the process, and does
 * what the access of its pipeline says. */
#ifndef WATCH_HTTP_SOURCE_H
#define WATCH_HTTP_SOURCE_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct {
  const gchar *uri;             /* the camera's; may have a user and a password */
  const gchar *user, *password; /* (nullable): in place of those of the uri */
  gboolean anywhere;            /* redirects and playlists may lead to other hosts */
} WatchHttpAccess;

/* Has HTTP addresses in elements of @pipeline be read as @access says. FALSE with @error: there is
 * no host in the uri. */
gboolean watch_http_source_allow (
    GstElement *pipeline, const WatchHttpAccess *access, GError **error);

G_END_DECLS

#endif
