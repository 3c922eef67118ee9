/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bytes of a file in memory, for the functions that read containers without GStreamer. */
#ifndef REPORT_INPUTS_MAPPED_FILE_H
#define REPORT_INPUTS_MAPPED_FILE_H

#include "../model/problems.h"

G_BEGIN_DECLS

typedef struct {
  const guint8 *data;
  guint64 size;
} ReportBytes;

/* How the content of a file is checked, and where problems go. */
typedef struct {
  Report *report; /* gives the range; problems outside it are not reported */
  ReportProblems *problems;
  GstClockTimeDiff origin; /* the clock of the container at the file's start, in nanoseconds */
  GstClockTime end;        /* up to which stream time the file was analysed */
  gboolean complete;       /* all of the file was analysed */
} ReportContent;

/* Returns (transfer full) (nullable): the contents of @path, if they are a file that is long enough
 * to be one of a container. A FIFO can be read once only. */
GMappedFile *report_file_map (const gchar *path, ReportBytes *file);
/* Returns the number of @n bytes at any address, the highest first. */
guint64 report_file_read (const guint8 *data, guint n);
/* Returns the number of 4 bytes at any address, the lowest first. */
guint32 report_file_read_swapped (const guint8 *data);
/* Returns that @part ends at @end, behind the end of the file: (transfer full). */
gchar *report_file_describe_end (const ReportBytes *file, const gchar *part, guint64 end);

G_END_DECLS

#endif
