/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which frames are key frames. */
#ifndef REPORT_INPUTS_KEY_FRAMES_H
#define REPORT_INPUTS_KEY_FRAMES_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _ReportKeys ReportKeys;

/* Watches the decoders that will be added to @pipeline. */
ReportKeys *report_keys_new (GstElement *pipeline);
/* Whether the picture of @time, in stream time, is a key frame; those before it are forgotten. Any
 * thread. */
gboolean report_keys_take (ReportKeys *self, GstClockTime time);
/* The pipeline must have been stopped. @self: (nullable). */
void report_keys_free (ReportKeys *self);

G_END_DECLS

#endif
