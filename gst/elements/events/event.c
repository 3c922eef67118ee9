/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event.h"

void
event_add (GArray *events, const Event *event)
{
  Event added = *event;

  added.duration = event_get_duration (&event->start, &event->at);
  g_array_append_val (events, added);
}

static void
describe_motion (GstStructure *structure, const EventMotion *motion)
{
  const EventBox *largest = &motion->largest, *all = &motion->all;

  gst_structure_set (structure, "largest-x", G_TYPE_UINT, largest->x, "largest-y", G_TYPE_UINT,
      largest->y, "largest-width", G_TYPE_UINT, largest->width, "largest-height", G_TYPE_UINT,
      largest->height, "union-x", G_TYPE_UINT, all->x, "union-y", G_TYPE_UINT, all->y,
      "union-width", G_TYPE_UINT, all->width, "union-height", G_TYPE_UINT, all->height, "n-regions",
      G_TYPE_UINT, motion->n_regions, NULL);
}

static void
describe_flash (GstStructure *structure, const EventFlash *flash)
{
  gst_structure_set (structure, "flash", G_TYPE_STRING,
      !flash->red           ? "general"
          : !flash->general ? "red"
                            : "both",
      "extended", G_TYPE_BOOLEAN, flash->extended, "transitions", G_TYPE_UINT, flash->transitions,
      "area", G_TYPE_DOUBLE, flash->area, NULL);
}

static void
describe_light (GstStructure *structure, const EventLight *light)
{
  gst_structure_set (structure, "light-max", G_TYPE_DOUBLE, light->max, "light-mean", G_TYPE_DOUBLE,
      light->mean, "max-cll", G_TYPE_DOUBLE, light->said.max_cll, "max-fall", G_TYPE_DOUBLE,
      light->said.max_fall, "mastering-max", G_TYPE_DOUBLE, light->said.mastering_max, NULL);
}

static void
describe_crop (GstStructure *structure, const EventBox *crop)
{
  gst_structure_set (structure, "crop-x", G_TYPE_UINT, crop->x, "crop-y", G_TYPE_UINT, crop->y,
      "crop-width", G_TYPE_UINT, crop->width, "crop-height", G_TYPE_UINT, crop->height, NULL);
}

GstStructure *
event_describe (const Event *event, const EventSource *source)
{
  const EventHead head = { .name = event_kind_get_name (event->kind),
    .phase = event->phase,
    .cause = event->cause,
    .at = event->at,
    .start = event->start,
    .score = event->score,
    .duration = event->duration };
  GstStructure *structure = event_head_describe (&head, source);

  if (event->details.transition != NULL)
    gst_structure_set (structure, "transition", G_TYPE_STRING, event->details.transition, NULL);
  if (event->kind == EVENT_MOTION)
    describe_motion (structure, &event->details.motion);
  if (event->kind == EVENT_FLASH)
    describe_flash (structure, &event->details.flash);
  if (event->kind == EVENT_CROP)
    describe_crop (structure, &event->details.crop);
  if (EVENT_KIND_BIT (event->kind) & EVENT_KINDS_LEVELS)
    gst_structure_set (structure, "luma", G_TYPE_DOUBLE, event->details.levels.luma, "chroma",
        G_TYPE_DOUBLE, event->details.levels.chroma, NULL);
  if (event->kind == EVENT_LIGHT_LEVEL)
    describe_light (structure, &event->details.light);
  return structure;
}
