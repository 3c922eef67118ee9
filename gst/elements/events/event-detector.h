/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Detects events in a video from the results of gleshistogram. docs/elements/glesevents.md defines
 * each kind of event. This file is independent of pads and messages. */
#ifndef GST_GLES_EVENT_DETECTOR_H
#define GST_GLES_EVENT_DETECTOR_H

#include "camera-detector.h"
#include "crop-detector.h"
#include "cut-detector.h"
#include "event-span.h"
#include "flash-detector.h"
#include "light-detector.h"

G_BEGIN_DECLS

typedef struct {
  CutDetector cuts;
  CameraDetector camera;
  LightDetector light;
  CropDetector crop;
  FlashDetector flash;
  EventSpan spans[N_EVENT_KINDS];
  gboolean has_last;
  EventTime last;
  GstGlesHistogramResult *last_result; /* NULL before the first one */
} EventDetector;

/* Analyses the next frame, whose member `same` need not be set. Appends items of type Event to
 * @events. Returns FALSE with @error when the result cannot be read. */
gboolean event_detector_push (EventDetector *detector, const EventSettings *settings,
    const EventInput *input, GArray *events, GError **error);

/* Decides pending cuts, ends all open events at the end of the last frame because of @cause, and
 * drops all frames. To be called when the stream ends or is interrupted. Appends items of type
 * Event to @events. */
void event_detector_end (
    EventDetector *detector, const EventSettings *settings, EventCause cause, GArray *events);

/* Ends all open events at the end of the last frame, for the next one is of another stream that
 * continues this one, and may be a cut. Appends items of type Event to @events. */
void event_detector_splice (
    EventDetector *detector, const EventSettings *settings, EventCause cause, GArray *events);

G_END_DECLS

#endif
