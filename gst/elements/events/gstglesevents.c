/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glesevents
 * @title: glesevents
 * @short_description: detects cuts, black and frozen pictures, bad exposure, and camera faults
 *
 * Reads the results of gleshistogram on buffers. Posts an element message named glesevents at the
 * start and at the end of each event, and attaches the same structures to the frame as a
 * #GstCustomMeta named glesevents. Buffers are not changed otherwise. docs/elements/glesevents.md
 * defines the events.
 *
 * Motion is read from the results of glesregions, and stalled needs none: the element waits on the
 * clock of a live pipeline, whose thread then posts the message.
 *
 * Black, white and exposure need a luma channel (channels=luma of gleshistogram for RGB). Freezes
 * need mad=true of gleshistogram. The element posts one warning for each that is missing.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 -m videotestsrc num-buffers=90 pattern=black ! video/x-raw,format=I420 ! \
 *     gleshistogram mad=true ! glesevents ! fakesink
 * ]|
 *
 * Since: 0.1
 */
#include "config.h"

#include "../base/element-name.h"
#include "../elements.h"
#include "event-analytics.h"
#include "event-detector.h"
#include "event-needs.h"
#include "light-level-span.h"
#include "stall-detector.h"
#include "../base/readers.h"
#include "../base/settings.h"

GST_DEBUG_CATEGORY_STATIC (gst_gles_events_element_debug);
#define GST_CAT_DEFAULT gst_gles_events_element_debug

#define GST_TYPE_GLES_EVENTS_ELEMENT (gst_gles_events_element_get_type ())
G_DECLARE_FINAL_TYPE (
    GstGlesEventsElement, gst_gles_events_element, GST, GLES_EVENTS_ELEMENT, GstElement)

/* Frames on both sides of a new segment are compared when no more than this lies between them. */
#define MAX_PAUSE (GST_SECOND / 2)

struct _GstGlesEventsElement {
  GstElement parent;

  GstPad *sink_pad, *src_pad;
  EventSettings settings; /* object lock */

  /* stream lock */
  const gchar *session; /* interned; of the settings when the element started */
  gchar *stream_id;     /* of the last frame, NULL if unknown; changes under the object lock too */
  GstSegment segment;
  EventDetector detector;
  EventNeeds needs;
  EventSaidLight said;           /* by the caps */
  guint64 n_frames;              /* the number of the next frame if it has no results */
  StallDetector *stall_detector; /* has a lock of its own */
};

enum {
  PROP_0,
  PROP_SETTINGS /* a member of EventSettings */
};

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

G_DEFINE_TYPE (GstGlesEventsElement, gst_gles_events_element, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DEFINE (glesevents, "glesevents", GST_RANK_NONE, GST_TYPE_GLES_EVENTS_ELEMENT)

/* ---- reporting events ---- */

/* Any thread. */
static void
post_event (GstElement *element, const Event *event)
{
  GstGlesEventsElement *self = GST_GLES_EVENTS_ELEMENT (element);
  g_autofree gchar *name = gst_object_get_name (GST_OBJECT (self));
  g_autofree gchar *stream_id = NULL;
  g_autoptr (GstStructure) structure = NULL;

  GST_OBJECT_LOCK (self);
  stream_id = g_strdup (self->stream_id);
  GST_OBJECT_UNLOCK (self);
  structure = event_describe (event, &(EventSource){ self->session, stream_id, name });
  event_report_post (element, structure);
}

/* Posts those of @events that were not posted as messages. Attaches them to @buffer (transfer
 * full) (nullable), or sends them downstream in a custom event when there is no buffer. Returns
 * (transfer full) (nullable): the buffer to push. */
static GstBuffer *
report_events (GstGlesEventsElement *self, GArray *events, GstBuffer *buffer)
{
  g_autofree gchar *name = NULL;
  GValue list = G_VALUE_INIT;
  EventSource source;

  if (events->len == 0)
    return buffer;
  name = gst_object_get_name (GST_OBJECT (self));
  source = (EventSource){ self->session, self->stream_id, name };
  g_value_init (&list, GST_TYPE_LIST);
  for (guint i = 0; i < events->len; i++) {
    const Event *event = &g_array_index (events, Event, i);
    GstStructure *structure = event_describe (event, &source);
    GValue value = G_VALUE_INIT;

    if (!event->posted)
      event_report_post (GST_ELEMENT (self), structure);
    g_value_init (&value, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&value, structure);
    gst_value_list_append_and_take_value (&list, &value);
  }
  return event_report_attach (self->src_pad, buffer, &list);
}

static EventSettings
get_settings (GstGlesEventsElement *self)
{
  EventSettings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  return settings;
}

/* Ends all open events but a stall: what follows cannot be compared with what was. */
static void
end_events (GstGlesEventsElement *self, EventCause cause)
{
  const EventSettings settings = get_settings (self);
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));

  event_detector_end (&self->detector, &settings, cause, events);
  report_events (self, events, NULL);
}

