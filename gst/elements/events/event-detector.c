/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event-detector.h"

#include <math.h>
#include <string.h>

/* The change at a cut exceeds the median change around it by this factor. Motion, fades and
 * dissolves spread over several frames and stay below. The factor was chosen on the clips that
 * docs/elements/glesevents.md lists. */
#define CUT_CONTRAST 2.5

/* A picture that is repeated more often than this is a still one, and its repetitions count as
 * frames without a change when cuts are sought. 24 frames a second become 60 by up to two. The
 * stream marks those of videorate and intervideosrc; the second limit lets a cut be reported
 * while their source pauses. */
#define MAX_REPEATS 2
#define MAX_MARKED_REPEATS 30

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

/* Returns the time from @start to @at in the stream, whichever of them is earlier there. */
static GstClockTime
get_duration (const EventTime *start, const EventTime *at)
{
  if (!GST_CLOCK_STIME_IS_VALID (start->position) || !GST_CLOCK_STIME_IS_VALID (at->position))
    return GST_CLOCK_TIME_NONE;
  return (GstClockTime) ABS (at->position - start->position);
}

static void
add_event (GArray *events, EventKind kind, EventPhase phase, const EventTime *at,
    const EventTime *start, gdouble score)
{
  const Event event = { kind, phase, *at, *start, score, get_duration (start, at) };

  g_array_append_val (events, event);
}

/* ---- samples ---- */

/* Returns the mean absolute difference of the samples of @channel as a share of full scale
 * (2^depth), 0 when it was not computed. Statistics have the same value, but computing all of them
 * takes longer than everything else here when there are 65536 code values. */
static gdouble
get_mad (GstGlesHistogramResult *result, guint channel)
{
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

/* ---- spans ---- */

/* An unknown duration satisfies only a @min_duration of 0. */
static gboolean
lasted (const EventTime *start, const EventTime *at, GstClockTime min_duration)
{
  const GstClockTime duration = get_duration (start, at);

  return GST_CLOCK_TIME_IS_VALID (duration) ? duration >= min_duration : min_duration == 0;
}

static void
announce_start (EventDetector *detector, EventKind kind, const EventTime *at,
    GstClockTime min_duration, GArray *events)
{
  EventSpan *span = &detector->spans[kind];

  if (span->announced || !span->holds || !lasted (&span->start, at, min_duration))
    return;
  span->announced = TRUE;
  add_event (events, kind, EVENT_START, &span->start, &span->start, span->score);
}

/* Ends the span. @at is the first frame after it. */
static void
end_span (EventDetector *detector, EventKind kind, const EventTime *at, GstClockTime min_duration,
    GArray *events)
{
  EventSpan *span = &detector->spans[kind];

  announce_start (detector, kind, at, min_duration, events);
  if (span->announced)
    add_event (events, kind, EVENT_END, at, &span->start, span->score);
  span->holds = span->announced = FALSE;
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
  announce_start (detector, kind, at, min_duration, events);
}

/* ---- luma ---- */

typedef struct {
  const guint32 *counts;
  guint n; /* code values */
  guint64 total;
  gdouble black, white; /* code values */
} Luma;

gboolean
event_detector_has_luma (GstGlesHistogramResult *result)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);

  return info->luma || strcmp (info->channels[0].name, "Y") == 0;
}

/* Returns FALSE when no channel is luma or the region has no samples. */
static gboolean
get_luma (GstGlesHistogramResult *result, Luma *luma)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  const gboolean full = info->frame.range == GST_VIDEO_COLOR_RANGE_0_255;

  *luma = (Luma){ 0 };
  if (!event_detector_has_luma (result))
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

/* Returns the difference of the 95th and the 5th percentile in code values. Counts that do not add
 * up to the total, as of a GPU whose work was lost unnoticed, give any number. */
static gdouble
get_spread (const Luma *luma)
{
  const guint64 low_rank = (luma->total * 5 + 99) / 100, high_rank = (luma->total * 95 + 99) / 100;
  guint64 below = luma->counts[0], above = 0;
  guint low = 0, high = luma->n - 1;

  while (below < low_rank && low < high)
    below += luma->counts[++low];
  while (high > low && luma->total - above - luma->counts[high] >= high_rank)
    above += luma->counts[high--];
  return (gdouble) (high - low);
}

