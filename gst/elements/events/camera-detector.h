/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What happens to a fixed camera: it is covered, out of focus, or shows another view. Each frame is
 * compared with a slow reference. */
#ifndef GST_GLES_CAMERA_DETECTOR_H
#define GST_GLES_CAMERA_DETECTOR_H

#include "camera-reference.h"
#include "event-settings.h"
#include "event-span.h"

G_BEGIN_DECLS

/* Shorter than these, in seconds, a hand passes before the lens and an autofocus searches. */
#define CAMERA_COVERED_MIN_DURATION 1.0
#define CAMERA_BLURRED_MIN_DURATION 1.5

/* All zero before the first frame. */
typedef struct {
  CameraReference reference;
  guint changed;      /* areas that look different now */
  CameraView settled; /* the first one of those that look like the last one */
  gboolean has_last;
  EventTime last;
} CameraDetector;

/* Follows the spans of @spans, which a kind of event indexes, that the settings ask for. The next
 * frame shows @view. Appends items of type Event to @events. */
void camera_detector_push (CameraDetector *detector, EventSpan *spans,
    const EventSettings *settings, const CameraView *view, GArray *events);

G_END_DECLS

#endif
