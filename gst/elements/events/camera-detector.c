/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "camera-detector.h"

#include <math.h>

/* Nothing is decided before the reference is known for this time, in seconds: until then it is a
 * mean. */
#define LEARNING_TIME 1.0
/* Later it follows the frames by at most so much in a second. What passes the camera leaves little
 * trace in it; daylight changes more slowly. */
#define LUMA_PER_SECOND 1.0
#define LUMA_SHARE_PER_SECOND 0.02
#define SHARPNESS_UP_PER_SECOND 0.0005
#define SHARPNESS_DOWN_PER_SECOND 0.04

/* In the first seconds it follows faster: at the speed above times HASTE_TIME / seconds. */
#define HASTE_TIME 10.0

/* An area that changed is not learned before this time: what stands before the camera may go. */
#define PASSING_TIME 20.0

/* After this time the view of a camera that moved is its usual one. */
#define MOVED_TIME 60.0
/* An event ends after this time without its condition. */
#define REST_TIME 3.0

/* An area has structure if its luma has such a deviation, in code values, besides noise. */
#define STRUCTURE 5.0
#define LEAST_STRUCTURE 3.5 /* of an area that had it */
#define STRUCTURE_TIME 10.0 /* seconds */
/* So many areas of the reference need structure, else there is nothing to compare. */
#define MIN_STRUCTURED 4

/* Black in limited range. The error in full range matters little. */
#define BLACK 16.0

#define MEDIAN 3
#define ALL_AREAS 0xffffu

/* ---- views ---- */

/* Sets @quantiles, between the values of bins as if those were spread evenly. */
static void
find_quantiles (gdouble quantiles[CAMERA_QUANTILES], const guint32 counts[32], guint32 n)
{
  static const gdouble shares[CAMERA_QUANTILES] = { 0.03, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97 };
  guint64 below = 0;
  guint bin = 0;

  for (guint q = 0; q < CAMERA_QUANTILES; q++) {
    const gdouble rank = shares[q] * n;

    while (bin < 31 && below + counts[bin] < rank)
      below += counts[bin++];
    quantiles[q] = 8.0 * (bin + (counts[bin] > 0 ? (rank - below) / counts[bin] : 0.5));
  }
}

static gdouble
find_deviation (const guint32 counts[32], guint32 n)
{
  gdouble sum = 0.0, squares = 0.0;

  for (guint bin = 0; bin < 32; bin++) {
    sum += (gdouble) counts[bin] * bin;
    squares += (gdouble) counts[bin] * bin * bin;
  }
  return n > 0 ? 8.0 * sqrt (MAX (squares / n - sum / n * sum / n, 0.0)) : 0.0;
}

static void
make_view (CameraView *view, const GstGlesOverview *overview)
{
  for (guint a = 0; a < CAMERA_AREAS; a++) {
    const gdouble n = overview->n_gradients[a];

    find_quantiles (view->luma[a], overview->counts[a], overview->n_samples[a]);
    view->deviation[a] = find_deviation (overview->counts[a], overview->n_samples[a]);
    view->sharpness[a] =
        n > 0 ? ldexp (overview->gradients[a] / n, 8 - (gint) overview->depth) : 0.0;
  }
}

static gdouble
get_spread (const CameraView *view, guint a)
{
  return view->luma[a][CAMERA_QUANTILES - 1] - view->luma[a][0];
}

static gdouble
get_least (const gdouble values[CAMERA_AREAS])
{
  gdouble least = values[0];

  for (guint a = 1; a < CAMERA_AREAS; a++)
    least = MIN (least, values[a]);
  return least;
}

/* Returns a bit for each area whose deviation exceeds that of the plainest area by @structure: what
 * all areas have in common is noise. */
static guint
find_structure (const CameraView *view, gdouble structure)
{
  const gdouble noise = get_least (view->deviation);
  guint areas = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++)
    areas |= view->deviation[a] >= hypot (noise, structure) ? 1u << a : 0;
  return areas;
}

