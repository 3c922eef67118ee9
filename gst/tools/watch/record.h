/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Recording of the stream of a camera as it comes, in files of bounded duration and number. */
#ifndef WATCH_RECORD_H
#define WATCH_RECORD_H

#include "watch-config.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* Returns a bin with a pad "sink" for coded video of @caps: (transfer floating). NULL with @error:
 * the folder cannot be made, or the video is not coded. */
GstElement *watch_record_new (const WatchCameraConfig *config, GstCaps *caps, GError **error);

G_END_DECLS

#endif
