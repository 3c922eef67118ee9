/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The times of all frames. */
#ifndef REPORT_MODEL_TIMES_H
#define REPORT_MODEL_TIMES_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _ReportTimes ReportTimes;

ReportTimes *report_times_new (void);
void report_times_free (ReportTimes *self);
void report_times_add (ReportTimes *self, GstClockTime time);
guint report_times_get_n (const ReportTimes *self);
/* Returns the number of the first that is @time or later, or how many there are. */
guint report_times_find (const ReportTimes *self, GstClockTime time);

G_END_DECLS

#endif
