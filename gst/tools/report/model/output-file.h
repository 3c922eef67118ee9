/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A file of an output: a regular one appears when it is complete, a stream is written to. */
#ifndef REPORT_MODEL_OUTPUT_FILE_H
#define REPORT_MODEL_OUTPUT_FILE_H

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _ReportFile ReportFile;

/* Returns TRUE if @path is no regular file, and not a new one: a device, a FIFO, or an open
 * descriptor of this process such as /dev/stdout. */
gboolean report_is_stream (const gchar *path);
/* Opens what will be @path, behind any symbolic links. A regular file is written as @path.part and
 * replaces @path as a whole in report_file_close(); a stream is written to. @compress: as gzip.
 * (transfer full), NULL with @error. */
ReportFile *report_file_open (const gchar *path, gboolean compress, GError **error);
/* Writes text; after an error nothing more. report_file_check() and report_file_close() tell. */
void report_file_write (ReportFile *self, const gchar *text, gsize size);
void report_file_print (ReportFile *self, const GString *text);
gboolean report_file_check (ReportFile *self, GError **error);
const gchar *report_file_get_path (ReportFile *self);
/* Brings the file to the disk and gives it its name. */
gboolean report_file_close (ReportFile *self, GError **error);
/* Removes a file that was not closed. */
void report_file_free (ReportFile *self);

G_END_DECLS

#endif
