/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_CUT_DETECTOR_H
#define GST_GLES_CUT_DETECTOR_H

#include "event-picture.h"
#include "event-settings.h"
#include "transition-detector.h"

G_BEGIN_DECLS

/* A candidate is compared with and across so many frames on each side: no flash is longer. Of two
 * cuts so near to each other only the stronger one is reported. */
#define CUT_SIDE 4

/* The frames that a candidate needs, and those before it that wait for a stronger one. */
#define CUT_WINDOW (3 * CUT_SIDE + 1)

/* All changes are from the frame before in the window, in percent. */
typedef struct {
  EventPicture *picture;
  EventTime time;
  gdouble change;
  EventPictureAreas areas; /* how much each of them changed */
  gdouble mad;             /* of channel 0; 0 when it was not computed */
  gboolean is_candidate;   /* a cut, unless a stronger one is near */
  gdouble strength; /* of a candidate: what remains of the change across the skipped frames */
  gboolean is_cut;
} CutFrame;

/* The last frames, or fields of one parity. */
typedef struct {
  CutFrame frames[CUT_WINDOW]; /* oldest first, without repeated ones */
  guint n_frames;
  guint n_judged;    /* of the oldest of them it is known whether they are candidates */
  guint n_decided;   /* and of these whether they are cuts */
  guint n_repeats;   /* of the newest of them */
  gboolean is_still; /* it was repeated for so long that its repetitions are kept */
} CutWindow;

typedef struct {
  CutWindow windows[GST_GLES_N_FIELDS];
  TransitionDetector transitions; /* of frames, or of top fields */
} CutDetector;

/* Analyses the next frame. Appends cuts and transitions to @events, those that @settings asks
 * for. */
void cut_detector_push (
    CutDetector *detector, const EventSettings *settings, const EventInput *input, GArray *events);

/* Decides about the last frames, in their order, although too few follow them, and ends a
 * transition because of @cause. The next frames are compared with them. */
void cut_detector_settle (
    CutDetector *detector, const EventSettings *settings, EventCause cause, GArray *events);

/* The same, and drops all frames. */
void cut_detector_end (
    CutDetector *detector, const EventSettings *settings, EventCause cause, GArray *events);

G_END_DECLS

#endif
