/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The frames that are wanted. */
#ifndef REPORT_INPUTS_RANGE_H
#define REPORT_INPUTS_RANGE_H

#include "../model/report.h"
#include "clock.h"
#include "options.h"

G_BEGIN_DECLS

typedef struct _ReportRange ReportRange;

/* Lets only frames through @decoded, a sink pad of @pipeline, that @report wants, from the start
 * that @options have, or from the key frame before it for a part. @beginning: of the file. To be
 * freed with g_free() after @pipeline. */
ReportRange *report_range_new (Report *report, GstElement *pipeline, GstPad *decoded,
    const ReportOptions *options, const ReportBeginning *beginning);
/* Takes each message of the bus, in the main thread: one of them asks for a seek. */
void report_range_take_message (ReportRange *self, GstMessage *message);

G_END_DECLS

#endif
