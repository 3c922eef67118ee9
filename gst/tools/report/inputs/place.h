/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* On which device a video is analysed. */
#ifndef REPORT_INPUTS_PLACE_H
#define REPORT_INPUTS_PLACE_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Writes the description of the device on which @pipeline analyses to the file @path, if it is not
 * *@told, which becomes it (transfer full) (nullable): with several GPUs a stream can move to
 * another one. */
gboolean report_tell_place (GstElement *pipeline, const gchar *path, gchar **told, GError **error);

G_END_DECLS

#endif
