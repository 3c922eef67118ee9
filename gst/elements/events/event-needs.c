/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event-needs.h"

#include <gst/gles/meta/flash.h>
#include <gst/gles/meta/light.h>
#include "event-input.h"

/* A kind of result whose lack is reported once. */
typedef struct {
  ResultsExpected *expected;
  gboolean needed;
  const gchar *wanted;
} Need;

/* Fills the results that @kinds need. Those that no kind needs by name are needed only if there are
 * no others. */
static void
get_needs (EventNeeds *state, EventKinds kinds, Need needs[2])
{
  const EventKinds named = event_kinds_get_named (kinds);

  needs[0] = (Need){ &state->histogram, (kinds & EVENT_KINDS_HISTOGRAM) != 0,
    named != 0 ? "results of gleshistogram" : "results of gleshistogram or glesregions" };
  needs[1] = (Need){ &state->regions, (named & EVENT_KIND_BIT (EVENT_MOTION)) != 0,
    "results of glesregions" };
}

void
event_needs_note (EventNeeds *state, GstElement *element, const Results *results, EventKinds kinds)
{
  const gboolean named = event_kinds_get_named (kinds) != 0;
  Need needs[2];

  get_needs (state, kinds, needs);
  if (needs[0].needed)
    results_expect_buffer (needs[0].expected, element,
        results->histogram != NULL || (!named && results->regions != NULL), needs[0].wanted);
  if (needs[1].needed)
    results_expect_buffer (needs[1].expected, element, results->regions != NULL, needs[1].wanted);
}

void
event_needs_end (EventNeeds *state, GstElement *element, EventKinds kinds)
{
  Need needs[2];

  get_needs (state, kinds, needs);
  for (guint i = 0; i < G_N_ELEMENTS (needs); i++) {
    if (needs[i].needed)
      results_expect_end (needs[i].expected, element, needs[i].wanted);
  }
}

/* Says once why light levels are not compared. */
static void
check_light (EventNeeds *state, GstElement *element, const EventInput *input)
{
  const EventSaidLight *said = &input->said;
  const gboolean says = said->max_cll > 0.0 || said->max_fall > 0.0 || said->mastering_max > 0.0;
  GstGlesLight light;

  if (state->warned_of_light ||
      (says && gst_gles_histogram_result_get_light (input->result, &light, NULL)))
    return;
  state->warned_of_light = TRUE;
  GST_ELEMENT_WARNING (element, STREAM, WRONG_TYPE,
      ("Light levels are not compared: %s",
          says ? "the histograms come without; set light=true on gleshistogram"
               : "the caps have neither content-light-level nor mastering-display-info"),
      ("this is said once"));
}

static void
warn_once (gboolean *warned, GstElement *element, const gchar *text)
{
  if (!*warned)
    GST_ELEMENT_WARNING (element, STREAM, WRONG_TYPE, ("%s", text), ("this is said once"));
  *warned = TRUE;
}

void
event_needs_check (
    EventNeeds *state, GstElement *element, const EventInput *input, EventKinds kinds)
{
  GstGlesHistogramResult *result = input->result;
  const EventKinds named = event_kinds_get_named (kinds),
                   of_luma = named & (EVENT_KINDS_LUMA | EVENT_KINDS_LEVELS);
  const gboolean cut = (named & EVENT_KIND_BIT (EVENT_CUT)) != 0;
  const gboolean freeze = (named & EVENT_KIND_BIT (EVENT_FREEZE)) != 0;
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);

  if (named & EVENT_KIND_BIT (EVENT_LIGHT_LEVEL))
    check_light (state, element, input);
  if ((named & EVENT_KIND_BIT (EVENT_FLASH)) && info->flash_offset == 0)
    warn_once (&state->warned_of_flash, element,
        "The histograms come without luminance and red, so flashes are not detected; set "
        "flash=true on gleshistogram");
  if ((named & EVENT_KIND_BIT (EVENT_CROP)) && info->crop_offset == 0)
    warn_once (&state->warned_of_crop, element,
        "The histograms come without the border, so crop is not detected; set crop-limit on "
        "gleshistogram, such as crop-limit=0.0941");
  if ((named & EVENT_KINDS_LEVELS) && info->frame.range == GST_VIDEO_COLOR_RANGE_0_255)
    warn_once (&state->warned_of_range, element,
        "The video has full range, in which no level is over or under");
  if (of_luma != 0 && !state->warned_of_luma && !event_input_has_luma (result)) {
    g_autofree gchar *names = event_kinds_describe (of_luma);

    state->warned_of_luma = TRUE;
    GST_ELEMENT_WARNING (element, STREAM, WRONG_TYPE,
        ("The histograms have no luma channel, so these events are not detected: %s; set "
         "channels=luma on gleshistogram",
            names),
        ("channel 0 is %s; this is said once",
            gst_gles_histogram_result_get_channel_name (result, 0)));
  }
  if ((cut || freeze) && !state->warned_of_mad && !gst_gles_histogram_result_has_mad (result)) {
    state->warned_of_mad = TRUE;
    GST_ELEMENT_WARNING (element, STREAM, WRONG_TYPE,
        ("The histograms come without mad, so %s%s%s not detected; set mad=true on gleshistogram",
            freeze ? "freezes" : "", freeze && cut ? " and " : "",
            cut ? "cuts between pictures with equal histograms are" : " are"),
        ("this is said once"));
  }
}
