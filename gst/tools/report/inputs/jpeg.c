/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes small JPEGs. An error is reported once, and the report is made without pictures. */
#include "jpeg.h"
#include "../../common/jpeg.h"

#define WIDTH 160
#define QUALITY 60

struct _ReportJpeg {
  Jpeg *jpeg;
  gboolean failed; /* an error was reported */
};

ReportJpeg *
report_jpeg_new (void)
{
  ReportJpeg *self = g_new0 (ReportJpeg, 1);

  self->jpeg = jpeg_new (WIDTH, QUALITY);
  return self;
}

void
report_jpeg_free (ReportJpeg *self)
{
  jpeg_free (self->jpeg);
  g_free (self);
}

gboolean
report_is_sideways (GstVideoOrientationMethod orientation)
{
  return jpeg_is_sideways (orientation);
}

GstSample *
report_jpeg_shrink (
    ReportJpeg *self, GstBuffer *buffer, GstCaps *caps, GstVideoOrientationMethod orientation)
{
  return self->failed || caps == NULL ? NULL : jpeg_shrink (self->jpeg, buffer, caps, orientation);
}

GBytes *
report_jpeg_encode (
    ReportJpeg *self, GstBuffer *buffer, GstCaps *caps, GstVideoOrientationMethod orientation)
{
  GBytes *jpeg =
      self->failed || caps == NULL ? NULL : jpeg_encode (self->jpeg, buffer, caps, orientation);

  if (jpeg == NULL && !self->failed) {
    g_printerr ("gst-gles-report-1.0: no pictures: are videoscale, videoflip and jpegenc "
                "installed?\n");
    self->failed = TRUE;
  }
  return jpeg;
}