static guint
count_areas (guint areas)
{
  return (guint) __builtin_popcount (areas);
}

/* Returns @reference after a step towards @value, of at most @down or @up. */
static gdouble
approach (gdouble reference, gdouble value, gdouble down, gdouble up)
{
  return reference + CLAMP (value - reference, -down, up);
}

/* The first second is a mean. */
static void
learn_mean (CameraView *reference, const CameraView *view, gdouble share)
{
  for (guint a = 0; a < CAMERA_AREAS; a++) {
    for (guint q = 0; q < CAMERA_QUANTILES; q++)
      reference->luma[a][q] += share * (view->luma[a][q] - reference->luma[a][q]);
    reference->deviation[a] += share * (view->deviation[a] - reference->deviation[a]);
    reference->sharpness[a] += share * (view->sharpness[a] - reference->sharpness[a]);
  }
}

/* An area has structure if it kept it: what stands before the camera for a while adds none. */
static void
learn_structure (CameraDetector *detector, gdouble seconds)
{
  const gdouble least = CLAMP (detector->known - 2.0 * LEARNING_TIME, 0.0, STRUCTURE_TIME);
  const guint areas = find_structure (&detector->reference, STRUCTURE);

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    detector->steady[a] = areas & 1u << a ? detector->steady[a] + seconds : 0.0;
    if (areas & 1u << a && detector->steady[a] >= least)
      detector->structured |= 1u << a;
  }
  detector->structured &= find_structure (&detector->reference, LEAST_STRUCTURE);
}

/* Changes the light of an area of the reference: its luma above black becomes @gain times as much. */
static void
dim_area (CameraView *reference, guint a, gdouble gain)
{
  for (guint q = 0; q < CAMERA_QUANTILES; q++)
    reference->luma[a][q] = BLACK + gain * (reference->luma[a][q] - BLACK);
  reference->deviation[a] *= gain;
  reference->sharpness[a] *= gain;
}

/* Returns the change of light of the area. The sharpness of the reference is that in its own light.
 */
static gdouble
learn_area (CameraView *reference, const CameraView *view, guint a, gdouble haste, gdouble seconds)
{
  const gdouble before = MAX (reference->luma[a][MEDIAN] - BLACK, 1.0);
  const gdouble step =
      haste * (LUMA_PER_SECOND + LUMA_SHARE_PER_SECOND * reference->luma[a][MEDIAN]) * seconds;
  gdouble gain, sharpness;

  for (guint q = 0; q < CAMERA_QUANTILES; q++)
    reference->luma[a][q] = approach (reference->luma[a][q], view->luma[a][q], step, step);
  reference->deviation[a] =
      approach (reference->deviation[a], view->deviation[a], 0.5 * step, 0.5 * step);
  gain = CLAMP (MAX (reference->luma[a][MEDIAN] - BLACK, 1.0) / before, 0.5, 2.0);
  sharpness = gain * reference->sharpness[a];
  reference->sharpness[a] = approach (sharpness, view->sharpness[a],
      haste * SHARPNESS_DOWN_PER_SECOND * seconds * sharpness,
      haste * SHARPNESS_UP_PER_SECOND * seconds * sharpness);
  return gain;
}

/* Areas that changed are learned late, but their light follows that of the others. */
static void
learn_view (CameraDetector *detector, const CameraView *view, gdouble seconds)
{
  CameraView *reference = &detector->reference;
  /* what passed in the first second is soon forgotten */
  const gdouble haste = MAX (HASTE_TIME / MAX (detector->known, LEARNING_TIME), 1.0);
  guint learned = 0;
  gdouble gain = 0.0;

  detector->known += seconds;
  if (detector->known <= LEARNING_TIME) {
    learn_mean (reference, view, seconds / detector->known);
    return;
  }
  for (guint a = 0; a < CAMERA_AREAS; a++) {
    gdouble *time = &detector->changed_for[a];

    *time = detector->changed & 1u << a ? *time + seconds : 0.0;
    if (*time == 0.0 || *time >= PASSING_TIME || haste > 1.0) {
      gain += learn_area (reference, view, a, haste, seconds);
      learned |= 1u << a;
    }
  }
  for (guint a = 0; a < CAMERA_AREAS && learned != 0; a++) {
    if (!(learned & 1u << a))
      dim_area (reference, a, gain / count_areas (learned));
  }
}

