/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glesjson
 * @title: glesjson
 * @short_description: Turns the results of the analysers into newline-delimited JSON
 *
 * Writes one JSON object, on a line of its own, for every buffer that carries a result of
 * gleshistogram, glescompact, glestiles, glesregions, glestrack or gleszones, and for every event
 * of glesevents and gleszones. docs/json.md describes the objects. The media of the buffers does
 * not matter: glesjson can stand behind an analyser, a converter or an encoder.
 *
 * A buffer without results (gleshistogram interval=2 leaves every second one without) becomes a
 * GAP event. This is the element that waits until a result has come back from the device: a
 * queue before it keeps the analyser busy meanwhile.
 *
 * ## Example
 * |[ gst-launch-1.0 -q videotestsrc num-buffers=3 ! gleshistogram ! glesjson ! fdsink ]|
 *
 * Since: 0.1
 */
#include "config.h"

#include "../base/element-name.h"
#include "../elements.h"
#include "../base/settings.h"
#include "json-lines.h"

GST_DEBUG_CATEGORY_STATIC (gst_gles_json_element_debug);
#define GST_CAT_DEFAULT gst_gles_json_element_debug

#define GST_TYPE_GLES_JSON_ELEMENT (gst_gles_json_element_get_type ())
G_DECLARE_FINAL_TYPE (GstGlesJsonElement, gst_gles_json_element, GST, GLES_JSON_ELEMENT, GstElement)

struct _GstGlesJsonElement {
  GstElement parent;

  GstPad *sink_pad, *src_pad;
  JsonLines lines;
  gboolean discont; /* of the streaming thread: the next line follows a gap in the input */
};

enum {
  PROP_0,
  PROP_TAGS,
  PROP_OPTIONS /* another member of JsonOptions */
};

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE (
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-ndjson"));

G_DEFINE_TYPE (GstGlesJsonElement, gst_gles_json_element, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DEFINE (glesjson, "glesjson", GST_RANK_NONE, GST_TYPE_GLES_JSON_ELEMENT)

/* ---- streaming ---- */

/* Tells downstream of a buffer that has no line. A GAP needs a timestamp. */
static void
push_gap (GstGlesJsonElement *self, GstBuffer *buffer)
{
  GST_LOG_OBJECT (self, "no line for %" GST_PTR_FORMAT, buffer);
  if (GST_BUFFER_PTS_IS_VALID (buffer))
    gst_pad_push_event (
        self->src_pad, gst_event_new_gap (GST_BUFFER_PTS (buffer), GST_BUFFER_DURATION (buffer)));
}

static GstFlowReturn
push_line (GstElement *element, JsonLine *line)
{
  GstGlesJsonElement *self = GST_GLES_JSON_ELEMENT (element);
  GstBuffer *buffer = gst_buffer_new_wrapped (line->text, line->size);

  GST_BUFFER_PTS (buffer) = line->pts;
  GST_BUFFER_DURATION (buffer) = line->duration;
  if (self->discont)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
  self->discont = FALSE;
  return gst_pad_push (self->src_pad, buffer);
}

static GstFlowReturn
gst_gles_json_element_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstGlesJsonElement *self = GST_GLES_JSON_ELEMENT (parent);
  gboolean silent;
  GstFlowReturn flow;

  if (GST_BUFFER_IS_DISCONT (buffer))
    self->discont = TRUE;
  flow = json_lines_take_buffer (&self->lines, pad, buffer, &silent);
  if (silent)
    push_gap (self, buffer);
  gst_buffer_unref (buffer);
  return flow;
}

/* Our caps depend on nothing; what matters is that they are sent before the segment. */
static gboolean
ensure_caps (GstGlesJsonElement *self)
{
  g_autoptr (GstCaps) caps = NULL;

  if (gst_pad_has_current_caps (self->src_pad))
    return TRUE;
  caps = gst_static_pad_template_get_caps (&src_template);
  return gst_pad_set_caps (self->src_pad, caps);
}

static gboolean
gst_gles_json_element_sink_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  GstGlesJsonElement *self = GST_GLES_JSON_ELEMENT (parent);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_event_unref (event);
      return ensure_caps (self);
    case GST_EVENT_SEGMENT:
      ensure_caps (self);
      break;
    case GST_EVENT_FLUSH_STOP:
      self->discont = FALSE;
      break;
    case GST_EVENT_CUSTOM_DOWNSTREAM:
    case GST_EVENT_EOS:
      json_lines_take_event (&self->lines, event);
      break;
    default:
      break;
  }
  return gst_pad_event_default (pad, parent, event);
}

