/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of light levels. */
#ifndef REPORT_OUTPUTS_LIGHT_TABLE_H
#define REPORT_OUTPUTS_LIGHT_TABLE_H

#include "../model/output.h"

G_BEGIN_DECLS

/* A row for each shot, and one for all of the video. */
ReportOutput *report_light_table_output_new (const gchar *path, GError **error);

G_END_DECLS

#endif
