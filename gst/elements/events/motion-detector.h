/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Motion: from the first large region until there was none for some time. */
#ifndef GST_GLES_MOTION_DETECTOR_H
#define GST_GLES_MOTION_DETECTOR_H

#include "event-settings.h"
#include "event-span.h"

#include <gst/gles/meta/regions.h>

G_BEGIN_DECLS

/* Follows the span of EVENT_MOTION. The next frame, at @at, has the complete @regions. Appends
 * items of type Event to @events. */
void motion_detector_follow (EventSpan *span, const EventSettings *settings,
    GstGlesRegionsResult *regions, const EventTime *at, GArray *events);

G_END_DECLS

#endif
