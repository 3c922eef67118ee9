/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An event, on its way from a camera to the outlet. */
#ifndef WATCH_NOTICE_H
#define WATCH_NOTICE_H

#include "frame.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* An event of a camera. */
typedef struct {
  gchar *camera, *event, *phase, *id;
  JsonObject *line; /* (nullable): of the one who has the notice: JSON-GLib counts references
                     * without atomics, so nothing of a line is shared with another thread */
  WatchFrame frame; /* for the picture, if it has a sample */
} WatchNotice;

/* @line: (transfer full) (nullable). */
WatchNotice *watch_notice_new (
    const gchar *camera, const gchar *event, const gchar *phase, const gchar *id, JsonObject *line);
void watch_notice_free (WatchNotice *notice);

G_END_DECLS

#endif
