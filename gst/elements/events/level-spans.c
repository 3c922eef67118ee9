/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "level-spans.h"

#include <string.h>

/* Returns the share of the samples of @channel above @limit, a code value of 8 bits, or below. */
static gdouble
get_share (GstGlesHistogramResult *result, guint channel, gdouble limit, gboolean above)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  guint64 n_beyond = 0;
  guint n;
  const guint32 *counts = gst_gles_histogram_result_get_native_counts (result, channel, &n, NULL);

  limit *= n / 256.0;
  for (guint i = n; above && i > 0 && i - 1 > limit; i--)
    n_beyond += counts[i - 1];
  for (guint i = 0; !above && i < n && i < limit; i++)
    n_beyond += counts[i];
  return (gdouble) n_beyond / (gdouble) MAX (info->channels[channel].n_samples, 1);
}

static EventLevels
get_levels (GstGlesHistogramResult *result, const EventSettings *settings, gboolean above)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  const gdouble of_luma = above ? settings->luma_high : settings->luma_low;
  const gdouble of_chroma = above ? settings->chroma_high : settings->chroma_low;
  EventLevels levels = { .luma = get_share (result, 0, of_luma, above) };

  for (guint i = 1; i < info->n_channels; i++) {
    if (strcmp (info->channels[i].name, "U") == 0 || strcmp (info->channels[i].name, "V") == 0)
      levels.chroma = MAX (levels.chroma, get_share (result, i, of_chroma, above));
  }
  return levels;
}

void
level_spans_follow (
    EventSpan *spans, const EventSettings *settings, const EventInput *input, GArray *events)
{
  const GstGlesFrameInfo *frame = gst_gles_histogram_result_get_frame (input->result);

  if (frame->range == GST_VIDEO_COLOR_RANGE_0_255 || !event_input_has_luma (input->result))
    return;
  for (guint kind = EVENT_OVER; kind <= EVENT_UNDER; kind++) {
    const EventLevels levels = get_levels (input->result, settings, kind == EVENT_OVER);
    const gdouble share = MAX (levels.luma, levels.chroma);
    const EventCondition condition = { .kind = (EventKind) kind,
      .holds = share > settings->level_ratio,
      .score = share,
      .min_frames = settings->level_frames };
    EventLevels *most = &spans[kind].details.levels;

    if (!(settings->kinds & EVENT_KIND_BIT (kind)))
      continue;
    if (condition.holds)
      *most = (EventLevels){ MAX (most->luma, levels.luma), MAX (most->chroma, levels.chroma) };
    event_span_follow (&spans[kind], &condition, &input->time, events);
  }
}
