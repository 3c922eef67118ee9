/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transition-detector.h"

#include <math.h>
#include <string.h>

/* The numbers here were chosen on half a of the clips of tests/events. */

/* Steps of the transitions that are tried. They are so near to each other that a transition of
 * another length fits one of them well enough to be found; its ends are sought from there. */
static const guint lengths[] = { 8, 10, 12, 14, 17, 20, 24, 28, 33, 40, 48, 57, 68, 80 };

/* The way of the means, as a root of the mean square in shares of the scale. */
#define LEAST_WAY (6.0 / 256.0)

/* Shares of the way: how far a picture lies from where it would be at an even pace, at a quarter, a
 * half and three quarters, and anywhere; how far the pictures go on in its direction before and
 * after it, over a quarter of its length; the longest step. */
#define MAX_DEVIATION 0.25
#define MAX_DEVIATION_ANYWHERE 0.35
#define MAX_OUTSIDE 0.12
#define LONGEST_STEP 0.35

/* The largest of the deviations at the quarters, and both shares outside, are at most so much
 * together. */
#define MAX_MISFIT 0.2

/* Detail of a mixture, as a share of that of its two pictures in the same proportion: in the middle
 * and at both quarters. Two pictures that have nothing in common have a half of it in the middle,
 * and far less of it is left where a pan passes something plain. */
#define LEAST_MIXED_DETAIL 0.3
#define MIXED_DETAIL 0.7
#define MIXED_DETAIL_QUARTER 0.95

/* Means with this coefficient of correlation are of the same picture in another light. */
#define RELIT_CORRELATION 0.9

static const TransitionPicture *
get_picture (const TransitionDetector *detector, guint64 i)
{
  return &detector->pictures[i % TRANSITION_PICTURES];
}

static guint64
get_oldest (const TransitionDetector *detector)
{
  return detector->n_pictures > TRANSITION_PICTURES ? detector->n_pictures - TRANSITION_PICTURES
                                                    : 0;
}

/* Returns the pictures that are compared before and after a transition of @n steps. */
static guint
get_margin (guint64 n)
{
  return (guint) MAX (n / 4, 2);
}

static gfloat
multiply (const gfloat *a, const gfloat *b)
{
  gfloat sum = 0.0f;

  for (guint i = 0; i < EVENT_PICTURE_AREAS; i++)
    sum += a[i] * b[i];
  return sum;
}

static void
get_way (const TransitionPicture *from, const TransitionPicture *to, EventPictureAreas way)
{
  for (guint i = 0; i < EVENT_PICTURE_AREAS; i++)
    way[i] = to->means[i] - from->means[i];
}

/* What a pair of pictures between which a transition may lie has in common with all tests. */
typedef struct {
  const TransitionDetector *detector;
  guint64 from, to;
  EventPictureAreas way;
  gfloat square; /* of the length of the way */
} Stretch;

/* Returns how far picture @i lies from where it would be at an even pace, as a share of the way. */
static gdouble
get_deviation (const Stretch *stretch, guint64 i)
{
  const gfloat part = (gfloat) (i - stretch->from) / (gfloat) (stretch->to - stretch->from);
  EventPictureAreas off;

  get_way (get_picture (stretch->detector, stretch->from), get_picture (stretch->detector, i), off);
  for (guint a = 0; a < EVENT_PICTURE_AREAS; a++)
    off[a] -= part * stretch->way[a];
  return sqrt (multiply (off, off) / stretch->square);
}

/* Returns how far the pictures go from @a to @b in the direction of the way, as a share of it. */
static gdouble
get_progress (const Stretch *stretch, guint64 a, guint64 b)
{
  EventPictureAreas way;

  get_way (get_picture (stretch->detector, a), get_picture (stretch->detector, b), way);
  return multiply (way, stretch->way) / stretch->square;
}

/* Whether no picture between both ends is far off, and no step is long: no flash, no cut. */
static gboolean
is_even (const Stretch *stretch)
{
  EventPictureAreas step;

  for (guint64 i = stretch->from + 1; i <= stretch->to; i++) {
    get_way (get_picture (stretch->detector, i - 1), get_picture (stretch->detector, i), step);
    if (multiply (step, step) > LONGEST_STEP * LONGEST_STEP * stretch->square ||
        get_deviation (stretch, i) > MAX_DEVIATION_ANYWHERE)
      return FALSE;
  }
  return TRUE;
}

