/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "json-results.h"

#include "json-flash.h"
#include "json-histogram.h"
#include "json-members.h"
#include "json-zones.h"

#include <gst/gles/import/format.h>

#include "../base/field-name.h"

/* Every line begins with the version of the format: docs/json.md defines when it is raised. */
static void
write_start (JsonWriter *writer, const JsonOptions *options)
{
  json_writer_raw (writer, "{\"version\":1");
  if (options->tags != NULL) {
    json_writer_raw (writer, ",\"tags\":");
    json_writer_raw (writer, options->tags);
  }
}

/* As histograms call the channel. */
static const gchar *
get_channel_name (const GstGlesPointsInfo *info)
{
  static const gchar *const names[][4] = {
    { "Y", "U", "V", "A" },
    { "R", "G", "B", "A" },
  };
  const GstVideoFormatInfo *format = NULL;

  if (info->channel == GST_GLES_POINTS_LUMA)
    return "luma";
  /* Another process may have a newer GStreamer with more formats, or make one up. */
  if (gst_gles_format_name (info->frame.format) != NULL)
    format = gst_video_format_get_info (info->frame.format);
  return names[format != NULL && GST_VIDEO_FORMAT_INFO_IS_RGB (format) ? 1 : 0][info->channel];
}

static void
write_range (JsonWriter *writer, const GstGlesPointsInfo *info)
{
  json_member_text (writer, ",\"channel\":", get_channel_name (info));
  if (info->depth != 0)
    json_member_uint (writer, ",\"depth\":", info->depth);
  else
    json_member_text (writer, ",\"depth\":", NULL);
  json_member_uint (writer, ",\"lower\":", info->lower);
  json_member_uint (writer, ",\"upper\":", info->upper);
  json_writer_raw (writer, ",\"unit\":\"code\"");
}

/* What made a pixel a point. */
static void
write_predicate (JsonWriter *writer, const GstGlesPointsInfo *info)
{
  static const gchar *const predicates[] = {
    [GST_GLES_POINTS_THRESHOLD] = "threshold",
    [GST_GLES_POINTS_MOTION] = "motion",
    [GST_GLES_POINTS_EDGE] = "edge",
    [GST_GLES_POINTS_EXPRESSION] = "expression",
  };

  json_member_text (writer, ",\"predicate\":", predicates[info->predicate]);
  if (info->predicate == GST_GLES_POINTS_MOTION)
    json_member_text (writer, ",\"reference\":",
        info->samples              ? "samples"
            : info->adaptation > 0 ? "background"
                                   : "previous");
  if (info->adaptation > 0)
    json_member_uint (writer, ",\"adaptation\":", info->adaptation);
  if (info->predicate != GST_GLES_POINTS_EXPRESSION)
    write_range (writer, info);
  json_member_box (writer,
      ",\"region\":", (guint32[]){ info->x, info->y, info->region_width, info->region_height });
}

static gboolean
write_points (JsonWriter *writer, GstGlesPointsResult *result, gboolean with_points, GError **error)
{
  const GstGlesPointsInfo *info = gst_gles_points_result_get_info (result);
  guint n;
  const GstGlesPoint *points = gst_gles_points_result_get_points (result, &n, error);

  if (points == NULL)
    return FALSE;
  json_member_element (writer, ",\"points\":{\"element\":", info->frame.origin);
  json_member_picture (writer, ",\"picture\":", &info->frame);
  write_predicate (writer, info);
  json_member_uint (writer, ",\"total\":", gst_gles_points_result_get_total (result));
  json_member_uint (writer, ",\"count\":", n);
  json_member_boolean (writer, ",\"truncated\":", gst_gles_points_result_is_truncated (result));
  if (with_points) {
    json_writer_raw (writer, ",\"points\":");
    json_writer_points (writer, points, n);
  }
  json_writer_raw (writer, "}");
  return TRUE;
}

static gboolean
write_tile_lists (JsonWriter *writer, GstGlesTilesResult *result, GError **error)
{
  guint n;
  const guint32 *offsets = gst_gles_tiles_result_get_offsets (result, &n, error);
  const guint32 *indices;

  if (offsets == NULL)
    return FALSE;
  json_writer_raw (writer, ",\"offsets\":");
  json_writer_array (writer, offsets, n);
  indices = gst_gles_tiles_result_get_indices (result, &n, error);
  if (indices == NULL)
    return FALSE;
  json_writer_raw (writer, ",\"indices\":");
  json_writer_array (writer, indices, n);
  return TRUE;
}

