/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Why an analysis failed, in words for the user. */
#ifndef REPORT_INPUTS_FAILURE_H
#define REPORT_INPUTS_FAILURE_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _ReportFailure ReportFailure;

/* Collects what explains a failure of the pipeline. */
ReportFailure *report_failure_new (void);
void report_failure_free (ReportFailure *self);
/* Sees the messages of all elements that will be added to @pipeline, which must not outlive @self.
 */
void report_failure_follow (ReportFailure *self, GstElement *pipeline);
/* Returns an error that an element posted, and that may not arrive at the bus of the pipeline:
 * decodebin drops those of an element that starts at that moment. (transfer full) (nullable). */
GstMessage *report_failure_get_lost (ReportFailure *self);
/* Notes a stream of the file. Any thread. */
void report_failure_note_stream (ReportFailure *self, GstCaps *caps);
/* Notes @message if it says that a plugin is missing. */
void report_failure_note_message (ReportFailure *self, GstMessage *message);
/* Returns what went wrong, for the user: (transfer full). @message: an error; @has_video: a video
 * was decoded; @position: of the last frame, or NONE. */
GError *report_failure_describe (
    ReportFailure *self, GstMessage *message, gboolean has_video, GstClockTime position);
/* The same after @seconds without data. Error: G_IO_ERROR_TIMED_OUT. */
GError *report_failure_describe_stall (guint seconds, GstClockTime position);

G_END_DECLS

#endif
