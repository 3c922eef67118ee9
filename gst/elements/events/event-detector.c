/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event-detector.h"

#include "level-spans.h"
#include "light-level-span.h"
#include "luma-spans.h"
#include "motion-detector.h"

/* Every frame that differs opens a new span, because a freeze starts with the frame that the later
 * ones equal. */
static void
follow_freeze (
    EventDetector *detector, const EventSettings *settings, const EventInput *input, GArray *events)
{
  EventSpan *span = &detector->spans[EVENT_FREEZE];
  const EventCondition condition = { .kind = EVENT_FREEZE,
    .min_duration = settings->freeze_duration };
  const EventTime *at = &input->time;
  const gboolean frozen =
      span->holds && (input->same || event_input_get_difference (input) <= settings->freeze_noise);

  if (!frozen) {
    event_span_end (span, &condition, at, EVENT_CAUSE_CONDITION, events);
    span->holds = TRUE;
    span->start = *at;
    span->score = 0.0;
  }
  if (frozen)
    event_span_announce (span, &condition, at, events);
}

/* Whether @result is that of the last frame. One from another process is a copy of it. */
static gboolean
is_same (const EventDetector *detector, GstGlesHistogramResult *result)
{
  const GstGlesFrameInfo *a, *b = gst_gles_histogram_result_get_frame (result);

  if (detector->last_result == NULL || detector->last_result == result)
    return detector->last_result == result;
  a = gst_gles_histogram_result_get_frame (detector->last_result);
  return a->number == b->number && a->pts == b->pts && a->running_time == b->running_time &&
      a->origin != NULL && b->origin != NULL &&
      g_strcmp0 (a->origin->element, b->origin->element) == 0 &&
      g_strcmp0 (a->origin->stream_id, b->origin->stream_id) == 0;
}

/* How a frame goes on from the last one. */
typedef enum {
  FOLLOWS,      /* all can be compared */
  OTHER_FORMAT, /* other size or format: only cuts are sought between them */
  OTHER_COUNTS, /* of another region or other channels: nothing can be compared */
  RESTARTED     /* the analyser started again: a smaller frame number */
} Relation;

static Relation
get_relation (const EventDetector *detector, GstGlesHistogramResult *result)
{
  const GstGlesHistogramInfo *a, *b = gst_gles_histogram_result_get_info (result);

  if (detector->last_result == NULL)
    return FOLLOWS;
  a = gst_gles_histogram_result_get_info (detector->last_result);
  if (b->frame.number <= a->frame.number)
    return RESTARTED;
  if (a->frame.width != b->frame.width || a->frame.height != b->frame.height ||
      a->frame.format != b->frame.format)
    return OTHER_FORMAT;
  if (a->n_channels != b->n_channels)
    return OTHER_COUNTS;
  for (guint i = 0; i < a->n_channels; i++) {
    if (a->channels[i].depth != b->channels[i].depth ||
        (a->channels[i].n_samples != b->channels[i].n_samples && a->frame.field == b->frame.field))
      return OTHER_COUNTS;
  }
  return FOLLOWS;
}

static gdouble
get_min_duration (const EventSettings *settings, EventKind kind)
{
  switch (kind) {
    case EVENT_BLACK:
      return settings->black_min_duration;
    case EVENT_WHITE:
      return settings->white_min_duration;
    case EVENT_FREEZE:
      return settings->freeze_duration;
    case EVENT_OVER_EXPOSED:
    case EVENT_UNDER_EXPOSED:
    case EVENT_LOW_CONTRAST:
      return settings->exposure_min_duration;
    case EVENT_COVERED:
      return CAMERA_COVERED_MIN_DURATION;
    case EVENT_BLURRED:
      return CAMERA_BLURRED_MIN_DURATION;
    case EVENT_MOVED:
      return settings->moved_min_duration;
    default:
      return 0.0;
  }
}

/* What a span of @kind needs to be announced, where its condition is not known. */
static EventCondition
get_rule (const EventSettings *settings, guint kind)
{
  return (EventCondition){ .kind = (EventKind) kind,
    .min_duration = get_min_duration (settings, (EventKind) kind),
    .min_frames = EVENT_KIND_BIT (kind) & EVENT_KINDS_LEVELS ? settings->level_frames : 0 };
}

/* Ends all open events at the end of the last frame. */
static void
end_last_spans (
    EventDetector *detector, const EventSettings *settings, EventCause cause, GArray *events)
{
  EventTime end = detector->last;

  event_time_advance (&end);
  for (guint kind = 0; kind < N_EVENT_KINDS; kind++) {
    const EventCondition rule = get_rule (settings, kind);

    event_span_end (&detector->spans[kind], &rule, &end, cause, events);
  }
  detector->camera = (CameraDetector){ 0 };
  detector->light = (LightDetector){ 0 };
  detector->crop = (CropDetector){ 0 };
  flash_detector_clear (&detector->flash);
}

/* Follows the light. While it changes, nothing else has happened to the camera; afterwards its view
 * is a new one. */
static gboolean
follow_light (
    EventDetector *detector, const EventSettings *settings, const CameraView *view, GArray *events)
{
  EventSpan *spans = detector->spans, *light = &spans[EVENT_LIGHT];
  const gboolean is_free = !spans[EVENT_COVERED].announced && !spans[EVENT_BLURRED].announced &&
      !spans[EVENT_MOVED].announced;
  const gboolean before = light->holds;

  if (!(settings->kinds & EVENT_KIND_BIT (EVENT_LIGHT)))
    return FALSE;
  if (light_detector_push (&detector->light, light, view, is_free, events))
    return TRUE;
  if (before && is_free)
    detector->camera = (CameraDetector){ 0 };
  return FALSE;
}

