/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cut-detector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The change at a cut exceeds the median change around it by this factor. Motion, fades and
 * dissolves spread over several frames and stay below. The factor was chosen on clips that are not
 * those of tests/events. */
#define CONTRAST 2.5

/* In a strobe most changes are at least so many times as large as what a cut must reach there,
 * which is at least so many times the threshold. */
#define STROBE_CONTRAST 3.0
#define STROBE_FACTOR 1.5

/* So much of it remains when frames on either side are skipped. */
#define LASTING 0.8

/* The frames of a flash are brighter by at least so much of full scale than those around it, which
 * differ by at most this factor of what frames so far apart differ by. */
#define FLASH_LIGHT 0.02
#define MOTION_FACTOR 1.25

/* The same picture in another light is sought across so many frames: a light that is switched
 * within a frame. */
#define RELIT_SKIP 1

/* A frame that differs by less, in percent and as a share of full scale, repeats the picture. */
#define REPEAT_CHANGE 0.09
#define REPEAT_MAD 0.001

/* A flash, and a picture of a low rate that is repeated, last for so long at most. A picture that
 * is repeated for longer is a still one, and its repetitions count as frames without a change. */
#define MOMENT (250 * GST_MSECOND)

/* But so many repetitions make no still picture: 24 frames a second become 60 by up to two. The
 * stream marks those of videorate and intervideosrc; the last limit lets a cut be reported while
 * their source pauses. */
#define MAX_REPEATS 2
#define MAX_MARKED_REPEATS 30

