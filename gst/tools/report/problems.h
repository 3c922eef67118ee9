/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Damage of a file and events of its sound: what gst-gles-report-1.0 finds beside the pictures. */
#ifndef GST_GLES_REPORT_PROBLEMS_H
#define GST_GLES_REPORT_PROBLEMS_H

#include "clock.h"
#include "report.h"

G_BEGIN_DECLS

/* ---- report-problems.c ---- */

typedef enum {
  REPORT_PROBLEM_DECODER,
  REPORT_PROBLEM_CORRUPTED,
  REPORT_PROBLEM_GAP,
  REPORT_PROBLEM_JUMP,
  REPORT_PROBLEM_MISSING,
  REPORT_PROBLEM_TRUNCATED,
  REPORT_PROBLEM_UNREADABLE,
} ReportProblem;

/* A stream of the file. */
typedef struct {
  gchar *id;   /* (nullable): that of GStreamer */
  gchar *name; /* "video", "audio 1", "audio 2" or "file" */
} ReportStream;

typedef struct _ReportProblems ReportProblems;

/* Collects problems. Its functions may be called by any thread. */
ReportProblems *report_problems_new (void);
void report_problems_free (ReportProblems *self);
/* Returns the stream of the data of @pad, NULL if it is no video and no sound: (nullable). */
const ReportStream *report_problems_get_stream (ReportProblems *self, GstPad *pad);
/* Gives streams of sound their numbers, when all are known. */
void report_problems_number_streams (ReportProblems *self);
/* @stream: (nullable): NULL is the file as a whole. @begin, @end: in stream time; @begin may be
 * NONE. A problem that is like the last one of its stream and near it makes a run with it. */
void report_problems_add (ReportProblems *self, ReportProblem problem, const ReportStream *stream,
    GstClockTime begin, GstClockTime end, guint count, const gchar *text);
/* A picture of @time, in stream time, leaves the decoder. Runs of the video that it lies in, and
 * that have none, choose it. */
void report_problems_note_picture (ReportProblems *self, GstClockTime time);
/* Whether a run has chosen the picture of @time. */
gboolean report_problems_want_picture (ReportProblems *self, GstClockTime time);
/* @line: (transfer full) (nullable): the line that follows those of the event. */
void report_problems_add_picture (
    ReportProblems *self, GstClockTime time, GBytes *jpeg, gchar *line);
/* Adds each run to @report as an event. */
void report_problems_append (ReportProblems *self, Report *report);

/* Returns how many problems of each kind @report has: (transfer full). NULL without any. */
gchar *report_describe_problems (Report *report);

/* An event that is known when it has ended. */
typedef struct {
  const gchar *kind;
  const ReportStream *stream;
  GstClockTime begin, end; /* in stream time; equal: an instant */
  gboolean at_eos;         /* it ended with the stream */
  gdouble score;
} ReportSpan;

/* Adds @span to @report as lines of glesjson. @members: (transfer full) (nullable): the members
 * that its lines have beside the usual ones. */
void report_add_span (Report *report, const ReportSpan *span, JsonObject *members);

/* ---- report-container.c ---- */

/* Returns how the file @path ends before its container does: (transfer full). NULL if it does not,
 * or if that cannot be told. */
gchar *report_check_container (const gchar *path);
/* Returns what the checksums in the file @path say of it, and how many are wrong: (transfer full).
 * NULL if none is, or there are none. */
gchar *report_check_sums (const gchar *path, guint *n_wrong);
/* Returns whether @path is an MP4 or MOV whose video has no edit list. */
gboolean report_lacks_edits (const gchar *path);

/* ---- report-log.c ---- */

/* A decoder of a pipeline, and the times of what it decodes. */
typedef struct _ReportDecoder ReportDecoder;

/* Catches what decoders write to GStreamer's log, until report_log_end(). */
void report_log_begin (ReportProblems *problems);
void report_log_end (void);
/* @stream: of what it decodes. Decoders live until report_log_end(). */
ReportDecoder *report_log_add_decoder (GstElement *element);
/* The calling thread is about to decode a frame of @time. */
void report_log_decode (ReportDecoder *self, const ReportStream *stream, GstClockTime time);
/* @demuxer, that of the pictures, has found data of @time. */
void report_log_demux (GstElement *demuxer, GstClockTime time);
/* The decoder starts anew. */
void report_log_restart (ReportDecoder *self);
/* Adds what a decoder or a parser posted as a warning. What a demuxer warns of is a stream that it
 * cannot read, and the elements that analyse say nothing about the file. */
void report_log_add_message (GstMessage *message);

/* ---- report-watch.c ---- */

typedef struct _ReportWatch ReportWatch;

/* Watches decoders and demuxers that will be added to @pipeline, a file that begins as
 * @beginning says. @media: of the decoders. */
ReportWatch *report_watch_new (ReportProblems *problems, GstElement *pipeline,
    const ReportBeginning *beginning, GstElementFactoryListType media);
/* Watches decoded frames or sound. */
void report_watch_output (ReportWatch *self, GstPad *pad);
/* Adds problems that are known at the end. @complete: all was decoded. @truncated: (nullable): how
 * the file ends too early. */
void report_watch_finish (ReportWatch *self, gboolean complete, const gchar *truncated);
/* The pipeline must have been stopped. */
void report_watch_free (ReportWatch *self);

/* ---- report-sound.c ---- */

typedef struct _ReportSound ReportSound;

/* Starts to analyse the sound of @path in a pipeline of its own: (transfer full) (nullable).
 * @stream_id: (nullable), as in ReportOptions. @beginning: of the file. */
ReportSound *report_sound_start (const gchar *path, const gchar *stream_id,
    const ReportBeginning *beginning, ReportProblems *problems);
/* Waits for the end of the sound, if @stop is FALSE as long as *@stop is, and not longer than
 * @timeout seconds without data (0: any time). Adds the events to @report. */
void report_sound_end (ReportSound *self, Report *report, guint timeout, gint *stop);

G_END_DECLS

#endif