/* How long each list is. */
static gboolean
write_tile_counts (JsonWriter *writer, GstGlesTilesResult *result, GError **error)
{
  guint n;
  const guint32 *offsets = gst_gles_tiles_result_get_offsets (result, &n, error);

  if (offsets == NULL)
    return FALSE;
  json_writer_raw (writer, ",\"counts\":[");
  for (guint i = 0; i + 1 < n; i++)
    json_member_uint (writer, i > 0 ? "," : "", offsets[i + 1] - offsets[i]);
  json_writer_raw (writer, "]");
  return TRUE;
}

/* The boxes that indices count, of results that listed boxes. */
static void
write_boxes (JsonWriter *writer, GstGlesTilesResult *result)
{
  guint n;
  const GstGlesBox *boxes = gst_gles_tiles_result_get_boxes (result, &n);

  json_writer_raw (writer, ",\"boxes\":[");
  for (guint i = 0; i < n; i++) {
    if (i > 0)
      json_writer_raw (writer, ",");
    json_upstream_box (writer, &boxes[i]);
    json_writer_raw (writer, "}");
  }
  json_writer_raw (writer, "]");
}

static gboolean
write_tiles (JsonWriter *writer, GstGlesTilesResult *result, gboolean with_lists, GError **error)
{
  static const gchar *const sources[] = {
    [GST_GLES_TILES_INPUT_POINTS] = "points",
    [GST_GLES_TILES_INPUT_ROI] = "roi",
    [GST_GLES_TILES_INPUT_SPLATS] = "splats",
  };
  const GstGlesTilesInfo *info = gst_gles_tiles_result_get_info (result);
  guint occupied, largest;

  if (!gst_gles_tiles_result_get_occupancy (result, &occupied, &largest, error))
    return FALSE;
  json_member_element (writer, ",\"tiles\":{\"element\":", info->frame.origin);
  json_member_picture (writer, ",\"picture\":", &info->frame);
  json_member_text (writer, ",\"source\":", sources[info->input]);
  json_member_uint (writer, ",\"size\":[", info->tile_width);
  json_member_uint (writer, ",", info->tile_height);
  json_member_uint (writer, "],\"grid\":[", info->columns);
  json_member_uint (writer, ",", info->rows);
  json_member_uint (writer, "],\"total\":", gst_gles_tiles_result_get_total (result));
  json_member_boolean (writer, ",\"truncated\":", gst_gles_tiles_result_is_truncated (result));
  json_member_uint (writer, ",\"occupied\":", occupied);
  json_member_uint (writer, ",\"max_per_tile\":", largest);
  if (with_lists && info->input == GST_GLES_TILES_INPUT_ROI)
    write_boxes (writer, result);
  if (!(with_lists ? write_tile_lists (writer, result, error)
                   : write_tile_counts (writer, result, error)))
    return FALSE;
  json_writer_raw (writer, "}");
  return TRUE;
}

static void
write_region (JsonWriter *writer, const gchar *label, const GstGlesRegion *region)
{
  guint32 box[4];
  gdouble centroid_x, centroid_y;

  gst_gles_region_get_box (region, &box[0], &box[1], &box[2], &box[3]);
  gst_gles_region_get_centroid (region, &centroid_x, &centroid_y);
  json_writer_raw (writer, "{\"label\":");
  json_writer_string (writer, label);
  json_member_box (writer, ",\"box\":", box);
  json_member_uint (writer, ",\"pixels\":", region->pixels);
  json_member_double (writer, ",\"centroid\":[", centroid_x);
  json_member_double (writer, ",", centroid_y);
  json_member_double (writer, "],\"mean\":", gst_gles_region_get_mean (region));
  json_member_uint (writer, ",\"max\":", region->max_value);
  json_writer_raw (writer, "}");
}

