/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the lines of glesjson, which docs/json.md describes. */
#include "lines.h"
#include "../../../json/check.h"
#include "../files/stop.h"
#include "../files/streams.h"
#include "../model/members.h"
#include "../model/packed.h"
#include "../model/recent.h"

#include <math.h>

#include <gio/gio.h>

struct _ReportLines {
  Report *report;
  JsonParser *parser;
  ReportRecent *jpegs; /* of GBytes: the last JPEGs of events */
  /* what has to be added to the timestamp of the last frame to get its stream time */
  gint64 offset;
};

/* ---- frames and events ---- */

#define MAX_TIME (G_MAXINT64 / 2)
#define MAX_LIGHT 10000.0 /* of PQ, in cd/m² */

/* Without a timestamp, frames are placed at 25 frames a second. */
static GstClockTime
get_time_of_number (JsonObject *line)
{
  return (GstClockTime) MAX (report_get_int (line, "frame", MAX_TIME / (GST_SECOND / 25)), 0) *
      (GST_SECOND / 25);
}

/* A recording may begin at any timestamp, but begins at stream time 0. */
static GstClockTime
get_frame_time (ReportLines *self, JsonObject *line)
{
  const gint64 pts = report_get_int (line, "pts", MAX_TIME);
  const gint64 stream_time = report_get_int (line, "stream_time", MAX_TIME);

  if (pts >= 0 && stream_time >= 0)
    self->offset = stream_time - pts;
  if (stream_time >= 0)
    return (GstClockTime) stream_time;
  return pts >= 0 ? (GstClockTime) pts : get_time_of_number (line);
}

/* Events of older versions have a timestamp only, and follow the line of a frame. */
static GstClockTime
get_event_time (const ReportLines *self, JsonObject *line)
{
  const gint64 pts = report_get_int (line, "pts", MAX_TIME);
  const gint64 stream_time = report_get_int (line, "stream_time", MAX_TIME);

  if (stream_time >= 0)
    return (GstClockTime) stream_time;
  return pts >= 0 ? (GstClockTime) MAX (pts + self->offset, 0) : get_time_of_number (line);
}

/* Returns (nullable): the channels of the histogram of a line. */
static JsonArray *
get_channels (JsonObject *line)
{
  JsonNode *histogram = report_get_member (line, "histogram", JSON_TYPE_OBJECT);
  JsonNode *channels;

  if (histogram == NULL)
    return NULL;
  channels = report_get_member (json_node_get_object (histogram), "channels", JSON_TYPE_ARRAY);
  return channels != NULL ? json_node_get_array (channels) : NULL;
}

/* Returns (transfer full) (nullable): the histogram of the whole region, of *@n bins. Lines of a
 * grid have none. */
static guint32 *
get_counts (JsonObject *channel, guint *n)
{
  JsonNode *node = report_get_member (channel, "counts", JSON_TYPE_ARRAY);
  JsonArray *array;
  guint32 *counts;

  *n = 0;
  if (node == NULL)
    return NULL;
  array = json_node_get_array (node);
  if (json_array_get_length (array) == 0 ||
      !JSON_NODE_HOLDS_VALUE (json_array_get_element (array, 0)))
    return NULL;
  *n = json_array_get_length (array);
  counts = g_new (guint32, *n);
  for (guint i = 0; i < *n; i++)
    counts[i] =
        (guint32) CLAMP (report_get_number (json_array_get_element (array, i)), 0.0, G_MAXUINT32);
  return counts;
}

static guint
get_uint (JsonObject *object, const gchar *name)
{
  return (guint) CLAMP (report_get_double (object, name), 0.0, G_MAXUINT32);
}

/* Fills @channel, which is all 0, with what the line says of it. Returns its counts: (transfer
 * full) (nullable). */
static guint32 *
read_channel (JsonObject *from, ReportChannel *channel)
{
  const gint64 depth = report_get_int (from, "depth", 16);
  guint32 *counts = get_counts (from, &channel->n_counts);

  channel->name = report_get_text (from, "name");
  channel->depth = (guint) MAX (depth, 0);
  channel->statistics = (GstGlesHistogramStatistics){
    .count = (guint64) MAX (report_get_int (from, "count", G_MAXINT64), 0),
    .min = get_uint (from, "min"),
    .max = get_uint (from, "max"),
    .mean = report_get_double (from, "mean"),
    .stddev = report_get_double (from, "stddev"),
    .entropy = report_get_double (from, "entropy"),
    .p1 = get_uint (from, "p1"),
    .p5 = get_uint (from, "p5"),
    .p10 = get_uint (from, "p10"),
    .p50 = get_uint (from, "p50"),
    .p90 = get_uint (from, "p90"),
    .p95 = get_uint (from, "p95"),
    .p99 = get_uint (from, "p99"),
    .difference = report_get_double (from, "difference"),
    .emd = report_get_double (from, "emd"),
    .mad = report_get_double (from, "mad"),
  };
  channel->has_emd = report_is_number (json_object_get_member (from, "emd"));
  channel->has_mad = report_is_number (json_object_get_member (from, "mad"));
  channel->counts = counts;
  channel->previous = report_is_number (json_object_get_member (from, "mad_previous"))
      ? report_get_double (from, "mad_previous")
      : NAN;
  return counts;
}

