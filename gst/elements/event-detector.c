/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event-detector.h"

#include <math.h>
#include <string.h>

/* A cut stands out from its neighbours by this factor: motion, fades and dissolves take several frames.
 * docs/elements/glesevents.md has the clips that it was found with. */
#define CUT_CONTRAST 2.5

const gchar *
event_kind_get_name (EventKind kind)
{
  static const gchar *const names[N_EVENT_KINDS] = { "cut", "black", "white", "freeze",
    "over-exposed", "under-exposed", "low-contrast" };

  return names[kind];
}

const gchar *
event_phase_get_name (EventPhase phase)
{
  static const gchar *const names[] = { "instant", "start", "end" };

  return names[phase];
}

static void
add_event (GArray *events, EventKind kind, EventPhase phase, const EventTime *at,
    const EventTime *start, gdouble score)
{
  const Event event = { kind, phase, *at, *start, score };

  g_array_append_val (events, event);
}

/* ---- spans ---- */

/* Frames without timestamps are counted as a moment: only a duration of 0 tells them. */
static gboolean
lasted (const EventTime *start, const EventTime *at, GstClockTime min_duration)
{
  if (!GST_CLOCK_TIME_IS_VALID (start->pts) || !GST_CLOCK_TIME_IS_VALID (at->pts))
    return min_duration == 0;
  return at->pts >= start->pts && at->pts - start->pts >= min_duration;
}

static void
tell_start (EventDetector *detector, EventKind kind, const EventTime *at, GstClockTime min_duration,
    GArray *events)
{
  EventSpan *span = &detector->spans[kind];

  if (span->told || !span->holds || !lasted (&span->start, at, min_duration))
    return;
  span->told = TRUE;
  add_event (events, kind, EVENT_START, &span->start, &span->start, span->score);
}

/* The condition ends at @at, which is the first frame behind it. */
static void
end_span (EventDetector *detector, EventKind kind, const EventTime *at, GstClockTime min_duration,
    GArray *events)
{
  EventSpan *span = &detector->spans[kind];

  tell_start (detector, kind, at, min_duration, events);
  if (span->told)
    add_event (events, kind, EVENT_END, at, &span->start, span->score);
  span->holds = span->told = FALSE;
}

static void
follow_span (EventDetector *detector, EventKind kind, const EventTime *at, gboolean holds,
    gdouble score, GstClockTime min_duration, GArray *events)
{
  EventSpan *span = &detector->spans[kind];

  if (!holds) {
    end_span (detector, kind, at, min_duration, events);
    return;
  }
  if (!span->holds) {
    span->holds = TRUE;
    span->start = *at;
    span->score = score;
  }
  span->score = MAX (span->score, score);
  tell_start (detector, kind, at, min_duration, events);
}

/* ---- luma ---- */

typedef struct {
  const guint32 *counts;
  guint n; /* code values */
  guint64 total;
  gdouble black, white; /* code values */
} Luma;

/* FALSE when no channel is luma, or when there are no samples. */
static gboolean
get_luma (GstGlesHistogramResult *result, Luma *luma, GError **error)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  const gchar *name = info->channels[0].name;
  const gboolean full = info->range == GST_VIDEO_COLOR_RANGE_0_255;

  *luma = (Luma){ 0 };
  if (!info->luma && strcmp (name, "Y") != 0)
    return FALSE;
  luma->counts = gst_gles_histogram_result_get_native_counts (result, 0, &luma->n, error);
  luma->total = info->channels[0].n_samples;
  luma->black = full ? 0.0 : 16.0 * luma->n / 256.0;
  luma->white = full ? luma->n - 1.0 : 235.0 * luma->n / 256.0;
  return luma->counts != NULL && luma->total > 0;
}

/* Share of the samples of at most @value. */
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

static void
follow_luma (EventDetector *detector, const EventSettings *settings, GstGlesHistogramResult *result,
    const Luma *luma, const EventTime *at, GArray *events)
{
  const gdouble range = luma->white - luma->black;
  /* whole code values, as blackdetect has its threshold */
  const gdouble dark = floor (luma->black + settings->pixel_black_th * range);
  const gdouble bright = ceil (luma->white - settings->pixel_white_th * range);
  const gdouble black = share_up_to (luma, dark), white = share_from (luma, bright);
  const gboolean is_black = black >= settings->picture_black_ratio_th;
  const gboolean is_white = white >= settings->picture_white_ratio_th;
  const gboolean plain = is_black || is_white;
  const GstClockTime exposure = settings->exposure_min_duration;
  GstGlesHistogramStatistics statistics;
  gdouble contrast;

  gst_gles_histogram_result_get_statistics (result, 0, &statistics, NULL);
  contrast = (statistics.p95 - statistics.p5) / range;
  follow_span (detector, EVENT_BLACK, at, is_black, black, settings->black_min_duration, events);
  follow_span (detector, EVENT_WHITE, at, is_white, white, settings->white_min_duration, events);
  /* a black or white picture is no exposure */
  follow_span (detector, EVENT_OVER_EXPOSED, at, !plain && white >= settings->over_exposed_ratio,
      white, exposure, events);
  follow_span (detector, EVENT_UNDER_EXPOSED, at, !plain && black >= settings->under_exposed_ratio,
      black, exposure, events);
  follow_span (detector, EVENT_LOW_CONTRAST, at, !plain && contrast <= settings->low_contrast_range,
      1.0 - contrast, exposure, events);
}

