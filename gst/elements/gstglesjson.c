/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glesjson
 * @title: glesjson
 * @short_description: Turns the results of the analysers into newline-delimited JSON
 *
 * Writes one JSON object, on a line of its own, for every buffer that carries a result of
 * gleshistogram, glescompact or glestiles. docs/json.md describes the objects. The media of the
 * buffers does not matter: glesjson can stand behind an analyser, a converter or an encoder.
 *
 * A buffer without results (gleshistogram interval=2 leaves every second one without) becomes a GAP
 * event. This is the element that waits until a result has come back from the device: a queue
 * before it keeps the analyser busy meanwhile.
 *
 * ## Example
 * |[
 * gst-launch-1.0 -q videotestsrc num-buffers=3 ! gleshistogram ! glesjson ! fdsink
 * ]|
 *
 * Since: 0.1
 */
#include "config.h"

#include <gst/gles/meta/histogram.h>

#include "elements.h"
#include "json-writer.h"
#include "result-wait.h"

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

  /* with the object lock */
  gboolean counts, points, indices;
};

enum {
  PROP_0,
  PROP_COUNTS,
  PROP_POINTS,
  PROP_INDICES,
};

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE (
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-ndjson"));

G_DEFINE_TYPE (GstGlesJson, gst_gles_json, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DEFINE (glesjson, "glesjson", GST_RANK_NONE, GST_TYPE_GLES_JSON)

/* ---- writing ---- */

static void
write_uint (JsonWriter *writer, const gchar *key, guint64 value)
{
  json_writer_raw (writer, key);
  json_writer_uint (writer, value);
}

static void
write_double (JsonWriter *writer, const gchar *key, gdouble value)
{
  json_writer_raw (writer, key);
  json_writer_double (writer, value);
}

static void
write_time (JsonWriter *writer, const gchar *key, GstClockTime time)
{
  json_writer_raw (writer, key);
  if (GST_CLOCK_TIME_IS_VALID (time))
    json_writer_uint (writer, time);
  else
    json_writer_raw (writer, "null");
}

static void
write_statistics (JsonWriter *writer, const GstGlesHistogramStatistics *statistics)
{
  write_uint (writer, ",\"count\":", statistics->count);
  write_uint (writer, ",\"min\":", statistics->min);
  write_uint (writer, ",\"max\":", statistics->max);
  write_double (writer, ",\"mean\":", statistics->mean);
  write_double (writer, ",\"stddev\":", statistics->stddev);
  write_double (writer, ",\"entropy\":", statistics->entropy);
  write_uint (writer, ",\"p1\":", statistics->p1);
  write_uint (writer, ",\"p5\":", statistics->p5);
  write_uint (writer, ",\"p10\":", statistics->p10);
  write_uint (writer, ",\"p50\":", statistics->p50);
  write_uint (writer, ",\"p90\":", statistics->p90);
  write_uint (writer, ",\"p95\":", statistics->p95);
  write_uint (writer, ",\"p99\":", statistics->p99);
  write_double (writer, ",\"difference\":", statistics->difference);
}

/* The counters of a channel: a list of bins, or with a grid a list of such lists, cell by cell. */
static gboolean
write_counts (JsonWriter *writer, GstGlesHistogramResult *result, guint channel, GError **error)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  const guint n_cells = info->columns * info->rows;

  json_writer_raw (writer, n_cells > 1 ? ",\"counts\":[" : ",\"counts\":");
  for (guint cell = 0; cell < n_cells; cell++) {
    guint n = 0;
    const guint32 *counts = gst_gles_histogram_result_get_counts (result, channel, cell, &n, error);

    if (counts == NULL)
      return FALSE;
    if (cell != 0)
      json_writer_raw (writer, ",");
    json_writer_array (writer, counts, n);
  }
  if (n_cells > 1)
    json_writer_raw (writer, "]");
  return TRUE;
}

static gboolean
write_histogram (
    JsonWriter *writer, GstGlesHistogramResult *result, gboolean with_counts, GError **error)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);

  write_uint (writer, ",\"histogram\":{\"bins\":", info->bins);
  write_uint (writer, ",\"grid\":[", info->columns);
  write_uint (writer, ",", info->rows);
  write_uint (writer, "],\"region\":[", info->x);
  write_uint (writer, ",", info->y);
  write_uint (writer, ",", info->region_width);
  write_uint (writer, ",", info->region_height);
  json_writer_raw (writer, "],\"channels\":[");
  for (guint channel = 0; channel < info->n_channels; channel++) {
    GstGlesHistogramStatistics statistics;

    if (!gst_gles_histogram_result_get_statistics (result, channel, &statistics, error))
      return FALSE;
    json_writer_raw (writer, channel == 0 ? "{\"name\":" : ",{\"name\":");
    json_writer_string (writer, info->channels[channel].name);
    write_statistics (writer, &statistics);
    if (with_counts && !write_counts (writer, result, channel, error))
      return FALSE;
    json_writer_raw (writer, "}");
  }
  json_writer_raw (writer, "]}");
  return TRUE;
}

/* The line for a frame: (transfer full), NULL with @error. */
static GstBuffer *
write_line (GstGlesJson *self, GstGlesHistogramResult *result, GError **error)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  JsonWriter writer;
  gboolean with_counts;
  gchar *line;
  gsize size;

  GST_OBJECT_LOCK (self);
  with_counts = self->counts;
  GST_OBJECT_UNLOCK (self);

  json_writer_init (&writer, self->line_capacity);
  write_uint (&writer, "{\"frame\":", info->frame);
  write_time (&writer, ",\"pts\":", info->pts);
  write_time (&writer, ",\"duration\":", info->duration);
  write_time (&writer, ",\"running_time\":", info->running_time);
  write_uint (&writer, ",\"width\":", info->width);
  write_uint (&writer, ",\"height\":", info->height);
  json_writer_raw (&writer, ",\"format\":");
  json_writer_string (&writer, gst_video_format_to_string (info->format));
  if (!write_histogram (&writer, result, with_counts, error)) {
    json_writer_clear (&writer);
    return NULL;
  }
  json_writer_raw (&writer, "}\n");

  line = json_writer_steal (&writer, &size);
  self->line_capacity = size + size / 8;
  return gst_buffer_new_wrapped (line, size);
}