/* Returns the number of @areas that are as bright as before. */
static guint
count_as_bright (const CameraView *reference, const CameraView *view, guint areas)
{
  guint n = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    const gdouble before = reference->luma[a][MEDIAN];
    const gdouble tolerance = 3.0 + 0.08 * (before - BLACK) + 0.1 * get_spread (reference, a);

    n += (areas & 1u << a) && fabs (view->luma[a][MEDIAN] - before) <= tolerance;
  }
  return n;
}

/* Whether most areas of @structured are as bright as before. */
static gboolean
is_as_bright (const CameraView *reference, const CameraView *view, guint structured)
{
  return 4 * count_as_bright (reference, view, structured) >= 3 * count_areas (structured);
}

/* ---- covered ---- */

/* An area without detail: at most this share is left, of what would be left in other light. */
#define LOST_DETAIL 0.35
/* Less detail than this, in code values, is none. */
#define NO_DETAIL 0.05
/* The luma of a plain area spreads over so many code values. */
#define PLAIN 28.0

static gdouble
get_light (const CameraView *reference, const CameraView *view, guint a)
{
  const gdouble light =
      MAX (view->luma[a][MEDIAN] - BLACK, 0.0) / MAX (reference->luma[a][MEDIAN] - BLACK, 1.0);

  return CLAMP (light, 0.1, 1.0);
}

/* Returns the share of areas with structure that lost it, 0 if the rest of the picture is not
 * plain. */
static gdouble
get_covered (const CameraView *reference, const CameraView *view, guint structured)
{
  const gdouble noise = get_least (view->sharpness);
  const guint left_structure = find_structure (view, STRUCTURE);
  guint n_lost = 0, n_plain = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    const gdouble left = LOST_DETAIL * get_light (reference, view, a) * reference->sharpness[a];
    const gdouble spread = get_spread (view, a);

    n_plain += spread <= PLAIN;
    n_lost += (structured & ~left_structure & 1u << a) && spread <= PLAIN &&
        view->sharpness[a] - noise <= MAX (left, NO_DETAIL);
  }
  return n_plain >= 12 && structured != 0 ? (gdouble) n_lost / count_areas (structured) : 0.0;
}

static gdouble
get_range_of_medians (const CameraView *view)
{
  gdouble low = view->luma[0][MEDIAN], high = low;

  for (guint a = 1; a < CAMERA_AREAS; a++) {
    low = MIN (low, view->luma[a][MEDIAN]);
    high = MAX (high, view->luma[a][MEDIAN]);
  }
  return high - low;
}

/* Whether nearly all areas have another brightness, or such that differed look alike. */
static gboolean
is_hidden (const CameraView *reference, const CameraView *view)
{
  return count_as_bright (reference, view, ALL_AREAS) <= 4 ||
      get_range_of_medians (view) <= 0.35 * get_range_of_medians (reference);
}

/* ---- blurred ---- */

/* Returns the share of detail that @view has of that of @reference, 1 where too few areas lost
 * detail. */
static gdouble
get_detail (const CameraView *reference, const CameraView *view, guint structured)
{
  gdouble before = 0.0, now = 0.0;
  guint n_less = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    if (!(structured & 1u << a))
      continue;
    before += reference->sharpness[a];
    now += view->sharpness[a];
    n_less += view->sharpness[a] <= 0.85 * reference->sharpness[a];
  }
  return before > 0.0 && 4 * n_less >= 3 * count_areas (structured) ? now / before : 1.0;
}

/* ---- moved ---- */

/* Black moves by no more than this with the light, in code values. */
#define MAX_BLACK_SHIFT 40.0