/* Ends all open events but a stall: another stream continues this one. */
static void
end_at_splice (GstGlesEventsElement *self)
{
  const EventSettings settings = get_settings (self);
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));

  event_detector_splice (&self->detector, &settings, EVENT_CAUSE_SEGMENT, events);
  report_events (self, events, NULL);
}

/* Ends all open events: the stream ends or is flushed. */
static void
end_stream (GstGlesEventsElement *self, EventCause cause)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));

  end_events (self, cause);
  stall_detector_end (self->stall_detector, cause, events);
  report_events (self, events, NULL);
}

static gdouble
get_stall_timeout (const EventSettings *settings)
{
  return settings->kinds & EVENT_KIND_BIT (EVENT_STALLED) ? settings->stall_timeout : 0.0;
}

/* ---- streaming ---- */

/* Returns what the results say of their frame, or NULL. */
static const GstGlesFrameInfo *
get_frame (const Results *results)
{
  if (results->histogram != NULL)
    return gst_gles_histogram_result_get_frame (results->histogram);
  return results->regions != NULL ? gst_gles_regions_result_get_frame (results->regions) : NULL;
}

/* Returns the time of the frame in @buffer with @results. */
static EventTime
get_time (GstGlesEventsElement *self, GstBuffer *buffer, const Results *results)
{
  const GstGlesFrameInfo without_results = { .number = self->n_frames,
    .pts = GST_CLOCK_TIME_NONE,
    .duration = GST_CLOCK_TIME_NONE,
    .running_time = GST_CLOCK_TIME_NONE,
    .stream_time = GST_CLOCK_TIME_NONE,
    .utc = GST_CLOCK_TIME_NONE };
  const GstGlesFrameInfo *frame = get_frame (results);

  return event_time_of_buffer (&self->segment, buffer, frame != NULL ? frame : &without_results);
}

/* Takes @id (transfer full) (nullable). */
static void
set_stream_id (GstGlesEventsElement *self, gchar *id)
{
  GST_OBJECT_LOCK (self);
  g_free (self->stream_id);
  self->stream_id = id;
  GST_OBJECT_UNLOCK (self);
}

/* Takes the stream of the results, as lines of frames name it, or else that of the pad. Events do
 * not go on in another stream. */
static void
take_stream_id (GstGlesEventsElement *self, const GstGlesOrigin *origin)
{
  g_autofree gchar *id = NULL;

  if (origin != NULL && origin->stream_id != NULL)
    id = g_strdup (origin->stream_id);
  else
    id = gst_pad_get_stream_id (self->sink_pad);
  if (g_strcmp0 (id, self->stream_id) == 0)
    return;
  end_at_splice (self);
  set_stream_id (self, g_steal_pointer (&id));
}

/* Appends the events of a frame with @results. */
static GstFlowReturn
analyse (GstGlesEventsElement *self, Results *results, const EventSettings *settings,
    const EventInput *frame, GArray *events)
{
  EventInput input = *frame;
  g_autoptr (GError) error = NULL;
  GstFlowReturn flow = results_wait (results, self->sink_pad, &error);

  if (flow == GST_FLOW_OK) {
    input.result = results->histogram;
    input.regions = results->regions;
    if (input.result != NULL)
      event_needs_check (&self->needs, GST_ELEMENT (self), &input, settings->kinds);
    if (!event_detector_push (&self->detector, settings, &input, events, &error))
      flow = GST_FLOW_ERROR;
  }
  if (flow == GST_FLOW_ERROR)
    gst_gles_error_post (GST_ELEMENT (self), error);
  return flow;
}

static ResultsParts
get_parts (EventKinds kinds)
{
  return (ResultsParts) ((kinds & EVENT_KINDS_HISTOGRAM ? RESULTS_HISTOGRAM : 0) |
      (kinds & EVENT_KIND_BIT (EVENT_MOTION) ? RESULTS_REGIONS : 0));
}

