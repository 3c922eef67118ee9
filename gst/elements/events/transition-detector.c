/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transition-detector.h"
#include "correlation.h"

#include <math.h>
#include <string.h>

/* The numbers here were chosen on sets a, b and c of the clips of tests/events. */

/* Steps of the transitions that are tried. They are so near to each other that a transition of
 * another length fits one of them well enough to be found; its ends are sought from there. */
static const guint lengths[] = { 8, 10, 12, 14, 17, 20, 24, 28, 33, 40, 48, 57, 68, 80 };

/* The way of the means, as a root of the mean square in shares of the scale. */
#define LEAST_WAY (6.0 / 256.0)

/* Shares of the way: how far a picture of a fade lies from where it would be at an even pace, at a
 * quarter, a half and three quarters, and anywhere; how far the pictures go on in its direction
 * before and after it, over a quarter of its length; the longest step. */
#define MAX_DEVIATION 0.25
#define MAX_DEVIATION_ANYWHERE 0.35
#define MAX_OUTSIDE 0.12
#define LONGEST_STEP 0.35

/* Detail of a mixture, in shares of what both pictures have in this proportion: how far all of it
 * may be from that of a mixture; and how much nearer the areas are to that of a mixture than to
 * that of pictures of which one becomes the other. Before and after it, as a share of its own, how
 * much it changes over a quarter of the length. */
#define MAX_OFF 0.18
#define MIXED_SHARE 0.5
#define MAX_OTHER_DETAIL 0.8

/* Means with this coefficient of correlation are of the same picture in another light. */
#define RELIT_CORRELATION 0.9

/* The misfit at most: of a fade, the largest of the deviations at the quarters and both shares
 * outside; of a dissolve, how far the detail of the areas is from that of a mixture. */
#define MAX_MISFIT 0.2

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

/* Whether some step is long, as at a flash or a cut. */
static gboolean
has_long_step (const Stretch *stretch)
{
  EventPictureAreas step;

  for (guint64 i = stretch->from + 1; i <= stretch->to; i++) {
    get_way (get_picture (stretch->detector, i - 1), get_picture (stretch->detector, i), step);
    if (multiply (step, step) > LONGEST_STEP * LONGEST_STEP * stretch->square)
      return TRUE;
  }
  return FALSE;
}