static gboolean
write_regions (JsonWriter *writer, GstGlesRegionsResult *result, GError **error)
{
  const GstGlesRegionsInfo *info = gst_gles_regions_result_get_info (result);
  guint n;

  if (!gst_gles_regions_result_wait (result, G_MAXUINT64, error))
    return FALSE;
  n = gst_gles_regions_result_get_count (result);
  json_member_element (writer, ",\"regions_element\":", info->frame.origin);
  json_member_picture (writer, ",\"regions_picture\":", &info->frame);
  json_member_uint (writer, ",\"regions_total\":", gst_gles_regions_result_get_total (result));
  json_writer_raw (writer, ",\"regions\":[");
  for (guint i = 0; i < n; i++) {
    if (i > 0)
      json_writer_raw (writer, ",");
    write_region (writer, info->label, gst_gles_regions_result_get_region (result, i, NULL));
  }
  json_writer_raw (writer, "]");
  return TRUE;
}

static void
write_path (JsonWriter *writer, GstGlesTracksResult *result, guint index)
{
  guint n;
  const GstGlesTrackPosition *path = gst_gles_tracks_result_get_path (result, index, &n);

  json_writer_raw (writer, ",\"path\":[");
  for (guint i = 0; i < n; i++) {
    json_member_double (writer, i > 0 ? ",[" : "[", path[i].x);
    json_member_double (writer, ",", path[i].y);
    json_writer_raw (writer, "]");
  }
  json_writer_raw (writer, "]");
}

static void
write_track (JsonWriter *writer, GstGlesTracksResult *result, guint index)
{
  static const gchar *const states[] = {
    [GST_GLES_TRACK_NEW] = "new",
    [GST_GLES_TRACK_CONFIRMED] = "confirmed",
    [GST_GLES_TRACK_LOST] = "lost",
    [GST_GLES_TRACK_PREDICTED] = "predicted",
  };
  const GstGlesTrack *track = gst_gles_tracks_result_get_track (result, index, NULL);

  json_member_uint (writer, "{\"id\":", track->id);
  json_member_text (writer, ",\"label\":", gst_gles_tracks_result_get_label (result, track->label));
  json_member_text (writer, ",\"state\":", states[track->state]);
  json_member_box (
      writer, ",\"box\":", (guint32[]){ track->x, track->y, track->width, track->height });
  json_member_uint (writer, ",\"age_frames\":", track->age_frames);
  json_member_uint (writer, ",\"hits\":", track->hits);
  json_member_uint (writer, ",\"age\":", track->age);
  json_member_uint (writer, ",\"lost\":", track->lost);
  json_member_double (writer, ",\"velocity\":[", track->velocity_x);
  json_member_double (writer, ",", track->velocity_y);
  json_member_double (writer, "],\"path_length\":", track->path_length);
  if (gst_gles_tracks_result_get_info (result)->path > 0)
    write_path (writer, result, index);
  json_writer_raw (writer, "}");
}

static void
write_tracks (JsonWriter *writer, GstGlesTracksResult *result)
{
  const GstGlesFrameInfo *frame = gst_gles_tracks_result_get_frame (result);
  const guint n = gst_gles_tracks_result_get_count (result);

  json_member_element (writer, ",\"tracks_element\":", frame->origin);
  json_member_picture (writer, ",\"tracks_picture\":", frame);
  json_member_uint (writer, ",\"tracks_total\":", gst_gles_tracks_result_get_total (result));
  json_writer_raw (writer, ",\"tracks\":[");
  for (guint i = 0; i < n; i++) {
    if (i > 0)
      json_writer_raw (writer, ",");
    write_track (writer, result, i);
  }
  json_writer_raw (writer, "]");
}

/* ---- the line ---- */

/* A newer version of GStreamer may have written the result, with a format that has no name here. */
static void
write_format (JsonWriter *writer, GstVideoFormat format)
{
  const gchar *name = gst_gles_format_name (format);

  json_writer_raw (writer, ",\"format\":");
  if (name != NULL)
    json_writer_string (writer, name);
  else
    json_writer_raw (writer, "null");
}

