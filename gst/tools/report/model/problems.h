/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects the damage of a file, and adds it to the report as events. */
#ifndef REPORT_MODEL_PROBLEMS_H
#define REPORT_MODEL_PROBLEMS_H

#include "report.h"

G_BEGIN_DECLS

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
  gchar *id;   /* (nullable): GStreamer's id of the stream */
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
/* A problem that was found. What is 0 need not be named. */
typedef struct {
  ReportProblem problem;
  const ReportStream *stream; /* (nullable): NULL is the file as a whole */
  GstClockTime begin, end;    /* in stream time; a @begin of NONE is 0; an @end of NONE, or before
                               * @begin, is @begin */
  guint count;                /* how many there were; 0 is 1 */
  const gchar *text;
} ReportFinding;

/* Adds @finding. Problems of one kind that are near each other in one stream become a run, which is
 * reported as one event. */
void report_problems_add (ReportProblems *self, const ReportFinding *finding);
/* Adds a problem of the file as a whole, unless another one is known between @begin and @end, or
 * near: what is seen there may be the same damage. */
void report_problems_add_unless_known (ReportProblems *self, ReportProblem problem,
    GstClockTime begin, GstClockTime end, const gchar *text);
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

G_END_DECLS

#endif
