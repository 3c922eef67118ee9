/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glesjson
 * @title: glesjson
 * @short_description: Turns the results of the analysers into newline-delimited JSON
 *
 * Writes one JSON object, on a line of its own, for every buffer that carries a result of
 * gleshistogram, glescompact, glestiles, glesregions or glestrack, and for every event of
 * glesevents. docs/json.md describes the objects. The media of the buffers does not matter:
 * glesjson can stand behind an analyser, a converter or an encoder.
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

#include "../elements.h"
#include "../base/settings.h"
#include "json-results.h"
#include "json-tags.h"

GST_DEBUG_CATEGORY_STATIC (gst_gles_json_debug);
#define GST_CAT_DEFAULT gst_gles_json_debug

#define GST_TYPE_GLES_JSON (gst_gles_json_get_type ())
G_DECLARE_FINAL_TYPE (GstGlesJson, gst_gles_json, GST, GLES_JSON, GstElement)

struct _GstGlesJson {
  GstElement parent;

  GstPad *sink_pad, *src_pad;

  /* of the streaming thread */
  gsize line_capacity; /* what the line before took, and some more */
  gboolean discont;    /* the next line follows a gap in the input */
  ResultsWatch watch;

  /* with the object lock */
  JsonOptions options;
  GError *tags_error; /* why the last value of `tags` was refused; NULL if it was not */
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

G_DEFINE_TYPE (GstGlesJson, gst_gles_json, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DEFINE (glesjson, "glesjson", GST_RANK_NONE, GST_TYPE_GLES_JSON)

/* ---- streaming ---- */

/* The settings of the next line. (transfer full), to be cleared. */
static JsonOptions
get_options (GstGlesJson *self)
{
  JsonOptions options;

  GST_OBJECT_LOCK (self);
  options = self->options;
  if (options.tags != NULL)
    g_ref_string_acquire (options.tags);
  GST_OBJECT_UNLOCK (self);
  return options;
}

/* The line for a frame: (transfer full), NULL with @error. */
static GstBuffer *
write_line (GstGlesJson *self, const Results *results, const JsonOptions *options, GError **error)
{
  JsonWriter writer;
  gchar *line;
  gsize size;

  json_writer_init (&writer, self->line_capacity);
  if (!json_results_write (&writer, results, options, error)) {
    json_writer_clear (&writer);
    return NULL;
  }
  line = json_writer_steal (&writer, &size, error);
  if (line == NULL)
    return NULL;
  self->line_capacity = size + size / 8;
  return gst_buffer_new_wrapped (line, size);
}

/* Tells downstream of a buffer that has no line. A GAP needs a timestamp. */
static void
push_gap (GstGlesJson *self, GstBuffer *buffer)
{
  GST_LOG_OBJECT (self, "no line for %" GST_PTR_FORMAT, buffer);
  if (GST_BUFFER_PTS_IS_VALID (buffer))
    gst_pad_push_event (
        self->src_pad, gst_event_new_gap (GST_BUFFER_PTS (buffer), GST_BUFFER_DURATION (buffer)));
}

/* @line (transfer full) */
static GstFlowReturn
push_line (GstGlesJson *self, GstBuffer *line, GstClockTime pts, GstClockTime duration)
{
  GST_BUFFER_PTS (line) = pts;
  GST_BUFFER_DURATION (line) = duration;
  if (self->discont)
    GST_BUFFER_FLAG_SET (line, GST_BUFFER_FLAG_DISCONT);
  self->discont = FALSE;
  return gst_pad_push (self->src_pad, line);
}

/* Pushes the line of the results of @buffer, which are there. */
static GstFlowReturn
push_frame (GstGlesJson *self, Results *results, const JsonOptions *options, GstBuffer *buffer)
{
  g_autoptr (GError) error = NULL;
  GstBuffer *line = NULL;
  GstFlowReturn flow = results_wait (results, self->sink_pad, &error);

  if (flow == GST_FLOW_OK) {
    line = write_line (self, results, options, &error);
    if (line == NULL)
      flow = GST_FLOW_ERROR;
  }
  if (flow == GST_FLOW_ERROR)
    gst_gles_error_post (GST_ELEMENT (self), error);
  if (line != NULL)
    flow = push_line (self, line, GST_BUFFER_PTS (buffer), GST_BUFFER_DURATION (buffer));
  return flow;
}

static GstFlowReturn
push_event_line (GstGlesJson *self, JsonWriter *writer, GstClockTime pts)
{
  g_autoptr (GError) error = NULL;
  gsize size;
  gchar *line = json_writer_steal (writer, &size, &error);

  if (line == NULL) {
    gst_gles_error_post (GST_ELEMENT (self), error);
    return GST_FLOW_ERROR;
  }
  return push_line (self, gst_buffer_new_wrapped (line, size), pts, GST_CLOCK_TIME_NONE);
}

/* Pushes a line for each event of glesevents: the field "events" of its meta and of its event. */
static GstFlowReturn
push_events (
    GstGlesJson *self, const GstStructure *structure, const JsonOptions *options, GstClockTime pts)
{
  const GValue *list = gst_structure_get_value (structure, "events");
  GstFlowReturn flow = GST_FLOW_OK;

  if (list == NULL || !GST_VALUE_HOLDS_LIST (list))
    return GST_FLOW_OK;
  for (guint i = 0; i < gst_value_list_get_size (list) && flow == GST_FLOW_OK; i++) {
    const GValue *value = gst_value_list_get_value (list, i);
    JsonWriter writer;

    json_writer_init (&writer, 0);
    if (GST_VALUE_HOLDS_STRUCTURE (value) &&
        json_results_write_event (&writer, gst_value_get_structure (value), options))
      flow = push_event_line (self, &writer, pts);
    json_writer_clear (&writer);
  }
  return flow;
}

/* Returns the events of glesevents on @buffer, or NULL. */
static const GstStructure *
get_events (GstBuffer *buffer)
{
  GstCustomMeta *meta = gst_meta_get_info ("glesevents") != NULL
      ? gst_buffer_get_custom_meta (buffer, "glesevents")
      : NULL;

  return meta != NULL ? gst_custom_meta_get_structure (meta) : NULL;
}

static GstFlowReturn
gst_gles_json_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstGlesJson *self = GST_GLES_JSON (parent);
  JsonOptions options = get_options (self);
  const GstStructure *events = options.events ? get_events (buffer) : NULL;
  GstFlowReturn flow = GST_FLOW_OK;
  gboolean found;
  Results results;

  if (GST_BUFFER_IS_DISCONT (buffer))
    self->discont = TRUE;
  found = results_collect (&results, RESULTS_ALL, buffer);
  results_watch_buffer (&self->watch, GST_ELEMENT (self), found || events != NULL, RESULTS_OF_ANY);
  if (found && options.frames)
    flow = push_frame (self, &results, &options, buffer);
  else if (!found || events == NULL)
    push_gap (self, buffer);
  results_clear (&results);
  if (events != NULL && flow == GST_FLOW_OK)
    flow = push_events (self, events, &options, GST_BUFFER_PTS (buffer));
  g_clear_pointer (&options.tags, g_ref_string_release);
  gst_buffer_unref (buffer);
  return flow == RESULTS_FLOW_DISCARDED ? GST_FLOW_OK : flow;
}

/* The events that end with the stream have no frame. */
static void
push_last_events (GstGlesJson *self, const GstStructure *structure)
{
  JsonOptions options = get_options (self);

  if (options.events)
    push_events (self, structure, &options, GST_CLOCK_TIME_NONE);
  g_clear_pointer (&options.tags, g_ref_string_release);
}

/* Our caps depend on nothing; what matters is that they are sent before the segment. */
static gboolean
ensure_caps (GstGlesJson *self)
{
  g_autoptr (GstCaps) caps = NULL;

  if (gst_pad_has_current_caps (self->src_pad))
    return TRUE;
  caps = gst_static_pad_template_get_caps (&src_template);
  return gst_pad_set_caps (self->src_pad, caps);
}

static gboolean
gst_gles_json_sink_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  GstGlesJson *self = GST_GLES_JSON (parent);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      gst_event_unref (event);
      return ensure_caps (self);
    case GST_EVENT_SEGMENT:
      ensure_caps (self);
      break;
    case GST_EVENT_CUSTOM_DOWNSTREAM:
      if (gst_event_has_name (event, "glesevents"))
        push_last_events (self, gst_event_get_structure (event));
      break;
    case GST_EVENT_FLUSH_STOP:
      self->discont = FALSE;
      break;
    case GST_EVENT_EOS:
      results_watch_end (&self->watch, GST_ELEMENT (self), RESULTS_OF_ANY);
      break;
    default:
      break;
  }
  return gst_pad_event_default (pad, parent, event);
}