static gboolean
gst_gles_json_element_sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_ALLOCATION) {
    /* pixels are not looked at, so any layout of them will do */
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
    gst_query_add_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL);
    return TRUE;
  }
  json_lines_answer (&GST_GLES_JSON_ELEMENT (parent)->lines, query);
  return gst_pad_query_default (pad, parent, query);
}

/* ---- object ---- */

static void
gst_gles_json_element_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  if (id == PROP_TAGS)
    json_lines_set_tags (&GST_GLES_JSON_ELEMENT (object)->lines, g_value_get_string (value));
  else
    settings_set (object, &GST_GLES_JSON_ELEMENT (object)->lines.options, value, spec);
}

static void
gst_gles_json_element_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  GstGlesJsonElement *self = GST_GLES_JSON_ELEMENT (object);

  if (id == PROP_TAGS)
    g_value_take_string (value, json_lines_get_tags (&self->lines));
  else
    settings_get (object, &self->lines.options, value, spec);
}

static void
gst_gles_json_element_finalize (GObject *object)
{
  GstGlesJsonElement *self = GST_GLES_JSON_ELEMENT (object);

  json_lines_clear (&self->lines);
  G_OBJECT_CLASS (gst_gles_json_element_parent_class)->finalize (object);
}

static GstStateChangeReturn
gst_gles_json_element_change_state (GstElement *element, GstStateChange transition)
{
  GstGlesJsonElement *self = GST_GLES_JSON_ELEMENT (element);

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    if (!json_lines_start (&self->lines))
      return GST_STATE_CHANGE_FAILURE;
    self->discont = FALSE;
  }
  return GST_ELEMENT_CLASS (gst_gles_json_element_parent_class)->change_state (element, transition);
}

static void
gst_gles_json_element_class_init (GstGlesJsonElementClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  element_class_name_instances (G_OBJECT_CLASS (klass));
  GST_DEBUG_CATEGORY_INIT (gst_gles_json_element_debug, "glesjson", 0, "GLES results to JSON");

  object_class->set_property = gst_gles_json_element_set_property;
  object_class->get_property = gst_gles_json_element_get_property;
  object_class->finalize = gst_gles_json_element_finalize;
  element_class->change_state = gst_gles_json_element_change_state;

  settings_install (object_class, PROP_OPTIONS, G_STRUCT_OFFSET (JsonOptions, frames),
      g_param_spec_boolean ("frames", "Frames",
          "Write a line for each frame that has results; events have lines of their own", TRUE,
          SETTING_FLAGS));
  settings_install (object_class, PROP_OPTIONS, G_STRUCT_OFFSET (JsonOptions, events),
      g_param_spec_boolean (
          "events", "Events", "Write a line for each event of glesevents", TRUE, SETTING_FLAGS));
  json_lines_install (object_class, PROP_TAGS, PROP_OPTIONS, TRUE);

  gst_element_class_set_static_metadata (element_class, "GLES results to JSON",
      "Converter/Metadata",
      "Writes the results of gleshistogram and the other analysers as newline-delimited JSON",
      "The gst-gles-compute developers");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
}

static void
gst_gles_json_element_init (GstGlesJsonElement *self)
{
  self->lines.element = GST_ELEMENT (self);
  self->lines.func = push_line;
  settings_init (G_OBJECT (self), PROP_OPTIONS, &self->lines.options);

  self->sink_pad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sink_pad, gst_gles_json_element_chain);
  gst_pad_set_event_function (self->sink_pad, gst_gles_json_element_sink_event);
  gst_pad_set_query_function (self->sink_pad, gst_gles_json_element_sink_query);
  gst_element_add_pad (GST_ELEMENT (self), self->sink_pad);

  self->src_pad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_use_fixed_caps (self->src_pad);
  gst_element_add_pad (GST_ELEMENT (self), self->src_pad);
}
