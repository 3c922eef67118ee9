/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "camera-reference.h"

#include <math.h>

/* The reference follows the frames by at most so much in a second. What passes the camera leaves little
 * trace in it; daylight changes more slowly. */
#define LUMA_PER_SECOND 1.0
#define LUMA_SHARE_PER_SECOND 0.02
#define LIGHT_PER_SECOND 0.005 /* a share, from which the light changes */
#define SHARPNESS_UP_PER_SECOND 0.0005
#define SHARPNESS_DOWN_PER_SECOND 0.04

/* An area that changed is not learned before this time: what stands before the camera may go. */
#define PASSING_TIME 20.0

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

/* Changes the light of an area of the reference: its luma above black becomes @gain times as much. */
static void
dim_area (CameraView *reference, guint a, gdouble gain)
{
  for (guint q = 0; q < CAMERA_QUANTILES; q++)
    reference->luma[a][q] = CAMERA_BLACK + gain * (reference->luma[a][q] - CAMERA_BLACK);
  reference->deviation[a] *= gain;
  reference->sharpness[a] *= gain;
}

/* Returns the change of light of the area. The sharpness of the reference is that in its own light.
 */
static gdouble
learn_area (CameraView *reference, const CameraView *view, guint a, gdouble haste, gdouble seconds)
{
  const gdouble before = MAX (reference->luma[a][CAMERA_MEDIAN] - CAMERA_BLACK, 1.0);
  const gdouble contrast = MAX (reference->deviation[a], CAMERA_STRUCTURE);
  const gdouble step = haste *
      (LUMA_PER_SECOND + LUMA_SHARE_PER_SECOND * reference->luma[a][CAMERA_MEDIAN]) * seconds;
  gdouble gain, sharpness;

  for (guint q = 0; q < CAMERA_QUANTILES; q++)
    reference->luma[a][q] = approach (reference->luma[a][q], view->luma[a][q], step, step);
  reference->deviation[a] =
      approach (reference->deviation[a], view->deviation[a], 0.5 * step, 0.5 * step);
  gain = CLAMP (MAX (reference->luma[a][CAMERA_MEDIAN] - CAMERA_BLACK, 1.0) / before, 0.5, 2.0);
  /* in other light the contrast, too, is another one */
  if (fabs (gain - 1.0) > LIGHT_PER_SECOND * seconds && contrast > CAMERA_STRUCTURE)
    sharpness = reference->sharpness[a] * reference->deviation[a] / contrast;
  else
    sharpness = reference->sharpness[a] * gain;
  reference->sharpness[a] = approach (sharpness, view->sharpness[a],
      haste * SHARPNESS_DOWN_PER_SECOND * seconds * sharpness,
      haste * SHARPNESS_UP_PER_SECOND * seconds * sharpness);
  return gain;
}

/* Areas that changed are learned late, but their light follows that of the others. */
static void
learn_areas (CameraReference *reference, const CameraView *view, guint changed, gdouble haste,
    gdouble seconds)
{
  guint learned = 0;
  gdouble gain = 0.0;

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    gdouble *time = &reference->changed_for[a];

    *time = changed & 1u << a ? *time + seconds : 0.0;
    if (*time == 0.0 || *time >= PASSING_TIME || haste > 1.0) {
      gain += learn_area (&reference->view, view, a, haste, seconds);
      learned |= 1u << a;
    }
  }
  for (guint a = 0; a < CAMERA_AREAS && learned != 0; a++) {
    if (!(learned & 1u << a))
      dim_area (&reference->view, a, gain / camera_count (learned));
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
