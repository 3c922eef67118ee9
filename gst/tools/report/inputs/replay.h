/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines with results in place of a video. */
#ifndef REPORT_INPUTS_REPLAY_H
#define REPORT_INPUTS_REPLAY_H

#include "../model/packed.h"
#include "../model/report.h"

G_BEGIN_DECLS

typedef struct _ReportReplay ReportReplay;

/* Feeds the results in the lines of @path to @source, an appsrc: (transfer full), NULL with
 * @error. */
ReportReplay *report_replay_new (GstElement *source, const gchar *path, GError **error);
/* Returns the picture of the strip that belongs to @buffer: (transfer none) (nullable). */
const ReportPicture *report_replay_get_picture (GstBuffer *buffer);
/* Returns the picture of events that began at @time: (transfer none) (nullable). In the thread of
 * @source. */
GBytes *report_replay_find_picture (ReportReplay *self, GstClockTime time);
/* Fills in what the lines have of @buffer beside its histograms. */
void report_replay_get_extra (GstBuffer *buffer, ReportResults *results);
/* Adds the events that no results make: of sound, and problems. The pipeline has ended. */
gboolean report_replay_finish (ReportReplay *self, Report *report, GError **error);
/* The pipeline must have been stopped. @self: (nullable). */
void report_replay_free (ReportReplay *self);

G_END_DECLS

#endif
