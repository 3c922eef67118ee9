/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the command line of gst-gles-report-1.0 names: files and times. */
#ifndef REPORT_NAMES_H
#define REPORT_NAMES_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Returns the name of @input without its folder and its ending: (transfer full). */
gchar *report_get_title (const gchar *input);
/* Returns @pattern with that name in place of each "%s": (transfer full). */
gchar *report_make_name (const gchar *pattern, const gchar *input);
/* Returns FALSE when a file would be written twice, or an input would be overwritten. */
gboolean report_check_names (gchar **inputs, const gchar *const *patterns, GError **error);
/* Reads seconds, minutes:seconds or hours:minutes:seconds, with a fraction or without. */
gboolean report_parse_time (const gchar *text, GstClockTime *time);

G_END_DECLS

#endif
