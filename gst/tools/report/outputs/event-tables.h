/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events as rows of a table, or as cues. */
#ifndef REPORT_OUTPUTS_EVENT_TABLES_H
#define REPORT_OUTPUTS_EVENT_TABLES_H

#include "../model/output.h"

G_BEGIN_DECLS

/* A row, or a cue of WebVTT, for each event. */
ReportOutput *report_event_table_output_new (const gchar *path, GError **error);
ReportOutput *report_cues_output_new (const gchar *path, GError **error);

G_END_DECLS

#endif
