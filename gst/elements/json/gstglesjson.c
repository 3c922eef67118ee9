/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glesjson
 * @title: glesjson
 * @short_description: Turns the results of the analysers into newline-delimited JSON
 *
 * Writes one JSON object, on a line of its own, for every buffer that carries a result of
 * gleshistogram, glescompact, glestiles or glesregions. docs/json.md describes the objects. The
 * media of the buffers does not matter: glesjson can stand behind an analyser, a converter or an
 * encoder.
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
  JsonLists lists;
};

enum {
  PROP_0,
  PROP_LISTS /* a member of JsonLists */
};

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE (
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-ndjson"));

G_DEFINE_TYPE (GstGlesJson, gst_gles_json, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DEFINE (glesjson, "glesjson", GST_RANK_NONE, GST_TYPE_GLES_JSON)

/* ---- streaming ---- */

/* The line for a frame: (transfer full), NULL with @error. */
static GstBuffer *
write_line (GstGlesJson *self, const Results *results, GError **error)
{
  JsonWriter writer;
  JsonLists lists;
  gchar *line;
  gsize size;

  GST_OBJECT_LOCK (self);
  lists = self->lists;
  GST_OBJECT_UNLOCK (self);

  json_writer_init (&writer, self->line_capacity);
  if (!json_results_write (&writer, results, &lists, error)) {
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
  GST_LOG_OBJECT (self, "no results on %" GST_PTR_FORMAT, buffer);
  if (GST_BUFFER_PTS_IS_VALID (buffer))
    gst_pad_push_event (
        self->src_pad, gst_event_new_gap (GST_BUFFER_PTS (buffer), GST_BUFFER_DURATION (buffer)));
}

/* What becomes of the results of a buffer: a line, or why there is none. */
static GstFlowReturn
make_line (GstGlesJson *self, Results *results, GstBuffer **line)
{
  GError *error = NULL;
  GstFlowReturn flow = results_wait (results, self->sink_pad, &error);

  if (flow == GST_FLOW_OK) {
    *line = write_line (self, results, &error);
    if (*line == NULL)
      flow = GST_FLOW_ERROR;
  }
  if (flow == GST_FLOW_ERROR) {
    gst_gles_error_post (GST_ELEMENT (self), error);
    g_clear_error (&error);
  }
  return flow;
}

static GstFlowReturn
push_event_line (GstGlesJson *self, JsonWriter *writer, GstClockTime pts)
{
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer;
  gsize size;
  gchar *line = json_writer_steal (writer, &size, &error);

  if (line == NULL) {
    gst_gles_error_post (GST_ELEMENT (self), error);
    return GST_FLOW_ERROR;
  }
  buffer = gst_buffer_new_wrapped (line, size);
  GST_BUFFER_PTS (buffer) = pts;
  return gst_pad_push (self->src_pad, buffer);
}

/* Pushes a line for each event of glesevents: the field "events" of its meta and of its event. */
static GstFlowReturn
push_events (GstGlesJson *self, const GstStructure *structure, GstClockTime pts)
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
        json_results_write_event (&writer, gst_value_get_structure (value)))
      flow = push_event_line (self, &writer, pts);
    json_writer_clear (&writer);
  }
  return flow;
}

static GstFlowReturn
gst_gles_json_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstGlesJson *self = GST_GLES_JSON (parent);
  GstBuffer *line = NULL;
  GstFlowReturn flow = GST_FLOW_OK;
  GstCustomMeta *events;
  gboolean found;
  Results results;

  if (GST_BUFFER_IS_DISCONT (buffer))
    self->discont = TRUE;
  found = results_collect (&results, RESULTS_ALL, buffer);
  results_watch_buffer (&self->watch, GST_ELEMENT (self), found, RESULTS_OF_ANY);
  if (found) {
    flow = make_line (self, &results, &line);
    results_clear (&results);
  } else {
    push_gap (self, buffer);
  }
  if (line != NULL) {
    GST_BUFFER_PTS (line) = GST_BUFFER_PTS (buffer);
    GST_BUFFER_DURATION (line) = GST_BUFFER_DURATION (buffer);
    if (self->discont)
      GST_BUFFER_FLAG_SET (line, GST_BUFFER_FLAG_DISCONT);
    self->discont = FALSE;
  }
  if (line != NULL)
    flow = gst_pad_push (self->src_pad, line);
  events = gst_meta_get_info ("glesevents") != NULL
      ? gst_buffer_get_custom_meta (buffer, "glesevents")
      : NULL;
  if (events != NULL && flow == GST_FLOW_OK)
    flow = push_events (self, gst_custom_meta_get_structure (events), GST_BUFFER_PTS (buffer));
  gst_buffer_unref (buffer);
  return flow == RESULTS_FLOW_DISCARDED ? GST_FLOW_OK : flow;
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
      /* events that end with the stream have no frame */
      if (gst_event_has_name (event, "glesevents"))
        push_events (self, gst_event_get_structure (event), GST_CLOCK_TIME_NONE);
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

static void
gst_gles_json_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  settings_set (object, &GST_GLES_JSON (object)->lists, value, spec);
}

static void
gst_gles_json_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  settings_get (object, &GST_GLES_JSON (object)->lists, value, spec);
}

static GstStateChangeReturn
gst_gles_json_change_state (GstElement *element, GstStateChange transition)
{
  GstGlesJson *self = GST_GLES_JSON (element);

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
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
  element_class->change_state = gst_gles_json_change_state;

  settings_install (object_class, PROP_LISTS, G_STRUCT_OFFSET (JsonLists, counts),
      g_param_spec_boolean ("counts", "Counts",
          "Write the counters of histograms (\"counts\"), not only their statistics", TRUE,
          SETTING_FLAGS));
  settings_install (object_class, PROP_LISTS, G_STRUCT_OFFSET (JsonLists, points),
      g_param_spec_boolean ("points", "Points",
          "Write the list of points (\"points\"), not only how many there are", TRUE,
          SETTING_FLAGS));
  settings_install (object_class, PROP_LISTS, G_STRUCT_OFFSET (JsonLists, indices),
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
  settings_init (G_OBJECT (self), PROP_LISTS, &self->lists);

  self->sink_pad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sink_pad, gst_gles_json_chain);
  gst_pad_set_event_function (self->sink_pad, gst_gles_json_sink_event);
  gst_pad_set_query_function (self->sink_pad, gst_gles_json_sink_query);
  gst_element_add_pad (GST_ELEMENT (self), self->sink_pad);

  self->src_pad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_use_fixed_caps (self->src_pad);
  gst_element_add_pad (GST_ELEMENT (self), self->src_pad);
}
