/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "light-detector.h"

#include "camera-light.h"
#include "correlation.h"

#include <math.h>

/* After this time, in seconds, a view becomes the reference. */
#define PERIOD 1.0
/* An event ends after this time, in seconds, without a change. */
#define REST_TIME 0.5
/* So many areas change, by so many code values of 8 bits. */
#define MIN_AREAS 12
#define MIN_CHANGE 16.0
/* At most so many areas look different in any light. */
#define MAX_OTHER 4
/* Areas have the contrast that they had before, compared with each other: the correlation of its
 * logarithms, which decides nothing unless they deviate by so much. Infrared shows each area in a
 * light of its own. */
#define MIN_CORRELATION 0.6
#define INFRARED_CORRELATION 0.85
#define MIN_DEVIATION 0.2

/* Returns the correlation of the contrast of the areas, 0 where it hardly deviates. */
static gdouble
correlate_contrast (const CameraView *a, const CameraView *b)
{
  gdouble x[CAMERA_AREAS], y[CAMERA_AREAS];

  for (guint i = 0; i < CAMERA_AREAS; i++) {
    x[i] = log1p (a->deviation[i]);
    y[i] = log1p (b->deviation[i]);
  }
  return get_correlation (x, y, CAMERA_AREAS, MIN_DEVIATION);
}

/* Returns the mean change of the areas as a share of full scale, 0 where too few have changed. */
static gdouble
get_change (const CameraView *reference, const CameraView *view)
{
  gdouble sum = 0.0;
  guint n = 0;

  for (guint a = 0; a < CAMERA_AREAS; a++) {
    const gdouble change = fabs (view->luma[a][CAMERA_MEDIAN] - reference->luma[a][CAMERA_MEDIAN]);

    sum += change;
    n += change >= MIN_CHANGE;
  }
  return n >= MIN_AREAS ? sum / CAMERA_AREAS / 256.0 : 0.0;
}

static gboolean
shows_the_same (const CameraView *reference, const CameraView *view)
{
  const gdouble correlation = correlate_contrast (reference, view);

  return correlation >= INFRARED_CORRELATION ||
      (correlation >= MIN_CORRELATION &&
          camera_count (camera_find_changed (reference, view)) <= MAX_OTHER);
}

gboolean
light_detector_push (LightDetector *detector, EventSpan *span, const CameraView *view,
    gboolean begins, GArray *events)
{
  EventCondition condition = { .kind = EVENT_LIGHT, .rest = REST_TIME };
  gdouble change = 0.0;

  if (!detector->known) {
    *detector = (LightDetector){ *view, *view, TRUE, TRUE };
  } else if (begins || span->holds) {
    change = get_change (&detector->reference, view);
    detector->same = change == 0.0 || shows_the_same (&detector->reference, view);
    /* an event goes on until the picture is steady: headlights distort it */
    if (!span->holds && !detector->same)
      change = 0.0;
  }
  condition.holds = change > 0.0;
  condition.score = change;
  event_span_follow (span, &condition, &view->time, events);
  if (event_has_lasted (&detector->next.time, &view->time, PERIOD)) {
    detector->reference = detector->next;
    detector->next = *view;
  }
  return span->holds;
}
