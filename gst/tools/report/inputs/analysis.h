/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The analysis of a video: its pictures, and by way of others its damage and sound. */
#ifndef REPORT_INPUTS_ANALYSIS_H
#define REPORT_INPUTS_ANALYSIS_H

#include "../model/report.h"
#include "options.h"

G_BEGIN_DECLS

/* Analyses the video @path. Returns early, without error, when *@stop becomes TRUE. After
 * G_IO_ERROR_TIMED_OUT threads may still run, and the process must end by _exit(). */
gboolean report_analyse (
    Report *report, const gchar *path, const ReportOptions *options, gint *stop, GError **error);

G_END_DECLS

#endif
