/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Says once what kinds of events need and nothing upstream provides. */
#ifndef GST_GLES_EVENT_NEEDS_H
#define GST_GLES_EVENT_NEEDS_H

#include "event-input.h"
#include "event-kind.h"
#include "../base/results.h"

G_BEGIN_DECLS

/* All 0 when a stream begins. */
typedef struct {
  ResultsExpected histogram, regions;
  gboolean warned_of_luma, warned_of_mad, warned_of_flash, warned_of_range, warned_of_light;
  gboolean warned_of_crop;
} EventNeeds;

/* Notes the results of a frame, which are those that @kinds need. Posts a warning of @element when
 * frame after frame lacks them. */
void event_needs_note (
    EventNeeds *state, GstElement *element, const Results *results, EventKinds kinds);

/* The same at the end of the stream, which may have been short. */
void event_needs_end (EventNeeds *state, GstElement *element, EventKinds kinds);

/* Posts one warning for each input that detectors of kinds asked for by name need and the result of
 * @input, or the caps, do not have. */
void event_needs_check (
    EventNeeds *state, GstElement *element, const EventInput *input, EventKinds kinds);

G_END_DECLS

#endif
