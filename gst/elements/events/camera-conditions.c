/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "camera-conditions.h"
#include "correlation.h"

#include "camera-light.h"

#include <math.h>

/* Returns the number of @areas that are as bright as before. */
static guint
count_as_bright (const CameraView *reference, const CameraView *view, guint areas)
{
  guint n = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    const gdouble before = reference->luma[a][CAMERA_MEDIAN];
    const gdouble tolerance =
        3.0 + 0.08 * (before - CAMERA_BLACK) + 0.1 * camera_view_get_spread (reference, a);

    n += (areas & 1u << a) && fabs (view->luma[a][CAMERA_MEDIAN] - before) <= tolerance;
  }
  return n;
}

gboolean
camera_is_as_bright (const CameraView *reference, const CameraView *view, guint structured)
{
  return 4 * count_as_bright (reference, view, structured) >= 3 * camera_count (structured);
}

/* ---- covered ---- */

/* An area without detail: at most this share is left, of what would be left in other light. */
#define LOST_DETAIL 0.35
/* Less detail than this, in code values, is none. */
#define NO_DETAIL 0.05
/* The luma of a plain area spreads over so many code values. */
#define PLAIN 28.0
/* So much of an area is of one brightness if something hides it, in code values. */
#define MASS_SHARE 0.55
#define MASS_RANGE 8.0
#define MAX_MASS 228.0 /* brighter is overexposed */
#define MAX_OF_LUMA 4  /* areas of that brightness before */
#define MIN_PLAIN 4    /* areas without any detail */
#define MANY_CHANGED 12
/* The shades of something near with a texture have little to do with those of the areas before. */
#define VEILED_CORRELATION 0.7

static gdouble
get_light (const CameraView *reference, const CameraView *view, guint a)
{
  const gdouble light = MAX (view->luma[a][CAMERA_MEDIAN] - CAMERA_BLACK, 0.0) /
      MAX (reference->luma[a][CAMERA_MEDIAN] - CAMERA_BLACK, 1.0);

  return CLAMP (light, 0.1, 1.0);
}

gdouble
camera_get_lost (const CameraView *reference, const CameraView *view, guint structured)
{
  const gdouble noise = camera_get_least (view->sharpness);
  const guint left_structure = camera_view_find_structure (view, CAMERA_STRUCTURE);
  guint n_lost = 0, n_plain = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    const gdouble left = LOST_DETAIL * get_light (reference, view, a) * reference->sharpness[a];
    const gdouble spread = camera_view_get_spread (view, a);

    n_plain += spread <= PLAIN;
    n_lost += (structured & ~left_structure & 1u << a) && spread <= PLAIN &&
        view->sharpness[a] - noise <= MAX (left, NO_DETAIL);
  }
  return n_plain >= 12 && structured != 0 ? (gdouble) n_lost / camera_count (structured) : 0.0;
}

/* Returns the number of areas of which @luma is the median. */
static guint
count_of_luma (const CameraView *view, gdouble luma)
{
  guint n = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++)
    n += fabs (view->luma[a][CAMERA_MEDIAN] - luma) <= 2.0 * MASS_RANGE;
  return n;
}

guint
camera_count_hidden (const CameraView *reference, const CameraView *view, guint changed)
{
  const gdouble noise = camera_get_least (view->sharpness);
  guint most = 0;

  for (guint i = 0; i < CAMERA_AREAS; i++) {
    const gdouble luma = view->mode[i];
    guint n = 0, n_plain = 0;

    if (!(changed & 1u << i) || luma > MAX_MASS || count_of_luma (reference, luma) > MAX_OF_LUMA)
      continue;
    for (guint a = 0; a < CAMERA_AREAS; a++) {
      const gboolean hidden = (changed & 1u << a) && view->mode_share[a] >= MASS_SHARE &&
          fabs (view->mode[a] - luma) <= MASS_RANGE;

      n += hidden;
      n_plain +=
          hidden && view->sharpness[a] - noise <= MAX (0.1 * reference->sharpness[a], NO_DETAIL);
    }
    if (n_plain >= MIN_PLAIN)
      most = MAX (most, n);
  }
  return most;
}

