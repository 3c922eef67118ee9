/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sound of a video. */
#ifndef REPORT_INPUTS_SOUND_H
#define REPORT_INPUTS_SOUND_H

#include "../model/problems.h"
#include "clock.h"

G_BEGIN_DECLS

typedef struct _ReportSound ReportSound;

/* Starts to analyse the sound of @path in a pipeline of its own: (transfer full) (nullable).
 * @stream_id: (nullable), as in ReportOptions. @beginning: of the file. */
ReportSound *report_sound_start (Report *report, const gchar *path, const gchar *stream_id,
    const ReportBeginning *beginning, ReportProblems *problems);
/* Waits for the end of the sound, if @stop is FALSE as long as *@stop is, and not longer than
 * @timeout seconds without data (0: any time). Adds events and measures to the report. */
void report_sound_end (ReportSound *self, guint timeout, gint *stop);

G_END_DECLS

#endif
