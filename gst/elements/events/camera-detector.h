/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What happens to a fixed camera: it is covered, out of focus, or shows another view. Each frame is
 * compared with a slow reference, a mean of the frames of the last seconds. */
#ifndef GST_GLES_CAMERA_DETECTOR_H
#define GST_GLES_CAMERA_DETECTOR_H

#include "event-settings.h"
#include "event-span.h"

#include <gst/gles/meta/histogram.h>

G_BEGIN_DECLS

#define CAMERA_AREAS 16

#define CAMERA_QUANTILES 7 /* 3, 10, 25, 50, 75, 90 and 97 percent */

/* What the overview tells of a frame, area by area, in code values of 8 bits. */
typedef struct {
  gdouble luma[CAMERA_AREAS][CAMERA_QUANTILES];
  gdouble deviation[CAMERA_AREAS]; /* standard, of luma */
  gdouble sharpness[CAMERA_AREAS]; /* mean absolute difference of neighbours */
} CameraView;

/* All zero before the first frame. */
typedef struct {
  CameraView reference;
  gdouble known;                     /* seconds that went into the reference */
  guint changed;                     /* a bit for each area that looks different */
  gdouble changed_for[CAMERA_AREAS]; /* seconds */
  guint structured;                  /* a bit for each area with structure */
  gdouble steady[CAMERA_AREAS];      /* seconds for which an area has had it */
  CameraView settled;
  EventTime settled_since;
  gboolean has_last;
  EventTime last;
} CameraDetector;

/* Shorter than these, in seconds, a hand passes before the lens and an autofocus searches. */
#define CAMERA_COVERED_MIN_DURATION 1.0
#define CAMERA_BLURRED_MIN_DURATION 1.5

/* Follows the spans of @spans, which a kind of event indexes, that the settings ask for. The next
 * frame, at @at, has @overview. Appends items of type Event to @events. */
void camera_detector_push (CameraDetector *detector, EventSpan *spans,
    const EventSettings *settings, const GstGlesOverview *overview, const EventTime *at,
    GArray *events);

G_END_DECLS

#endif
