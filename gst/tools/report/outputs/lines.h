/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines of glesjson. */
#ifndef REPORT_OUTPUTS_LINES_H
#define REPORT_OUTPUTS_LINES_H

#include "../model/output.h"

G_BEGIN_DECLS

/* All lines of glesjson, or those about events. Each opens the file @path: (transfer full), NULL
 * with @error. */
ReportOutput *report_lines_output_new (const gchar *path, GError **error);
ReportOutput *report_event_lines_output_new (const gchar *path, GError **error);

G_END_DECLS

#endif
