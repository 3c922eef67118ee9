/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* JPEGs of events in a bounded folder. */
#ifndef WATCH_PICTURES_H
#define WATCH_PICTURES_H

#include "watch-config.h"

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _WatchPictures WatchPictures;

/* NULL with @error: the folder cannot be made. */
WatchPictures *watch_pictures_new (const WatchThumbnailsConfig *config, GError **error);
void watch_pictures_free (WatchPictures *self);
/* Encodes @frame and writes it, where there is a folder. Returns (nullable) (transfer full): the
 * JPEG; *@path (nullable) (transfer full): of the file. NULL with @error. */
GBytes *watch_pictures_write (WatchPictures *self, GstSample *frame, const gchar *camera,
    const gchar *event, const gchar *id, gchar **path, GError **error);
guint64 watch_pictures_get_bytes (WatchPictures *self);

G_END_DECLS

#endif
