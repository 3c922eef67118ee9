/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Changes of light: most of the picture becomes brighter or darker, and shows the same. */
#ifndef GST_GLES_LIGHT_DETECTOR_H
#define GST_GLES_LIGHT_DETECTOR_H

#include "camera-view.h"
#include "event-span.h"

G_BEGIN_DECLS

/* All zero before the first frame. The reference is one to two periods old. */
typedef struct {
  CameraView reference, next;
  gboolean known;
  gboolean same; /* the newest picture shows the same as the reference */
} LightDetector;

/* Follows @span. The next frame shows @view. No event begins if @begins is FALSE, as
 * while something hides the view. Appends items of type Event to @events. Returns whether the light
 * is changing. */
gboolean light_detector_push (LightDetector *detector, EventSpan *span, const CameraView *view,
    gboolean begins, GArray *events);

G_END_DECLS

#endif
