/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "camera-reference.h"

#include <math.h>

/* The reference follows the frames by at most so much in a second. What passes the camera leaves
 * little trace in it; daylight changes more slowly. */
#define LUMA_PER_SECOND 1.0
#define LUMA_SHARE_PER_SECOND 0.02
#define SHARPNESS_PER_SECOND 0.04 /* a share */
/* Where the sharpness of several areas rises by this, in code values, it rains or there is noise.
 * That hardly counts, or its end would look like a defocus. */
#define NOISE 0.2
#define NOISY_AREAS 4
#define NOISE_SHARE 0.01

/* An area that changed is not learned before this time: what stands before the camera may go. Where
 * more areas than this changed at once, none is: they would become a picture of two scenes. */
#define PASSING_TIME 20.0
#define FEW_CHANGED 8

/* An area keeps its structure with this deviation, and needs it for this time, in seconds. */
#define LEAST_STRUCTURE 3.5
#define STRUCTURE_TIME 10.0

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
learn_structure (CameraReference *reference, gdouble seconds)
{
  const gdouble least = CLAMP (reference->known - 2.0 * CAMERA_LEARNING_TIME, 0.0, STRUCTURE_TIME);
  const guint areas = camera_view_find_structure (&reference->view, CAMERA_STRUCTURE);

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    gdouble *steady = &reference->steady[a];

    *steady = areas & 1u << a ? *steady + seconds : 0.0;
    if ((areas & 1u << a) && *steady >= least)
      reference->structured |= 1u << a;
  }
  reference->structured &= camera_view_find_structure (&reference->view, LEAST_STRUCTURE);
}

/* Changes the light of an area of the reference: its luma above black becomes @gain times as much.
 * */
static void
dim_area (CameraView *reference, guint a, gdouble gain)
{
  for (guint q = 0; q < CAMERA_QUANTILES; q++)
    reference->luma[a][q] =
        CLAMP (CAMERA_BLACK + gain * (reference->luma[a][q] - CAMERA_BLACK), 0.0, 255.0);
  reference->deviation[a] *= gain;
  reference->sharpness[a] *= gain;
}

typedef struct {
  gdouble seconds;   /* since the last frame, times the haste of the first seconds */
  gboolean is_noisy; /* than the reference */
} Step;

static gdouble
get_light (const CameraView *view, guint a)
{
  return MAX (view->luma[a][CAMERA_MEDIAN] - CAMERA_BLACK, 1.0);
}

/* Returns the change of light of the area. */
static gdouble
learn_luma (CameraView *reference, const CameraView *view, guint a, const Step *step)
{
  const gdouble light = get_light (reference, a);
  const gdouble luma =
      step->seconds * (LUMA_PER_SECOND + LUMA_SHARE_PER_SECOND * reference->luma[a][CAMERA_MEDIAN]);

  for (guint q = 0; q < CAMERA_QUANTILES; q++)
    reference->luma[a][q] = approach (reference->luma[a][q], view->luma[a][q], luma, luma);
  reference->deviation[a] = approach (
      reference->deviation[a], view->deviation[a], 0.5 * luma, step->is_noisy ? 0.0 : 0.5 * luma);
  return get_light (reference, a) / light;
}

/* The sharpness of the reference is that in its own light and contrast. */
static void
learn_sharpness (
    CameraView *reference, const CameraView *view, guint a, const Step *step, gdouble change)
{
  gdouble sharpness;

  reference->sharpness[a] *= change;
  sharpness = SHARPNESS_PER_SECOND * step->seconds * reference->sharpness[a];
  reference->sharpness[a] = approach (reference->sharpness[a], view->sharpness[a], sharpness,
      step->is_noisy ? NOISE_SHARE * sharpness : sharpness);
}

static guint
count_sharper (const CameraView *reference, const CameraView *view)
{
  guint n = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++)
    n += view->sharpness[a] > reference->sharpness[a] + NOISE;
  return n;
}

/* Areas that changed are learned late, but their light follows that of the median of the others.
 * Fog takes contrast from all areas, a defocus from few: the upper quartile is the part of fog. */
static void
learn_areas (CameraReference *reference, const CameraView *view, guint changed, gdouble haste,
    gdouble seconds)
{
  const Step step = { haste * seconds, count_sharper (&reference->view, view) >= NOISY_AREAS };
  const gboolean is_other = camera_count (changed) > FEW_CHANGED;
  gdouble change[CAMERA_AREAS], changes[CAMERA_AREAS], contrasts[CAMERA_AREAS];
  guint late = 0, n = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    const gdouble deviation = MAX (reference->view.deviation[a], 1.0);
    gdouble *time = &reference->changed_for[a];

    *time = is_other || (changed & 1u << a) ? *time + seconds : 0.0;
    if (*time > 0.0 && *time < PASSING_TIME && haste <= 1.0) {
      late |= 1u << a;
      continue;
    }
    change[a] = learn_luma (&reference->view, view, a, &step);
    contrasts[n] = MAX (reference->view.deviation[a], 1.0) / deviation;
    changes[n++] = change[a];
  }
  qsort (changes, n, sizeof changes[0], camera_compare);
  qsort (contrasts, n, sizeof contrasts[0], camera_compare);
  for (guint a = 0; a < CAMERA_AREAS && n > 0; a++) {
    if (late & 1u << a)
      dim_area (&reference->view, a, changes[n / 2]);
    else
      learn_sharpness (&reference->view, view, a, &step, MIN (change[a], contrasts[n * 3 / 4]));
  }
}

void
camera_reference_learn (
    CameraReference *reference, const CameraView *view, guint changed, gdouble seconds)
{
  /* what passed in the first second is soon forgotten */
  const gdouble haste = MAX (CAMERA_HASTE_TIME / MAX (reference->known, CAMERA_LEARNING_TIME), 1.0);

  reference->known += seconds;
  if (reference->known <= CAMERA_LEARNING_TIME)
    learn_mean (&reference->view, view, seconds / reference->known);
  else
    learn_areas (reference, view, changed, haste, seconds);
  learn_structure (reference, seconds);
}
