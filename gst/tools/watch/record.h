/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The element that writes the tracks of a camera as they come, in files that begin with keyframes.
 */
#ifndef WATCH_RECORD_H
#define WATCH_RECORD_H

#include "timeline.h"
#include "tracks.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* Returns a bin with the pads sink_0, sink_1, ... for @tracks, of which the first is video:
 * (transfer floating). It writes the files of @timeline, which must outlive it. An error is
 * reported by a message on the bus only, and does not stop the data of the tracks. NULL with
 * @error. */
GstElement *watch_record_new (
    const WatchTrack *tracks, guint n_tracks, WatchTimeline *timeline, GError **error);

/* Whether @message is of such a bin, or of what is in it. Any thread. */
gboolean watch_record_sent (GstMessage *message);

/* Whether files can have audio of @caps. */
gboolean watch_record_takes_audio (GstCaps *caps);

G_END_DECLS

#endif