/* Adds the events of the frame in @buffer. */
static GstFlowReturn
handle_frame (GstGlesEventsElement *self, GstBuffer **buffer)
{
  const EventSettings settings = get_settings (self);
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
  GstFlowReturn flow = GST_FLOW_OK;
  EventInput input = { .repeats = GST_BUFFER_FLAG_IS_SET (*buffer, GST_BUFFER_FLAG_GAP) };
  const GstGlesFrameInfo *frame;
  Results results;
  gboolean found = results_collect (&results, get_parts (settings.kinds), *buffer);

  event_needs_note (&self->needs, GST_ELEMENT (self), &results, settings.kinds);
  frame = get_frame (&results);
  if (frame != NULL || self->stream_id == NULL)
    take_stream_id (self, frame != NULL ? frame->origin : NULL);
  input.time = get_time (self, *buffer, &results);
  input.said = self->said;
  self->n_frames = input.time.frame + 1;
  stall_detector_frame (
      self->stall_detector, self->sink_pad, get_stall_timeout (&settings), &input.time, events);
  if (found)
    flow = analyse (self, &results, &settings, &input, events);
  *buffer = report_events (self, events, *buffer);
  *buffer = flash_detector_attach (&self->detector.flash, *buffer);
#if HAVE_ANALYTICS
  if (settings.analytics)
    *buffer = event_analytics_add (*buffer, self->detector.spans, events);
#endif
  results_clear (&results);
  return flow;
}

static GstFlowReturn
gst_gles_events_element_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstGlesEventsElement *self = GST_GLES_EVENTS_ELEMENT (parent);
  const gboolean gap = results_is_gap (buffer);
  GstFlowReturn flow = GST_FLOW_OK;

  if (gap)
    end_events (self, EVENT_CAUSE_GAP);
  else
    flow = handle_frame (self, &buffer);
  if (flow == GST_FLOW_OK || flow == RESULTS_FLOW_DISCARDED)
    flow = gst_pad_push (self->src_pad, buffer);
  else
    gst_buffer_unref (buffer);
  if (!gap)
    stall_detector_frame_done (self->stall_detector);
  return flow;
}

static gboolean
gst_gles_events_element_sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (readers_is_question (query, NULL))
    readers_answer (query, get_parts (get_settings (GST_GLES_EVENTS_ELEMENT (parent)).kinds));
  return gst_pad_query_default (pad, parent, query);
}

static gboolean
is_same_segment (GstPad *pad, GstEvent *event)
{
  g_autoptr (GstEvent) current = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  const GstSegment *a, *b;

  if (current == NULL)
    return FALSE;
  gst_event_parse_segment (current, &a);
  gst_event_parse_segment (event, &b);
  return gst_segment_is_equal (a, b);
}

/* Whether frames of @next are shown after the last one without a pause, as the next item of a
 * playlist is. */
static gboolean
continues (GstGlesEventsElement *self, const GstSegment *next)
{
  EventTime end = self->detector.last;
  GstClockTime begin;

  if (!self->detector.has_last || next->format != GST_FORMAT_TIME || next->rate < 0.0 ||
      end.rate < 0.0)
    return FALSE;
  event_time_advance (&end);
  begin = gst_segment_to_running_time (next, GST_FORMAT_TIME, next->start);
  return GST_CLOCK_TIME_IS_VALID (begin) && GST_CLOCK_TIME_IS_VALID (end.running_time) &&
      ABS (GST_CLOCK_DIFF (begin, end.running_time)) <= MAX_PAUSE;
}

static void
take_segment (GstGlesEventsElement *self, GstEvent *event)
{
  const gboolean same = is_same_segment (self->src_pad, event);

  gst_event_copy_segment (event, &self->segment);
  if (same)
    return;
  if (continues (self, &self->segment))
    end_at_splice (self);
  else
    end_events (self, EVENT_CAUSE_SEGMENT);
}

static void
take_caps (GstGlesEventsElement *self, GstEvent *event)
{
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  self->said = light_level_span_read_caps (caps);
}

/* Other caps end nothing by themselves. The results tell whether their pictures compare: they may
 * be of other pictures than the caps, and tags change what is black, but no picture. */
