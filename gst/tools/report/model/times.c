/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times of all frames of a video, in a byte each where the frame rate is constant: how much a step
 * differs from the one before, in groups of 7 bits with the lowest first, and with the sign in the
 * lowest bit. */
#include "times.h"

struct _ReportTimes {
  GByteArray *bytes;
  guint n;
  guint64 last, step;
};

ReportTimes *
report_times_new (void)
{
  ReportTimes *self = g_new0 (ReportTimes, 1);

  self->bytes = g_byte_array_new ();
  return self;
}

void
report_times_free (ReportTimes *self)
{
  g_byte_array_unref (self->bytes);
  g_free (self);
}

guint
report_times_get_n (const ReportTimes *self)
{
  return self->n;
}

void
report_times_add (ReportTimes *self, GstClockTime time)
{
  const guint64 change = time - self->last - self->step;
  guint64 left = change << 1 ^ (change >> 63 ? G_MAXUINT64 : 0);

  for (; left > 0x7f; left >>= 7) {
    const guint8 byte = (guint8) (left | 0x80);

    g_byte_array_append (self->bytes, &byte, 1);
  }
  g_byte_array_append (self->bytes, &(const guint8){ (guint8) left }, 1);
  self->step = time - self->last;
  self->last = time;
  self->n++;
}

guint
report_times_find (const ReportTimes *self, GstClockTime time)
{
  guint64 current = 0, step = 0, left = 0;
  guint shift = 0, n = 0;

  for (guint i = 0; i < self->bytes->len; i++) {
    left |= (guint64) (self->bytes->data[i] & 0x7f) << shift;
    shift += 7;
    if (self->bytes->data[i] & 0x80)
      continue;
    step += left >> 1 ^ (left & 1 ? G_MAXUINT64 : 0);
    current += step;
    if (current >= time)
      return n;
    n++;
    left = shift = 0;
  }
  return n;
}
