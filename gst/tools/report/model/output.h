/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A file that is written while a video is analysed. */
#ifndef REPORT_MODEL_OUTPUT_H
#define REPORT_MODEL_OUTPUT_H

#include "../files/output-file.h"
#include "results.h"

G_BEGIN_DECLS

typedef struct _Report Report;
typedef struct _ReportOutput ReportOutput;

/* An output, which writes one file. The first error is kept in @file. Functions that are NULL are
 * not called. */
struct _ReportOutput {
  ReportFile *file;
  Report *report;    /* that it is of; report_add_output() sets it */
  guint64 n_written; /* a counter of frames or lines that the output may use */
  void (*add_results) (ReportOutput *self, const ReportResults *results);
  /* @text: a line of glesjson without its line feed. @is_event: it is about an event. */
  void (*add_line) (ReportOutput *self, const gchar *text, gsize size, gboolean is_event);
  /* Writes what comes last, before the file is closed. @partial: the video was not analysed to its
   * end. */
  void (*finish) (ReportOutput *self, Report *report, gboolean partial);
  void (*clear) (ReportOutput *self); /* frees what the output has beside @file */
};

/* Opens the file @path for an output without functions: (transfer full), NULL with @error. */
ReportOutput *report_output_new (const gchar *path, GError **error);
void report_output_free (gpointer output);

G_END_DECLS

#endif