static void
follow_camera (
    EventDetector *detector, const EventSettings *settings, const EventInput *input, GArray *events)
{
  const GstGlesOverview *overview = gst_gles_histogram_result_get_overview (input->result, NULL);
  CameraView view;

  if (overview == NULL)
    return;
  camera_view_make (&view, overview, &input->time);
  if (!follow_light (detector, settings, &view, events))
    camera_detector_push (&detector->camera, detector->spans, settings, &view, events);
}

/* Removes cuts that changing light was taken for from @events, from @first on. Where another
 * picture is there now, a cut was one. */
static void
drop_cuts (const EventDetector *detector, GArray *events, guint first)
{
  const EventSpan *light = &detector->spans[EVENT_LIGHT];

  for (guint i = events->len; light->holds && detector->light.same && i > first; i--) {
    const Event *event = &g_array_index (events, Event, i - 1);

    if (event->kind == EVENT_CUT && event->start.position >= light->start.position)
      g_array_remove_index (events, i - 1);
  }
}

/* Follows the events that the result of gleshistogram decides. */
static void
follow_histogram (
    EventDetector *detector, const EventSettings *settings, EventInput *input, GArray *events)
{
  const guint first = events->len;
  Relation relation;

  input->same = is_same (detector, input->result);
  relation = input->same ? FOLLOWS : get_relation (detector, input->result);
  if (relation == OTHER_FORMAT)
    end_last_spans (detector, settings, EVENT_CAUSE_CAPS, events);
  else if (relation != FOLLOWS)
    event_detector_end (
        detector, settings, relation == RESTARTED ? EVENT_CAUSE_STOPPED : EVENT_CAUSE_CAPS, events);
  if (settings->kinds & (EVENT_KIND_BIT (EVENT_CUT) | EVENT_KIND_BIT (EVENT_TRANSITION)))
    cut_detector_push (&detector->cuts, settings, input, events);
  else
    cut_detector_end (&detector->cuts, settings, EVENT_CAUSE_STOPPED, events);
  luma_spans_follow (detector->spans, settings, input, events);
  if (settings->kinds & EVENT_KINDS_LEVELS)
    level_spans_follow (detector->spans, settings, input, events);
  if (settings->kinds & EVENT_KIND_BIT (EVENT_LIGHT_LEVEL))
    light_level_span_follow (&detector->spans[EVENT_LIGHT_LEVEL], settings, input, events);
  if ((settings->kinds & EVENT_KIND_BIT (EVENT_FREEZE)) &&
      gst_gles_histogram_result_has_mad (input->result))
    follow_freeze (detector, settings, input, events);
  if (settings->kinds & EVENT_KINDS_OVERVIEW)
    follow_camera (detector, settings, input, events);
  if (settings->kinds & EVENT_KIND_BIT (EVENT_CROP))
    crop_detector_push (&detector->crop, settings, input, events);
  else
    detector->crop = (CropDetector){ 0 };
  if (settings->kinds & EVENT_KIND_BIT (EVENT_FLASH))
    flash_detector_push (&detector->flash, &detector->spans[EVENT_FLASH], input, events);
  else
    flash_detector_clear (&detector->flash);
  drop_cuts (detector, events, first);
  gst_mini_object_replace (
      (GstMiniObject **) &detector->last_result, GST_MINI_OBJECT_CAST (input->result));
}

gboolean
event_detector_push (EventDetector *detector, const EventSettings *settings, const EventInput *from,
    GArray *events, GError **error)
{
  EventInput input = *from;

  if (input.result != NULL && !gst_gles_histogram_result_wait (input.result, G_MAXUINT64, error))
    return FALSE;
  for (guint kind = 0; kind < N_EVENT_KINDS; kind++) {
    const EventCondition rule = get_rule (settings, kind);

    if (!(settings->kinds & EVENT_KIND_BIT (kind)))
      event_span_end (&detector->spans[kind], &rule, &input.time, EVENT_CAUSE_STOPPED, events);
  }
  detector->flash.counted = FALSE;
  if (input.result != NULL)
    follow_histogram (detector, settings, &input, events);
  /* changing light begins no motion */
  if (input.regions != NULL && (settings->kinds & EVENT_KIND_BIT (EVENT_MOTION)) &&
      (!detector->spans[EVENT_LIGHT].holds || detector->spans[EVENT_MOTION].holds))
    motion_detector_follow (
        &detector->spans[EVENT_MOTION], settings, input.regions, &input.time, events);
  for (guint kind = 0; kind < N_EVENT_KINDS; kind++)
    event_span_update (
        &detector->spans[kind], (EventKind) kind, &input.time, settings->update_interval, events);
  detector->has_last = TRUE;
  detector->last = input.time;
  return TRUE;
}

void
event_detector_end (
    EventDetector *detector, const EventSettings *settings, EventCause cause, GArray *events)
{
  if (!detector->has_last)
    return;
  detector->has_last = FALSE;
  cut_detector_end (&detector->cuts, settings, cause, events);
  end_last_spans (detector, settings, cause, events);
  g_clear_pointer (&detector->last_result, gst_gles_histogram_result_unref);
}

void
event_detector_splice (
    EventDetector *detector, const EventSettings *settings, EventCause cause, GArray *events)
{
  if (!detector->has_last)
    return;
  cut_detector_settle (&detector->cuts, settings, cause, events);
  end_last_spans (detector, settings, cause, events);
}
