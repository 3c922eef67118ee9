/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The page of HTML. */
#ifndef REPORT_OUTPUTS_PAGE_H
#define REPORT_OUTPUTS_PAGE_H

#include "../model/report.h"

G_BEGIN_DECLS

/* Returns the page: (transfer full). @partial: the video was not analysed to its end. */
GString *report_to_html (Report *report, gboolean partial);
/* Opens the file @path: (transfer full), NULL with @error. */
ReportOutput *report_page_output_new (const gchar *path, GError **error);

G_END_DECLS

#endif
