/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dark scenes have no border of their own, and what seems to be one changes from frame to frame. So
 * the border of all frames of a time together counts, and only if the next time has the same. */
#include "crop-detector.h"

#include <string.h>

static gboolean
is_equal (const EventBox *a, const EventBox *b)
{
  return memcmp (a, b, sizeof *a) == 0;
}

/* Reports the crop of the time that ends if it is that of the time before, and another than was
 * reported. */
static void
end_time (CropDetector *detector, const GstGlesHistogramInfo *info, GArray *events)
{
  const GstGlesCropState *state = &detector->crop;
  EventBox crop = { 0 };
  Event event = { .kind = EVENT_CROP, .phase = EVENT_INSTANT };

  if (state->w > 0 && state->h > 0)
    crop = (EventBox){ info->x + (guint) state->x, info->y + (guint) state->y, (guint) state->w,
      (guint) state->h };
  if (crop.width > 0 && is_equal (&crop, &detector->last) &&
      !is_equal (&crop, &detector->reported)) {
    event.at = event.start = detector->before;
    event.score = (gdouble) crop.width * crop.height / ((gdouble) state->width * state->height);
    event.details.crop = detector->reported = crop;
    event_add (events, &event);
  }
  detector->last = crop;
  detector->before = detector->begin;
  detector->crop = (GstGlesCropState){ 0 };
}

void
crop_detector_push (
    CropDetector *detector, const EventSettings *settings, const EventInput *input, GArray *events)
{
  /* even, as chroma needs it */
  static const GstGlesCropOptions options = { .round = 2 };
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (input->result);
  GstGlesCrop crop;

  if (input->same || !gst_gles_histogram_result_get_crop (input->result, &crop, NULL))
    return;
  if (detector->crop.width > 0 &&
      event_has_lasted (&detector->begin, &input->time, settings->crop_min_duration))
    end_time (detector, info, events);
  if (detector->crop.width == 0)
    detector->begin = input->time;
  gst_gles_crop_detect_push (
      &detector->crop, &options, &crop, info->region_width, info->region_height);
}
