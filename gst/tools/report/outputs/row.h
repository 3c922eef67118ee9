/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rows of tables that other programs read. */
#ifndef REPORT_OUTPUTS_ROW_H
#define REPORT_OUTPUTS_ROW_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Append a field of CSV (RFC 4180) behind a comma, unless it is the first one of the line. A text
 * that a spreadsheet would take for a formula gets an apostrophe. @text: (nullable), UTF-8. */
void report_append_field (GString *row, const gchar *text);
void report_append_number (GString *row, gdouble value);
/* In seconds; empty for NONE. */
void report_append_time (GString *row, GstClockTime time);
void report_end_row (GString *row);

/* Appends hh:mm:ss.mmm. */
void report_append_timecode (GString *text, GstClockTime time);

G_END_DECLS

#endif