/* Noise that ended was at most this sharp, in code values: a deviation of 2.7. What is sharper in
 * the plainest area is detail that all areas had. */
#define MAX_ENDED_NOISE 3.0

/* Returns the sharpness that noise made in @reference. */
static gdouble
get_noise_before (const CameraView *reference, const CameraView *view)
{
  const gdouble now = camera_get_least (view->sharpness);

  return MIN (camera_get_least (reference->sharpness), MAX (now, MAX_ENDED_NOISE));
}

/* Returns the sharpness of an area of @view without noise, which the plainest area has. Few samples
 * lie at edges, so noise that was there before adds to the sharpness; what came to it since then
 * adds as squares do, at most, so that it does not look like a loss. */
static gdouble
get_detail (const CameraView *view, guint a, gdouble before)
{
  const gdouble noise = camera_get_least (view->sharpness), sharpness = view->sharpness[a];

  if (noise <= before)
    return sharpness - noise;
  return sqrt (sharpness * sharpness - noise * noise + before * before) - before;
}

gdouble
camera_get_left (const CameraView *reference, const CameraView *view)
{
  const gdouble noise = get_noise_before (reference, view);
  gdouble before = 0.0, now = 0.0;

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    before += reference->sharpness[a] - noise;
    now += get_detail (view, a, noise);
  }
  return before > 0.0 ? now / before : 1.0;
}

/* Returns the correlation of the medians of the areas: fog and defocus keep it near 1. */
static gdouble
correlate_medians (const CameraView *reference, const CameraView *view)
{
  gdouble before[CAMERA_AREAS], now[CAMERA_AREAS];

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    before[a] = reference->luma[a][CAMERA_MEDIAN];
    now[a] = view->luma[a][CAMERA_MEDIAN];
  }
  return get_correlation (before, now, CAMERA_AREAS, 0.0);
}

gboolean
camera_is_unlike (const CameraView *reference, const CameraView *view)
{
  return correlate_medians (reference, view) <= VEILED_CORRELATION;
}

static gdouble
get_range_of_medians (const CameraView *view)
{
  gdouble low = view->luma[0][CAMERA_MEDIAN], high = low;

  for (guint a = 1; a < CAMERA_AREAS; a++) {
    low = MIN (low, view->luma[a][CAMERA_MEDIAN]);
    high = MAX (high, view->luma[a][CAMERA_MEDIAN]);
  }
  return high - low;
}

gboolean
camera_is_hidden (const CameraView *reference, const CameraView *view, guint changed)
{
  return camera_count (changed) >= MANY_CHANGED ||
      get_range_of_medians (view) <= 0.35 * get_range_of_medians (reference);
}

/* ---- blurred ---- */

/* Returns how much of the contrast of @areas remains in the upper quarter of them. Less light takes
 * it from all of them, a defocus from few. */
static gdouble
get_contrast (const CameraView *reference, const CameraView *view, guint areas)
{
  gdouble contrasts[CAMERA_AREAS];
  guint n = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    if (areas & 1u << a)
      contrasts[n++] = view->deviation[a] / MAX (reference->deviation[a], 1.0);
  }
  qsort (contrasts, n, sizeof contrasts[0], camera_compare);
  return n > 0 ? MIN (contrasts[n * 3 / 4], 1.0) : 1.0;
}

/* So many areas need structure with this share of the noise as detail, or more. */
#define MIN_DETAILED 4
#define NOISE_OF_DETAIL 0.25

/* Whether the area lost detail. Gentle slopes hide in noise: where that goes, the loss of sharpness
 * tells. */
static gboolean
has_less (gdouble before, gdouble now, gdouble detail_before, gdouble detail)
{
  return MIN (now - 0.85 * before, detail - 0.85 * detail_before) <= 0.0;
}

