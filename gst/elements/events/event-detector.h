/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Detects events in a video from the results of gleshistogram. docs/elements/glesevents.md defines
 * each kind of event. This file is independent of pads and messages. */
#ifndef GST_GLES_EVENT_DETECTOR_H
#define GST_GLES_EVENT_DETECTOR_H

#include <gst/gles/meta/histogram-info.h>

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
  EVENT_INSTANT, /* cuts only */
  EVENT_START,
  EVENT_END
} EventPhase;

/* Position of a frame in the stream. */
typedef struct {
  guint64 frame;
  GstClockTime pts, duration, running_time, stream_time;
  /* Stream time (pts without), from which durations follow, or GST_CLOCK_STIME_NONE. The end of a
   * clip that is played in reverse lies before 0. */
  gint64 position;
  gdouble rate; /* of the segment; below 0: in reverse */
} EventTime;

typedef struct {
  EventKind kind;
  EventPhase phase;
  EventTime at;    /* start, instant: the first frame of the event; end: the first frame after it */
  EventTime start; /* the first frame of the event */
  gdouble score;   /* a share or a percentage; its meaning depends on the kind */
  GstClockTime duration; /* until @at */
} Event;

/* Properties of glesevents. Durations are in nanoseconds. */
typedef struct {
  gdouble cut_threshold, cut_mad_threshold;
  gdouble pixel_black_th, picture_black_ratio_th;
  gdouble pixel_white_th, picture_white_ratio_th;
  gdouble freeze_noise;
  gdouble over_exposed_ratio, under_exposed_ratio, low_contrast_range;
  GstClockTime black_min_duration, white_min_duration, freeze_duration, exposure_min_duration;
} EventSettings;

/* Consecutive frames for which the condition of one kind of event holds. */
typedef struct {
  gboolean holds;
  gboolean announced; /* it reached its minimum duration and its start was reported */
  EventTime start;
  gdouble score;
} EventSpan;

/* A candidate for a cut is compared with this many frames on each side. */
#define EVENT_WINDOW_SIDE 3
#define EVENT_WINDOW (2 * EVENT_WINDOW_SIDE + 2)

typedef struct {
  GstGlesHistogramResult *result;
  EventTime time;
  gdouble distance; /* from the one before in its window: percent of full scale, over channels */
  gdouble mad;      /* of channel 0, percent of full scale; 0 when it was not computed */
  gboolean is_cut;
} EventFrame;

/* The next frame. */
typedef struct {
  GstGlesHistogramResult *result; /* complete; that of the last frame if its picture is repeated */
  EventTime time;
  gboolean repeats; /* the stream says that the picture repeats the previous one */
} EventInput;

/* The last frames, or fields of one parity. */
typedef struct {
  EventFrame frames[EVENT_WINDOW]; /* oldest first, without repeated ones */
  guint n_frames;
  guint n_repeats; /* of the newest of them */
} EventFrames;

typedef struct {
  EventFrames windows[GST_GLES_N_FIELDS];
  EventSpan spans[N_EVENT_KINDS];
  EventTime last;
  GstGlesHistogramResult *last_result; /* NULL before the first frame */
} EventDetector;

/* Analyses the next frame. Appends items of type Event to @events. Returns FALSE with @error
 * when the result cannot be read. */
gboolean event_detector_push (EventDetector *detector, const EventSettings *settings,
    const EventInput *input, GArray *events, GError **error);

/* Decides pending cuts, ends all open events at the end of the last frame, and drops all frames. To
 * be called when the stream ends or is interrupted. Appends items of type Event to @events. */
void event_detector_end (EventDetector *detector, const EventSettings *settings, GArray *events);

/* Whether channel 0 is luma. Without luma only cuts and freezes are detected. */
gboolean event_detector_has_luma (GstGlesHistogramResult *result);

/* Return static strings: "cut", "black", ...; "instant", "start", "end". */
const gchar *event_kind_get_name (EventKind kind);
const gchar *event_phase_get_name (EventPhase phase);

G_END_DECLS

#endif