/* So many areas need structure, before or now; from so many on it may lie anywhere. */
#define MIN_STRUCTURED_EITHER 3
#define MANY_STRUCTURED 10
/* The share of those areas that another view changes. */
#define MOVED_SHARE 0.78

/* A view that is to replace the usual one has changed in at most so many areas for so many seconds. */
#define MAX_UNSETTLED 4
#define SETTLED_TIME 1.0

/* Where the sharpness of all areas rises or falls by more than this, in code values, it rains or the
 * noise changes. Another view has some areas that are sharper and some that are smoother. */
#define NOISE 0.5

/* A change of light or exposure: luma = gain * luma^gamma + offset, within low and high, where luma is
 * 0 to 255. */
typedef struct {
  gdouble gain, offset, gamma;
  gdouble low, high;
} Light;

static const Light same_light = { 1.0, 0.0, 1.0, 0.0, 255.0 };

static gdouble
apply (const Light *light, gdouble luma)
{
  const gdouble curved = light->gamma == 1.0 ? luma : 255.0 * pow (luma / 255.0, light->gamma);

  return CLAMP (light->gain * curved + light->offset, light->low, light->high);
}

/* Whether an area looks the same in @light. @noise is what came to the deviation of all areas. */
static gboolean
is_same (
    const CameraView *reference, const CameraView *view, guint a, const Light *light, gdouble noise)
{
  const gdouble *before = reference->luma[a], *now = view->luma[a];
  const gdouble low = apply (light, before[0]), high = apply (light, before[CAMERA_QUANTILES - 1]);
  const gdouble scale = (high - low) / MAX (get_spread (reference, a), 1.0);
  const gdouble deviation = scale * reference->deviation[a];
  gdouble difference = 0.0;

  if (fabs (view->deviation[a] - deviation) > 2.5 + 0.3 * deviation + noise)
    return FALSE;
  for (guint q = 0; q < CAMERA_QUANTILES; q++)
    difference += fabs (apply (light, before[q]) - now[q]);
  return difference / CAMERA_QUANTILES <= 3.0 + 0.03 * (high - low) + noise;
}

/* Returns the areas of @structured that look the same in @light. */
static guint
find_same (const CameraView *reference, const CameraView *view, guint structured,
    const Light *light, gdouble noise)
{
  guint same = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    if ((structured & 1u << a) && is_same (reference, view, a, light, noise))
      same |= 1u << a;
  }
  return same;
}

/* Returns how much a value rose or fell in all areas, 0 where only in some. */
static gdouble
get_common_change (const gdouble before[CAMERA_AREAS], const gdouble now[CAMERA_AREAS])
{
  gdouble low = G_MAXDOUBLE, high = -G_MAXDOUBLE;

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    low = MIN (low, now[a] - before[a]);
    high = MAX (high, now[a] - before[a]);
  }
  return low > 0.0 ? low : MIN (high, 0.0);
}

