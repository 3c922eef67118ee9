/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "event-analytics.h"

#if HAVE_ANALYTICS
#include <gst/analytics/analytics.h>

GstBuffer *
event_analytics_add (GstBuffer *buffer, const EventSpan *spans, const GArray *events)
{
  GQuark classes[N_EVENT_KINDS];
  gfloat scores[N_EVENT_KINDS];
  gsize n = 0;
  GstAnalyticsRelationMeta *meta;
  GstAnalyticsClsMtd classification;

  for (guint kind = 0; kind < N_EVENT_KINDS; kind++) {
    const EventSpan *span = &spans[kind];
    gboolean holds = span->announced;
    gdouble score = span->score;

    for (guint i = 0; i < events->len; i++) {
      const Event *event = &g_array_index (events, Event, i);

      if (event->kind == kind && event->phase == EVENT_INSTANT) {
        holds = TRUE;
        score = event->score;
      }
    }
    if (holds) {
      classes[n] = g_quark_from_static_string (event_kind_get_name ((EventKind) kind));
      scores[n++] = (gfloat) score;
    }
  }
  if (n == 0)
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  meta = gst_buffer_get_analytics_relation_meta (buffer);
  if (meta == NULL)
    meta = gst_buffer_add_analytics_relation_meta (buffer);
  gst_analytics_relation_meta_add_cls_mtd (meta, n, scores, classes, &classification);
  return buffer;
}
#endif
