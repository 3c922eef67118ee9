/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events as classes of the frame, for elements that know GStreamer's analytics. */
#ifndef GST_GLES_EVENT_ANALYTICS_H
#define GST_GLES_EVENT_ANALYTICS_H

#include "event-span.h"

G_BEGIN_DECLS

/* Adds a GstAnalyticsClsMtd of the whole frame to the GstAnalyticsRelationMeta of @buffer, which is
 * added if there is none: the kinds of @spans (N_EVENT_KINDS) whose start was reported, and the
 * instants of @events, each with its score. Adds nothing where there is none. Returns @buffer
 * (transfer full), made writable where needed. */
GstBuffer *event_analytics_add (GstBuffer *buffer, const EventSpan *spans, const GArray *events);

G_END_DECLS

#endif
