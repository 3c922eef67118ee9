/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Matroska and WebM. */
#ifndef REPORT_INPUTS_MATROSKA_H
#define REPORT_INPUTS_MATROSKA_H

#include "mapped-file.h"

G_BEGIN_DECLS

gboolean report_is_matroska (const ReportBytes *file);
/* Returns how the file ends before its elements do: (transfer full) (nullable). */
gchar *report_check_matroska_end (const ReportBytes *file);
/* Adds the parts of the file whose checksums are wrong, except those in whose time a problem is
 * known already. */
void report_check_matroska (const ReportBytes *file, const ReportContent *content);

G_END_DECLS

#endif