static void
add_results (ReportLines *self, const ReportResults *results)
{
  if (report_get_n_frames (self->report) == 0)
    report_set_format (
        self->report, results->width, results->height, results->format, results->stored_format);
  report_add_results (self->report, results);
}

/* Reads the levels that the page and the table of light show. */
static void
read_light (JsonObject *line, ReportResults *results)
{
  JsonNode *histogram = report_get_member (line, "histogram", JSON_TYPE_OBJECT);
  JsonNode *levels = histogram != NULL
      ? report_get_member (json_node_get_object (histogram), "light_levels", JSON_TYPE_OBJECT)
      : NULL;

  if (levels == NULL)
    return;
  results->has_light = TRUE;
  results->light.max =
      CLAMP (report_get_double (json_node_get_object (levels), "max"), 0.0, MAX_LIGHT);
  results->light.mean =
      CLAMP (report_get_double (json_node_get_object (levels), "mean"), 0.0, MAX_LIGHT);
}

static void
add_frame (ReportLines *self, JsonObject *line, GstClockTime time)
{
  JsonArray *channels = get_channels (line);
  const guint n = channels != NULL ? json_array_get_length (channels) : 0;
  const gint64 pts = report_get_int (line, "pts", MAX_TIME);
  ReportResults results = { .number = (guint64) MAX (report_get_int (line, "frame", MAX_TIME), 0),
    .pts = pts >= 0 ? (GstClockTime) pts : GST_CLOCK_TIME_NONE,
    .time = time,
    .duration = (GstClockTime) MAX (report_get_int (line, "duration", MAX_TIME), 0),
    .width = (guint) MAX (report_get_int (line, "width", G_MAXINT32), 0),
    .height = (guint) MAX (report_get_int (line, "height", G_MAXINT32), 0),
    .format = report_get_text (line, "format"),
    .stored_format = report_get_text (line, "stored_format"),
    .tout = NAN,
    .vrep = NAN,
    .brng = NAN };
  guint32 *counts[REPORT_MAX_CHANNELS];

  read_light (line, &results);
  for (guint i = 0; i < n && results.n_channels < REPORT_MAX_CHANNELS; i++) {
    JsonNode *channel = json_array_get_element (channels, i);

    if (!JSON_NODE_HOLDS_OBJECT (channel))
      break;
    counts[i] = read_channel (json_node_get_object (channel), &results.channels[i]);
    results.n_channels++;
  }
  if (results.n_channels > 0)
    add_results (self, &results);
  for (guint i = 0; i < results.n_channels; i++)
    g_free (counts[i]);
}

/* ---- lines ---- */

ReportLines *
report_lines_new (Report *report)
{
  ReportLines *self = g_new0 (ReportLines, 1);

  self->report = report;
  self->parser = json_parser_new ();
  self->jpegs = report_recent_new (REPORT_RECENT_JPEGS, (GDestroyNotify) g_bytes_unref);
  return self;
}

void
report_lines_free (ReportLines *self)
{
  g_object_unref (self->parser);
  report_recent_free (self->jpegs);
  g_free (self);
}

/* Adds an event with its picture. The line of the picture of an event comes before the lines of the
 * event, that of a problem after them; events of sound have no picture. */
static void
add_event (ReportLines *self, JsonObject *line, GstClockTime time)
{
  const gboolean is_problem = g_strcmp0 (report_get_text (line, "event"), "problem") == 0;
  const gchar *phase = report_get_text (line, "phase");
  const gboolean begins = g_strcmp0 (phase, "start") == 0 || g_strcmp0 (phase, "instant") == 0;

  /* events before this one that still wait for a picture have none */
  if (!is_problem || begins)
    report_add_event_picture (self->report, NULL);
  report_add_event (self->report, line, time);
  if (!json_object_has_member (line, "stream"))
    report_add_event_picture (self->report, begins ? report_recent_find (self->jpegs, time) : NULL);
}

