/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Light levels of HDR beyond those that the caps say. */
#ifndef GST_GLES_LIGHT_LEVEL_SPAN_H
#define GST_GLES_LIGHT_LEVEL_SPAN_H

#include "event-input.h"
#include "event-settings.h"
#include "event-span.h"

G_BEGIN_DECLS

/* Returns what @caps say, by GstVideoContentLightLevel and GstVideoMasteringDisplayInfo. */
EventSaidLight light_level_span_read_caps (const GstCaps *caps);

/* Follows the span of EVENT_LIGHT_LEVEL. Does nothing when the result has no light levels. Appends
 * items of type Event to @events. */
void light_level_span_follow (
    EventSpan *span, const EventSettings *settings, const EventInput *input, GArray *events);

G_END_DECLS

#endif