/* Whether picture @i has less detail than a share of what the ends have, in proportion. */
static gboolean
is_mixed (const Stretch *stretch, guint64 i, gdouble share)
{
  const gdouble part = (gdouble) (i - stretch->from) / (gdouble) (stretch->to - stretch->from);
  const gdouble a = get_picture (stretch->detector, stretch->from)->detail;
  const gdouble b = get_picture (stretch->detector, stretch->to)->detail;

  return get_picture (stretch->detector, i)->detail < share * (a + part * (b - a));
}

/* Returns a static string, or NULL. */
static const gchar *
get_name (const Stretch *stretch)
{
  const TransitionPicture *from = get_picture (stretch->detector, stretch->from);
  const TransitionPicture *to = get_picture (stretch->detector, stretch->to);
  const guint64 n = stretch->to - stretch->from, middle = stretch->from + n / 2;
  gdouble x[EVENT_PICTURE_AREAS], y[EVENT_PICTURE_AREAS];

  if (from->plain || to->plain)
    return from->plain && to->plain ? NULL : to->plain ? "fade-out" : "fade-in";
  for (guint i = 0; i < EVENT_PICTURE_AREAS; i++) {
    x[i] = from->means[i];
    y[i] = to->means[i];
  }
  return is_mixed (stretch, middle, MIXED_DETAIL) &&
          !is_mixed (stretch, middle, LEAST_MIXED_DETAIL) &&
          is_mixed (stretch, stretch->from + n / 4, MIXED_DETAIL_QUARTER) &&
          is_mixed (stretch, stretch->to - n / 4, MIXED_DETAIL_QUARTER) &&
          event_picture_get_correlation (x, y, EVENT_PICTURE_AREAS) < RELIT_CORRELATION
      ? "dissolve"
      : NULL;
}

/* Returns the mean difference of the means, in percent of full scale. */
static gdouble
get_score (const Stretch *stretch)
{
  gdouble sum = 0.0;

  for (guint i = 0; i < EVENT_PICTURE_AREAS; i++)
    sum += fabsf (stretch->way[i]);
  return 100.0 * sum / EVENT_PICTURE_AREAS;
}

/* Returns the misfit of the pictures from @from to @to, or infinity. What goes back to a plain
 * picture's other side is another fade. */
static gdouble
get_misfit (const Stretch *stretch)
{
  const guint64 n = stretch->to - stretch->from, last = stretch->detector->n_pictures - 1;
  const guint64 oldest = get_oldest (stretch->detector), margin = get_margin (n);
  const guint64 quarters[] = { stretch->from + n / 2, stretch->from + n / 4, stretch->to - n / 4 };
  gdouble worst = 0.0, before, after;

  for (guint i = 0; i < G_N_ELEMENTS (quarters); i++) {
    worst = MAX (worst, get_deviation (stretch, quarters[i]));
    if (worst > MAX_DEVIATION)
      return INFINITY;
  }
  before =
      get_progress (stretch, stretch->from - MIN (margin, stretch->from - oldest), stretch->from);
  after = get_progress (stretch, stretch->to, MIN (stretch->to + margin, last));
  if (get_picture (stretch->detector, stretch->from)->plain)
    before = MAX (before, 0.0);
  if (get_picture (stretch->detector, stretch->to)->plain)
    after = MAX (after, 0.0);
  if (MAX (fabs (before), fabs (after)) > MAX_OUTSIDE)
    return INFINITY;
  return worst + fabs (before) + fabs (after);
}

