/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "motion-detector.h"

static EventBox
get_box (const GstGlesRegion *region)
{
  EventBox box;

  gst_gles_region_get_box (region, &box.x, &box.y, &box.width, &box.height);
  return box;
}

static EventBox
get_union (const EventBox *a, const EventBox *b)
{
  const guint right = MAX (a->x + a->width, b->x + b->width);
  const guint bottom = MAX (a->y + a->height, b->y + b->height);
  const guint x = MIN (a->x, b->x), y = MIN (a->y, b->y);

  return (EventBox){ x, y, right - x, bottom - y };
}

/* Adds the regions of a frame that have at least @least points to @motion. Returns their number.
 * The score of an event is the size of its largest region. */
static guint
add_regions (EventMotion *motion, gdouble *score, GstGlesRegionsResult *regions, gdouble picture,
    gdouble least)
{
  const guint count = gst_gles_regions_result_get_count (regions);
  guint n = 0;

  for (; n < count; n++) {
    const GstGlesRegion *region = gst_gles_regions_result_get_region (regions, n, NULL);
    const EventBox box = get_box (region);

    if (region->pixels < least) /* the largest come first */
      break;
    if (region->pixels / picture > *score) {
      *score = region->pixels / picture;
      motion->largest = box;
    }
    motion->all = motion->all.width > 0 ? get_union (&motion->all, &box) : box;
  }
  motion->n_regions = MAX (motion->n_regions, n);
  return n;
}

void
motion_detector_follow (EventSpan *span, const EventSettings *settings,
    GstGlesRegionsResult *regions, const EventTime *at, GArray *events)
{
  const GstGlesFrameInfo *frame = gst_gles_regions_result_get_frame (regions);
  const gdouble picture = (gdouble) frame->width * frame->height;
  const guint n = add_regions (
      &span->details.motion, &span->score, regions, picture, settings->motion_min_size * picture);
  const EventCondition condition = {
    .kind = EVENT_MOTION, .holds = n > 0, .score = span->score, .rest = settings->motion_hold
  };

  event_span_follow (span, &condition, at, events);
}
