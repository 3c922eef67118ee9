/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The time of day of a camera's frames: by its own clock, or by this machine's when they came. */
#ifndef WATCH_CLOCK_H
#define WATCH_CLOCK_H

#include "tally.h"
#include "watch-config.h"

#include <gst/gst.h>

G_BEGIN_DECLS

#define WATCH_CLOCK_SENDER "sender"
#define WATCH_CLOCK_ARRIVAL "arrival"

/* Compares the camera's time of day on @frame, if there is one, with @arrival_us, which is that of
 * g_get_real_time() when the frame came. Keeps the difference in @tally, and logs when it becomes
 * too large or acceptable again. Called by one thread for each camera. */
void watch_clock_take (
    WatchTally *tally, const WatchCameraConfig *config, GstBuffer *frame, gint64 arrival_us);

/* Whether lines have the camera's time of day. Any thread. */
gboolean watch_clock_is_senders (WatchTally *tally, const WatchCameraConfig *config);

G_END_DECLS

#endif
