/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is known of a video so far. What it gets it hands on to its outputs. */
#ifndef REPORT_MODEL_REPORT_H
#define REPORT_MODEL_REPORT_H

#include "events.h"
#include "output.h"
#include "overview.h"
#include "times.h"

G_BEGIN_DECLS

Report *report_new (const gchar *title);
void report_free (Report *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Report, report_free)

/* Only frames and events from @start on and before @stop, in stream time, are wanted. NONE is no
 * limit. The caller leaves the others out. */
void report_set_range (Report *report, GstClockTime start, GstClockTime stop);
gboolean report_covers (Report *report, GstClockTime time);
void report_get_range (Report *report, GstClockTime *start, GstClockTime *stop);
/* Whether @time is not before @stop. */
gboolean report_is_behind (Report *report, GstClockTime time);
/* @format, @stored: as of ReportResults. */
void report_set_format (
    Report *report, guint width, guint height, const gchar *format, const gchar *stored);
/* Adds a frame to the report and its outputs. */
void report_add_results (Report *report, const ReportResults *results);
/* Adds a line of glesjson, without its line feed, to the outputs that have lines. What it says is
 * added apart. @is_event: it is about an event. */
void report_add_line (Report *report, const gchar *text, gsize size, gboolean is_event);
/* @line: (transfer none): the members of a line of glesjson about an event, which the report may
 * change. @time: in stream time. What is no such line, and another phase than "instant", "start",
 * "update" and "end", adds nothing. */
void report_add_event (Report *report, JsonObject *line, GstClockTime time);

/* Adds the measures of a stream of sound. @line: (transfer none): a line of type "sound", as
 * docs/json.md describes it. Its text is added apart. */
void report_add_sound (Report *report, JsonObject *line);

/* Pictures of the strip. report_wants_picture() returns TRUE when the next one is due. @jpeg:
 * (transfer none). */
gboolean report_wants_picture (Report *report, GstClockTime time);
void report_add_picture (Report *report, GstClockTime time, GBytes *jpeg);

/* Returns TRUE while events wait for a picture and the limit of pictures is not reached. An event
 * has the picture of the frame with which it began. */
gboolean report_wants_event_picture (Report *report);
/* Gives all events that wait the picture. @jpeg: (nullable), NULL: they have none. */
void report_add_event_picture (Report *report, GBytes *jpeg);

guint report_get_n_frames (Report *report);
guint report_get_n_events (Report *report);
/* Returns the number of the first frame at @time or later. */
guint report_get_frame_at (Report *report, GstClockTime time);

/* Returns FALSE when an output cannot be written. */
gboolean report_check (Report *report, GError **error);
/* Completes all outputs. Those that cannot be written leave no file; the error names each on a line
 * of its own. @partial: the video was not analysed to its end. */
gboolean report_finish (Report *report, gboolean partial, GError **error);

/* @output: (transfer full), allocated with g_new0(). */
void report_add_output (Report *report, ReportOutput *output);

/* Return (transfer none). */
ReportEvents *report_get_events (Report *report);
/* The measures of sound: (element-type JsonObject). */
const GPtrArray *report_get_sounds (Report *report);
const ReportOverview *report_get_overview (Report *report);
const gchar *report_get_name (Report *report);
/* Returns (transfer none) (nullable): "" or "... (stored as ...)". */
const gchar *report_get_format (Report *report, guint *width, guint *height);
/* Return the range of frames and events. */
GstClockTime report_get_begin (Report *report);
GstClockTime report_get_end (Report *report);

G_END_DECLS

#endif
