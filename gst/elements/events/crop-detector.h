/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Another border around the picture. */
#ifndef GST_GLES_CROP_DETECTOR_H
#define GST_GLES_CROP_DETECTOR_H

#include <gst/gles/meta/crop-detect.h>

#include "event-input.h"
#include "event-settings.h"

G_BEGIN_DECLS

/* All zero before the first frame. */
typedef struct {
  GstGlesCropState crop;   /* since @begin */
  EventTime begin, before; /* of this time and of the one before */
  EventBox last, reported;
} CropDetector;

/* The next frame. Appends items of type Event to @events. */
void crop_detector_push (
    CropDetector *detector, const EventSettings *settings, const EventInput *input, GArray *events);

G_END_DECLS

#endif