gdouble
camera_get_detail (const CameraView *reference, const CameraView *view, guint structured)
{
  const gdouble contrast = get_contrast (reference, view, structured);
  const gdouble noise = get_noise_before (reference, view);
  gdouble before = 0.0, now = 0.0;
  guint n = 0, n_less = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    const gdouble usual = reference->sharpness[a] - noise, expected = contrast * usual;
    const gdouble left = get_detail (view, a, noise);

    if (!(structured & 1u << a) || usual < NOISE_OF_DETAIL * noise)
      continue;
    before += expected;
    now += left;
    n++;
    n_less += has_less (contrast * reference->sharpness[a], view->sharpness[a], expected, left) &&
        view->deviation[a] >= 0.35 * reference->deviation[a];
  }
  return n >= MIN_DETAILED && 4 * n_less >= 3 * n ? now / before : 1.0;
}

/* ---- moved ---- */

/* So many areas need structure, before or now; from so many on it may lie anywhere. */
#define MIN_STRUCTURED_EITHER 3
#define MANY_STRUCTURED 10
/* Where the sharpness of all areas rises or falls by more than this, in code values, it rains or
 * the noise changes. Another view has some areas that are sharper and some that are smoother. In a
 * picture that is textured all over it may be this share of the least sharpness. */
#define NOISE 0.5
#define NOISE_SHARE 0.25
/* Under glare at most so many areas are darker, and at least so many brighter, by more than so many
 * code values. */
#define GLARE_MAX_DARKER 1
#define GLARE_MIN_BRIGHTER 8
#define GLARE_DIFFERENCE 5.0
/* Glare keeps the order of the sharpness of the areas so much. */
#define GLARE_CORRELATION 0.35
/* Fog keeps the order of the medians, and of the deviations, of the areas so much. */
#define FOG_CORRELATION 0.9

/* Whether light came to most areas, and hardly any became darker. */
static gboolean
is_glare (const CameraView *reference, const CameraView *view)
{
  guint n_darker = 0, n_brighter = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    const gdouble difference = view->luma[a][CAMERA_MEDIAN] - reference->luma[a][CAMERA_MEDIAN];

    n_darker += difference < -GLARE_DIFFERENCE;
    n_brighter += difference > GLARE_DIFFERENCE;
  }
  return n_darker <= GLARE_MAX_DARKER && n_brighter >= GLARE_MIN_BRIGHTER &&
      get_correlation (reference->sharpness, view->sharpness, CAMERA_AREAS, 0.0) >=
      GLARE_CORRELATION;
}

static gboolean
is_fog (const CameraView *reference, const CameraView *view)
{
  return correlate_medians (reference, view) >= FOG_CORRELATION &&
      get_correlation (reference->deviation, view->deviation, CAMERA_AREAS, 0.0) >= FOG_CORRELATION;
}

gdouble
camera_get_moved (
    const CameraView *reference, const CameraView *view, guint structured, guint all_changed)
{
  static const guint edges[] = { 0x000f, 0xf000, 0x1111, 0x8888 };
  const guint either = structured | camera_view_find_structure (view, CAMERA_STRUCTURE),
              n = camera_count (either);
  const guint changed = all_changed & either;
  const gdouble noise = MAX (NOISE, NOISE_SHARE * camera_get_least (reference->sharpness));
  guint n_edges = 0;

  if (camera_count (structured) < 2 || n < MIN_STRUCTURED_EITHER ||
      fabs (camera_get_common_change (reference->sharpness, view->sharpness)) > noise ||
      is_glare (reference, view) || is_fog (reference, view))
    return 0.0;
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++) {
    if ((either & edges[i]) && !(changed & edges[i]) && n < MANY_STRUCTURED)
      return 0.0;
    n_edges += (either & edges[i]) != 0;
  }
  return n_edges >= 3 ? (gdouble) camera_count (changed) / n : 0.0;
}
