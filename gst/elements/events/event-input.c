/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event-input.h"

#include <string.h>

gboolean
event_input_has_luma (GstGlesHistogramResult *result)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);

  return info->luma || strcmp (info->channels[0].name, "Y") == 0;
}

/* Statistics have the same value, but computing all of them takes longer than everything else here
 * when there are 65536 code values. */
gdouble
event_input_get_mad (const EventInput *input, guint channel)
{
  GstGlesHistogramResult *result = input->result;
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  const GstGlesHistogramChannelInfo *c = &info->channels[channel];
  guint n;
  const guint32 *counts = gst_gles_histogram_result_get_native_counts (result, channel, &n, NULL);
  const guint32 *sum;

  if (counts == NULL || c->mad_offset == 0 || c->n_samples == 0)
    return 0.0;
  sum = counts - c->native_offset + c->mad_offset;
  return (gdouble) ((guint64) sum[1] << 32 | sum[0]) / ((gdouble) c->n_samples * n);
}

gdouble
event_input_get_difference (const EventInput *input)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (input->result);
  gdouble sum = 0.0, n = 0.0;

  for (guint i = 0; i < info->n_channels && !info->channels[i].computed; i++) {
    const gdouble n_samples = (gdouble) info->channels[i].n_samples;

    sum += event_input_get_mad (input, i) * n_samples;
    n += n_samples;
  }
  return n > 0.0 ? sum / n : 1.0;
}
