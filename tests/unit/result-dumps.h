/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the getters of each kind of result return, as bytes that a test compares. */
#ifndef RESULT_DUMPS_H
#define RESULT_DUMPS_H

#include <string.h>

#include <gst/gles/meta/crop.h>
#include <gst/gles/meta/flash.h>
#include <gst/gles/meta/kinds.h>
#include <gst/gles/meta/outliers.h>

static void
append (GByteArray *dump, gconstpointer data, gsize size)
{
  g_assert_nonnull (data);
  g_byte_array_append (dump, data, size);
}

static void
append_number (GByteArray *dump, guint64 number)
{
  append (dump, &number, sizeof number);
}

static void
append_text (GByteArray *dump, const gchar *text)
{
  append_number (dump, text != NULL);
  append (dump, text != NULL ? text : "", text != NULL ? strlen (text) + 1 : 0);
}

static void
dump_frame (const GstGlesFrameInfo *frame, GByteArray *dump)
{
  append (dump, frame, G_STRUCT_OFFSET (GstGlesFrameInfo, origin));
  append_number (dump, frame->origin != NULL);
  if (frame->origin != NULL) {
    append_text (dump, frame->origin->element);
    append_text (dump, frame->origin->stream_id);
  }
}

static void
dump_boxes (GByteArray *dump, const GstGlesBox *boxes, guint n)
{
  for (guint i = 0; i < n; i++) {
    append (dump, &boxes[i], 5 * sizeof (guint));
    append_text (dump, boxes[i].type);
  }
}

static void
dump_histogram_boxes (gpointer result, GByteArray *dump)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  guint n;
  const GstGlesBox *boxes = gst_gles_histogram_result_get_boxes (result, &n);

  append_number (dump, info->has_boxes);
  append_number (dump, info->boxes_truncated);
  dump_boxes (dump, boxes, n);
  for (guint i = 0; i < n * info->n_channels; i++) {
    g_autoptr (GBytes) counts = gst_gles_histogram_result_get_box_counts (
        result, i / info->n_channels, i % info->n_channels, NULL);

    append (dump, g_bytes_get_data (counts, NULL), g_bytes_get_size (counts));
  }
}

static void
dump_histogram (gpointer result, GByteArray *dump)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  GstGlesFlash flash = { 0 };
  GstGlesCrop crop = { 0 };
  guint counted[2];
  const guint32 *words;
  guint n;

  g_assert_true (gst_gles_histogram_result_is_ready (result));
  for (guint channel = 0; channel < info->n_channels; channel++) {
    append_text (dump, info->channels[channel].name);
    append_number (dump, info->channels[channel].n_samples);
    words = gst_gles_histogram_result_get_native_counts (result, channel, &n, NULL);
    append (dump, words, 4 * n);
    for (guint cell = 0; cell < info->columns; cell++) {
      words = gst_gles_histogram_result_get_counts (result, channel, cell, &n, NULL);
      append (dump, words, 4 * n);
    }
  }
  append_number (dump, gst_gles_histogram_result_get_flash (result, &flash, NULL));
  append (dump, &flash, sizeof flash);
  append_number (dump, gst_gles_histogram_result_get_crop (result, &crop, NULL));
  append (dump, &crop, sizeof crop);
  append_number (
      dump, gst_gles_histogram_result_get_outliers (result, &counted[0], &counted[1], NULL));
  append (dump, counted, sizeof counted);
  append_number (dump, gst_gles_histogram_result_get_overview (result, NULL) != NULL);
  if (info->overview_offset != 0)
    append (dump, gst_gles_histogram_result_get_overview (result, NULL),
        G_STRUCT_OFFSET (GstGlesOverview, depth) + sizeof (guint));
  dump_histogram_boxes (result, dump);
}

static void
dump_points (gpointer result, GByteArray *dump)
{
  guint n;
  const GstGlesPoint *points = gst_gles_points_result_get_points (result, &n, NULL);

  g_assert_null (gst_gles_points_result_get_device (result));
  append (dump, points, n * sizeof *points);
  append_number (dump, gst_gles_points_result_get_total (result));
  append_number (dump, gst_gles_points_result_is_truncated (result));
  append_number (dump, gst_gles_points_result_get_info (result)->depth);
}

static void
dump_tiles (gpointer result, GByteArray *dump)
{
  const GstGlesBox *boxes;
  const guint32 *words;
  guint n;

  append_number (dump, gst_gles_tiles_result_get_total (result));
  words = gst_gles_tiles_result_get_offsets (result, &n, NULL);
  append (dump, words, 4 * n);
  words = gst_gles_tiles_result_get_indices (result, &n, NULL);
  append (dump, words, 4 * n);
  words = gst_gles_tiles_result_get_keys (result, &n, NULL);
  append (dump, words, 4 * n);
  boxes = gst_gles_tiles_result_get_boxes (result, &n);
  dump_boxes (dump, boxes, n);
}

static void
dump_regions (gpointer result, GByteArray *dump)
{
  append_text (dump, gst_gles_regions_result_get_info (result)->label);
  append_number (dump, gst_gles_regions_result_get_total (result));
  for (guint i = 0; i < gst_gles_regions_result_get_count (result); i++)
    append (dump, gst_gles_regions_result_get_region (result, i, NULL), sizeof (GstGlesRegion));
}

static void
dump_tracks (gpointer result, GByteArray *dump)
{
  for (guint i = 0; i < gst_gles_tracks_result_get_info (result)->n_labels; i++)
    append_text (dump, gst_gles_tracks_result_get_label (result, i));
  append_number (dump, gst_gles_tracks_result_get_total (result));
  append_number (dump, gst_gles_tracks_result_is_truncated (result));
  for (guint i = 0; i < gst_gles_tracks_result_get_count (result); i++)
    append (dump, gst_gles_tracks_result_get_track (result, i, NULL), sizeof (GstGlesTrack));
  for (guint i = 0; i < gst_gles_tracks_result_get_count (result); i++) {
    guint n;
    const GstGlesTrackPosition *path = gst_gles_tracks_result_get_path (result, i, &n);

    append_number (dump, n);
    if (n > 0)
      append (dump, path, n * sizeof *path);
  }
}

static void
dump_zones (gpointer result, GByteArray *dump)
{
  for (guint i = 0; i < gst_gles_zones_result_get_info (result)->n_labels; i++)
    append_text (dump, gst_gles_zones_result_get_label (result, i));
  for (guint i = 0; i < gst_gles_zones_result_get_count (result); i++) {
    guint n;
    const GstGlesZoneVertex *vertices = gst_gles_zones_result_get_vertices (result, i, &n);
    const GstGlesZoneMember *members;

    append_text (dump, gst_gles_zones_result_get_name (result, i));
    append (dump, gst_gles_zones_result_get_zone (result, i, NULL), sizeof (GstGlesZone));
    append (dump, vertices, n * sizeof *vertices);
    members = gst_gles_zones_result_get_members (result, i, &n);
    append_number (dump, n);
    if (n > 0)
      append (dump, members, n * sizeof *members);
  }
}

#endif