/* Returns @unknown where the frames have no times. */
static gboolean
are_near (const CutFrame *a, const CutFrame *b, gboolean unknown)
{
  const GstClockTime time = event_get_duration (&a->time, &b->time);

  return GST_CLOCK_TIME_IS_VALID (time) ? time <= MOMENT : unknown;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

typedef gdouble (*GetValue) (const CutFrame *frame, guint area);

static gdouble
get_change (const CutFrame *frame, guint area)
{
  return frame->change;
}

static gdouble
get_mad (const CutFrame *frame, guint area)
{
  return frame->mad;
}

static gdouble
get_area (const CutFrame *frame, guint area)
{
  return frame->areas[area];
}

/* Returns the median of the values, of an even number the greater one of the two in the middle, and
 * sorts them. */
static gdouble
take_median (gdouble *values, guint n)
{
  if (n == 0)
    return 0.0;
  qsort (values, n, sizeof values[0], compare_doubles);
  return values[n / 2];
}

/* Returns the median of the frames around frame @k. */
static gdouble
get_median (const CutWindow *window, guint k, GetValue get, guint area)
{
  gdouble around[2 * CUT_SIDE];
  guint n = 0;

  for (guint i = 1; i < window->n_frames; i++) {
    if (i != k && i + CUT_SIDE >= k && i <= k + CUT_SIDE)
      around[n++] = get (&window->frames[i], area);
  }
  return take_median (around, n);
}

/* Returns the least change from frame @i to the one before it, or to one of those from @first up to
 * @end that is not next to it: in a strobe earlier pictures come again. The search ends at a change
 * of @enough. */
static gdouble
get_return (const CutWindow *window, guint i, guint first, guint end, gdouble enough)
{
  const CutFrame *frames = window->frames;
  gdouble least = frames[i].change;
  EventPictureAreas areas;

  for (guint k = first; k < end && least > enough; k++) {
    if (k + 1 < i || k > i + 1)
      least = MIN (least, event_picture_get_change (frames[i].picture, frames[k].picture, areas));
  }
  return least;
}

/* Returns what the change at frame @k must reach in a strobe. Around it, pictures that come again
 * on the same side of it count as no change, and black and white ones not at all. */
static gdouble
get_strobe_limit (const CutWindow *window, guint k, gdouble threshold)
{
  const guint end = MIN (window->n_frames, k + CUT_SIDE + 1);
  const gdouble least = STROBE_FACTOR * threshold;
  gdouble around[2 * CUT_SIDE];
  guint n = 0;

  for (guint i = k > CUT_SIDE ? k - CUT_SIDE : 1; i < end; i++) {
    if (i != k && !event_picture_is_plain (window->frames[i].picture))
      around[n++] = get_return (window, i, i < k ? 0 : k, i < k ? k : end, least / CONTRAST);
  }
  return MAX (CONTRAST * take_median (around, n), least);
}

/* Whether one of the frames is neither black nor white. */
static gboolean
has_content (const CutFrame *frames, guint n)
{
  for (guint i = 0; i < n; i++) {
    if (!event_picture_is_plain (frames[i].picture))
      return TRUE;
  }
  return FALSE;
}

/* Returns the change at frame @k, or 0 where there is none or the light changes as well. */
static gdouble
get_motion (const CutWindow *window, guint k)
{
  const CutFrame *frame = &window->frames[k];

  if (k == 0 || k >= window->n_frames ||
      fabs (frame->picture->mean - frame[-1].picture->mean) >= FLASH_LIGHT)
    return 0.0;
  return frame->change;
}

/* Whether the frames between @before and @after are a flash, which begins and ends with a change of
 * @edge, and both differ by no more than frames so far apart do if the motion next to them goes
 * on. */
static gboolean
is_flash_in_motion (
    const CutWindow *window, guint before, guint after, gdouble change, gdouble edge)
{
  const CutFrame *frames = window->frames;
  const guint gap = after - before;
  const gdouble light = MAX (frames[before].picture->mean, frames[after].picture->mean);
  const gdouble motion = MAX (get_motion (window, before), get_motion (window, after + 1));

  if (gap < 2 || MIN (frames[before + 1].change, frames[after].change) < edge)
    return FALSE;
  for (guint i = before + 1; i < after; i++) {
    if (frames[i].picture->mean < light + FLASH_LIGHT)
      return FALSE;
  }
  return change <= MOTION_FACTOR * gap * motion;
}

/* Returns the least change that remains across up to CUT_SIDE frames before and after the cut at
 * frame @k, or 0 when both sides show the same in another light. Little remains where a flash
 * begins or ends. The black or white frames of a strobe, which come on both sides, tell nothing. */
static gdouble
get_strength (const CutWindow *window, guint k, gdouble limit)
{
  const CutFrame *frames = window->frames;
  const gboolean with_plain =
      !has_content (&frames[k - MIN (k, CUT_SIDE + 1)], MIN (k, CUT_SIDE + 1)) ||
      !has_content (&frames[k], MIN (window->n_frames - k, CUT_SIDE + 1));
  const gdouble lasting = LASTING * limit;
  gdouble least = frames[k].change;

  for (guint i = 0;
       i <= MIN (CUT_SIDE, k - 1) && are_near (&frames[k - 1 - i], &frames[k - 1], TRUE); i++) {
    for (guint j = 0;
         j <= CUT_SIDE && k + j < window->n_frames && are_near (&frames[k], &frames[k + j], TRUE);
         j++) {
      const EventPicture *a = frames[k - 1 - i].picture, *b = frames[k + j].picture;
      EventPictureAreas areas;
      gdouble change;

      if (!with_plain && event_picture_is_plain (a) && event_picture_is_plain (b))
        continue;
      change = event_picture_get_change (a, b, areas);
      least = MIN (least, change);
      if (least < lasting || is_flash_in_motion (window, k - 1 - i, k + j, change, lasting) ||
          (i + j <= RELIT_SKIP && event_picture_is_relit (a, b, areas)))
        return 0.0;
    }
  }
  return least;
}

static gboolean
is_confined (const CutWindow *window, guint k)
{
  const CutFrame *frame = &window->frames[k];
  EventPictureAreas usual;

  for (guint i = 0; i < EVENT_PICTURE_AREAS; i++)
    usual[i] = (gfloat) get_median (window, k, get_area, i);
  return event_picture_is_confined (frame[-1].picture, frame->picture, frame->areas, usual);
}

/* Whether other samples have like histograms. */
static gboolean
is_cut_by_mad (const CutWindow *window, const EventSettings *settings, guint k)
{
  const CutFrame *frame = &window->frames[k];

  return frame->mad >= settings->cut_mad_threshold &&
      frame->mad >= CONTRAST * get_median (window, k, get_mad, 0) &&
      event_picture_get_distance (frame[-1].picture, frame->picture) < settings->cut_threshold;
}

static void
judge (CutWindow *window, const EventSettings *settings, guint k)
{
  CutFrame *frame = &window->frames[k];
  gboolean strobes;
  gdouble median, limit;

  if (k == 0)
    return;
  if (is_cut_by_mad (window, settings, k) &&
      (frame->change < settings->cut_threshold || !is_confined (window, k))) {
    frame->is_candidate = TRUE;
    frame->strength = frame->change;
    return;
  }
  if (frame->change < settings->cut_threshold)
    return;
  median = get_median (window, k, get_change, 0);
  limit = MAX (CONTRAST * median, settings->cut_threshold);
  strobes = frame->change < limit;
  if (strobes) {
    limit = get_strobe_limit (window, k, settings->cut_threshold);
    if (STROBE_CONTRAST * limit > median || frame->change < limit)
      return;
  }
  frame->strength = get_strength (window, k, limit);
  frame->is_candidate = frame->strength > 0.0 && (strobes || !is_confined (window, k));
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
          ABS ((gint64) other->frames[i].time.frame - number) <= 2 * CUT_SIDE)
        return TRUE;
    }
  }
  return FALSE;
}

typedef enum {
  IS_STRONGEST,
  IS_WEAKER,
  IS_UNKNOWN
} Rank;

/* Returns whether candidate @k is the strongest of those near it. Of equal ones the first is. */
static Rank
get_rank (const CutWindow *window, guint k)
{
  const CutFrame *frames = window->frames;
  const gdouble strength = frames[k].strength;

  for (guint i = k; i > 0 && i + CUT_SIDE > k; i--) {
    if (frames[i - 1].is_candidate && frames[i - 1].strength >= strength &&
        are_near (&frames[i - 1], &frames[k], TRUE))
      return IS_WEAKER;
  }
  for (guint i = k + 1; i < window->n_frames && i <= k + CUT_SIDE; i++) {
    if (!are_near (&frames[k], &frames[i], TRUE))
      break;
    if (i >= window->n_judged && frames[i].change > strength)
      return IS_UNKNOWN;
    if (i < window->n_judged && frames[i].is_candidate && frames[i].strength > strength)
      return IS_WEAKER;
  }
  return IS_STRONGEST;
}