static gboolean
is_light (const Light *light)
{
  return light->gain >= 0.5 && light->gain <= 2.0 && light->gamma >= 0.5 && light->gamma <= 2.0 &&
      fabs (light->gain * BLACK + light->offset - BLACK) <= MAX_BLACK_SHIFT;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  const gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

/* Returns the exponent that explains the change of the median area. */
static gdouble
get_gamma (const CameraView *reference, const CameraView *view)
{
  gdouble gammas[CAMERA_AREAS];

  for (guint a = 0; a < CAMERA_AREAS; a++)
    gammas[a] = log (CLAMP (view->luma[a][MEDIAN], 1.0, 254.0) / 255.0) /
        log (CLAMP (reference->luma[a][MEDIAN], 1.0, 254.0) / 255.0);
  qsort (gammas, CAMERA_AREAS, sizeof gammas[0], compare_doubles);
  return gammas[CAMERA_AREAS / 2];
}

/* Replaces @same by the areas that look the same in @light if they are more. @suggested is the area
 * that suggested it, which proves nothing, or 0. */
static void
try_light (const CameraView *reference, const CameraView *view, const Light *light, guint suggested,
    gdouble noise, guint *same)
{
  guint found;

  if (!is_light (light))
    return;
  found = find_same (reference, view, ALL_AREAS & ~suggested, light, noise);
  if (count_areas (found) > count_areas (*same))
    *same = found;
}

/* Returns the changes of light that explain the medians of an area, or its contrast, within the luma
 * of @view. */
static void
suggest_lights (const CameraView *reference, const CameraView *view, guint a, Light lights[3])
{
  const gdouble before = reference->luma[a][MEDIAN], now = view->luma[a][MEDIAN];
  const gdouble gains[] = { MAX (now - BLACK, 1.0) / MAX (before - BLACK, 1.0), 1.0,
    MAX (view->deviation[a], 1.0) / MAX (reference->deviation[a], 1.0) };

  for (guint i = 0; i < 3; i++) {
    lights[i].gain = gains[i];
    lights[i].offset = now - gains[i] * before;
  }
}

/* Returns the areas that do not look the same, neither in the light of the reference nor in that in
 * which most do. Each area suggests changes of light, so that areas that something hides do not
 * matter. */
static guint
find_changed (const CameraView *reference, const CameraView *view)
{
  const gdouble noise = fabs (get_common_change (reference->deviation, view->deviation));
  const guint unlit = find_same (reference, view, ALL_AREAS, &same_light, noise);
  guint same = unlit;
  Light lights[3] = { same_light, same_light, same_light };

  if (count_areas (unlit) >= 12)
    return ALL_AREAS & ~unlit;
  lights[0].low = view->luma[0][0];
  lights[0].high = view->luma[0][CAMERA_QUANTILES - 1];
  for (guint a = 1; a < CAMERA_AREAS; a++) {
    lights[0].low = MIN (lights[0].low, view->luma[a][0]);
    lights[0].high = MAX (lights[0].high, view->luma[a][CAMERA_QUANTILES - 1]);
  }
  lights[1] = lights[2] = lights[0];
  for (guint a = 0; a < CAMERA_AREAS; a++) {
    suggest_lights (reference, view, a, lights);
    for (guint i = 0; i < G_N_ELEMENTS (lights); i++)
      try_light (reference, view, &lights[i], 1u << a, noise, &same);
  }
  lights[0].gain = 1.0;
  lights[0].offset = 0.0;
  lights[0].gamma = get_gamma (reference, view);
  try_light (reference, view, &lights[0], 0, noise, &same);
  return ALL_AREAS & ~(same | unlit);
}

/* Returns the share of areas with structure, before or now, that changed. Returns 0 where few have
 * structure unless the changed ones reach all edges of the picture that have some: what hides a half
 * of the picture does not. */
static gdouble
get_moved (const CameraView *reference, const CameraView *view, guint structured, guint all_changed)
{
  static const guint edges[] = { 0x000f, 0xf000, 0x1111, 0x8888 };
  const guint either = structured | find_structure (view, STRUCTURE), n = count_areas (either);
  const guint changed = all_changed & either;
  guint n_edges = 0;

  if (count_areas (structured) < 2 || n < MIN_STRUCTURED_EITHER ||
      fabs (get_common_change (reference->sharpness, view->sharpness)) > NOISE)
    return 0.0;
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++) {
    if ((either & edges[i]) && !(changed & edges[i]) && n < MANY_STRUCTURED)
      return 0.0;
    n_edges += (either & edges[i]) != 0;
  }
  return n_edges >= 3 ? (gdouble) count_areas (changed) / n : 0.0;
}

/* ---- events ---- */

/* Seconds since the last frame. */
static gdouble
get_step (const CameraDetector *detector, const EventTime *at)
{
  const GstClockTime step =
      detector->has_last ? event_get_duration (&detector->last, at) : GST_CLOCK_TIME_NONE;

  return GST_CLOCK_TIME_IS_VALID (step) ? (gdouble) step / GST_SECOND : 0.04;
}

