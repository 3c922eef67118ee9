/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ids of streams that do not depend on the path. */
#ifndef REPORT_INPUTS_STREAM_ID_H
#define REPORT_INPUTS_STREAM_ID_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Makes the elements behind @source, a filesrc, form the ids of streams from @name. */
void report_name_streams (GstElement *source, const gchar *name);

G_END_DECLS

#endif
