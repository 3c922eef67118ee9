/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of sound. */
#ifndef REPORT_OUTPUTS_SOUND_TABLE_H
#define REPORT_OUTPUTS_SOUND_TABLE_H

#include "../model/output.h"

G_BEGIN_DECLS

/* Opens a table with a row for each channel of the sound: (transfer full), NULL with @error. */
ReportOutput *report_sound_table_output_new (const gchar *path, GError **error);

G_END_DECLS

#endif
