/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Black, white and badly exposed pictures. */
#ifndef GST_GLES_LUMA_SPANS_H
#define GST_GLES_LUMA_SPANS_H

#include "event-input.h"
#include "event-settings.h"
#include "event-span.h"

G_BEGIN_DECLS

/* Follows the spans of @spans, which a kind of event indexes, that luma decides and that the
 * settings ask for. Does nothing when no channel is luma or the region has no samples. */
void luma_spans_follow (
    EventSpan *spans, const EventSettings *settings, const EventInput *input, GArray *events);

G_END_DECLS

#endif