/* ---- freeze ---- */

/* Mean over the samples of all channels of |difference| / 2^depth, which FFmpeg calls mafd. */
static gdouble
get_difference (GstGlesHistogramResult *result)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  gdouble sum = 0.0, n = 0.0;

  for (guint i = 0; i < info->n_channels; i++) {
    GstGlesHistogramStatistics statistics;

    gst_gles_histogram_result_get_statistics (result, i, &statistics, NULL);
    sum += statistics.mad * (gdouble) statistics.count / (gdouble) (1u << info->channels[i].depth);
    n += (gdouble) statistics.count;
  }
  return n > 0.0 ? sum / n : 1.0;
}

/* A standstill begins with the frame that others equal. */
static void
follow_freeze (EventDetector *detector, const EventSettings *settings,
    GstGlesHistogramResult *result, const EventTime *at, GArray *events)
{
  EventSpan *span = &detector->spans[EVENT_FREEZE];
  const gboolean frozen = span->holds && get_difference (result) <= settings->freeze_noise;

  if (!frozen) {
    end_span (detector, EVENT_FREEZE, at, settings->freeze_duration, events);
    span->holds = TRUE;
    span->start = *at;
    span->score = 0.0;
  }
  if (frozen)
    tell_start (detector, EVENT_FREEZE, at, settings->freeze_duration, events);
}

/* ---- cuts ---- */

/* Earth mover's distance between the histograms of two frames, in percent of the scale, summed over the
 * channels. */
static gdouble
get_distance (GstGlesHistogramResult *a, GstGlesHistogramResult *b)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (a);
  gdouble distance = 0.0;

  for (guint channel = 0; channel < info->n_channels; channel++) {
    guint n, n_other;
    const guint32 *x = gst_gles_histogram_result_get_native_counts (a, channel, &n, NULL);
    const guint32 *y = gst_gles_histogram_result_get_native_counts (b, channel, &n_other, NULL);
    const guint64 count = info->channels[channel].n_samples;
    guint64 sum = 0;
    gint64 moved = 0;

    if (count == 0)
      continue;
    for (guint i = 0; i < n; i++) {
      moved += (gint64) x[i] - y[i];
      sum += (guint64) ABS (moved);
    }
    distance += 100.0 * (gdouble) sum / ((gdouble) count * n);
  }
  return distance;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

/* From which change on frame @k stands out, given those of the frames around it: their median times
 * CUT_CONTRAST. */
static gdouble
get_limit (const EventDetector *detector, guint k, gboolean by_mad)
{
  gdouble around[EVENT_WINDOW];
  guint n = 0;

  for (guint i = 1; i < detector->n_frames; i++) {
    const EventFrame *frame = &detector->frames[i];

    if (i != k && i + EVENT_WINDOW_SIDE >= k && i <= k + EVENT_WINDOW_SIDE)
      around[n++] = by_mad ? frame->mad : frame->distance;
  }
  if (n == 0)
    return 0.0;
  qsort (around, n, sizeof around[0], compare_doubles);
  return CUT_CONTRAST * around[n / 2];
}

/* What stays of the change to frame @k when frames on one side of it are left out: little, where it begins
 * or ends a flash. */
static gdouble
get_lasting_distance (const EventDetector *detector, guint k)
{
  const EventFrame *frames = detector->frames;
  gdouble least = frames[k].distance;

  for (guint i = k + 1; i < detector->n_frames && i <= k + EVENT_WINDOW_SIDE; i++)
    least = MIN (least, get_distance (frames[k - 1].result, frames[i].result));
  for (guint i = k - 1; i > 0 && i + EVENT_WINDOW_SIDE >= k; i--)
    least = MIN (least, get_distance (frames[i - 1].result, frames[k].result));
  return least;
}

static gboolean
is_cut (const EventDetector *detector, const EventSettings *settings, guint k)
{
  const EventFrame *frame = &detector->frames[k];
  gdouble limit;

  if (frame->distance < settings->cut_threshold)
    return frame->mad >= settings->cut_mad_threshold && frame->mad >= get_limit (detector, k, TRUE);
  limit = MAX (get_limit (detector, k, FALSE), settings->cut_threshold);
  return frame->distance >= limit && get_lasting_distance (detector, k) >= limit;
}

