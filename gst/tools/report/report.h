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

/* Writes the page to @path. @partial: the video was not analysed to its end. */
gboolean report_write (Report *report, const gchar *path, gboolean partial, GError **error);

/* ---- report-lines.c ---- */

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
