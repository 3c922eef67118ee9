/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the container of a file tells without decoding. */
#ifndef REPORT_INPUTS_CONTAINER_H
#define REPORT_INPUTS_CONTAINER_H

#include "mapped-file.h"

G_BEGIN_DECLS

/* Returns how the file @path ends before its container does: (transfer full). NULL if it does not,
 * or if that cannot be told. */
gchar *report_check_container (const gchar *path);
/* Adds what checksums, counters and indices in the file @path say of its content. Reads the whole
 * file. */
void report_check_content (const gchar *path, const ReportContent *content);
/* Returns whether @path is an MP4 or MOV whose video has no edit list. */
gboolean report_lacks_edits (const gchar *path);

G_END_DECLS

#endif
