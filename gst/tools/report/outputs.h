/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What gst-gles-report-1.0 writes: one reader of results, a video or lines of glesjson, feeds any
 * number of outputs by way of a Report. */
#ifndef GST_GLES_REPORT_OUTPUTS_H
#define GST_GLES_REPORT_OUTPUTS_H

#include <gio/gio.h>

#include "report.h"

G_BEGIN_DECLS

/* ---- report-fifo.c ---- */

gboolean report_is_fifo (const gchar *path);
/* Opens @path, also a FIFO, to read lines with report_stop_get_reading(). Does not wait. (transfer
 * full), NULL with @error. */
GDataInputStream *report_open_lines (const gchar *path, GError **error);
/* Returns a descriptor of the FIFO @path, or -1 with @error. Does not wait for a writer. */
gint report_open_fifo_to_read (const gchar *path, GError **error);
/* Waits for a reader of the FIFO @path, at most until report_stop_get_reading() is cancelled.
 * Returns a descriptor, or -1 with errno: ENXIO if there was no reader. */
gint report_open_fifo_to_write (const gchar *path);

/* ---- report-file.c ---- */

typedef struct _ReportFile ReportFile;

/* Returns TRUE if @path is no regular file, and not a new one: a device, a FIFO, or an open
 * descriptor of this process such as /dev/stdout. */
gboolean report_is_stream (const gchar *path);
/* Returns the open descriptor of this process that @path names, such as /dev/stdin, or -1. */
gint report_find_descriptor (const gchar *path);
/* Opens what will be @path, behind any symbolic links. A regular file is written as @path.part and
 * replaces @path as a whole in report_file_close(); a stream is written to. @compress: as gzip.
 * (transfer full), NULL with @error. */
ReportFile *report_file_open (const gchar *path, gboolean compress, GError **error);
/* Writes text; after an error nothing more. Waits for the reader of a FIFO, at most until
 * report_stop_get_writing() is cancelled. report_file_check() and report_file_close() tell. */
void report_file_write (ReportFile *self, const gchar *text, gsize size);
void report_file_print (ReportFile *self, const GString *text);
gboolean report_file_check (ReportFile *self, GError **error);
const gchar *report_file_get_path (ReportFile *self);
/* Brings the file to the disk and gives it its name. */
gboolean report_file_close (ReportFile *self, GError **error);
/* Removes a file that was not closed. */
void report_file_free (ReportFile *self);

/* ---- outputs ---- */

typedef struct _ReportOutput ReportOutput;

/* One file. What fails is kept in @file. Functions that are NULL are not called. */
struct _ReportOutput {
  ReportFile *file;
  guint64 n_written; /* frames, lines or so; for the output itself */
  void (*add_results) (ReportOutput *self, const ReportResults *results);
  /* @text: a line of glesjson without its line feed. @is_event: it is about an event. */
  void (*add_line) (ReportOutput *self, const gchar *text, gsize size, gboolean is_event);
  /* Writes what comes last, before the file is closed. @partial: the video was not analysed to its
   * end. */
  void (*finish) (ReportOutput *self, Report *report, gboolean partial);
  void (*clear) (ReportOutput *self); /* frees what the output has beside @file */
};

/* @output: (transfer full), allocated with g_new0(). */
void report_add_output (Report *report, ReportOutput *output);
void report_output_free (gpointer output);

/* ---- report-page.c ---- */

/* Return (transfer none): of ReportOutput; the events so far. */
GPtrArray *report_get_outputs (Report *report);
ReportEvents *report_get_events (Report *report);
const gchar *report_get_name (Report *report);
/* Return the range of frames and events. */
GstClockTime report_get_begin (Report *report);
GstClockTime report_get_end (Report *report);
/* Adds a frame to the data of the page alone. */
void report_add_frame (Report *report, const ReportResults *results);

/* Each opens the file @path: (transfer full), NULL with @error. */
ReportOutput *report_page_output_new (const gchar *path, GError **error);
/* All lines of glesjson, or those about events. */
ReportOutput *report_lines_output_new (const gchar *path, GError **error);
ReportOutput *report_event_lines_output_new (const gchar *path, GError **error);

G_END_DECLS

#endif
