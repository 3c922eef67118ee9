/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of the pipeline that analyses a video. */
#ifndef GST_GLES_REPORT_PIPELINE_H
#define GST_GLES_REPORT_PIPELINE_H

#include "clock.h"
#include "report.h"

G_BEGIN_DECLS

/* Names of elements that FFmpeg's measures are made of. */
#define REPORT_SAT "sat"
#define REPORT_HUE "hue"
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

/* Lets only frames through @decoded, a sink pad of @pipeline, that @report wants, from the start
 * that @options have, or from the key frame before it for a part. @beginning: of the file. To be
 * freed with g_free() after @pipeline. */
ReportRange *report_range_new (Report *report, GstElement *pipeline, GstPad *decoded,
    const ReportOptions *options, const ReportBeginning *beginning);
/* Takes each message of the bus, in the main thread: one of them asks for a seek. */
void report_range_take_message (ReportRange *self, GstMessage *message);

/* ---- report-format.c ---- */

/* Chooses the format that the elements "convert" and "formats" of @pipeline make of what is
 * decoded, and the expressions of FFmpeg's measures for it. */
void report_watch_format (GstElement *pipeline);
/* Returns the name of the format that was stored, if another one was analysed: (nullable). */
const gchar *report_get_stored_format (GstElement *pipeline);

/* ---- report-choice.c ---- */

/* Has @decode, a decodebin that lives no longer than @failure, decode the first video alone. */
void report_choose_video (GstElement *decode, ReportFailure *failure);

/* ---- report-stream-id.c ---- */

/* Makes the elements behind @source, a filesrc, form the ids of streams from @name. */
void report_name_streams (GstElement *source, const gchar *name);

/* ---- report-pictures.c ---- */

typedef struct _ReportPictures ReportPictures;

/* Takes the pictures of a video for the page of @report, and for lines with results if
 * @replayable. @page: there is one. Nothing here locks. */
ReportPictures *report_pictures_new (Report *report, gboolean page, gboolean replayable);
void report_pictures_free (ReportPictures *self);
/* The next frame, at @time. @caps: (nullable). */
void report_pictures_add_frame (ReportPictures *self, GstBuffer *buffer, GstCaps *caps,
    GstVideoOrientationMethod orientation, GstClockTime time);
/* An event that began at @time was found. Gives the one that was added to the report last its
 * picture; it has none if the frame is no longer kept. */
void report_pictures_add_event (ReportPictures *self, GstClockTime time);
/* Returns the JPEG of the frame of @time: (transfer full) (nullable). */
GBytes *report_pictures_make (ReportPictures *self, GstClockTime time);
/* Returns a line: (transfer full) (nullable), NULL where the report has no such lines. */
gchar *report_pictures_pack (
    ReportPictures *self, GBytes *jpeg, GstClockTime time, gboolean of_strip);
/* Adds the lines of pictures since the last call to the report. */
void report_pictures_add_lines (ReportPictures *self);

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
 * has the elements "source" (filesrc, fdsrc for a FIFO, or appsrc to replay), "decode" (decodebin;
 * none to replay), "convert", and "sink". */
GstElement *report_make_pipeline (const ReportOptions *options, gboolean fifo, GError **error);

/* Has @source, an fdsrc, read the FIFO @path. Unlike filesrc it does not hang where there is no
 * writer or nothing was written. It names streams as filesrc does. */
gboolean report_open_fifo (GstElement *source, const gchar *path, GError **error);

/* Whether @caps of @pad are those of a video that a container has. */
gboolean report_is_video (GstPad *pad, GstCaps *caps);
/* Waits for the lines of the last frame that was taken: glesevents pushes it with this lock. One
 * that does not move is not waited for. */
void report_wait_for_lines (GstElement *pipeline);

G_END_DECLS

#endif
