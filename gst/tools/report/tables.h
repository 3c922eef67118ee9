/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Outputs that other programs read: tables of frames and of events. */
#ifndef GST_GLES_REPORT_TABLES_H
#define GST_GLES_REPORT_TABLES_H

#include "outputs.h"

G_BEGIN_DECLS

/* ---- report-measures.c ---- */

#define REPORT_N_MEASURES 30

/* A measure of FFmpeg's filter signalstats. */
typedef struct {
  const gchar *name;
  const gchar *channel;                /* that it is of, or NULL: of the whole picture */
  gchar text[G_ASCII_DTOSTR_BUF_SIZE]; /* the value as FFmpeg writes it; "": not known */
} ReportMeasure;

/* Fills @measures in FFmpeg's order. */
void report_get_measures (const ReportResults *results, ReportMeasure measures[REPORT_N_MEASURES]);
/* Returns (nullable). */
const ReportChannel *report_find_channel (const ReportResults *results, const gchar *name);

/* ---- report-table.c ---- */

/* Append a field of CSV (RFC 4180) behind a comma, unless it is the first one of the line. A text
 * that a spreadsheet would take for a formula gets an apostrophe. @text: (nullable), UTF-8. */
void report_append_field (GString *row, const gchar *text);
void report_append_number (GString *row, gdouble value);
/* In seconds; empty for NONE. */
void report_append_time (GString *row, GstClockTime time);
void report_end_row (GString *row);

/* A row for each frame. */
ReportOutput *report_table_output_new (const gchar *path, GError **error);

/* ---- report-qctools.c ---- */

/* The gzipped XML of ffprobe that QCTools opens. */
ReportOutput *report_qctools_output_new (const gchar *path, GError **error);

/* ---- report-event-tables.c, report-scenes.c ---- */

/* A row, or a cue of WebVTT, for each event. */
ReportOutput *report_event_table_output_new (const gchar *path, GError **error);
ReportOutput *report_cues_output_new (const gchar *path, GError **error);
/* PySceneDetect's list of scenes. */
ReportOutput *report_scenes_output_new (const gchar *path, GError **error);

/* Appends hh:mm:ss.mmm. */
void report_append_timecode (GString *text, GstClockTime time);

G_END_DECLS

#endif