static gboolean
gst_gles_events_element_sink_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  GstGlesEventsElement *self = GST_GLES_EVENTS_ELEMENT (parent);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      take_caps (self, event);
      break;
    case GST_EVENT_SEGMENT:
      take_segment (self, event);
      break;
    case GST_EVENT_EOS:
      end_stream (self, EVENT_CAUSE_EOS);
      event_needs_end (&self->needs, GST_ELEMENT (self), get_settings (self).kinds);
      break;
    case GST_EVENT_GAP:
      end_events (self, EVENT_CAUSE_GAP);
      break;
    case GST_EVENT_STREAM_START:
      stall_detector_begin_stream (self->stall_detector);
      break;
    case GST_EVENT_FLUSH_START:
      stall_detector_interrupt (self->stall_detector);
      break;
    case GST_EVENT_FLUSH_STOP:
      end_stream (self, EVENT_CAUSE_FLUSH);
      stall_detector_resume (self->stall_detector);
      break;
    default:
      break;
  }
  return gst_pad_event_default (pad, parent, event);
}

/* ---- object ---- */

static void
gst_gles_events_element_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  settings_set (object, &GST_GLES_EVENTS_ELEMENT (object)->settings, value, spec);
}

static void
gst_gles_events_element_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  settings_get (object, &GST_GLES_EVENTS_ELEMENT (object)->settings, value, spec);
}

static GstStateChangeReturn
gst_gles_events_element_change_state (GstElement *element, GstStateChange transition)
{
  GstGlesEventsElement *self = GST_GLES_EVENTS_ELEMENT (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);
    self->session = get_settings (self).session;
    self->needs = (EventNeeds){ 0 };
    self->said = (EventSaidLight){ 0 };
    self->n_frames = 0;
    stall_detector_reset (self->stall_detector);
  }
  if (transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED)
    stall_detector_pause (self->stall_detector);
  result =
      GST_ELEMENT_CLASS (gst_gles_events_element_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING && result != GST_STATE_CHANGE_FAILURE) {
    const EventSettings settings = get_settings (self);

    stall_detector_play (self->stall_detector, self->sink_pad, get_stall_timeout (&settings));
  }

  /* the pads are inactive by now, so the ends of open events are posted as messages only */
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    end_stream (self, EVENT_CAUSE_STOPPED);
    set_stream_id (self, NULL);
  }
  return result;
}

static void
gst_gles_events_element_finalize (GObject *object)
{
  GstGlesEventsElement *self = GST_GLES_EVENTS_ELEMENT (object);

  stall_detector_close (self->stall_detector);
  G_OBJECT_CLASS (gst_gles_events_element_parent_class)->finalize (object);
}

static void
gst_gles_events_element_class_init (GstGlesEventsElementClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  element_class_name_instances (G_OBJECT_CLASS (klass));
  GST_DEBUG_CATEGORY_INIT (gst_gles_events_element_debug, "glesevents", 0, "Events in a video");

  object_class->set_property = gst_gles_events_element_set_property;
  object_class->get_property = gst_gles_events_element_get_property;
  object_class->finalize = gst_gles_events_element_finalize;
  element_class->change_state = gst_gles_events_element_change_state;
  event_settings_install (object_class, PROP_SETTINGS);
  gst_element_class_set_static_metadata (element_class, "Events in a video",
      "Filter/Analyzer/Video",
      "Detects cuts, black, white and frozen pictures and bad exposure from the results of "
      "gleshistogram",
      "The gst-gles-compute developers");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
}

static void
gst_gles_events_element_init (GstGlesEventsElement *self)
{
  settings_init (G_OBJECT (self), PROP_SETTINGS, &self->settings);
  self->stall_detector = stall_detector_new (GST_ELEMENT (self), post_event);

  self->sink_pad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sink_pad, gst_gles_events_element_chain);
  gst_pad_set_event_function (self->sink_pad, gst_gles_events_element_sink_event);
  gst_pad_set_query_function (self->sink_pad, gst_gles_events_element_sink_query);
  GST_PAD_SET_PROXY_CAPS (self->sink_pad);
  GST_PAD_SET_PROXY_ALLOCATION (self->sink_pad);
  gst_element_add_pad (GST_ELEMENT (self), self->sink_pad);

  self->src_pad = gst_pad_new_from_static_template (&src_template, "src");
  GST_PAD_SET_PROXY_CAPS (self->src_pad);
  gst_element_add_pad (GST_ELEMENT (self), self->src_pad);
}
