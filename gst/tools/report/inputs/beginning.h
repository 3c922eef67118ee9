/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The beginning of a file, and the frame rate that its timestamps have. */
#ifndef REPORT_INPUTS_BEGINNING_H
#define REPORT_INPUTS_BEGINNING_H

#include "clock.h"

G_BEGIN_DECLS

/* Returns the usual step between @times, an array of GstClockTime that it sorts. 0: there are too
 * few to tell. */
GstClockTime report_find_step (GArray *times);

/* Reads the beginning of @path, without decoding, and waits for the disk. All is 0 for what can be
 * read once only, such as a FIFO: times are then those of the demuxer. */
void report_read_beginning (const gchar *path, ReportBeginning *beginning);

G_END_DECLS

#endif
