/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The time of a file, which is 0 where its first picture or sound begins, and the frame rate that
 * its timestamps have. Demuxers begin at the time of the container's clock, at a time of their own,
 * or at 0, and decoders believe what a stream says of its rate. */
#ifndef REPORT_INPUTS_CLOCK_H
#define REPORT_INPUTS_CLOCK_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* What demuxers do. */
typedef enum {
  REPORT_DEMUXER_GUESSES = 1 << 0,  /* has no timestamps of pictures, but the order of the data */
  REPORT_DEMUXER_FRAMES = 1 << 1,   /* its buffers are frames with times */
  REPORT_DEMUXER_STATES = 1 << 2,   /* the container states its duration; others estimate it */
  REPORT_DEMUXER_EDITS = 1 << 3,    /* cuts what edit lists do not show, and seeks by the
                                       container's clock */
  REPORT_DEMUXER_RELATIVE = 1 << 4, /* counts from the first packet, unlike its timestamps */
} ReportDemuxerTraits;

/* Returns whether @demuxer has one of @traits. */
gboolean report_demuxer_has (GstElement *demuxer, guint traits);

/* What the first packets of a file tell. */
typedef struct {
  GstClockTimeDiff origin; /* where the file begins, in the stream time of its demuxer */
  GstClockTime step;       /* between two frames of the video; 0: unknown */
  gboolean no_edits;       /* MP4: the video has no edit list */
} ReportBeginning;

/* Makes demuxers that will be added to @pipeline send segments whose stream time is 0 at the origin
 * of @beginning. To be called before other functions look at pads of demuxers. */
void report_clock_attach (GstElement *pipeline, const ReportBeginning *beginning);
/* Makes caps and durations that pass @decoded those of frames every @step, where they contradict
 * it. */
void report_clock_correct_rate (GstPad *decoded, GstClockTime step);
/* Returns the duration of a frame that the caps of @pad have, or 0. Behind the decoder that is what
 * the timestamps tell. */
GstClockTime report_clock_get_step (GstPad *pad);
/* Returns the stream time of @buffer, which passes @pad, or NONE. */
GstClockTime report_clock_get_time (GstPad *pad, GstBuffer *buffer);

G_END_DECLS

#endif
