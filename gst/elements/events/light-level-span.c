/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "light-level-span.h"

#include <gst/gles/meta/light.h>

EventSaidLight
light_level_span_read_caps (const GstCaps *caps)
{
  GstVideoContentLightLevel content;
  GstVideoMasteringDisplayInfo mastering;
  EventSaidLight said = { 0 };

  if (gst_video_content_light_level_from_caps (&content, caps)) {
    said.max_cll = content.max_content_light_level;
    said.max_fall = content.max_frame_average_light_level;
  }
  /* in 1/10000 cd/m² */
  if (gst_video_mastering_display_info_from_caps (&mastering, caps))
    said.mastering_max = mastering.max_display_mastering_luminance / 10000.0;
  return said;
}

/* Returns how many times @said @measured is; 0 where nothing is said. */
static gdouble
get_ratio (gdouble measured, gdouble said)
{
  return said > 0.0 ? measured / said : 0.0;
}

void
light_level_span_follow (
    EventSpan *span, const EventSettings *settings, const EventInput *input, GArray *events)
{
  const EventSaidLight *said = &input->said;
  EventLight *most = &span->details.light;
  EventCondition condition = { .kind = EVENT_LIGHT_LEVEL };
  GstGlesLight light;

  if (!gst_gles_histogram_result_get_light (input->result, &light, NULL))
    return;
  condition.score = MAX (get_ratio (light.max, said->max_cll),
      MAX (get_ratio (light.mean, said->max_fall), get_ratio (light.max, said->mastering_max)));
  condition.holds = condition.score > 1.0 + settings->light_tolerance;
  if (condition.holds)
    *most = (EventLight){ MAX (most->max, light.max), MAX (most->mean, light.mean), *said };
  event_span_follow (span, &condition, &input->time, events);
}