/* A line of the input. */
typedef struct {
  const gchar *text;
  gsize size;
  JsonObject *object;
  GstClockTime time; /* the stream time of its frame or event */
} Line;

/* Adds the line of a frame. If it has packed results, outputs get the line without these, which is
 * what glesjson writes. */
static gboolean
add_frame_line (ReportLines *self, const Line *line, GError **error)
{
  gsize begin = line->size;
  ReportExtra extra;
  g_autoptr (GPtrArray) held = report_unpack (line->text, &begin, &extra);
  g_autofree gchar *bare =
      held != NULL ? g_strdup_printf ("%.*s}", (gint) begin, line->text) : NULL;
  ReportResults results;

  if (held == NULL) {
    report_add_line (self->report, line->text, line->size, FALSE);
    add_frame (self, line->object, line->time);
    return TRUE;
  }
  report_add_line (self->report, bare, begin + 1, FALSE);
  if (!report_read_histograms (held, &results, error))
    return FALSE;
  results.time = line->time;
  results.brng = extra.brng;
  results.key = extra.key;
  results.stored_format = report_get_text (line->object, "stored_format");
  add_results (self, &results);
  return TRUE;
}

/* Adds a picture where the page wants one. @picture: its JPEG is (transfer full). */
static void
add_picture (ReportLines *self, const ReportPicture *picture)
{
  if (picture->of_strip && report_wants_picture (self->report, picture->time))
    report_add_picture (self->report, picture->time, picture->jpeg);
  report_add_event_picture (self->report, picture->jpeg);
  if (picture->of_strip)
    g_bytes_unref (picture->jpeg);
  else
    report_recent_add (self->jpegs, picture->time, picture->jpeg, g_bytes_get_size (picture->jpeg));
}

/* Adds the measures of a stream of sound, unless they are of more than the report covers. */
static void
add_sound (ReportLines *self, const Line *line)
{
  const gint64 duration = report_get_int (line->object, "duration", MAX_TIME);

  if (duration > 0 && report_is_behind (self->report, line->time + (GstClockTime) duration - 1))
    return;
  report_add_line (self->report, line->text, line->size, FALSE);
  report_add_sound (self->report, line->object);
}

gboolean
report_lines_add (ReportLines *self, const gchar *text, gsize size, GError **error)
{
  Line line = { .text = text, .size = size };
  ReportPicture picture;
  gboolean is_event;
  JsonNode *root;

  if (!json_text_check (text, size, JSON_TEXT_LINE_DEPTH, error) ||
      !json_parser_load_from_data (self->parser, text, (gssize) size, error))
    return FALSE;
  root = json_parser_get_root (self->parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "not an object");
    return FALSE;
  }
  line.object = json_node_get_object (root);
  is_event = json_object_has_member (line.object, "event");
  line.time = is_event ? get_event_time (self, line.object) : get_frame_time (self, line.object);
  if (!report_covers (self->report, line.time))
    return TRUE;
  if (report_unpack_picture (line.object, &picture)) {
    add_picture (self, &picture);
    return TRUE;
  }
  if (!is_event && report_is_sound_line (line.object)) {
    add_sound (self, &line);
    return TRUE;
  }
  if (!is_event)
    return add_frame_line (self, &line, error);
  report_add_line (self->report, text, size, TRUE);
  add_event (self, line.object, line.time);
  return TRUE;
}

gboolean
report_read_lines (Report *report, const gchar *path, gint *stop, GError **error)
{
  g_autoptr (GDataInputStream) lines = report_open_lines (path, error);
  g_autoptr (ReportLines) parsed = report_lines_new (report);

  if (lines == NULL)
    return FALSE;
  for (guint number = 1; !g_atomic_int_get (stop); number++) {
    GError *failure = NULL;
    gsize size;
    g_autofree gchar *line =
        g_data_input_stream_read_line (lines, &size, report_stop_get_reading (), &failure);

    if (failure != NULL) {
      g_propagate_error (error, failure);
      return FALSE;
    }
    if (line == NULL)
      break;
    if (!report_check (report, error))
      return FALSE;
    if (size > 0 && !report_lines_add (parsed, line, size, error)) {
      g_prefix_error (error, "line %u of %s is not a line of glesjson: ", number, path);
      return FALSE;
    }
  }
  if (report_get_n_frames (report) + report_get_n_events (report) > 0 || g_atomic_int_get (stop))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
      "%s has no histograms and no events; write it with gleshistogram ! glesevents ! glesjson",
      path);
  return FALSE;
}
