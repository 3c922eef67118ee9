/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pictures of the strip, and of events, which are found up to some seconds after they began: small
 * copies of the last frames are kept for them. */
#include "pictures.h"
#include "../model/packed.h"
#include "../model/recent.h"

#include <string.h>

/* Bytes of copies: 15 s of 25 frames a second in 4:2:0, 8 bits and 16:9. */
#define RECENT_COPIES ((gsize) 8 << 20)

struct _ReportPictures {
  Report *report;
  gboolean page, replayable;
  ReportJpeg *jpeg;
  ReportRecent *copies; /* of GstSample: small copies of the last frames */
  ReportRecent *jpegs;  /* of GBytes: the last JPEGs of events */
  guint n_packed;       /* how many of these JPEGs are in lines */
  GPtrArray *lines;     /* lines of pictures that are not in the report yet */

  /* the last frame */
  GstBuffer *buffer;
  GstCaps *caps; /* nullable */
  GstVideoOrientationMethod orientation;
  GstClockTime time;
};

ReportPictures *
report_pictures_new (Report *report, gboolean page, gboolean replayable)
{
  ReportPictures *self = g_new0 (ReportPictures, 1);

  self->report = report;
  self->page = page;
  self->replayable = replayable;
  self->jpeg = report_jpeg_new ();
  self->copies = report_recent_new (RECENT_COPIES, (GDestroyNotify) gst_sample_unref);
  self->jpegs = report_recent_new (REPORT_RECENT_JPEGS, (GDestroyNotify) g_bytes_unref);
  self->lines = g_ptr_array_new_with_free_func (g_free);
  self->time = GST_CLOCK_TIME_NONE;
  return self;
}

void
report_pictures_free (ReportPictures *self)
{
  if (self == NULL)
    return;
  gst_clear_buffer (&self->buffer);
  gst_clear_caps (&self->caps);
  report_recent_free (self->copies);
  report_recent_free (self->jpegs);
  report_jpeg_free (self->jpeg);
  g_ptr_array_unref (self->lines);
  g_free (self);
}

gchar *
report_pictures_pack (ReportPictures *self, GBytes *jpeg, GstClockTime time, gboolean of_strip)
{
  const ReportPicture picture = { .jpeg = jpeg,
    .time = time,
    .of_strip = of_strip,
    .sideways = report_is_sideways (self->orientation) };

  return self->replayable ? report_pack_picture (&picture) : NULL;
}

GBytes *
report_pictures_make (ReportPictures *self, GstClockTime time)
{
  GstSample *copy = report_recent_find (self->copies, time);

  if (copy != NULL)
    return report_jpeg_encode (
        self->jpeg, gst_sample_get_buffer (copy), gst_sample_get_caps (copy), self->orientation);
  if (self->buffer == NULL || time != self->time)
    return NULL;
  return report_jpeg_encode (self->jpeg, self->buffer, self->caps, self->orientation);
}

/* Keeps a small copy of the last frame, as far as one may be needed. */
static void
keep (ReportPictures *self, GstBuffer *buffer, GstCaps *caps, GstVideoOrientationMethod orientation,
    GstClockTime time)
{
  GstSample *copy = report_jpeg_shrink (self->jpeg, buffer, caps, orientation);

  self->orientation = orientation;
  self->time = time;
  if (copy != NULL) {
    report_recent_add (
        self->copies, time, copy, gst_buffer_get_size (gst_sample_get_buffer (copy)));
    return;
  }
  gst_buffer_replace (&self->buffer, buffer);
  gst_caps_replace (&self->caps, caps);
}

void
report_pictures_add_frame (ReportPictures *self, GstBuffer *buffer, GstCaps *caps,
    GstVideoOrientationMethod orientation, GstClockTime time)
{
  const GstClockTime before = self->time;
  const gboolean of_page = self->page && report_wants_picture (self->report, time);
  const gboolean of_lines = self->replayable &&
      (!GST_CLOCK_TIME_IS_VALID (before) ||
          before / REPORT_KEPT_PICTURES != time / REPORT_KEPT_PICTURES);
  g_autoptr (GBytes) jpeg = NULL;

  keep (self, buffer, caps, orientation, time);
  if (of_page || of_lines)
    jpeg = report_pictures_make (self, time);
  if (jpeg != NULL && of_page)
    report_add_picture (self->report, time, jpeg);
  if (jpeg != NULL && of_lines)
    g_ptr_array_add (self->lines, report_pictures_pack (self, jpeg, time, TRUE));
}

void
report_pictures_add_event (ReportPictures *self, GstClockTime time)
{
  const gboolean of_lines = self->replayable && self->n_packed < REPORT_MAX_EVENT_PICTURES;
  GBytes *jpeg = report_recent_find (self->jpegs, time);

  if (jpeg == NULL && (of_lines || report_wants_event_picture (self->report))) {
    jpeg = report_pictures_make (self, time);
    if (jpeg != NULL)
      report_recent_add (self->jpegs, time, jpeg, g_bytes_get_size (jpeg));
    if (jpeg != NULL && of_lines) {
      g_ptr_array_add (self->lines, report_pictures_pack (self, jpeg, time, FALSE));
      self->n_packed++;
    }
  }
  report_add_event_picture (self->report, jpeg);
}

void
report_pictures_add_lines (ReportPictures *self)
{
  for (guint i = 0; i < self->lines->len; i++) {
    const gchar *line = g_ptr_array_index (self->lines, i);

    report_add_line (self->report, line, strlen (line), FALSE);
  }
  g_ptr_array_set_size (self->lines, 0);
}