/* Whether the view has been the same one for some time: what passes the camera does not settle. */
static gboolean
is_settled (CameraDetector *detector, const CameraView *view, const EventTime *at)
{
  const guint changed =
      ALL_AREAS & ~find_same (&detector->settled, view, ALL_AREAS, &same_light, 0.0);

  if (!detector->has_last || count_areas (changed) > MAX_UNSETTLED) {
    detector->settled = *view;
    detector->settled_since = *at;
  }
  return event_has_lasted (&detector->settled_since, at, SETTLED_TIME);
}

typedef struct {
  EventKind kind;
  gboolean holds;
  gdouble score, min_duration;
} Condition;

/* Conditions of the frame; an open event goes on with a weaker one. */
static void
detect (CameraDetector *detector, EventSpan *spans, const EventSettings *settings,
    const CameraView *view, const EventTime *at, GArray *events)
{
  const CameraView *reference = &detector->reference;
  const EventSpan *covered = &spans[EVENT_COVERED], *blurred = &spans[EVENT_BLURRED];
  const EventSpan *moved = &spans[EVENT_MOVED];
  const guint structured = detector->structured;
  const gdouble lost = get_covered (reference, view, structured);
  const gdouble detail = get_detail (reference, view, structured);
  const gdouble changed =
      detector->known >= HASTE_TIME || count_areas (structured) >= MIN_STRUCTURED
      ? get_moved (reference, view, structured, detector->changed)
      : 0.0;
  /* where another event is open, the reference is not what the camera would show without this one */
  const gboolean known = count_areas (structured) >= MIN_STRUCTURED && !moved->announced;
  const gboolean is_other = changed >= MOVED_SHARE;
  const gboolean is_covered = covered->holds
      ? lost >= 0.5
      : known && !blurred->announced && lost >= 0.75 && is_hidden (reference, view);
  const gboolean is_blurred = !is_covered &&
      (blurred->holds ? detail <= 0.8
                      : known && detail <= 0.6 && changed < 0.7 &&
                  is_as_bright (reference, view, structured));
  const gboolean is_moved = !is_covered && !is_blurred &&
      (moved->announced      ? changed >= 0.4
              : moved->holds ? changed >= 0.65
                             : is_other);
  const gdouble moved_min_duration =
      is_settled (detector, view, at) ? settings->moved_min_duration : G_MAXUINT32;
  const Condition conditions[] = {
    { EVENT_COVERED, is_covered, lost, CAMERA_COVERED_MIN_DURATION },
    { EVENT_BLURRED, is_blurred, 1.0 - detail, CAMERA_BLURRED_MIN_DURATION },
    { EVENT_MOVED, is_moved, changed, moved_min_duration },
  };

  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++) {
    const Condition *c = &conditions[i];

    if (settings->kinds & EVENT_KIND_BIT (c->kind))
      event_span_hold (
          &spans[c->kind], c->kind, at, c->holds, c->score, c->min_duration, REST_TIME, events);
  }
}

void
camera_detector_push (CameraDetector *detector, EventSpan *spans, const EventSettings *settings,
    const GstGlesOverview *overview, const EventTime *at, GArray *events)
{
  EventSpan *moved = &spans[EVENT_MOVED];
  CameraView view;

  make_view (&view, overview);
  detector->changed =
      detector->known >= LEARNING_TIME ? find_changed (&detector->reference, &view) : 0;
  if (detector->known >= LEARNING_TIME)
    detect (detector, spans, settings, &view, at, events);
  if (moved->announced && event_has_lasted (&moved->start, at, MOVED_TIME)) {
    event_span_end (moved, EVENT_MOVED, at, 0.0, EVENT_CAUSE_CONDITION, events);
    detector->known = 0.0;
  }
  if (!spans[EVENT_COVERED].holds && !spans[EVENT_BLURRED].holds && !moved->holds) {
    learn_view (detector, &view, get_step (detector, at));
    learn_structure (detector, get_step (detector, at));
  }
  detector->has_last = TRUE;
  detector->last = *at;
}
