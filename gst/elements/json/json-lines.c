/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "json-lines.h"

#include "../base/readers.h"
#include "../base/settings.h"
#include "json-tags.h"

/* ---- properties ---- */

void
json_lines_install (GObjectClass *klass, guint tags, guint options, gboolean lists)
{
  g_object_class_install_property (klass, tags,
      g_param_spec_string ("tags", "Tags",
          "A JSON object that every line has as its key \"tags\", such as {\"camera\":\"gate\"}",
          "", SETTING_FLAGS));
  settings_install (klass, options, G_STRUCT_OFFSET (JsonOptions, counts),
      g_param_spec_boolean ("counts", "Counts",
          "Write the counters of histograms (\"counts\"), not only their statistics", lists,
          SETTING_FLAGS));
  settings_install (klass, options, G_STRUCT_OFFSET (JsonOptions, points),
      g_param_spec_boolean ("points", "Points",
          "Write the list of points (\"points\"), not only how many there are", lists,
          SETTING_FLAGS));
  settings_install (klass, options, G_STRUCT_OFFSET (JsonOptions, indices),
      g_param_spec_boolean ("indices", "Indices",
          "Write the lists of tiles (\"offsets\", \"indices\" and \"boxes\"), not only how long "
          "each is (\"counts\")",
          lists, SETTING_FLAGS));
}

/* A warning says so once the element has started; earlier there may be no bus, and the element
 * refuses to start instead. */
void
json_lines_set_tags (JsonLines *self, const gchar *text)
{
  GError *error = NULL;
  gchar *tags;
  const gboolean ok = json_tags_parse (text, &tags, &error);
  gboolean started;

  GST_OBJECT_LOCK (self->element);
  started = GST_STATE (self->element) > GST_STATE_READY;
  g_clear_error (&self->tags_error);
  if (ok) {
    g_clear_pointer (&self->options.tags, g_ref_string_release);
    self->options.tags = tags;
  } else {
    self->tags_error = g_error_copy (error);
  }
  GST_OBJECT_UNLOCK (self->element);
  if (!ok && started)
    GST_ELEMENT_WARNING (
        self->element, LIBRARY, SETTINGS, ("%s", error->message), ("the former tags stay"));
  g_clear_error (&error);
}

gchar *
json_lines_get_tags (JsonLines *self)
{
  gchar *tags;

  GST_OBJECT_LOCK (self->element);
  tags = g_strdup (self->options.tags != NULL ? self->options.tags : "");
  GST_OBJECT_UNLOCK (self->element);
  return tags;
}

gboolean
json_lines_start (JsonLines *self)
{
  g_autoptr (GError) error = NULL;

  GST_OBJECT_LOCK (self->element);
  error = self->tags_error != NULL ? g_error_copy (self->tags_error) : NULL;
  GST_OBJECT_UNLOCK (self->element);
  if (error != NULL) {
    gst_gles_error_post (self->element, error);
    return FALSE;
  }
  self->capacity = 0;
  self->expected = (ResultsExpected){ 0 };
  return TRUE;
}

void
json_lines_clear (JsonLines *self)
{
  g_clear_pointer (&self->options.tags, g_ref_string_release);
  g_clear_error (&self->tags_error);
}

/* ---- lines ---- */

/* The settings of the next line. (transfer full), to be cleared. */
static JsonOptions
get_options (JsonLines *self)
{
  JsonOptions options;

  GST_OBJECT_LOCK (self->element);
  options = self->options;
  if (options.tags != NULL)
    g_ref_string_acquire (options.tags);
  GST_OBJECT_UNLOCK (self->element);
  return options;
}

/* Returns the structure of the meta @name on @buffer, or NULL. */
static const GstStructure *
get_custom (GstBuffer *buffer, const gchar *name)
{
  GstCustomMeta *meta =
      gst_meta_get_info (name) != NULL ? gst_buffer_get_custom_meta (buffer, name) : NULL;

  return meta != NULL ? gst_custom_meta_get_structure (meta) : NULL;
}

/* Hands what @writer has to the element. */
static GstFlowReturn
finish_line (JsonLines *self, JsonWriter *writer, JsonLine *line)
{
  g_autoptr (GError) error = NULL;

  line->text = json_writer_steal (writer, &line->size, &error);
  if (line->text == NULL) {
    gst_gles_error_post (self->element, error);
    return GST_FLOW_ERROR;
  }
  return self->func (self->element, line);
}