static void
follow_luma (EventDetector *detector, const EventSettings *settings, const Luma *luma,
    const EventTime *at, GArray *events)
{
  const gdouble range = luma->white - luma->black;
  /* rounded to code values like the threshold of blackdetect */
  const gdouble dark = floor (luma->black + settings->pixel_black_th * range);
  const gdouble bright = ceil (luma->white - settings->pixel_white_th * range);
  const gdouble black = share_up_to (luma, dark), white = share_from (luma, bright);
  const gboolean is_black = black >= settings->picture_black_ratio_th;
  const gboolean is_white = white >= settings->picture_white_ratio_th;
  const gboolean plain = is_black || is_white;
  const GstClockTime exposure = settings->exposure_min_duration;
  const gdouble contrast = get_spread (luma) / range;

  follow_span (detector, EVENT_BLACK, at, is_black, black, settings->black_min_duration, events);
  follow_span (detector, EVENT_WHITE, at, is_white, white, settings->white_min_duration, events);
  /* a black or white picture counts as neither badly exposed nor low in contrast */
  follow_span (detector, EVENT_OVER_EXPOSED, at, !plain && white >= settings->over_exposed_ratio,
      white, exposure, events);
  follow_span (detector, EVENT_UNDER_EXPOSED, at, !plain && black >= settings->under_exposed_ratio,
      black, exposure, events);
  follow_span (detector, EVENT_LOW_CONTRAST, at, !plain && contrast <= settings->low_contrast_range,
      1.0 - contrast, exposure, events);
}

/* ---- freeze ---- */

/* Returns the mean absolute difference over the samples of all channels as a share of full scale
 * (2^depth). FFmpeg's freezedetect computes the same value. */
static gdouble
get_difference (GstGlesHistogramResult *result)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  gdouble sum = 0.0, n = 0.0;

  for (guint i = 0; i < info->n_channels; i++) {
    const gdouble n_samples = (gdouble) info->channels[i].n_samples;

    sum += get_mad (result, i) * n_samples;
    n += n_samples;
  }
  return n > 0.0 ? sum / n : 1.0;
}

/* Every frame that differs opens a new span, because a freeze starts with the frame that the later
 * ones equal. */
static void
follow_freeze (EventDetector *detector, const EventSettings *settings, const EventInput *input,
    gboolean same, GArray *events)
{
  EventSpan *span = &detector->spans[EVENT_FREEZE];
  const EventTime *at = &input->time;
  const gboolean frozen =
      span->holds && (same || get_difference (input->result) <= settings->freeze_noise);

  if (!frozen) {
    end_span (detector, EVENT_FREEZE, at, settings->freeze_duration, events);
    span->holds = TRUE;
    span->start = *at;
    span->score = 0.0;
  }
  if (frozen)
    announce_start (detector, EVENT_FREEZE, at, settings->freeze_duration, events);
}

/* ---- cuts ---- */

/* Histograms of more code values are compared in this many groups, which bounds the time per
 * frame. */
#define MAX_GROUPS 1024

typedef guint32 U32x8 __attribute__ ((vector_size (32)));

/* Returns the sum of x[i] - y[i]. The sum is made modulo 2^32: the true one fits 32 bits with a
 * sign, because neither histogram counts 2^31 samples. */
static gint32
sum_of_differences (const guint32 *x, const guint32 *y, guint n)
{
  guint32 sum = 0;
  guint i = 0;

  if (n >= 8) {
    U32x8 sums = { 0 };

    for (; i + 8 <= n; i += 8) {
      U32x8 a, b;

      memcpy (&a, x + i, sizeof a);
      memcpy (&b, y + i, sizeof b);
      sums += a - b;
    }
    for (guint k = 0; k < 8; k++)
      sum += sums[k];
  }
  for (; i < n; i++)
    sum += x[i] - y[i];
  return (gint32) sum;
}

/* Returns the earth mover's distance between the histograms of two frames, in percent of full
 * scale, summed over the channels. This does not use the `emd` of the results: it compares frames
 * that are several frames apart too. */
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
    const guint per_group = MAX (n / MAX_GROUPS, 1);
    guint64 sum = 0;
    gint64 moved = 0;

    if (count == 0)
      continue;
    for (guint i = 0; i < n; i += per_group) {
      moved += sum_of_differences (x + i, y + i, per_group);
      sum += (guint64) ABS (moved);
    }
    distance += 100.0 * (gdouble) sum * per_group / ((gdouble) count * n);
  }
  return distance;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

/* Returns the smallest change with which frame @k stands out from the frames around it:
 * CUT_CONTRAST times the median of their changes. */
static gdouble
get_limit (const EventFrames *window, guint k, gboolean by_mad)
{
  gdouble around[EVENT_WINDOW];
  guint n = 0;

  for (guint i = 1; i < window->n_frames; i++) {
    const EventFrame *frame = &window->frames[i];

    if (i != k && i + EVENT_WINDOW_SIDE >= k && i <= k + EVENT_WINDOW_SIDE)
      around[n++] = by_mad ? frame->mad : frame->distance;
  }
  if (n == 0)
    return 0.0;
  qsort (around, n, sizeof around[0], compare_doubles);
  return CUT_CONTRAST * around[n / 2];
}

