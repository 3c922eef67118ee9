/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ogg. */
#ifndef REPORT_INPUTS_OGG_H
#define REPORT_INPUTS_OGG_H

#include "mapped-file.h"

G_BEGIN_DECLS

gboolean report_is_ogg (const ReportBytes *file);
/* Returns how the file ends within a page: (transfer full) (nullable). */
gchar *report_check_ogg_end (const ReportBytes *file);
/* Adds the pages whose checksums are wrong, which the demuxer leaves out without a word. */
void report_check_ogg (const ReportBytes *file, const ReportContent *content);

G_END_DECLS

#endif
