/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes the pictures of events, as JPEG, and keeps them in a folder of bounded size. */
#ifndef WATCH_PICTURES_H
#define WATCH_PICTURES_H

#include "notice.h"
#include "watch-config.h"

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _WatchPictures WatchPictures;

/* NULL with @error: the folder cannot be made. */
WatchPictures *watch_pictures_new (const WatchThumbnailsConfig *config, GError **error);
void watch_pictures_free (WatchPictures *self);
/* Encodes the frame of @notice and writes it, where there is a folder. *@path (nullable) (transfer
 * full): the file of the event, which the picture replaces; then that of the picture. Returns
 * (nullable) (transfer full): the JPEG. NULL with @error. */
GBytes *watch_pictures_write (
    WatchPictures *self, const WatchNotice *notice, gchar **path, GError **error);
guint64 watch_pictures_get_bytes (WatchPictures *self);

G_END_DECLS

#endif
