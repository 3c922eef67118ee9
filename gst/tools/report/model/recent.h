/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pictures of the last frames. */
#ifndef REPORT_MODEL_RECENT_H
#define REPORT_MODEL_RECENT_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _ReportRecent ReportRecent;

/* Keeps the pictures that were added last, @max_size bytes of them: an event may be found some time
 * after the frame with which it began. */
ReportRecent *report_recent_new (gsize max_size, GDestroyNotify free_picture);
void report_recent_free (ReportRecent *self);
/* @picture: (transfer full), that of the frame of @time. @size: its bytes. */
void report_recent_add (ReportRecent *self, GstClockTime time, gpointer picture, gsize size);
/* Returns the picture of the frame of @time: (transfer none) (nullable). */
gpointer report_recent_find (ReportRecent *self, GstClockTime time);
/* Bytes of the JPEGs of events that lines have. */
#define REPORT_RECENT_JPEGS ((gsize) 4 << 20)

G_END_DECLS

#endif
