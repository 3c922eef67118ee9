/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Transport streams of MPEG-2, with packets of 188, 192 (M2TS) or 204 bytes. */
#ifndef REPORT_INPUTS_TRANSPORT_H
#define REPORT_INPUTS_TRANSPORT_H

#include "mapped-file.h"

G_BEGIN_DECLS

gboolean report_is_transport (const ReportBytes *file);
/* Returns how the file ends within a packet: (transfer full) (nullable). */
gchar *report_check_transport_end (const ReportBytes *file);
/* Adds the places where counters tell that packets of pictures or sound are missing. */
void report_check_transport (const ReportBytes *file, const ReportContent *content);

G_END_DECLS

#endif