/* Whether some picture between both ends is far off. */
static gboolean
is_uneven (const Stretch *stretch)
{
  for (guint64 i = stretch->from + 1; i < stretch->to; i++) {
    if (get_deviation (stretch, i) > MAX_DEVIATION_ANYWHERE)
      return TRUE;
  }
  return FALSE;
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

/* Returns the pictures before and after the stretch with which its ends are compared. */
static void
get_outside (const Stretch *stretch, guint64 *before, guint64 *after)
{
  const guint64 oldest = get_oldest (stretch->detector), last = stretch->detector->n_pictures - 1;
  const guint64 margin = get_margin (stretch->to - stretch->from);

  *before = stretch->from - MIN (margin, stretch->from - oldest);
  *after = MIN (stretch->to + margin, last);
}

/* Returns the misfit of a fade, or infinity. What goes back to a plain picture's other side is
 * another fade. */
static gdouble
get_fade_misfit (const Stretch *stretch)
{
  const guint64 n = stretch->to - stretch->from;
  const guint64 quarters[] = { stretch->from + n / 2, stretch->from + n / 4, stretch->to - n / 4 };
  gdouble worst = 0.0, before, after;
  guint64 first, last;

  for (guint i = 0; i < G_N_ELEMENTS (quarters); i++) {
    worst = MAX (worst, get_deviation (stretch, quarters[i]));
    if (worst > MAX_DEVIATION)
      return INFINITY;
  }
  get_outside (stretch, &first, &last);
  before = get_progress (stretch, first, stretch->from);
  after = get_progress (stretch, stretch->to, last);
  if (get_picture (stretch->detector, stretch->from)->plain)
    before = MAX (before, 0.0);
  if (get_picture (stretch->detector, stretch->to)->plain)
    after = MAX (after, 0.0);
  if (MAX (fabs (before), fabs (after)) > MAX_OUTSIDE || is_uneven (stretch))
    return INFINITY;
  return worst + fabs (before) + fabs (after);
}

static gfloat
get_detail (const TransitionPicture *picture)
{
  gfloat sum = 0.0f;

  for (guint i = 0; i < EVENT_PICTURE_AREAS; i++)
    sum += picture->details[i];
  return sum;
}

/* How far the detail of a picture is from what it would be, in shares of the latter. */
typedef struct {
  gfloat all;    /* all of it, from that of a mixture */
  gfloat mixed;  /* area by area, from that of a mixture */
  gfloat turned; /* area by area, from that of pictures of which one becomes the other */
} Detail;

/* Two pictures that have nothing in common, mixed as 1 - p and p, have the squares of these of
 * their variances, while one that becomes the other has them in proportion. */
static Detail
get_detail_at (const Stretch *stretch, guint64 i)
{
  const gfloat *from = get_picture (stretch->detector, stretch->from)->details;
  const gfloat *to = get_picture (stretch->detector, stretch->to)->details;
  const gfloat *at = get_picture (stretch->detector, i)->details;
  const gfloat part = (gfloat) (i - stretch->from) / (gfloat) (stretch->to - stretch->from);
  gfloat all = 0.0f, sum = G_MINFLOAT;
  Detail detail = { 0 };

  for (guint a = 0; a < EVENT_PICTURE_AREAS; a++) {
    const gfloat x = (1.0f - part) * from[a], y = part * to[a];
    const gfloat mixed = (1.0f - part) * x + part * y;

    sum += x + y;
    all += at[a] - mixed;
    detail.mixed += fabsf (at[a] - mixed);
    detail.turned += fabsf (at[a] - x - y);
  }
  return (Detail){ fabsf (all) / sum, detail.mixed / sum, detail.turned / sum };
}

/* Whether the pictures before and after the stretch have much the same detail as its ends. */
static gboolean
has_steady_ends (const Stretch *stretch)
{
  const gfloat from = get_detail (get_picture (stretch->detector, stretch->from));
  const gfloat to = get_detail (get_picture (stretch->detector, stretch->to));
  guint64 before, after;

  get_outside (stretch, &before, &after);
  return fabsf (get_detail (get_picture (stretch->detector, before)) - from) <=
      MAX_OTHER_DETAIL * from &&
      fabsf (get_detail (get_picture (stretch->detector, after)) - to) <= MAX_OTHER_DETAIL * to;
}

/* Whether both ends show the same in another light. */
static gboolean
is_relit (const Stretch *stretch)
{
  gdouble x[EVENT_PICTURE_AREAS], y[EVENT_PICTURE_AREAS];

  for (guint i = 0; i < EVENT_PICTURE_AREAS; i++) {
    x[i] = get_picture (stretch->detector, stretch->from)->means[i];
    y[i] = get_picture (stretch->detector, stretch->to)->means[i];
  }
  return get_correlation (x, y, EVENT_PICTURE_AREAS, EVENT_PICTURE_STEP) >= RELIT_CORRELATION;
}

/* Returns the misfit of a dissolve, or infinity. */
static gdouble
get_dissolve_misfit (const Stretch *stretch)
{
  static const guint eighths[] = { 4, 2, 6, 1, 3, 5, 7 }; /* what tells the most comes first */
  const guint64 n = stretch->to - stretch->from;
  gdouble mixed = 0.0, turned = 0.0;

  for (guint i = 0; i < G_N_ELEMENTS (eighths); i++) {
    const guint64 at = stretch->from + n * eighths[i] / 8;
    const Detail detail = get_detail_at (stretch, at);

    if (detail.all > MAX_OFF)
      return INFINITY;
    mixed += detail.mixed / G_N_ELEMENTS (eighths);
    turned += detail.turned / G_N_ELEMENTS (eighths);
  }
  return mixed < MIXED_SHARE * turned && has_steady_ends (stretch) && !is_relit (stretch)
      ? mixed
      : INFINITY;
}

/* Returns what lies between two pictures. */
static Transition
look (const TransitionDetector *detector, guint64 from, guint64 to)
{
  const gboolean from_plain = get_picture (detector, from)->plain;
  const gboolean to_plain = get_picture (detector, to)->plain;
  Transition found = { .from = from, .to = to, .misfit = INFINITY };
  Stretch stretch = { .detector = detector, .from = from, .to = to };

  get_way (get_picture (detector, from), get_picture (detector, to), stretch.way);
  stretch.square = multiply (stretch.way, stretch.way);
  if (stretch.square < LEAST_WAY * LEAST_WAY * EVENT_PICTURE_AREAS || (from_plain && to_plain))
    return found;
  found.misfit =
      from_plain || to_plain ? get_fade_misfit (&stretch) : get_dissolve_misfit (&stretch);
  if (found.misfit == INFINITY || has_long_step (&stretch))
    return found;
  found.name = from_plain ? "fade-in" : to_plain ? "fade-out" : "dissolve";
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
  Event event = { .kind = EVENT_TRANSITION,
    .phase = EVENT_START,
    .score = best->score,
    .details.transition = best->name };

  if (best->name == NULL)
    return;
  event.at = event.start = get_picture (detector, best->from + 1)->time;
  event_add (events, &event);
  event.phase = EVENT_END;
  event.at = get_picture (detector, best->to)->time;
  event.cause = best->to + 1 == detector->n_pictures ? cause : EVENT_CAUSE_CONDITION;
  event_add (events, &event);
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
  memcpy (kept->details, picture->details, sizeof kept->details);
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