/* Returns how much of the change at frame @k remains when up to EVENT_WINDOW_SIDE frames on one
 * side are skipped. Little remains where a flash begins or ends. */
static gdouble
get_lasting_distance (const EventFrames *window, guint k)
{
  const EventFrame *frames = window->frames;
  gdouble least = frames[k].distance;

  for (guint i = k + 1; i < window->n_frames && i <= k + EVENT_WINDOW_SIDE; i++)
    least = MIN (least, get_distance (frames[k - 1].result, frames[i].result));
  for (guint i = k - 1; i > 0 && i + EVENT_WINDOW_SIDE >= k; i--)
    least = MIN (least, get_distance (frames[i - 1].result, frames[k].result));
  return least;
}

static gboolean
is_cut (const EventFrames *window, const EventSettings *settings, guint k)
{
  const EventFrame *frame = &window->frames[k];
  gdouble limit;

  if (frame->distance < settings->cut_threshold)
    return frame->mad >= settings->cut_mad_threshold && frame->mad >= get_limit (window, k, TRUE);
  limit = MAX (get_limit (window, k, FALSE), settings->cut_threshold);
  return frame->distance >= limit && get_lasting_distance (window, k) >= limit;
}

/* Whether a cut near @frame was reported in another window. A cut changes the fields of both
 * parities. */
static gboolean
is_reported (const EventDetector *detector, const EventFrames *window, const EventFrame *frame)
{
  const gint64 number = (gint64) frame->time.frame;

  for (guint f = 0; f < GST_GLES_N_FIELDS; f++) {
    const EventFrames *other = &detector->windows[f];

    for (guint i = 0; other != window && i < other->n_frames; i++) {
      if (other->frames[i].is_cut &&
          ABS ((gint64) other->frames[i].time.frame - number) <= 2 * EVENT_WINDOW_SIDE)
        return TRUE;
    }
  }
  return FALSE;
}

/* Reports at most one cut within EVENT_WINDOW_SIDE frames: a flash at a cut causes two large
 * changes. */
static void
decide_cut (EventDetector *detector, EventFrames *window, const EventSettings *settings, guint k,
    GArray *events)
{
  EventFrame *frame = &window->frames[k];

  if (k == 0 || !is_cut (window, settings, k) || is_reported (detector, window, frame))
    return;
  for (guint i = k; i > 0 && i + EVENT_WINDOW_SIDE > k; i--) {
    if (window->frames[i - 1].is_cut)
      return;
  }
  frame->is_cut = TRUE;
  add_event (events, EVENT_CUT, EVENT_INSTANT, &frame->time, &frame->time, frame->distance);
}

static void
drop_frames (EventFrames *window, guint n)
{
  for (guint i = 0; i < n; i++)
    gst_gles_histogram_result_unref (window->frames[i].result);
  memmove (window->frames, window->frames + n, (window->n_frames - n) * sizeof window->frames[0]);
  window->n_frames -= n;
}

static EventFrames *
get_window (EventDetector *detector, GstGlesHistogramResult *result)
{
  return &detector->windows[gst_gles_histogram_result_get_frame (result)->field];
}

/* @marked: the stream says that @frame shows the picture of the previous one. Its mad may differ
 * from 0 even so, because it may compare with an older frame. */
static gboolean
is_repeated (EventFrames *window, const EventFrame *frame, gboolean marked)
{
  if (frame->distance > 0.0 || (frame->mad > 0.0 && !marked) || window->n_frames == 0) {
    window->n_repeats = 0;
    return FALSE;
  }
  return ++window->n_repeats <= (marked ? MAX_MARKED_REPEATS : MAX_REPEATS);
}

static void
follow_cuts (EventDetector *detector, const EventSettings *settings, const EventInput *input,
    gboolean same, GArray *events)
{
  EventFrames *window = get_window (detector, input->result);
  EventFrame frame = { .time = input->time,
    .mad = same ? 0.0 : 100.0 * get_mad (input->result, 0) };

  if (window->n_frames > 0)
    frame.distance = get_distance (window->frames[window->n_frames - 1].result, input->result);
  if (is_repeated (window, &frame, same || input->repeats))
    return;
  if (window->n_frames == EVENT_WINDOW)
    drop_frames (window, 1);
  frame.result = gst_gles_histogram_result_ref (input->result);
  window->frames[window->n_frames++] = frame;
  if (window->n_frames > EVENT_WINDOW_SIDE)
    decide_cut (detector, window, settings, window->n_frames - 1 - EVENT_WINDOW_SIDE, events);
}

/* Decides about the last frames, in their order, although fewer than EVENT_WINDOW_SIDE follow them,
 * and drops all. */