/* "2026-11-23T01:02:03.123456789Z"; null where it is unknown, or in a year of five digits. */
static void
write_utc (JsonWriter *writer, GstClockTime utc)
{
  g_autoptr (GDateTime) seconds = NULL;
  g_autofree gchar *date = NULL, *text = NULL;

  if (GST_CLOCK_TIME_IS_VALID (utc))
    seconds = g_date_time_new_from_unix_utc ((gint64) (utc / GST_SECOND));
  if (seconds != NULL) {
    date = g_date_time_format (seconds, "%Y-%m-%dT%H:%M:%S");
    text = g_strdup_printf ("%s.%09uZ", date, (guint) (utc % GST_SECOND));
  }
  json_member_text (writer, ",\"utc\":", text);
}

/* What code values stand for. */
static void
write_colorimetry (JsonWriter *writer, const GstGlesFrameInfo *frame)
{
  static const gchar *const ranges[] = {
    [GST_VIDEO_COLOR_RANGE_0_255] = "full",
    [GST_VIDEO_COLOR_RANGE_16_235] = "limited",
  };
  static const gchar *const matrices[] = {
    [GST_VIDEO_COLOR_MATRIX_RGB] = "rgb",
    [GST_VIDEO_COLOR_MATRIX_FCC] = "fcc",
    [GST_VIDEO_COLOR_MATRIX_BT709] = "bt709",
    [GST_VIDEO_COLOR_MATRIX_BT601] = "bt601",
    [GST_VIDEO_COLOR_MATRIX_SMPTE240M] = "smpte240m",
    [GST_VIDEO_COLOR_MATRIX_BT2020] = "bt2020",
  };
  const guint range = frame->range;
  const guint matrix = frame->matrix;

  json_member_text (writer, ",\"range\":", range < G_N_ELEMENTS (ranges) ? ranges[range] : NULL);
  json_member_text (
      writer, ",\"matrix\":", matrix < G_N_ELEMENTS (matrices) ? matrices[matrix] : NULL);
}

gboolean
json_results_write (JsonWriter *writer, const Results *results, const GstStructure *flash,
    const JsonOptions *options, GError **error)
{
  const GstGlesFrameInfo *frame = results_get_frame (results);

  write_start (writer, options);
  json_member_uint (writer, ",\"frame\":", frame->number);
  json_member_time (writer, ",\"pts\":", frame->pts);
  json_member_time (writer, ",\"duration\":", frame->duration);
  json_member_time (writer, ",\"running_time\":", frame->running_time);
  json_member_time (writer, ",\"stream_time\":", frame->stream_time);
  write_utc (writer, frame->utc);
  json_member_text (
      writer, ",\"stream_id\":", frame->origin != NULL ? frame->origin->stream_id : NULL);
  json_member_uint (writer, ",\"width\":", frame->width);
  json_member_uint (writer, ",\"height\":", frame->height);
  if (frame->field != GST_GLES_FIELD_NONE)
    json_member_text (writer, ",\"field\":", field_get_name (frame->field));
  write_format (writer, frame->format);
  write_colorimetry (writer, frame);
  if (results->histogram != NULL &&
      !json_histogram_write (writer, results->histogram, options->counts, error))
    return FALSE;
  if (results->points != NULL && !write_points (writer, results->points, options->points, error))
    return FALSE;
  if (results->tiles != NULL && !write_tiles (writer, results->tiles, options->indices, error))
    return FALSE;
  if (results->regions != NULL && !write_regions (writer, results->regions, error))
    return FALSE;
  if (results->tracks != NULL)
    write_tracks (writer, results->tracks);
  if (results->zones != NULL)
    json_zones_write (writer, results->zones);
  if (flash != NULL)
    json_flash_write (writer, flash);
  json_writer_raw (writer, "}\n");
  return TRUE;
}

/* ---- events ---- */

/* Times that a structure lacks are unknown. */
static void
write_time_of (
    JsonWriter *writer, const gchar *key, const GstStructure *structure, const gchar *field)
{
  GstClockTime time = GST_CLOCK_TIME_NONE;

  gst_structure_get_clock_time (structure, field, &time);
  json_member_time (writer, key, time);
}

static void
write_text_of (
    JsonWriter *writer, const gchar *key, const GstStructure *structure, const gchar *field)
{
  json_member_text (writer, key, gst_structure_get_string (structure, field));
}