/* ---- streaming ---- */

/* Waits for the device; posts what went wrong. */
static GstFlowReturn
wait_for (GstGlesJson *self, gpointer result, GstGlesResultWaitFunc wait)
{
  GError *error = NULL;
  const GstFlowReturn flow = gst_gles_result_wait (self->sink_pad, result, wait, &error);

  if (flow == GST_FLOW_ERROR) {
    gst_gles_error_post (GST_ELEMENT (self), error);
    g_clear_error (&error);
  }
  return flow;
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

static GstFlowReturn
gst_gles_json_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstGlesJson *self = GST_GLES_JSON (parent);
  g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (buffer);
  GError *error = NULL;
  GstBuffer *line;
  GstFlowReturn flow;

  if (GST_BUFFER_IS_DISCONT (buffer))
    self->discont = TRUE;
  if (result == NULL) {
    push_gap (self, buffer);
    gst_buffer_unref (buffer);
    return GST_FLOW_OK;
  }

  flow = wait_for (self, result, (GstGlesResultWaitFunc) gst_gles_histogram_result_wait);
  if (flow != GST_FLOW_OK) {
    gst_buffer_unref (buffer);
    return flow == GST_GLES_FLOW_DISCARDED ? GST_FLOW_OK : flow;
  }

  line = write_line (self, result, &error);
  if (line == NULL) {
    gst_gles_error_post (GST_ELEMENT (self), error);
    g_clear_error (&error);
    gst_buffer_unref (buffer);
    return GST_FLOW_ERROR;
  }
  GST_BUFFER_PTS (line) = GST_BUFFER_PTS (buffer);
  GST_BUFFER_DURATION (line) = GST_BUFFER_DURATION (buffer);
  if (self->discont)
    GST_BUFFER_FLAG_SET (line, GST_BUFFER_FLAG_DISCONT);
  self->discont = FALSE;
  gst_buffer_unref (buffer);
  return gst_pad_push (self->src_pad, line);
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
    case GST_EVENT_FLUSH_STOP:
      self->discont = FALSE;
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

static gboolean *
gst_gles_json_switch (GstGlesJson *self, guint id)
{
  switch (id) {
    case PROP_COUNTS:
      return &self->counts;
    case PROP_POINTS:
      return &self->points;
    case PROP_INDICES:
      return &self->indices;
    default:
      return NULL;
  }
}

static void
gst_gles_json_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  GstGlesJson *self = GST_GLES_JSON (object);
  gboolean *target = gst_gles_json_switch (self, id);

  if (target == NULL) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    return;
  }
  GST_OBJECT_LOCK (self);
  *target = g_value_get_boolean (value);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gles_json_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  GstGlesJson *self = GST_GLES_JSON (object);
  const gboolean *source = gst_gles_json_switch (self, id);

  if (source == NULL) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    return;
  }
  GST_OBJECT_LOCK (self);
  g_value_set_boolean (value, *source);
  GST_OBJECT_UNLOCK (self);
}

static GstStateChangeReturn
gst_gles_json_change_state (GstElement *element, GstStateChange transition)
{
  GstGlesJson *self = GST_GLES_JSON (element);

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    self->line_capacity = 0;
    self->discont = FALSE;
  }
  return GST_ELEMENT_CLASS (gst_gles_json_parent_class)->change_state (element, transition);
}

static void
gst_gles_json_class_init (GstGlesJsonClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING;

  GST_DEBUG_CATEGORY_INIT (gst_gles_json_debug, "glesjson", 0, "GLES results to JSON");

  object_class->set_property = gst_gles_json_set_property;
  object_class->get_property = gst_gles_json_get_property;
  element_class->change_state = gst_gles_json_change_state;

  g_object_class_install_property (object_class, PROP_COUNTS,
      g_param_spec_boolean ("counts", "Counts",
          "Write the counters of histograms (\"counts\"), not only their statistics", TRUE, flags));
  g_object_class_install_property (object_class, PROP_POINTS,
      g_param_spec_boolean ("points", "Points",
          "Write the list of points (\"points\"), not only how many there are", TRUE, flags));
  g_object_class_install_property (object_class, PROP_INDICES,
      g_param_spec_boolean ("indices", "Indices",
          "Write the lists of tiles (\"offsets\" and \"indices\"), not only their sizes", TRUE,
          flags));

  gst_element_class_set_static_metadata (element_class, "GLES results to JSON",
      "Converter/Metadata",
      "Writes the results of gleshistogram and the other analysers as newline-delimited JSON",
      "gst-gles-compute");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
}

static void
gst_gles_json_init (GstGlesJson *self)
{
  self->counts = self->points = self->indices = TRUE;

  self->sink_pad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sink_pad, gst_gles_json_chain);
  gst_pad_set_event_function (self->sink_pad, gst_gles_json_sink_event);
  gst_pad_set_query_function (self->sink_pad, gst_gles_json_sink_query);
  gst_element_add_pad (GST_ELEMENT (self), self->sink_pad);

  self->src_pad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_use_fixed_caps (self->src_pad);
  gst_element_add_pad (GST_ELEMENT (self), self->src_pad);
}
