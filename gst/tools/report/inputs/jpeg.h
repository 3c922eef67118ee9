/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* JPEGs of frames. */
#ifndef REPORT_INPUTS_JPEG_H
#define REPORT_INPUTS_JPEG_H

#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct _ReportJpeg ReportJpeg;

/* Encodes small JPEGs of single frames. */
ReportJpeg *report_jpeg_new (void);
void report_jpeg_free (ReportJpeg *self);
/* Returns a JPEG of @buffer, turned upright: (transfer full) (nullable). Returns NULL from the
 * first failure on, which it reports. @caps: (nullable). */
GBytes *report_jpeg_encode (
    ReportJpeg *self, GstBuffer *buffer, GstCaps *caps, GstVideoOrientationMethod orientation);
/* Returns whether width and height change places when the picture is turned upright. */
gboolean report_is_sideways (GstVideoOrientationMethod orientation);

/* As jpeg_shrink(). */
GstSample *report_jpeg_shrink (
    ReportJpeg *self, GstBuffer *buffer, GstCaps *caps, GstVideoOrientationMethod orientation);

G_END_DECLS

#endif
