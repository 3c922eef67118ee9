/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is reported about a video beside its pictures: its damage, and its sound. */
#ifndef REPORT_INPUTS_DAMAGE_H
#define REPORT_INPUTS_DAMAGE_H

#include "../model/report.h"
#include "clock.h"
#include "options.h"

G_BEGIN_DECLS

typedef struct _ReportDamage ReportDamage;

/* Looks for damage in the data that flows through @pipeline, which is not playing yet, and in the
 * frames that reach the pad @decoded. @path is the video; @beginning describes its first packets. A
 * process can have one at a time. */
ReportDamage *report_damage_new (Report *report, const gchar *path,
    const ReportBeginning *beginning, GstElement *pipeline, GstPad *decoded);
/* Analyses the sound too, in threads of its own. @stream_id: (nullable), as in ReportOptions. */
void report_damage_start_sound (ReportDamage *self, const gchar *stream_id);
/* These handle pictures of problems as report_problems_note_picture() and the functions after it
 * do. */
void report_damage_note_picture (ReportDamage *self, GstClockTime time);
gboolean report_damage_wants_picture (ReportDamage *self, GstClockTime time);
void report_damage_add_picture (ReportDamage *self, GstClockTime time, GBytes *jpeg, gchar *line);
/* Adds problems and the events of the sound to the report. @failure: (nullable): why the analysis
 * ended early, after @position. Waits for the sound up to @timeout seconds without data (0: any
 * time), and until *@stop. */
void report_damage_end (
    ReportDamage *self, const GError *failure, GstClockTime position, guint timeout, gint *stop);
/* The pipeline must have been stopped. @self: (nullable). */
void report_damage_free (ReportDamage *self);

/* Analyses the sound of the video @path alone. Returns early, without error, when *@stop becomes
 * TRUE. */
gboolean report_analyse_sound (
    Report *report, const gchar *path, const ReportOptions *options, gint *stop, GError **error);

G_END_DECLS

#endif
