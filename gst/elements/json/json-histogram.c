/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "json-histogram.h"

#include "json-members.h"

#include <gst/gles/meta/light.h>
#include <gst/gles/meta/crop.h>
#include <gst/gles/meta/outliers.h>

/* What is known of a histogram alone. */
static void
write_distribution (JsonWriter *writer, const GstGlesHistogramStatistics *statistics)
{
  json_member_uint (writer, ",\"count\":", statistics->count);
  json_member_uint (writer, ",\"min\":", statistics->min);
  json_member_uint (writer, ",\"max\":", statistics->max);
  json_member_double (writer, ",\"mean\":", statistics->mean);
  json_member_double (writer, ",\"stddev\":", statistics->stddev);
  json_member_double (writer, ",\"entropy\":", statistics->entropy);
  json_member_uint (writer, ",\"p1\":", statistics->p1);
  json_member_uint (writer, ",\"p5\":", statistics->p5);
  json_member_uint (writer, ",\"p10\":", statistics->p10);
  json_member_uint (writer, ",\"p50\":", statistics->p50);
  json_member_uint (writer, ",\"p90\":", statistics->p90);
  json_member_uint (writer, ",\"p95\":", statistics->p95);
  json_member_uint (writer, ",\"p99\":", statistics->p99);
}

static void
write_statistics (JsonWriter *writer, const GstGlesHistogramStatistics *statistics,
    gboolean with_emd, gboolean with_mad)
{
  write_distribution (writer, statistics);
  json_member_double (writer, ",\"difference\":", statistics->difference);
  if (with_emd)
    json_member_double (writer, ",\"emd\":", statistics->emd);
  if (with_mad)
    json_member_double (writer, ",\"mad\":", statistics->mad);
  if (with_mad)
    json_member_double (writer, ",\"mad_previous\":", statistics->mad_previous);
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

/* The beginning of a channel's object. */
static void
write_channel (JsonWriter *writer, const GstGlesHistogramInfo *info, guint channel)
{
  json_writer_raw (writer, channel == 0 ? "{\"name\":" : ",{\"name\":");
  json_writer_string (writer, info->channels[channel].name);
  json_member_uint (writer, ",\"depth\":", info->channels[channel].depth);
}

static gboolean
write_box_channels (JsonWriter *writer, GstGlesHistogramResult *result, guint box,
    gboolean with_counts, GError **error)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);

  for (guint i = 0; i < gst_gles_histogram_result_get_n_box_channels (result); i++) {
    g_autoptr (GBytes) counts = NULL;
    GstGlesHistogramStatistics statistics;

    if (!gst_gles_histogram_result_get_box_statistics (result, box, i, &statistics, error))
      return FALSE;
    write_channel (writer, info, i);
    write_distribution (writer, &statistics);
    if (with_counts) {
      counts = gst_gles_histogram_result_get_box_counts (result, box, i, error);
      if (counts == NULL)
        return FALSE;
      json_writer_raw (writer, ",\"counts\":");
      json_writer_array (writer, g_bytes_get_data (counts, NULL), info->bins);
    }
    json_writer_raw (writer, "}");
  }
  return TRUE;
}

static gboolean
write_histogram_boxes (
    JsonWriter *writer, GstGlesHistogramResult *result, gboolean with_counts, GError **error)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  guint n;
  const GstGlesBox *boxes = gst_gles_histogram_result_get_boxes (result, &n);

  json_writer_raw (writer, ",\"boxes\":[");
  for (guint i = 0; i < n; i++) {
    if (i > 0)
      json_writer_raw (writer, ",");
    json_upstream_box (writer, &boxes[i]);
    json_writer_raw (writer, ",\"channels\":[");
    if (!write_box_channels (writer, result, i, with_counts, error))
      return FALSE;
    json_writer_raw (writer, "]}");
  }
  json_writer_raw (writer, "]");
  json_member_boolean (writer, ",\"truncated\":", info->boxes_truncated);
  return TRUE;
}

