/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef FRAME_UTC_H
#define FRAME_UTC_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* The time of day of @buffer in nanoseconds since 1970, if it has one. */
GstClockTime frame_get_utc (GstBuffer *buffer);

G_END_DECLS

#endif