/* Decides about the next frame, unless it waits for later ones. */
static gboolean
decide (CutDetector *detector, CutWindow *window, const EventSettings *settings, GArray *events)
{
  CutFrame *frame = &window->frames[window->n_decided];
  const Event cut = { .kind = EVENT_CUT,
    .phase = EVENT_INSTANT,
    .at = frame->time,
    .start = frame->time,
    .score = frame->change };
  const Rank rank = frame->is_candidate ? get_rank (window, window->n_decided) : IS_WEAKER;

  if (rank == IS_UNKNOWN)
    return FALSE;
  window->n_decided++;
  if (rank == IS_STRONGEST && !is_reported (detector, window, frame)) {
    frame->is_cut = TRUE;
    if (settings->kinds & EVENT_KIND_BIT (EVENT_CUT))
      event_add (events, &cut);
  }
  return TRUE;
}

static void
drop_frames (CutWindow *window, guint n)
{
  for (guint i = 0; i < n; i++)
    event_picture_unref (window->frames[i].picture);
  window->n_frames -= n;
  window->n_judged -= MIN (n, window->n_judged);
  window->n_decided -= MIN (n, window->n_decided);
  memmove (window->frames, window->frames + n, window->n_frames * sizeof window->frames[0]);
}

/* Whether @frame repeats the newest one of the window, which is not still yet. @marked: the stream
 * says that the picture is the same. Its mad may differ from 0 even so, because it may compare with
 * an older frame. */
static gboolean
is_repeated (CutWindow *window, const CutFrame *frame, gboolean equal, gboolean marked)
{
  if (window->n_frames == 0 || (marked ? frame->change > 0.0 : !equal)) {
    window->n_repeats = 0;
    window->is_still = FALSE;
    return FALSE;
  }
  window->n_repeats++;
  if (window->n_repeats > MAX_MARKED_REPEATS ||
      (!marked && window->n_repeats > MAX_REPEATS &&
          !are_near (&window->frames[window->n_frames - 1], frame, FALSE)))
    window->is_still = TRUE;
  return !window->is_still;
}

void
cut_detector_push (
    CutDetector *detector, const EventSettings *settings, const EventInput *input, GArray *events)
{
  CutWindow *window =
      &detector->windows[gst_gles_histogram_result_get_frame (input->result)->field];
  CutFrame frame = { .picture = event_picture_new (input->result),
    .time = input->time,
    .mad = input->same ? 0.0 : 100.0 * event_input_get_mad (input, 0) };

  if (window->n_frames > 0)
    frame.change = event_picture_get_change (
        window->frames[window->n_frames - 1].picture, frame.picture, frame.areas);
  if (is_repeated (window, &frame,
          frame.change < REPEAT_CHANGE && event_input_get_difference (input) <= REPEAT_MAD,
          input->same || input->repeats)) {
    event_picture_unref (frame.picture);
    return;
  }
  if (!(settings->kinds & EVENT_KIND_BIT (EVENT_TRANSITION)))
    transition_detector_end (&detector->transitions, EVENT_CAUSE_STOPPED, events);
  else if (window != &detector->windows[GST_GLES_FIELD_BOTTOM])
    transition_detector_push (&detector->transitions, frame.picture, &frame.time, events);
  if (window->n_frames == CUT_WINDOW)
    drop_frames (window, 1);
  window->frames[window->n_frames++] = frame;
  for (; window->n_judged + CUT_SIDE < window->n_frames; window->n_judged++)
    judge (window, settings, window->n_judged);
  while (window->n_decided < window->n_judged && decide (detector, window, settings, events)) {
  }
}

void
cut_detector_settle (
    CutDetector *detector, const EventSettings *settings, EventCause cause, GArray *events)
{
  for (guint f = 0; f < GST_GLES_N_FIELDS; f++) {
    CutWindow *window = &detector->windows[f];

    for (; window->n_judged < window->n_frames; window->n_judged++)
      judge (window, settings, window->n_judged);
  }
  for (;;) {
    CutWindow *first = NULL;

    for (guint f = 0; f < GST_GLES_N_FIELDS; f++) {
      CutWindow *window = &detector->windows[f];

      if (window->n_decided < window->n_frames &&
          (first == NULL ||
              window->frames[window->n_decided].time.frame <
                  first->frames[first->n_decided].time.frame))
        first = window;
    }
    if (first == NULL)
      break;
    decide (detector, first, settings, events);
  }
  transition_detector_end (&detector->transitions, cause, events);
}

void
cut_detector_end (
    CutDetector *detector, const EventSettings *settings, EventCause cause, GArray *events)
{
  cut_detector_settle (detector, settings, cause, events);
  for (guint f = 0; f < GST_GLES_N_FIELDS; f++)
    drop_frames (&detector->windows[f], detector->windows[f].n_frames);
}
