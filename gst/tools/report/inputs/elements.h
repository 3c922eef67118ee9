/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The elements of the pipeline, and their settings. */
#ifndef REPORT_INPUTS_ELEMENTS_H
#define REPORT_INPUTS_ELEMENTS_H

#include "options.h"

G_BEGIN_DECLS

/* Checks settings, ELEMENT.PROPERTY=VALUE each. The error tells what there is instead. */
gboolean report_check_settings (gchar **settings, GError **error);
/* Reads a list such as "sat,hue". */
gboolean report_parse_measures (const gchar *text, guint *measures, GError **error);

/* Returns the pipeline that @options ask for, in state NULL: (transfer full), NULL with @error. It
 * has the elements "source" (filesrc, fdsrc for a FIFO, or appsrc to replay), "decode" (decodebin;
 * none to replay), "convert", and "sink". */
GstElement *report_make_pipeline (const ReportOptions *options, gboolean fifo, GError **error);

/* Has @source, an fdsrc, read the FIFO @path. Unlike filesrc it does not hang where there is no
 * writer or nothing was written. It names streams as filesrc does. */
gboolean report_open_fifo (GstElement *source, const gchar *path, GError **error);

/* Returns whether @pad, which has @caps, is that of a video stream of the file. */
gboolean report_is_video (GstPad *pad, GstCaps *caps);
/* Waits for the lines of the last frame that was taken: glesevents pushes it with this lock. One
 * that does not move is not waited for. */
void report_wait_for_lines (GstElement *pipeline);

G_END_DECLS

#endif
