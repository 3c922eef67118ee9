/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pictures of the page and of events. */
#ifndef REPORT_INPUTS_PICTURES_H
#define REPORT_INPUTS_PICTURES_H

#include "../model/report.h"
#include "jpeg.h"

G_BEGIN_DECLS

typedef struct _ReportPictures ReportPictures;

/* Takes the pictures of a video: for the page of @report if @page, and for lines with packed
 * results if @replayable. These functions take no lock. */
ReportPictures *report_pictures_new (Report *report, gboolean page, gboolean replayable);
void report_pictures_free (ReportPictures *self);
/* Takes the next frame, which is at @time. @caps: (nullable). */
void report_pictures_add_frame (ReportPictures *self, GstBuffer *buffer, GstCaps *caps,
    GstVideoOrientationMethod orientation, GstClockTime time);
/* An event that began at @time was found. Gives the one that was added to the report last its
 * picture; it has none if the frame is no longer kept. */
void report_pictures_add_event (ReportPictures *self, GstClockTime time);
/* Returns the JPEG of the frame of @time: (transfer full) (nullable). */
GBytes *report_pictures_make (ReportPictures *self, GstClockTime time);
/* Returns a line: (transfer full) (nullable), NULL where the report has no such lines. */
gchar *report_pictures_pack (
    ReportPictures *self, GBytes *jpeg, GstClockTime time, gboolean of_strip);
/* Adds the lines of pictures since the last call to the report. */
void report_pictures_add_lines (ReportPictures *self);

G_END_DECLS

#endif
