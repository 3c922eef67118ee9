/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of frames. */
#ifndef REPORT_OUTPUTS_TABLE_H
#define REPORT_OUTPUTS_TABLE_H

#include "../model/output.h"

G_BEGIN_DECLS

/* A row for each frame. */
ReportOutput *report_table_output_new (const gchar *path, GError **error);

G_END_DECLS

#endif
