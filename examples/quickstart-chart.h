/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws a frame next to the curves of its histogram. */
#ifndef QUICKSTART_CHART_H
#define QUICKSTART_CHART_H

#include <gst/gles/gles.h>

/* Writes a PNG of @frame (with its caps) and the histogram @result. @title and @footer are lines of
 * text. */
gboolean quickstart_chart_write (GstSample *frame, GstGlesHistogramResult *result,
    const gchar *title, const gchar *footer, const gchar *path, GError **error);

#endif
