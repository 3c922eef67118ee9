/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The data that gst-gles-report-1.0 collects from a video, and the page that it writes. */
#ifndef GST_GLES_REPORT_H
#define GST_GLES_REPORT_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define REPORT_HEAT_BINS 64

/* Percentiles 1, 5, 10, 50, 90, 95, 99 and the mean. */
#define REPORT_N_LEVELS 8

/* One frame. Levels and changes are code values of 8 bits. */
typedef struct {
  GstClockTime time, duration; /* in stream time; the duration may be unknown */
  gdouble levels[REPORT_N_LEVELS];
  gdouble emd, mad;
  gboolean has_emd, has_mad;
} ReportFrame;

typedef struct _Report Report;

Report *report_new (const gchar *title);
void report_free (Report *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Report, report_free)

/* @format (nullable): its name, NULL if unknown. */
void report_set_format (Report *report, guint width, guint height, const gchar *format);
/* @counts (nullable): the histogram of luma, of @n bins. */
void report_add_frame (Report *report, const ReportFrame *frame, const guint32 *counts, guint n);
/* @phase: "instant", "start" or "end" of glesevents. */
void report_add_event (Report *report, const gchar *kind, const gchar *phase, GstClockTime time,
    guint64 frame, gdouble score);

/* Pictures of the strip. report_wants_picture() returns TRUE when the next one is due. @jpeg:
 * (transfer none). */
void report_set_duration (Report *report, GstClockTime duration);
gboolean report_wants_picture (Report *report, GstClockTime time);
void report_add_picture (Report *report, GstClockTime time, GBytes *jpeg);
/* Returns TRUE while the last events have no picture and the limit of pictures is not reached. */
gboolean report_wants_event_picture (Report *report);
void report_add_event_picture (Report *report, GBytes *jpeg);

guint report_get_n_frames (Report *report);
guint report_get_n_events (Report *report);

/* Returns the page: (transfer full). @partial: the video was not analysed to its end. */
GString *report_to_html (Report *report, gboolean partial);

/* ---- report-output.c ---- */

/* Returns TRUE if @path is no regular file, and not a new one: a device, a FIFO, or an open
 * descriptor of this process such as /dev/stdout. */
gboolean report_is_stream (const gchar *path);
/* Writes @page to @path. A regular file is replaced as a whole when @page is complete, behind any
 * symbolic links; a stream is written to. */
gboolean report_write (const GString *page, const gchar *path, GError **error);

/* ---- report-lines.c ---- */

typedef struct _ReportLines ReportLines;

/* Adds lines of glesjson to @report. */
ReportLines *report_lines_new (Report *report);
void report_lines_free (ReportLines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReportLines, report_lines_free)

/* Adds the frame or the event of a line, @text of @size bytes from any source. A line of another
 * kind, or a member of another type than docs/json.md says, adds nothing. Errors: no JSON object.
 */
gboolean report_lines_add (ReportLines *self, const gchar *text, gsize size, GError **error);

/* Adds the frames and events of the glesjson lines in @path. Returns early, without error, when
 * *@stop becomes TRUE. */
gboolean report_read_lines (Report *report, const gchar *path, gint *stop, GError **error);

/* ---- report-video.c ---- */

/* Analyses the video @path on @device (nullable). Returns early, without error, when *@stop becomes
 * TRUE. */
gboolean report_analyse (Report *report, const gchar *path, const gchar *device, gboolean progress,
    gint *stop, GError **error);

G_END_DECLS

#endif