static void
decide_rest (EventDetector *detector, const EventSettings *settings, GArray *events)
{
  guint next[GST_GLES_N_FIELDS];

  for (guint f = 0; f < GST_GLES_N_FIELDS; f++)
    next[f] = (guint) MAX ((gint) detector->windows[f].n_frames - EVENT_WINDOW_SIDE, 1);
  for (;;) {
    guint first = GST_GLES_N_FIELDS;

    for (guint f = 0; f < GST_GLES_N_FIELDS; f++) {
      const EventFrames *window = &detector->windows[f];

      if (next[f] < window->n_frames &&
          (first == GST_GLES_N_FIELDS ||
              window->frames[next[f]].time.frame <
                  detector->windows[first].frames[next[first]].time.frame))
        first = f;
    }
    if (first == GST_GLES_N_FIELDS)
      break;
    decide_cut (detector, &detector->windows[first], settings, next[first]++, events);
  }
  for (guint f = 0; f < GST_GLES_N_FIELDS; f++)
    drop_frames (&detector->windows[f], detector->windows[f].n_frames);
}

/* ---- public ---- */

/* Whether @result is that of the last frame. One from another process is a copy of it. */
static gboolean
is_same (const EventDetector *detector, GstGlesHistogramResult *result)
{
  const GstGlesFrameInfo *a, *b = gst_gles_histogram_result_get_frame (result);

  if (detector->last_result == NULL || detector->last_result == result)
    return detector->last_result == result;
  a = gst_gles_histogram_result_get_frame (detector->last_result);
  return a->number == b->number && a->pts == b->pts && a->running_time == b->running_time &&
      a->origin != NULL && b->origin != NULL &&
      g_strcmp0 (a->origin->element, b->origin->element) == 0 &&
      g_strcmp0 (a->origin->stream_id, b->origin->stream_id) == 0;
}

/* Frames can be compared when their channels have the same depths and numbers of samples. A smaller
 * frame number means that the analyser started again. */
static gboolean
is_comparable (EventDetector *detector, GstGlesHistogramResult *result)
{
  const GstGlesHistogramInfo *a, *b = gst_gles_histogram_result_get_info (result);
  const EventFrames *window = get_window (detector, result);

  if (detector->last_result == NULL)
    return TRUE;
  if (b->frame.number <= gst_gles_histogram_result_get_frame (detector->last_result)->number)
    return FALSE;
  if (window->n_frames == 0)
    return TRUE;
  a = gst_gles_histogram_result_get_info (window->frames[window->n_frames - 1].result);
  if (a->n_channels != b->n_channels)
    return FALSE;
  for (guint i = 0; i < a->n_channels; i++) {
    if (a->channels[i].depth != b->channels[i].depth ||
        a->channels[i].n_samples != b->channels[i].n_samples)
      return FALSE;
  }
  return TRUE;
}

gboolean
event_detector_push (EventDetector *detector, const EventSettings *settings,
    const EventInput *input, GArray *events, GError **error)
{
  GstGlesHistogramResult *result = input->result;
  const gboolean same = is_same (detector, result);
  Luma luma;

  if (!gst_gles_histogram_result_wait (result, G_MAXUINT64, error))
    return FALSE;
  if (!same && !is_comparable (detector, result))
    event_detector_end (detector, settings, events);
  follow_cuts (detector, settings, input, same, events);
  if (get_luma (result, &luma))
    follow_luma (detector, settings, &luma, &input->time, events);
  if (gst_gles_histogram_result_has_mad (result))
    follow_freeze (detector, settings, input, same, events);
  detector->last = input->time;
  gst_mini_object_replace (
      (GstMiniObject **) &detector->last_result, GST_MINI_OBJECT_CAST (result));
  return TRUE;
}

/* Moves @time to the end of its frame. */
static void
advance (EventTime *time)
{
  const GstClockTime duration = time->duration;
  GstClockTime *const times[] = { &time->pts, &time->stream_time };

  time->frame++;
  if (!GST_CLOCK_TIME_IS_VALID (duration))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    if (GST_CLOCK_TIME_IS_VALID (*times[i]))
      *times[i] = time->rate < 0 ? *times[i] - MIN (*times[i], duration) : *times[i] + duration;
  }
  if (GST_CLOCK_TIME_IS_VALID (time->running_time))
    time->running_time += (GstClockTime) ((gdouble) duration / ABS (time->rate));
  if (GST_CLOCK_STIME_IS_VALID (time->position))
    time->position += time->rate < 0 ? -(gint64) duration : (gint64) duration;
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

  if (detector->last_result == NULL)
    return;
  decide_rest (detector, settings, events);
  advance (&end);
  for (guint kind = EVENT_BLACK; kind < N_EVENT_KINDS; kind++)
    end_span (detector, (EventKind) kind, &end, durations[kind], events);
  g_clear_pointer (&detector->last_result, gst_gles_histogram_result_unref);
}
