/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the lines of glesjson, which docs/json.md describes. */
#include "report.h"

#include <string.h>

#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <gst/video/video.h>

static gint64
get_int (JsonObject *object, const gchar *name)
{
  return json_object_get_int_member_with_default (object, name, 0);
}

/* Without a timestamp, frames are placed at 25 frames a second. */
static GstClockTime
get_time (JsonObject *line, const gchar *name)
{
  JsonNode *node = json_object_get_member (line, name);

  if (node != NULL && JSON_NODE_HOLDS_VALUE (node))
    return (GstClockTime) MAX (json_node_get_int (node), 0);
  return (GstClockTime) get_int (line, "frame") * (GST_SECOND / 25);
}

/* Returns how many code values correspond to one code value of 8 bits. */
static gdouble
get_scale (const gchar *format)
{
  const GstVideoFormat known = gst_video_format_from_string (format != NULL ? format : "");
  const GstVideoFormatInfo *info = gst_video_format_get_info (known);

  if (known == GST_VIDEO_FORMAT_UNKNOWN || info == NULL ||
      GST_VIDEO_FORMAT_INFO_N_COMPONENTS (info) == 0)
    return 1.0;
  return (gdouble) (1u << GST_VIDEO_FORMAT_INFO_DEPTH (info, 0)) / 256.0;
}

static JsonObject *
get_channel (JsonObject *line)
{
  JsonNode *histogram = json_object_get_member (line, "histogram");
  JsonNode *channels, *channel;

  if (histogram == NULL || !JSON_NODE_HOLDS_OBJECT (histogram))
    return NULL;
  channels = json_object_get_member (json_node_get_object (histogram), "channels");
  if (channels == NULL || !JSON_NODE_HOLDS_ARRAY (channels) ||
      json_array_get_length (json_node_get_array (channels)) == 0)
    return NULL;
  channel = json_array_get_element (json_node_get_array (channels), 0);
  return JSON_NODE_HOLDS_OBJECT (channel) ? json_node_get_object (channel) : NULL;
}

/* Returns (transfer full) (nullable): the histogram of the whole region, of *@n bins. Lines of a
 * grid have none. */
static guint32 *
get_counts (JsonObject *channel, guint *n)
{
  JsonNode *node = json_object_get_member (channel, "counts");
  JsonArray *array;
  guint32 *counts;

  *n = 0;
  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return NULL;
  array = json_node_get_array (node);
  if (json_array_get_length (array) == 0 ||
      !JSON_NODE_HOLDS_VALUE (json_array_get_element (array, 0)))
    return NULL;
  *n = json_array_get_length (array);
  counts = g_new (guint32, *n);
  for (guint i = 0; i < *n; i++) {
    JsonNode *value = json_array_get_element (array, i);
    counts[i] = JSON_NODE_HOLDS_VALUE (value) ? (guint32) json_node_get_int (value) : 0;
  }
  return counts;
}

static void
add_frame (Report *report, JsonObject *line, JsonObject *channel)
{
  static const gchar *const levels[REPORT_N_LEVELS] = { "p1", "p5", "p10", "p50", "p90", "p95",
    "p99", "mean" };
  const gchar *format = json_object_get_string_member_with_default (line, "format", "");
  const gdouble scale = get_scale (format);
  ReportFrame frame = { .time = get_time (line, "pts"),
    .duration = (GstClockTime) MAX (get_int (line, "duration"), 0),
    .emd = json_object_get_double_member_with_default (channel, "emd", 0.0) / scale,
    .mad = json_object_get_double_member_with_default (channel, "mad", 0.0) / scale,
    .has_emd = json_object_has_member (channel, "emd"),
    .has_mad = json_object_has_member (channel, "mad") };
  g_autofree guint32 *counts = NULL;
  guint n;

  for (guint i = 0; i < REPORT_N_LEVELS; i++)
    frame.levels[i] = json_object_get_double_member_with_default (channel, levels[i], 0.0) / scale;
  if (report_get_n_frames (report) == 0)
    report_set_format (
        report, (guint) get_int (line, "width"), (guint) get_int (line, "height"), format);
  counts = get_counts (channel, &n);
  report_add_frame (report, &frame, counts, n);
}

static void
add_event (Report *report, JsonObject *line)
{
  report_add_event (report, json_object_get_string_member (line, "event"),
      json_object_get_string_member_with_default (line, "phase", "instant"), get_time (line, "pts"),
      (guint64) get_int (line, "frame"),
      json_object_get_double_member_with_default (line, "score", 0.0));
}

static gboolean
add_line (Report *report, JsonParser *parser, const gchar *text, gsize size, GError **error)
{
  JsonObject *line, *channel;
  JsonNode *root;

  if (!json_parser_load_from_data (parser, text, (gssize) size, error))
    return FALSE;
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "not an object");
    return FALSE;
  }
  line = json_node_get_object (root);
  if (json_object_has_member (line, "event")) {
    add_event (report, line);
  } else {
    channel = get_channel (line);
    if (channel != NULL)
      add_frame (report, line, channel);
  }
  return TRUE;
}

gboolean
report_read_lines (Report *report, const gchar *path, gint *stop, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);
  g_autoptr (GDataInputStream) lines = NULL;
  g_autoptr (JsonParser) parser = json_parser_new ();

  if (stream == NULL)
    return FALSE;
  lines = g_data_input_stream_new (G_INPUT_STREAM (stream));
  for (guint number = 1; !g_atomic_int_get (stop); number++) {
    g_autofree gchar *line = NULL;
    GError *failure = NULL;
    gsize size;

    line = g_data_input_stream_read_line (lines, &size, NULL, &failure);
    if (failure != NULL) {
      g_propagate_error (error, failure);
      return FALSE;
    }
    if (line == NULL)
      break;
    if (size > 0 && !add_line (report, parser, line, size, error)) {
      g_prefix_error (error, "line %u of %s is not a line of glesjson: ", number, path);
      return FALSE;
    }
  }
  if (report_get_n_frames (report) > 0 || g_atomic_int_get (stop))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
      "%s has no histograms; write it with gleshistogram ! glesevents ! glesjson", path);
  return FALSE;
}
