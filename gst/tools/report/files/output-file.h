/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A file that an output writes. A regular file appears when it is complete; a stream gets its data
 * while it is written. */
#ifndef REPORT_FILES_OUTPUT_FILE_H
#define REPORT_FILES_OUTPUT_FILE_H

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _ReportFile ReportFile;

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
/* Completes the file, syncs it and gives it its name. FALSE with @error, also for an earlier one.
 */
gboolean report_file_close (ReportFile *self, GError **error);
/* Removes a file that was not closed. */
void report_file_free (ReportFile *self);

G_END_DECLS

#endif
