/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What happens in a video, from the results of gleshistogram: docs/elements/glesevents.md defines each kind of
 * event. Knows nothing of pads and messages. */
#ifndef GST_GLES_EVENT_DETECTOR_H
#define GST_GLES_EVENT_DETECTOR_H

#include <gst/gles/meta/histogram.h>

G_BEGIN_DECLS

typedef enum {
  EVENT_CUT,
  EVENT_BLACK,
  EVENT_WHITE,
  EVENT_FREEZE,
  EVENT_OVER_EXPOSED,
  EVENT_UNDER_EXPOSED,
  EVENT_LOW_CONTRAST,
  N_EVENT_KINDS
} EventKind;

typedef enum {
  EVENT_INSTANT, /* a cut */
  EVENT_START,
  EVENT_END
} EventPhase;

/* A frame, as its result tells. */
typedef struct {
  guint64 frame;
  GstClockTime pts, duration, running_time, stream_time;
} EventTime;

typedef struct {
  EventKind kind;
  EventPhase phase;
  EventTime at;    /* the first frame of the event, or at its end the first one behind it */
  EventTime start; /* the first frame */
  gdouble score;   /* a share or a percentage, see the kind */
} Event;

/* Times are in nanoseconds. */
typedef struct {
  gdouble cut_threshold, cut_mad_threshold;
  gdouble pixel_black_th, picture_black_ratio_th;
  gdouble pixel_white_th, picture_white_ratio_th;
  gdouble freeze_noise;
  gdouble over_exposed_ratio, under_exposed_ratio, low_contrast_range;
  GstClockTime black_min_duration, white_min_duration, freeze_duration, exposure_min_duration;
} EventSettings;

/* A condition that holds for a while. */
typedef struct {
  gboolean holds;
  gboolean told; /* the start was told: it has lasted long enough */
  EventTime start;
  gdouble score;
} EventSpan;

/* Frames that a cut is compared with, on either side, and itself. */
#define EVENT_WINDOW_SIDE 3
#define EVENT_WINDOW (2 * EVENT_WINDOW_SIDE + 2)

typedef struct {
  GstGlesHistogramResult *result;
  EventTime time;
  gdouble distance; /* from the frame before, in percent of the scale, summed over channels */
  gdouble mad;      /* of luma, in percent of the scale; 0 when it is not known */
  gboolean is_cut;
} EventFrame;

typedef struct {
  EventFrame frames[EVENT_WINDOW]; /* oldest first */
  guint n_frames;
  EventSpan spans[N_EVENT_KINDS];
  EventTime last;
  gboolean has_last;
} EventDetector;

/* Takes the next frame's @result, which is there, and appends what happened to @events, of Event. FALSE
 * with @error when the result cannot be read. */
gboolean event_detector_push (EventDetector *detector, const EventSettings *settings,
    GstGlesHistogramResult *result, GArray *events, GError **error);

/* Ends what goes on, and forgets all frames: nothing follows, or nothing that belongs to what was. */
void event_detector_end (EventDetector *detector, const EventSettings *settings, GArray *events);

/* "cut", "black", ...; "instant", "start", "end": static. */
const gchar *event_kind_get_name (EventKind kind);
const gchar *event_phase_get_name (EventPhase phase);

G_END_DECLS

#endif