/* Returns what lies between two pictures. */
static Transition
look (const TransitionDetector *detector, guint64 from, guint64 to)
{
  Transition found = { .from = from, .to = to, .misfit = INFINITY };
  Stretch stretch = { .detector = detector, .from = from, .to = to };

  get_way (get_picture (detector, from), get_picture (detector, to), stretch.way);
  stretch.square = multiply (stretch.way, stretch.way);
  if (stretch.square < LEAST_WAY * LEAST_WAY * EVENT_PICTURE_AREAS)
    return found;
  found.misfit = get_misfit (&stretch);
  if (found.misfit == INFINITY || !is_even (&stretch))
    return found;
  found.name = get_name (&stretch);
  found.score = get_score (&stretch);
  return found;
}

/* Moves the ends of @found to where it fits best. */
static void
fit (const TransitionDetector *detector, Transition *found)
{
  static const gint moves[][2] = { { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } };
  const guint64 first = MAX (get_oldest (detector), detector->reported);
  gboolean moved = TRUE;

  while (moved) {
    moved = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS (moves); i++) {
      const guint64 from = found->from + (guint64) moves[i][0];
      const guint64 to = found->to + (guint64) moves[i][1];
      Transition other;

      if ((moves[i][0] < 0 && found->from == first) || to >= detector->n_pictures ||
          to - from < lengths[0] || to - from > lengths[G_N_ELEMENTS (lengths) - 1])
        continue;
      other = look (detector, from, to);
      if (other.name != NULL && other.misfit < found->misfit) {
        *found = other;
        moved = TRUE;
      }
    }
  }
}

static void
report (TransitionDetector *detector, EventCause cause, GArray *events)
{
  const Transition *best = &detector->best;
  const EventTime *start = &get_picture (detector, best->from + 1)->time;
  const EventTime *end = &get_picture (detector, best->to)->time;
  Event *event;

  if (best->name == NULL)
    return;
  event = event_add (events, EVENT_TRANSITION, EVENT_START, start, start, best->score);
  event->details.transition = best->name;
  event = event_add (events, EVENT_TRANSITION, EVENT_END, end, start, best->score);
  event->details.transition = best->name;
  event->cause = best->to + 1 == detector->n_pictures ? cause : EVENT_CAUSE_CONDITION;
  detector->reported = best->to;
  detector->best.name = NULL;
}

/* Keeps what lies between two pictures if it is better than what overlaps it. */
static void
consider (TransitionDetector *detector, guint64 to, guint n, GArray *events)
{
  const guint64 first = MAX (get_oldest (detector), detector->reported);
  Transition found;

  if (to < first + n)
    return;
  found = look (detector, to - n, to);
  if (found.name == NULL)
    return;
  fit (detector, &found);
  if (found.misfit > MAX_MISFIT)
    return;
  if (detector->best.name != NULL && found.from >= detector->best.to)
    report (detector, EVENT_CAUSE_CONDITION, events);
  if (detector->best.name == NULL || found.misfit < detector->best.misfit)
    detector->best = found;
}

void
transition_detector_push (TransitionDetector *detector, const EventPicture *picture,
    const EventTime *time, GArray *events)
{
  TransitionPicture *kept;
  guint64 newest;

  if (!picture->has_areas) {
    transition_detector_end (detector, EVENT_CAUSE_CONDITION, events);
    return;
  }
  newest = detector->n_pictures++;
  kept = &detector->pictures[newest % TRANSITION_PICTURES];
  memcpy (kept->means, picture->means, sizeof kept->means);
  kept->detail = (gfloat) picture->detail;
  kept->plain = event_picture_is_plain (picture);
  kept->time = *time;
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
    const guint margin = get_margin (lengths[i]);

    if (newest >= lengths[i] + margin)
      consider (detector, newest - margin, lengths[i], events);
  }
  if (detector->best.name != NULL &&
      newest - detector->best.to >= (detector->best.to - detector->best.from) / 2)
    report (detector, EVENT_CAUSE_CONDITION, events);
}

void
transition_detector_end (TransitionDetector *detector, EventCause cause, GArray *events)
{
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
    const guint margin = get_margin (lengths[i]);

    for (guint k = margin; k-- > 0;) {
      if (detector->n_pictures > lengths[i] + k)
        consider (detector, detector->n_pictures - 1 - k, lengths[i], events);
    }
  }
  report (detector, cause, events);
  detector->n_pictures = detector->reported = 0;
}