static gboolean
gst_gles_json_sink_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_ALLOCATION) {
    /* pixels are not looked at, so any layout of them will do */
    gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
    gst_query_add_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL);
    return TRUE;
  }
  return gst_pad_query_default (pad, parent, query);
}

/* ---- object ---- */

/* Keeps the former tags where @text is no object. A warning says so once the element has started;
 * earlier there may be no bus, and the element refuses to start instead. */
static void
set_tags (GstGlesJson *self, const gchar *text)
{
  GError *error = NULL;
  gchar *tags;
  const gboolean ok = json_tags_parse (text, &tags, &error);
  gboolean started;

  GST_OBJECT_LOCK (self);
  started = GST_STATE (self) > GST_STATE_READY;
  g_clear_error (&self->tags_error);
  if (ok) {
    g_clear_pointer (&self->options.tags, g_ref_string_release);
    self->options.tags = tags;
  } else {
    self->tags_error = g_error_copy (error);
  }
  GST_OBJECT_UNLOCK (self);
  if (!ok && started)
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS, ("%s", error->message), ("the former tags stay"));
  g_clear_error (&error);
}

static void
gst_gles_json_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  if (id == PROP_TAGS)
    set_tags (GST_GLES_JSON (object), g_value_get_string (value));
  else
    settings_set (object, &GST_GLES_JSON (object)->options, value, spec);
}

