/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of the pipeline that analyses a video. */
#ifndef GST_GLES_REPORT_PIPELINE_H
#define GST_GLES_REPORT_PIPELINE_H

#include "report.h"

G_BEGIN_DECLS

/* Names of elements that count the pixels of two of FFmpeg's measures. */
#define REPORT_TOUT "tout"
#define REPORT_BRNG "brng"

/* ---- report-results.c ---- */

/* Fills @results with what gleshistogram and glescompact left on @buffer, and waits for it. Returns
 * what keeps the pointers in @results valid: (transfer full). NULL without error: there is
 * nothing. */
GPtrArray *report_read_results (GstBuffer *buffer, ReportResults *results, GError **error);
/* Takes results of glescompact from @buffer: (transfer full), returns (transfer full). */
GstBuffer *report_remove_points (GstBuffer *buffer);
/* The same for histograms that the caller has, of which there is one at least, and which keep the
 * pointers valid. */
gboolean report_read_histograms (GPtrArray *held, ReportResults *results, GError **error);
/* Returns the members of the line of an event of glesevents: (transfer full). */
JsonObject *report_describe_event (const GstStructure *event);
/* Whether @text, a line of glesjson, is about an event. */
gboolean report_is_event_line (const gchar *text, gsize size);

/* ---- report-range.c ---- */

typedef struct _ReportRange ReportRange;

/* Lets only frames through @decoded, a sink pad of @pipeline, that @report wants. @start: where
 * they begin, or NONE. @part: begin with the key frame before @start instead. To be freed with
 * g_free() after @pipeline. */
ReportRange *report_range_new (
    Report *report, GstElement *pipeline, GstPad *decoded, GstClockTime start, gboolean part);
/* Returns the stream time of @buffer, which passes @pad, or NONE. */
GstClockTime report_range_get_time (GstPad *pad, GstBuffer *buffer);
/* Takes each message of the bus, in the main thread: one of them asks for a seek. */
void report_range_take_message (ReportRange *self, GstMessage *message);

/* ---- report-stream-id.c ---- */

/* Makes the elements behind @source, a filesrc, form the ids of streams from @name. */
void report_name_streams (GstElement *source, const gchar *name);

/* ---- report-keys.c ---- */

typedef struct _ReportKeys ReportKeys;

/* Watches the decoders that will be added to @pipeline. */
ReportKeys *report_keys_new (GstElement *pipeline);
/* Whether the picture of @time, in stream time, is a key frame; those before it are forgotten. Any
 * thread. */
gboolean report_keys_take (ReportKeys *self, GstClockTime time);
/* The pipeline must have been stopped. @self: (nullable). */
void report_keys_free (ReportKeys *self);

/* ---- report-elements.c ---- */

/* Returns the pipeline that @options ask for, in state NULL: (transfer full), NULL with @error. It
 * has the elements "source" (filesrc, or appsrc to replay), "decode" (decodebin; none to replay),
 * "convert", and "sink". */
GstElement *report_make_pipeline (const ReportOptions *options, GError **error);

/* Whether @caps of @pad are those of a video that a container has. */
gboolean report_is_video (GstPad *pad, GstCaps *caps);
/* Waits for the lines of the last frame that was taken: glesevents pushes it with this lock. One
 * that does not move is not waited for. */
void report_wait_for_lines (GstElement *pipeline);

G_END_DECLS

#endif