/* Writes nothing where there are none. */
static gboolean
write_light_levels (JsonWriter *writer, GstGlesHistogramResult *result, GError **error)
{
  g_autoptr (GError) failure = NULL;
  GstGlesLight light;

  if (gst_gles_histogram_result_get_light (result, &light, &failure)) {
    json_member_double (writer, ",\"light_levels\":{\"max\":", light.max);
    json_member_double (writer, ",\"mean\":", light.mean);
    json_member_double (writer, ",\"p1\":", light.p1);
    json_member_double (writer, ",\"p5\":", light.p5);
    json_member_double (writer, ",\"p10\":", light.p10);
    json_member_double (writer, ",\"p25\":", light.p25);
    json_member_double (writer, ",\"p50\":", light.p50);
    json_member_double (writer, ",\"p75\":", light.p75);
    json_member_double (writer, ",\"p90\":", light.p90);
    json_member_double (writer, ",\"p95\":", light.p95);
    json_member_double (writer, ",\"p98\":", light.p98);
    json_member_double (writer, ",\"p99\":", light.p99);
    json_member_double (writer, ",\"p99_98\":", light.p99_98);
    json_writer_raw (writer, "}");
  }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* Writes the border, null for a row or column that is not there; nothing where none was sought. */
static gboolean
write_crop (JsonWriter *writer, GstGlesHistogramResult *result, GError **error)
{
  static const gchar *const keys[] = {
    ",\"crop\":{\"left\":", ",\"top\":", ",\"right\":", ",\"bottom\":"
  };
  GstGlesCrop crop;

  if (gst_gles_histogram_result_get_info (result)->crop_offset == 0)
    return TRUE;
  if (!gst_gles_histogram_result_get_crop (result, &crop, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
    const gint edge = (const gint[]){ crop.left, crop.top, crop.right, crop.bottom }[i];

    if (edge >= 0) {
      json_member_uint (writer, keys[i], (guint64) edge);
    } else {
      json_writer_raw (writer, keys[i]);
      json_writer_raw (writer, "null");
    }
  }
  json_writer_raw (writer, "}");
  return TRUE;
}

static gboolean
write_outliers (JsonWriter *writer, GstGlesHistogramResult *result, GError **error)
{
  guint repeated_rows, outliers;

  if (gst_gles_histogram_result_get_info (result)->outliers_offset == 0)
    return TRUE;
  if (!gst_gles_histogram_result_get_outliers (result, &repeated_rows, &outliers, error))
    return FALSE;
  json_member_uint (writer, ",\"repeated_rows\":", repeated_rows);
  json_member_uint (writer, ",\"outliers\":", outliers);
  return TRUE;
}

gboolean
json_histogram_write (
    JsonWriter *writer, GstGlesHistogramResult *result, gboolean with_counts, GError **error)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);

  json_member_element (writer, ",\"histogram\":{\"element\":", info->frame.origin);
  json_member_picture (writer, ",\"picture\":", &info->frame);
  json_member_uint (writer, ",\"bins\":", info->bins);
  json_member_uint (writer, ",\"grid\":[", info->columns);
  json_member_uint (writer, ",", info->rows);
  json_member_box (writer,
      "],\"region\":", (guint32[]){ info->x, info->y, info->region_width, info->region_height });
  json_writer_raw (writer, ",\"channels\":[");
  for (guint channel = 0; channel < info->n_channels; channel++) {
    GstGlesHistogramStatistics statistics;

    if (!gst_gles_histogram_result_get_statistics (result, channel, &statistics, error))
      return FALSE;
    write_channel (writer, info, channel);
    write_statistics (writer, &statistics, gst_gles_histogram_result_has_emd (result),
        info->channels[channel].mad_offset != 0);
    if (with_counts && !write_counts (writer, result, channel, error))
      return FALSE;
    json_writer_raw (writer, "}");
  }
  json_writer_raw (writer, "]");
  if (!write_light_levels (writer, result, error) || !write_crop (writer, result, error) ||
      !write_outliers (writer, result, error))
    return FALSE;
  if (info->has_boxes && !write_histogram_boxes (writer, result, with_counts, error))
    return FALSE;
  json_writer_raw (writer, "}");
  return TRUE;
}
