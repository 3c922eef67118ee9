/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_CUT_DETECTOR_H
#define GST_GLES_CUT_DETECTOR_H

#include "event-input.h"
#include "event-settings.h"

G_BEGIN_DECLS

/* A candidate for a cut is compared with this many frames on each side. */
#define CUT_WINDOW_SIDE 3
#define CUT_WINDOW (2 * CUT_WINDOW_SIDE + 2)

typedef struct {
  GstGlesHistogramResult *result;
  EventTime time;
  gdouble distance; /* from the one before in its window: percent of full scale, over channels */
  gdouble mad;      /* of channel 0, percent of full scale; 0 when it was not computed */
  gboolean is_cut;
} CutFrame;

/* The last frames, or fields of one parity. */
typedef struct {
  CutFrame frames[CUT_WINDOW]; /* oldest first, without repeated ones */
  guint n_frames;
  guint n_repeats; /* of the newest of them */
} CutWindow;

typedef struct {
  CutWindow windows[GST_GLES_N_FIELDS];
} CutDetector;

/* Analyses the next frame. Appends items of type Event to @events. */
void cut_detector_push (
    CutDetector *detector, const EventSettings *settings, const EventInput *input, GArray *events);

/* Decides about the last frames, in their order, although fewer than CUT_WINDOW_SIDE follow them,
 * and drops all. */
void cut_detector_end (CutDetector *detector, const EventSettings *settings, GArray *events);

/* Whether @result can be compared with the frame before. */
gboolean cut_detector_is_comparable (CutDetector *detector, GstGlesHistogramResult *result);

G_END_DECLS

#endif
