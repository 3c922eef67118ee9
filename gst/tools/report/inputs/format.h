/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The format in which a video is analysed. */
#ifndef REPORT_INPUTS_FORMAT_H
#define REPORT_INPUTS_FORMAT_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Chooses the format that the elements "convert" and "formats" of @pipeline make of what is
 * decoded, and the expressions of FFmpeg's measures for it. */
void report_follow_format (GstElement *pipeline);
/* Returns the name of the format that was stored, if another one was analysed: (nullable). */
const gchar *report_get_stored_format (GstElement *pipeline);

G_END_DECLS

#endif
