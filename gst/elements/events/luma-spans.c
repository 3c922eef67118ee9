/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "luma-spans.h"

#include <math.h>

typedef struct {
  const guint32 *counts;
  guint n; /* code values */
  guint64 total;
  gdouble black, white; /* code values */
} Luma;

/* Returns FALSE when no channel is luma or the region has no samples. */
static gboolean
get_luma (GstGlesHistogramResult *result, Luma *luma)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  const gboolean full = info->frame.range == GST_VIDEO_COLOR_RANGE_0_255;

  *luma = (Luma){ 0 };
  if (!event_input_has_luma (result))
    return FALSE;
  luma->counts = gst_gles_histogram_result_get_native_counts (result, 0, &luma->n, NULL);
  luma->total = info->channels[0].n_samples;
  luma->black = full ? 0.0 : 16.0 * luma->n / 256.0;
  luma->white = full ? luma->n - 1.0 : 235.0 * luma->n / 256.0;
  return luma->counts != NULL && luma->total > 0;
}

/* Returns the share of samples that are at most @value. */
static gdouble
share_up_to (const Luma *luma, gdouble value)
{
  guint64 sum = 0;

  for (guint i = 0; i < luma->n && i <= value; i++)
    sum += luma->counts[i];
  return (gdouble) sum / (gdouble) luma->total;
}

static gdouble
share_from (const Luma *luma, gdouble value)
{
  guint64 sum = 0;

  for (guint i = luma->n; i > 0 && i - 1 >= value; i--)
    sum += luma->counts[i - 1];
  return (gdouble) sum / (gdouble) luma->total;
}

/* Returns the difference of the percentiles 99.9 and 0.1 in code values. Fog and a covered lens
 * leave nothing outside; a plain road has marks. Counts that do not add up to the total, as of a
 * GPU whose work was lost unnoticed, give any number. */
static gdouble
get_spread (const Luma *luma)
{
  const guint64 low_rank = (luma->total + 999) / 1000, high_rank = (luma->total * 999 + 999) / 1000;
  guint64 below = luma->counts[0], above = 0;
  guint low = 0, high = luma->n - 1;

  while (below < low_rank && low < high)
    below += luma->counts[++low];
  while (high > low && luma->total - above - luma->counts[high] >= high_rank)
    above += luma->counts[high--];
  return (gdouble) (high - low);
}

void
luma_spans_follow (
    EventSpan *spans, const EventSettings *settings, const EventInput *input, GArray *events)
{
  Luma luma;
  gdouble range, dark, bright, black, white, contrast;
  gboolean is_black, is_white, plain;

  if (!(settings->kinds & EVENT_KINDS_LUMA) || !get_luma (input->result, &luma))
    return;
  range = luma.white - luma.black;
  /* rounded to code values like the threshold of blackdetect */
  dark = floor (luma.black + settings->pixel_black_th * range);
  bright = ceil (luma.white - settings->pixel_white_th * range);
  black = share_up_to (&luma, dark);
  white = share_from (&luma, bright);
  contrast = MIN (get_spread (&luma) / range, 1.0); /* samples may lie outside the range */
  is_black = black >= settings->picture_black_ratio_th;
  is_white = white >= settings->picture_white_ratio_th;
  /* a black or white picture counts as neither badly exposed nor low in contrast */
  plain = is_black || is_white;

  {
    const gdouble exposure = settings->exposure_min_duration;
    const EventCondition conditions[] = {
      /* kind, holds, score, min_duration, rest */
      { EVENT_BLACK, is_black, black, settings->black_min_duration, 0.0 },
      { EVENT_WHITE, is_white, white, settings->white_min_duration, 0.0 },
      { EVENT_OVER_EXPOSED, !plain && white >= settings->over_exposed_ratio, white, exposure, 0.0 },
      { EVENT_UNDER_EXPOSED, !plain && black >= settings->under_exposed_ratio, black, exposure,
          0.0 },
      { EVENT_LOW_CONTRAST, !plain && contrast <= settings->low_contrast_range, 1.0 - contrast,
          exposure, 0.0 },
    };

    for (guint i = 0; i < G_N_ELEMENTS (conditions); i++) {
      const EventCondition *c = &conditions[i];

      if (settings->kinds & EVENT_KIND_BIT (c->kind))
        event_span_follow (&spans[c->kind], c, &input->time, events);
    }
  }
}