static void
gst_gles_json_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  GstGlesJson *self = GST_GLES_JSON (object);

  if (id == PROP_TAGS) {
    GST_OBJECT_LOCK (self);
    g_value_set_string (value, self->options.tags != NULL ? self->options.tags : "");
    GST_OBJECT_UNLOCK (self);
  } else {
    settings_get (object, &self->options, value, spec);
  }
}

static void
gst_gles_json_finalize (GObject *object)
{
  GstGlesJson *self = GST_GLES_JSON (object);

  g_clear_pointer (&self->options.tags, g_ref_string_release);
  g_clear_error (&self->tags_error);
  G_OBJECT_CLASS (gst_gles_json_parent_class)->finalize (object);
}

static GstStateChangeReturn
gst_gles_json_change_state (GstElement *element, GstStateChange transition)
{
  GstGlesJson *self = GST_GLES_JSON (element);

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    g_autoptr (GError) error = NULL;

    GST_OBJECT_LOCK (self);
    error = self->tags_error != NULL ? g_error_copy (self->tags_error) : NULL;
    GST_OBJECT_UNLOCK (self);
    if (error != NULL) {
      gst_gles_error_post (element, error);
      return GST_STATE_CHANGE_FAILURE;
    }
    self->line_capacity = 0;
    self->discont = FALSE;
    self->watch = (ResultsWatch){ 0 };
  }
  return GST_ELEMENT_CLASS (gst_gles_json_parent_class)->change_state (element, transition);
}

static void
gst_gles_json_class_init (GstGlesJsonClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_gles_json_debug, "glesjson", 0, "GLES results to JSON");

  object_class->set_property = gst_gles_json_set_property;
  object_class->get_property = gst_gles_json_get_property;
  object_class->finalize = gst_gles_json_finalize;
  element_class->change_state = gst_gles_json_change_state;

  settings_install (object_class, PROP_OPTIONS, G_STRUCT_OFFSET (JsonOptions, frames),
      g_param_spec_boolean ("frames", "Frames",
          "Write a line for each frame that has results; events have lines of their own", TRUE,
          SETTING_FLAGS));
  settings_install (object_class, PROP_OPTIONS, G_STRUCT_OFFSET (JsonOptions, events),
      g_param_spec_boolean (
          "events", "Events", "Write a line for each event of glesevents", TRUE, SETTING_FLAGS));
  g_object_class_install_property (object_class, PROP_TAGS,
      g_param_spec_string ("tags", "Tags",
          "A JSON object that every line has as its key \"tags\", such as {\"camera\":\"gate\"}",
          "", SETTING_FLAGS));
  settings_install (object_class, PROP_OPTIONS, G_STRUCT_OFFSET (JsonOptions, counts),
      g_param_spec_boolean ("counts", "Counts",
          "Write the counters of histograms (\"counts\"), not only their statistics", TRUE,
          SETTING_FLAGS));
  settings_install (object_class, PROP_OPTIONS, G_STRUCT_OFFSET (JsonOptions, points),
      g_param_spec_boolean ("points", "Points",
          "Write the list of points (\"points\"), not only how many there are", TRUE,
          SETTING_FLAGS));
  settings_install (object_class, PROP_OPTIONS, G_STRUCT_OFFSET (JsonOptions, indices),
      g_param_spec_boolean ("indices", "Indices",
          "Write the lists of tiles (\"offsets\", \"indices\" and \"boxes\"), not only how long "
          "each is (\"counts\")",
          TRUE, SETTING_FLAGS));

  gst_element_class_set_static_metadata (element_class, "GLES results to JSON",
      "Converter/Metadata",
      "Writes the results of gleshistogram and the other analysers as newline-delimited JSON",
      "The gst-gles-compute developers");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
}

static void
gst_gles_json_init (GstGlesJson *self)
{
  settings_init (G_OBJECT (self), PROP_OPTIONS, &self->options);

  self->sink_pad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sink_pad, gst_gles_json_chain);
  gst_pad_set_event_function (self->sink_pad, gst_gles_json_sink_event);
  gst_pad_set_query_function (self->sink_pad, gst_gles_json_sink_query);
  gst_element_add_pad (GST_ELEMENT (self), self->sink_pad);

  self->src_pad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_use_fixed_caps (self->src_pad);
  gst_element_add_pad (GST_ELEMENT (self), self->src_pad);
}
