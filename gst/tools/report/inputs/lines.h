/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads lines of glesjson. */
#ifndef REPORT_INPUTS_LINES_H
#define REPORT_INPUTS_LINES_H

#include "../model/report.h"

G_BEGIN_DECLS

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

G_END_DECLS

#endif
