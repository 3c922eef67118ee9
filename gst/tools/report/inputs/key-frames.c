/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which pictures are key frames: decoded ones do not tell, so their times are noted when they enter
 * the decoder. */
#include "key-frames.h"
#include "clock.h"

struct _ReportKeys {
  GMutex lock; /* of what follows: */
  /* of GstClockTime: times of key frames that have entered the decoder and not left it */
  GArray *times;
  gboolean decodes; /* FALSE if there is no decoder, because the file has uncompressed pictures */
};

static GstPadProbeReturn
on_input (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  ReportKeys *self = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  const GstClockTime time = report_clock_get_time (pad, buffer);

  if (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT) ||
      !GST_CLOCK_TIME_IS_VALID (time))
    return GST_PAD_PROBE_OK;
  g_mutex_lock (&self->lock);
  g_array_append_val (self->times, time);
  g_mutex_unlock (&self->lock);
  return GST_PAD_PROBE_OK;
}

static void
on_element (GstBin *pipeline, GstBin *parent, GstElement *element, ReportKeys *self)
{
  GstElementFactory *factory = gst_element_get_factory (element);
  g_autoptr (GstPad) sink = NULL;

  if (factory == NULL ||
      !gst_element_factory_list_is_type (factory,
          GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO |
              GST_ELEMENT_FACTORY_TYPE_MEDIA_IMAGE))
    return;
  sink = gst_element_get_static_pad (element, "sink");
  if (sink == NULL)
    return;
  g_mutex_lock (&self->lock);
  self->decodes = TRUE;
  g_mutex_unlock (&self->lock);
  gst_pad_add_probe (sink, GST_PAD_PROBE_TYPE_BUFFER, on_input, self, NULL);
}

ReportKeys *
report_keys_new (GstElement *pipeline)
{
  ReportKeys *self = g_new0 (ReportKeys, 1);

  g_mutex_init (&self->lock);
  self->times = g_array_new (FALSE, FALSE, sizeof (GstClockTime));
  g_signal_connect (pipeline, "deep-element-added", G_CALLBACK (on_element), self);
  return self;
}

gboolean
report_keys_take (ReportKeys *self, GstClockTime time)
{
  gboolean is_key;

  g_mutex_lock (&self->lock);
  is_key = !self->decodes;
  /* pictures come out in the order of their times */
  for (guint i = self->times->len; i > 0; i--) {
    const GstClockTime key = g_array_index (self->times, GstClockTime, i - 1);

    is_key = is_key || key == time;
    if (key <= time)
      g_array_remove_index (self->times, i - 1);
  }
  g_mutex_unlock (&self->lock);
  return is_key;
}

void
report_keys_free (ReportKeys *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->times);
  g_mutex_clear (&self->lock);
  g_free (self);
}
