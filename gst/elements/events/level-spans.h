/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Samples of luma and chroma beyond the limits of broadcasting. */
#ifndef GST_GLES_LEVEL_SPANS_H
#define GST_GLES_LEVEL_SPANS_H

#include "event-input.h"
#include "event-settings.h"
#include "event-span.h"

G_BEGIN_DECLS

/* Follows the spans of EVENT_OVER and EVENT_UNDER that the settings ask for. Does nothing when no
 * channel is luma, or the picture has full range. Appends items of type Event to @events. */
void level_spans_follow (
    EventSpan *spans, const EventSettings *settings, const EventInput *input, GArray *events);

G_END_DECLS

#endif