static GstFlowReturn
take_results (
    JsonLines *self, const Results *results, const JsonOptions *options, GstBuffer *buffer)
{
  JsonLine line = { .pts = GST_BUFFER_PTS (buffer), .duration = GST_BUFFER_DURATION (buffer) };
  g_autoptr (GError) error = NULL;
  JsonWriter writer;
  GstFlowReturn flow;

  json_writer_init (&writer, self->capacity);
  if (!json_results_write (&writer, results, get_custom (buffer, "glesflash"), options, &error)) {
    json_writer_clear (&writer);
    gst_gles_error_post (self->element, error);
    return GST_FLOW_ERROR;
  }
  flow = finish_line (self, &writer, &line);
  self->capacity = line.size + line.size / 8;
  return flow;
}

/* Makes the line of the results of @buffer, when they are there. */
static GstFlowReturn
take_frame (
    JsonLines *self, GstPad *pad, Results *results, const JsonOptions *options, GstBuffer *buffer)
{
  g_autoptr (GError) error = NULL;
  const GstFlowReturn flow = results_wait (results, pad, &error);

  if (flow == GST_FLOW_ERROR)
    gst_gles_error_post (self->element, error);
  return flow == GST_FLOW_OK ? take_results (self, results, options, buffer) : flow;
}

/* Makes a line for each event of glesevents: the field "events" of its meta and of its event. */
static GstFlowReturn
take_events (
    JsonLines *self, const GstStructure *structure, const JsonOptions *options, GstClockTime pts)
{
  const GValue *list = gst_structure_get_value (structure, "events");
  GstFlowReturn flow = GST_FLOW_OK;

  if (list == NULL || !GST_VALUE_HOLDS_LIST (list))
    return GST_FLOW_OK;
  for (guint i = 0; i < gst_value_list_get_size (list) && flow == GST_FLOW_OK; i++) {
    const GValue *value = gst_value_list_get_value (list, i);
    const GstStructure *event =
        GST_VALUE_HOLDS_STRUCTURE (value) ? gst_value_get_structure (value) : NULL;
    JsonLine line = { .pts = pts, .duration = GST_CLOCK_TIME_NONE, .event = event };
    JsonWriter writer;

    json_writer_init (&writer, 0);
    if (event != NULL && json_results_write_event (&writer, event, options))
      flow = finish_line (self, &writer, &line);
    json_writer_clear (&writer);
  }
  return flow;
}

GstFlowReturn
json_lines_take_buffer (JsonLines *self, GstPad *pad, GstBuffer *buffer, gboolean *silent)
{
  JsonOptions options = get_options (self);
  const GstStructure *events = options.events ? get_custom (buffer, "glesevents") : NULL;
  GstFlowReturn flow = GST_FLOW_OK;
  gboolean found;
  Results results;

  found = results_collect (&results, RESULTS_ALL, buffer);
  results_expect_buffer (&self->expected, self->element, found || events != NULL, RESULTS_OF_ANY);
  *silent = !found || (!options.frames && events == NULL);
  if (found && options.frames)
    flow = take_frame (self, pad, &results, &options, buffer);
  results_clear (&results);
  if (events != NULL && flow == GST_FLOW_OK)
    flow = take_events (self, events, &options, GST_BUFFER_PTS (buffer));
  g_clear_pointer (&options.tags, g_ref_string_release);
  return flow == RESULTS_FLOW_DISCARDED ? GST_FLOW_OK : flow;
}

void
json_lines_take_event (JsonLines *self, GstEvent *event)
{
  JsonOptions options;

  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    results_expect_end (&self->expected, self->element, RESULTS_OF_ANY);
  if (!gst_event_has_name (event, "glesevents"))
    return;
  options = get_options (self);
  if (options.events)
    take_events (self, gst_event_get_structure (event), &options, GST_CLOCK_TIME_NONE);
  g_clear_pointer (&options.tags, g_ref_string_release);
}

void
json_lines_answer (JsonLines *self, GstQuery *query)
{
  gboolean frames;

  GST_OBJECT_LOCK (self->element);
  frames = self->options.frames;
  GST_OBJECT_UNLOCK (self->element);
  readers_answer (query, frames ? RESULTS_ALL : 0);
}
