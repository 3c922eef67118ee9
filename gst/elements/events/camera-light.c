/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "camera-light.h"

#include <math.h>

/* Black moves by no more than this with the light, in code values. */
#define MAX_BLACK_SHIFT 60.0

/* A change of light or exposure: luma = gain * luma^gamma + offset, within low and high, where
 * luma is 0 to 255. */
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

/* Two views that are compared. */
typedef struct {
  const CameraView *reference, *view;
  gdouble noise; /* that came to the deviation of all areas */
} Pair;

/* Whether an area looks the same in @light. */
static gboolean
is_same (const Pair *pair, guint a, const Light *light)
{
  const CameraView *reference = pair->reference, *view = pair->view;
  const gdouble noise = pair->noise;
  const gdouble *before = reference->luma[a], *now = view->luma[a];
  const gdouble range = apply (light, before[CAMERA_QUANTILES - 1]) - apply (light, before[0]);
  const gdouble tolerance = CAMERA_QUANTILES * (3.0 + 0.03 * range + noise);
  gdouble difference = 0.0, deviation;

  for (guint q = 0; q < CAMERA_QUANTILES && difference <= tolerance; q++)
    difference += fabs (apply (light, before[q]) - now[q]);
  if (difference > tolerance)
    return FALSE;
  deviation = reference->deviation[a] * range / MAX (camera_view_get_spread (reference, a), 1.0);
  return fabs (view->deviation[a] - deviation) <= 2.5 + 0.3 * deviation + noise;
}

/* Returns those of @areas that look the same in @light, or 0 if they are not more than @least. */
static guint
find_same (const Pair *pair, guint areas, const Light *light, guint least)
{
  guint same = 0, left = camera_count (areas) - MIN (least, camera_count (areas));

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    if (!(areas & 1u << a))
      continue;
    if (is_same (pair, a, light))
      same |= 1u << a;
    else if (left-- <= 1)
      return 0;
  }
  return same;
}

static guint
find_all_same (const Pair *pair, const Light *light)
{
  guint same = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++)
    same |= is_same (pair, a, light) ? 1u << a : 0;
  return same;
}

static gboolean
is_light (const Light *light)
{
  return light->gain >= 0.5 && light->gain <= 2.0 && light->gamma >= 0.4 && light->gamma <= 2.5 &&
      fabs (light->gain * CAMERA_BLACK + light->offset - CAMERA_BLACK) <= MAX_BLACK_SHIFT;
}

/* Returns the exponent that explains the change of the median area. */
static gdouble
get_gamma (const CameraView *reference, const CameraView *view)
{
  gdouble gammas[CAMERA_AREAS];

  for (guint a = 0; a < CAMERA_AREAS; a++)
    gammas[a] = log (CLAMP (view->luma[a][CAMERA_MEDIAN], 1.0, 254.0) / 255.0) /
        log (CLAMP (reference->luma[a][CAMERA_MEDIAN], 1.0, 254.0) / 255.0);
  qsort (gammas, CAMERA_AREAS, sizeof gammas[0], camera_compare);
  return gammas[CAMERA_AREAS / 2];
}

/* Replaces @same by the areas that look the same in @light if they are more. @suggested is the area
 * that suggested it, which proves nothing, or 0. */
static void
try_light (const Pair *pair, const Light *light, guint suggested, guint *same)
{
  guint found;

  if (!is_light (light))
    return;
  found = find_same (pair, CAMERA_ALL_AREAS & ~suggested, light, camera_count (*same));
  if (found != 0)
    *same = found;
}

/* Returns the changes of light that explain the medians of an area, or its contrast, within the
 * luma of @view. */
static void
suggest_lights (const CameraView *reference, const CameraView *view, guint a, Light lights[3])
{
  const gdouble before = reference->luma[a][CAMERA_MEDIAN], now = view->luma[a][CAMERA_MEDIAN];
  const gdouble gains[] = { MAX (now - CAMERA_BLACK, 1.0) / MAX (before - CAMERA_BLACK, 1.0), 1.0,
    MAX (view->deviation[a], 1.0) / MAX (reference->deviation[a], 1.0) };

  for (guint i = 0; i < 3; i++) {
    lights[i].gain = gains[i];
    lights[i].offset = now - gains[i] * before;
  }
}

guint
camera_find_same (const CameraView *reference, const CameraView *view)
{
  return find_all_same (&(Pair){ reference, view, 0.0 }, &same_light);
}

guint
camera_find_changed (const CameraView *reference, const CameraView *view)
{
  const Pair pair = { reference, view,
    fabs (camera_get_common_change (reference->deviation, view->deviation)) };
  const guint unlit = find_all_same (&pair, &same_light);
  guint same = unlit;
  Light lights[3] = { same_light, same_light, same_light };

  if (camera_count (unlit) >= 12)
    return CAMERA_ALL_AREAS & ~unlit;
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
      try_light (&pair, &lights[i], 1u << a, &same);
  }
  lights[0].gain = 1.0;
  lights[0].offset = 0.0;
  lights[0].gamma = get_gamma (reference, view);
  try_light (&pair, &lights[0], 0, &same);
  return CAMERA_ALL_AREAS & ~(same | unlit);
}