/* One cut at a time: a flash at a cut is two changes. */
static void
decide_cut (EventDetector *detector, const EventSettings *settings, guint k, GArray *events)
{
  EventFrame *frame = &detector->frames[k];

  if (k == 0 || !is_cut (detector, settings, k))
    return;
  for (guint i = k; i > 0 && i + EVENT_WINDOW_SIDE > k; i--) {
    if (detector->frames[i - 1].is_cut)
      return;
  }
  frame->is_cut = TRUE;
  add_event (events, EVENT_CUT, EVENT_INSTANT, &frame->time, &frame->time, frame->distance);
}

static void
drop_frames (EventDetector *detector, guint n)
{
  for (guint i = 0; i < n; i++)
    gst_gles_histogram_result_unref (detector->frames[i].result);
  memmove (detector->frames, detector->frames + n,
      (detector->n_frames - n) * sizeof detector->frames[0]);
  detector->n_frames -= n;
}

static gboolean
follow_cuts (EventDetector *detector, const EventSettings *settings, GstGlesHistogramResult *result,
    const EventTime *at, GArray *events, GError **error)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  const gdouble scale = 100.0 / (gdouble) (1u << info->channels[0].depth);
  GstGlesHistogramStatistics statistics;
  EventFrame *frame;

  if (!gst_gles_histogram_result_get_statistics (result, 0, &statistics, error))
    return FALSE;
  if (detector->n_frames == EVENT_WINDOW)
    drop_frames (detector, 1);
  frame = &detector->frames[detector->n_frames];
  *frame = (EventFrame){ .time = *at, .mad = statistics.mad * scale };
  if (detector->n_frames > 0)
    frame->distance = get_distance (frame[-1].result, result);
  frame->result = gst_gles_histogram_result_ref (result);
  detector->n_frames++;
  if (detector->n_frames > EVENT_WINDOW_SIDE)
    decide_cut (detector, settings, detector->n_frames - 1 - EVENT_WINDOW_SIDE, events);
  return TRUE;
}

/* ---- all ---- */

/* Frames of another format, region or channels cannot be compared. */
static gboolean
is_comparable (const EventDetector *detector, GstGlesHistogramResult *result)
{
  const GstGlesHistogramInfo *a, *b = gst_gles_histogram_result_get_info (result);

  if (detector->n_frames == 0)
    return TRUE;
  a = gst_gles_histogram_result_get_info (detector->frames[detector->n_frames - 1].result);
  if (a->n_channels != b->n_channels)
    return FALSE;
  for (guint i = 0; i < a->n_channels; i++) {
    if (a->channels[i].depth != b->channels[i].depth ||
        a->channels[i].n_samples != b->channels[i].n_samples)
      return FALSE;
  }
  return b->frame > a->frame;
}

gboolean
event_detector_push (EventDetector *detector, const EventSettings *settings,
    GstGlesHistogramResult *result, GArray *events, GError **error)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  const EventTime at = { info->frame, info->pts, info->duration, info->running_time,
    info->stream_time };
  Luma luma;

  if (!is_comparable (detector, result))
    event_detector_end (detector, settings, events);
  if (!follow_cuts (detector, settings, result, &at, events, error))
    return FALSE;
  if (get_luma (result, &luma, error))
    follow_luma (detector, settings, result, &luma, &at, events);
  if (gst_gles_histogram_result_has_mad (result))
    follow_freeze (detector, settings, result, &at, events);
  detector->last = at;
  detector->has_last = TRUE;
  return TRUE;
}

void
event_detector_end (EventDetector *detector, const EventSettings *settings, GArray *events)
{
  const GstClockTime durations[N_EVENT_KINDS] = { [EVENT_BLACK] = settings->black_min_duration,
    [EVENT_WHITE] = settings->white_min_duration,
    [EVENT_FREEZE] = settings->freeze_duration,
    [EVENT_OVER_EXPOSED] = settings->exposure_min_duration,
    [EVENT_UNDER_EXPOSED] = settings->exposure_min_duration,
    [EVENT_LOW_CONTRAST] = settings->exposure_min_duration };
  EventTime end = detector->last;

  if (!detector->has_last)
    return;
  /* the frames that wait for those behind them */
  for (guint k = detector->n_frames > EVENT_WINDOW_SIDE ? detector->n_frames - EVENT_WINDOW_SIDE
                                                        : 1;
       k < detector->n_frames; k++)
    decide_cut (detector, settings, k, events);
  drop_frames (detector, detector->n_frames);
  end.frame++;
  if (GST_CLOCK_TIME_IS_VALID (end.duration)) {
    end.pts += GST_CLOCK_TIME_IS_VALID (end.pts) ? end.duration : 0;
    end.running_time += GST_CLOCK_TIME_IS_VALID (end.running_time) ? end.duration : 0;
    end.stream_time += GST_CLOCK_TIME_IS_VALID (end.stream_time) ? end.duration : 0;
  }
  for (guint kind = EVENT_BLACK; kind < N_EVENT_KINDS; kind++)
    end_span (detector, (EventKind) kind, &end, durations[kind], events);
  detector->has_last = FALSE;
}
