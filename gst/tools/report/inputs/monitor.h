/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Looks for damage in the data between demuxers and decoders. */
#ifndef REPORT_INPUTS_MONITOR_H
#define REPORT_INPUTS_MONITOR_H

#include "../model/problems.h"
#include "clock.h"

G_BEGIN_DECLS

typedef struct _ReportMonitor ReportMonitor;

/* Checks the decoders and demuxers that will be added to @pipeline, whose file begins as @beginning
 * says. @media: whether the decoders are those of pictures or of sound. */
ReportMonitor *report_monitor_new (ReportProblems *problems, GstElement *pipeline,
    const ReportBeginning *beginning, GstElementFactoryListType media);
/* Checks the decoded frames or the sound that pass @pad. */
void report_monitor_output (ReportMonitor *self, GstPad *pad);
/* Adds problems that are known at the end. @complete: all was decoded. @truncated: (nullable): how
 * the file ends too early. */
void report_monitor_finish (ReportMonitor *self, gboolean complete, const gchar *truncated);
/* The pipeline must have been stopped. */
void report_monitor_free (ReportMonitor *self);

G_END_DECLS

#endif
