/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* RIFF, which is the container of AVI. */
#ifndef REPORT_INPUTS_RIFF_H
#define REPORT_INPUTS_RIFF_H

#include "mapped-file.h"

G_BEGIN_DECLS

gboolean report_is_riff (const ReportBytes *file);
/* Returns how the file ends within its first RIFF chunk: (transfer full) (nullable). */
gchar *report_check_riff_end (const ReportBytes *file);
/* Adds the chunks of an AVI that are not what its index says, except those where a problem is known
 * already. */
void report_check_riff (const ReportBytes *file, const ReportContent *content);

G_END_DECLS

#endif