/* Writes a box, whose edges are four fields that begin with @name. */
static void
write_event_box (JsonWriter *writer, const gchar *key, const GstStructure *event, const gchar *name)
{
  static const gchar *const edges[] = { "x", "y", "width", "height" };

  json_writer_raw (writer, key);
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++) {
    g_autofree gchar *field = g_strdup_printf ("%s-%s", name, edges[i]);
    guint value = 0;

    gst_structure_get_uint (event, field, &value);
    json_member_uint (writer, i == 0 ? "[" : ",", value);
  }
  json_writer_raw (writer, "]");
}

static void
write_motion (JsonWriter *writer, const GstStructure *event, guint n_regions)
{
  write_event_box (writer, ",\"largest_box\":", event, "largest");
  write_event_box (writer, ",\"union_box\":", event, "union");
  json_member_uint (writer, ",\"n_regions\":", n_regions);
}

static void
write_light (JsonWriter *writer, const GstStructure *event)
{
  gdouble max = 0, mean = 0, max_cll = 0, max_fall = 0, mastering_max = 0;

  gst_structure_get (event, "light-max", G_TYPE_DOUBLE, &max, "light-mean", G_TYPE_DOUBLE, &mean,
      "max-cll", G_TYPE_DOUBLE, &max_cll, "max-fall", G_TYPE_DOUBLE, &max_fall, "mastering-max",
      G_TYPE_DOUBLE, &mastering_max, NULL);
  json_member_double (writer, ",\"light_max\":", max);
  json_member_double (writer, ",\"light_mean\":", mean);
  json_member_double (writer, ",\"max_cll\":", max_cll);
  json_member_double (writer, ",\"max_fall\":", max_fall);
  json_member_double (writer, ",\"mastering_max\":", mastering_max);
}

gboolean
json_results_write_event (JsonWriter *writer, const GstStructure *event, const JsonOptions *options)
{
  GstClockTime utc = GST_CLOCK_TIME_NONE;
  guint64 frame, start_frame;
  guint n_regions;
  gdouble score, luma, chroma;

  if (gst_structure_get_string (event, "event") == NULL ||
      gst_structure_get_string (event, "phase") == NULL ||
      !gst_structure_get (
          event, "frame", G_TYPE_UINT64, &frame, "score", G_TYPE_DOUBLE, &score, NULL))
    return FALSE;
  write_start (writer, options);
  write_text_of (writer, ",\"event\":", event, "event");
  write_text_of (writer, ",\"phase\":", event, "phase");
  write_text_of (writer, ",\"id\":", event, "id");
  write_text_of (writer, ",\"element\":", event, "element");
  write_text_of (writer, ",\"stream_id\":", event, "stream-id");
  json_member_uint (writer, ",\"frame\":", frame);
  write_time_of (writer, ",\"pts\":", event, "timestamp");
  write_time_of (writer, ",\"running_time\":", event, "running-time");
  write_time_of (writer, ",\"stream_time\":", event, "stream-time");
  gst_structure_get_clock_time (event, "utc", &utc);
  write_utc (writer, utc);
  if (gst_structure_get_uint64 (event, "start-frame", &start_frame)) {
    json_member_uint (writer, ",\"start_frame\":", start_frame);
    write_time_of (writer, ",\"start\":", event, "start");
    write_time_of (writer, ",\"duration\":", event, "duration");
  }
  if (gst_structure_has_field (event, "cause"))
    write_text_of (writer, ",\"cause\":", event, "cause");
  json_member_double (writer, ",\"score\":", score);
  if (gst_structure_has_field (event, "transition"))
    write_text_of (writer, ",\"transition\":", event, "transition");
  if (gst_structure_has_field (event, "crop-x"))
    write_event_box (writer, ",\"crop_box\":", event, "crop");
  if (gst_structure_get_uint (event, "n-regions", &n_regions))
    write_motion (writer, event, n_regions);
  json_flash_write_event (writer, event);
  if (gst_structure_get (
          event, "luma", G_TYPE_DOUBLE, &luma, "chroma", G_TYPE_DOUBLE, &chroma, NULL)) {
    json_member_double (writer, ",\"luma\":", luma);
    json_member_double (writer, ",\"chroma\":", chroma);
  }
  if (gst_structure_has_field (event, "light-max"))
    write_light (writer, event);
  json_zones_write_event (writer, event);
  json_writer_raw (writer, "}\n");
  return TRUE;
}
