/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cut-detector.h"

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
get_limit (const CutWindow *window, guint k, gboolean by_mad)
{
  gdouble around[CUT_WINDOW];
  guint n = 0;

  for (guint i = 1; i < window->n_frames; i++) {
    const CutFrame *frame = &window->frames[i];

    if (i != k && i + CUT_WINDOW_SIDE >= k && i <= k + CUT_WINDOW_SIDE)
      around[n++] = by_mad ? frame->mad : frame->distance;
  }
  if (n == 0)
    return 0.0;
  qsort (around, n, sizeof around[0], compare_doubles);
  return CUT_CONTRAST * around[n / 2];
}

/* Returns how much of the change at frame @k remains when up to CUT_WINDOW_SIDE frames on one
 * side are skipped. Little remains where a flash begins or ends. */
static gdouble
get_lasting_distance (const CutWindow *window, guint k)
{
  const CutFrame *frames = window->frames;
  gdouble least = frames[k].distance;

  for (guint i = k + 1; i < window->n_frames && i <= k + CUT_WINDOW_SIDE; i++)
    least = MIN (least, get_distance (frames[k - 1].result, frames[i].result));
  for (guint i = k - 1; i > 0 && i + CUT_WINDOW_SIDE >= k; i--)
    least = MIN (least, get_distance (frames[i - 1].result, frames[k].result));
  return least;
}

static gboolean
is_cut (const CutWindow *window, const EventSettings *settings, guint k)
{
  const CutFrame *frame = &window->frames[k];
  gdouble limit;

  if (frame->distance < settings->cut_threshold)
    return frame->mad >= settings->cut_mad_threshold && frame->mad >= get_limit (window, k, TRUE);
  limit = MAX (get_limit (window, k, FALSE), settings->cut_threshold);
  return frame->distance >= limit && get_lasting_distance (window, k) >= limit;
}

/* Whether a cut near @frame was reported in another window. A cut changes the fields of both
 * parities. */
static gboolean
is_reported (const CutDetector *detector, const CutWindow *window, const CutFrame *frame)
{
  const gint64 number = (gint64) frame->time.frame;

  for (guint f = 0; f < GST_GLES_N_FIELDS; f++) {
    const CutWindow *other = &detector->windows[f];

    for (guint i = 0; other != window && i < other->n_frames; i++) {
      if (other->frames[i].is_cut &&
          ABS ((gint64) other->frames[i].time.frame - number) <= 2 * CUT_WINDOW_SIDE)
        return TRUE;
    }
  }
  return FALSE;
}

/* Reports at most one cut within CUT_WINDOW_SIDE frames: a flash at a cut causes two large
 * changes. */
static void
decide_cut (CutDetector *detector, CutWindow *window, const EventSettings *settings, guint k,
    GArray *events)
{
  CutFrame *frame = &window->frames[k];

  if (k == 0 || !is_cut (window, settings, k) || is_reported (detector, window, frame))
    return;
  for (guint i = k; i > 0 && i + CUT_WINDOW_SIDE > k; i--) {
    if (window->frames[i - 1].is_cut)
      return;
  }
  frame->is_cut = TRUE;
  event_add (events, EVENT_CUT, EVENT_INSTANT, &frame->time, &frame->time, frame->distance);
}

static void
drop_frames (CutWindow *window, guint n)
{
  for (guint i = 0; i < n; i++)
    gst_gles_histogram_result_unref (window->frames[i].result);
  memmove (window->frames, window->frames + n, (window->n_frames - n) * sizeof window->frames[0]);
  window->n_frames -= n;
}

static CutWindow *
get_window (CutDetector *detector, GstGlesHistogramResult *result)
{
  return &detector->windows[gst_gles_histogram_result_get_frame (result)->field];
}

/* @marked: the stream says that @frame shows the picture of the previous one. Its mad may differ
 * from 0 even so, because it may compare with an older frame. */
static gboolean
is_repeated (CutWindow *window, const CutFrame *frame, gboolean marked)
{
  if (frame->distance > 0.0 || (frame->mad > 0.0 && !marked) || window->n_frames == 0) {
    window->n_repeats = 0;
    return FALSE;
  }
  return ++window->n_repeats <= (marked ? MAX_MARKED_REPEATS : MAX_REPEATS);
}

void
cut_detector_push (
    CutDetector *detector, const EventSettings *settings, const EventInput *input, GArray *events)
{
  CutWindow *window = get_window (detector, input->result);
  CutFrame frame = { .time = input->time,
    .mad = input->same ? 0.0 : 100.0 * event_input_get_mad (input, 0) };

  if (window->n_frames > 0)
    frame.distance = get_distance (window->frames[window->n_frames - 1].result, input->result);
  if (is_repeated (window, &frame, input->same || input->repeats))
    return;
  if (window->n_frames == CUT_WINDOW)
    drop_frames (window, 1);
  frame.result = gst_gles_histogram_result_ref (input->result);
  window->frames[window->n_frames++] = frame;
  if (window->n_frames > CUT_WINDOW_SIDE)
    decide_cut (detector, window, settings, window->n_frames - 1 - CUT_WINDOW_SIDE, events);
}

void
cut_detector_end (CutDetector *detector, const EventSettings *settings, GArray *events)
{
  guint next[GST_GLES_N_FIELDS];

  for (guint f = 0; f < GST_GLES_N_FIELDS; f++)
    next[f] = (guint) MAX ((gint) detector->windows[f].n_frames - CUT_WINDOW_SIDE, 1);
  for (;;) {
    guint first = GST_GLES_N_FIELDS;

    for (guint f = 0; f < GST_GLES_N_FIELDS; f++) {
      const CutWindow *window = &detector->windows[f];

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

/* Frames can be compared when their channels have the same depths and numbers of samples. */
gboolean
cut_detector_is_comparable (CutDetector *detector, GstGlesHistogramResult *result)
{
  const GstGlesHistogramInfo *a, *b = gst_gles_histogram_result_get_info (result);
  const CutWindow *window = get_window (detector, result);

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
