/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The measures of FFmpeg's filter signalstats, by its definitions (libavfilter/vf_signalstats.c):
 * ranks are rounded, where our percentiles are of the nearest rank. docs/report.md lists them.
 * Behind them are those of cropdetect. */
#include "measures.h"

#include <gst/gles/meta/crop-detect.h>

#include <math.h>
#include <string.h>

typedef enum {
  MIN_VALUE,
  LOW,
  AVERAGE,
  HIGH,
  MAX_VALUE,
  MEDIAN,
  DIFFERENCE,
  BIT_DEPTH,
  OUTLIERS,
  REPEATED_ROWS,
  OUT_OF_RANGE,
  CROP,
} Kind;

/* How many there are of cropdetect, the last ones. */
#define N_CROP 8

static const struct {
  const gchar *name, *channel;
  Kind kind;
} table[REPORT_N_MEASURES] = {
  { "YMIN", "Y", MIN_VALUE },
  { "YLOW", "Y", LOW },
  { "YAVG", "Y", AVERAGE },
  { "YHIGH", "Y", HIGH },
  { "YMAX", "Y", MAX_VALUE },
  { "UMIN", "U", MIN_VALUE },
  { "ULOW", "U", LOW },
  { "UAVG", "U", AVERAGE },
  { "UHIGH", "U", HIGH },
  { "UMAX", "U", MAX_VALUE },
  { "VMIN", "V", MIN_VALUE },
  { "VLOW", "V", LOW },
  { "VAVG", "V", AVERAGE },
  { "VHIGH", "V", HIGH },
  { "VMAX", "V", MAX_VALUE },
  { "SATMIN", "uvsat", MIN_VALUE },
  { "SATLOW", "uvsat", LOW },
  { "SATAVG", "uvsat", AVERAGE },
  { "SATHIGH", "uvsat", HIGH },
  { "SATMAX", "uvsat", MAX_VALUE },
  { "HUEMED", "uvhue", MEDIAN },
  { "HUEAVG", "uvhue", AVERAGE },
  { "YDIF", "Y", DIFFERENCE },
  { "UDIF", "U", DIFFERENCE },
  { "VDIF", "V", DIFFERENCE },
  { "YBITDEPTH", "Y", BIT_DEPTH },
  { "UBITDEPTH", "U", BIT_DEPTH },
  { "VBITDEPTH", "V", BIT_DEPTH },
  { "TOUT", NULL, OUTLIERS },
  { "VREP", NULL, REPEATED_ROWS },
  { "BRNG", NULL, OUT_OF_RANGE },
  { "cropdetect.x1", NULL, CROP },
  { "cropdetect.x2", NULL, CROP },
  { "cropdetect.y1", NULL, CROP },
  { "cropdetect.y2", NULL, CROP },
  { "cropdetect.w", NULL, CROP },
  { "cropdetect.h", NULL, CROP },
  { "cropdetect.x", NULL, CROP },
  { "cropdetect.y", NULL, CROP },
};

const ReportChannel *
report_find_channel (const ReportResults *results, const gchar *name)
{
  for (guint i = 0; i < results->n_channels; i++) {
    if (g_strcmp0 (results->channels[i].name, name) == 0)
      return &results->channels[i];
  }
  return NULL;
}

/* Returns the smallest value that at least @rank samples do not exceed. */
static gdouble
get_ranked (const ReportChannel *channel, guint64 rank)
{
  guint64 n = 0;

  for (guint i = 0; i < channel->n_counts; i++) {
    n += channel->counts[i];
    if (n >= rank)
      return i;
  }
  return NAN;
}

/* Returns how many bits at least one sample has set. */
static gdouble
get_bit_depth (const ReportChannel *channel)
{
  guint mask = 0, n = 0;

  for (guint i = 0; i < channel->n_counts; i++)
    mask |= channel->counts[i] > 0 ? i : 0;
  for (; mask != 0; mask &= mask - 1)
    n++;
  return n;
}

/* Returns NAN for what is not known. Lines may have fewer bins than code values. */
static gdouble
get_value (const ReportChannel *channel, Kind kind)
{
  const GstGlesHistogramStatistics *s = &channel->statistics;
  const gboolean exact = channel->counts != NULL && channel->n_counts == 1u << channel->depth;

  switch (kind) {
    case MIN_VALUE:
      return s->min;
    case AVERAGE:
      return s->mean;
    case MAX_VALUE:
      return s->max;
    case DIFFERENCE:
      return channel->previous;
    case LOW:
      return exact ? get_ranked (channel, (guint64) lrint ((gdouble) s->count * 10 / 100.0)) : NAN;
    case HIGH:
      return exact ? get_ranked (channel, (guint64) lrint ((gdouble) s->count * 90 / 100.0)) : NAN;
    case MEDIAN:
      return exact ? get_ranked (channel, s->count / 2 + 1) : NAN;
    case BIT_DEPTH:
      return exact ? get_bit_depth (channel) : NAN;
    default:
      return NAN;
  }
}

/* Returns a measure of the chroma of a grey picture of @depth bits, all of which FFmpeg has in the
 * middle of its range; NAN for other measures. */
static gdouble
get_neutral (const gchar *channel, Kind kind, guint depth)
{
  if (g_strcmp0 (channel, "U") != 0 && g_strcmp0 (channel, "V") != 0)
    return NAN;
  return kind == DIFFERENCE ? 0 : kind == BIT_DEPTH ? 1 : 1u << (depth - 1);
}

/* Sets the measures of the border as QCTools has them: of each frame alone (reset=1), sizes rounded
 * to 16, but of the first two frames, which the filter leaves out. */
static void
set_crop (const ReportResults *results, ReportMeasure measures[N_CROP])
{
  static const GstGlesCropOptions options = { .round = 16 };
  GstGlesCropState crop = { 0 };

  gst_gles_crop_detect_push (&crop, &options, &results->crop, results->width, results->height);
  for (guint i = 0; i < N_CROP; i++) {
    const gint value = (const gint[N_CROP]){ crop.x1, crop.x2, crop.y1, crop.y2, crop.w, crop.h,
      crop.x, crop.y }[i];

    measures[i].shown = TRUE;
    if (results->number >= 2)
      g_snprintf (measures[i].text, sizeof measures[i].text, "%d", value);
  }
}

void
report_get_measures (const ReportResults *results, ReportMeasure measures[REPORT_N_MEASURES])
{
  const gboolean is_grey = results->format != NULL && g_str_has_prefix (results->format, "GRAY") &&
      results->n_channels > 0;

  for (guint i = 0; i < REPORT_N_MEASURES; i++) {
    ReportMeasure *measure = &measures[i];
    const ReportChannel *channel =
        table[i].channel != NULL ? report_find_channel (results, table[i].channel) : NULL;
    gdouble value = NAN;

    if (channel == NULL && is_grey)
      value = get_neutral (table[i].channel, table[i].kind, results->channels[0].depth);
    if (channel != NULL)
      value = get_value (channel, table[i].kind);
    else if (table[i].kind == OUTLIERS)
      value = results->tout;
    else if (table[i].kind == REPEATED_ROWS)
      value = results->vrep;
    else if (table[i].kind == OUT_OF_RANGE)
      value = results->brng;
    measure->name = table[i].name;
    measure->channel = table[i].channel;
    measure->text[0] = '\0';
    if (isfinite (value))
      g_ascii_formatd (measure->text, sizeof measure->text, "%g", value);
    measure->shown = measure->text[0] != '\0';
  }
  if (results->has_crop)
    set_crop (results, measures + REPORT_N_MEASURES - N_CROP);
}
