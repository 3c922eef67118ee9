/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results with contents that are complete from the start, one of each kind. */
#ifndef RESULT_SAMPLES_H
#define RESULT_SAMPLES_H

#include <string.h>

#include <gst/gles/gl/readback-info.h>
#include <gst/gles/meta/histogram-info.h>
#include <gst/gles/meta/points-info.h>
#include <gst/gles/meta/regions-info.h>
#include <gst/gles/meta/tiles-info.h>
#include <gst/gles/meta/tracks-info.h>
#include <gst/gles/meta/zones-info.h>

/* @words: of u32, copied */
static inline GstGlesReadback *
counted_readback (const GstGlesResult *counted, gconstpointer words, gsize n_words)
{
  return gst_gles_readback_new_counted (counted, g_bytes_new (words, n_words * 4));
}

/* One channel that starts at word 0: native counts, the difference, then the cells. */
static inline GstGlesHistogramInfo
sample_histogram_info (guint depth, guint bins, guint columns, guint rows)
{
  return (GstGlesHistogramInfo){ .frame = { .number = 1234567890123,
                                     .pts = 1,
                                     .duration = GST_CLOCK_TIME_NONE,
                                     .running_time = 3,
                                     .stream_time = 4,
                                     .utc = GST_CLOCK_TIME_NONE,
                                     .width = 640,
                                     .height = 480,
                                     .format = GST_VIDEO_FORMAT_NV12_10LE32,
                                     .range = GST_VIDEO_COLOR_RANGE_0_255 },
    .x = 5,
    .y = 6,
    .region_width = 7,
    .region_height = 8,
    .columns = columns,
    .rows = rows,
    .bins = bins,
    .luma = columns > 1,
    .n_channels = 1,
    .channels = {
        { "Y", 4, depth, 0, 1u << depth, columns * rows > 1 ? (1u << depth) + 1 : G_MAXUINT } } };
}

/* Two channels of 2 bits in a row of cells. */
static inline GstGlesHistogramResult *
sample_histogram (guint columns)
{
  GstGlesHistogramInfo info = sample_histogram_info (2, 3, columns, 1);
  guint32 words[10 + 2 * 3 * 4] = { 1, 0, 2, 1, 0, 1000000003, 0, 4, 8, 2000000000 };

  info.n_channels = 2;
  info.channels[0] = (GstGlesHistogramChannelInfo){ "Y", 4, 2, 0, 8, 10 };
  info.channels[1] = (GstGlesHistogramChannelInfo){ "luma", 4, 2, 4, 9, 10 + 3 * columns };
  for (guint i = 10; i < G_N_ELEMENTS (words); i++)
    words[i] = i * 1000003;
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_complete (g_bytes_new (words, sizeof words));
  return gst_gles_histogram_result_new_queued (&info, readback, NULL, NULL);
}

/* An overview of 7x8 samples, two rows of which are visited: the bin of area a is 3 + a, its
 * gradients are the largest that it can have. */
static inline GstGlesHistogramResult *
sample_overview (void)
{
  static const guint n_samples[] = { 2, 2, 2, 1, 0, 0, 0, 0, 2, 2, 2, 1, 0, 0, 0, 0 };
  static const guint n_gradients[] = { 4, 4, 4, 1, 0, 0, 0, 0, 4, 4, 4, 1, 0, 0, 0, 0 };
  GstGlesHistogramInfo info = sample_histogram_info (1, 2, 1, 1);
  guint32 words[3 + 544] = { 3, 1, 0 };

  info.overview_offset = 3;
  info.overview_depth = 8;
  for (guint i = 0; i < G_N_ELEMENTS (n_samples); i++) {
    words[3 + 32 * i + 3 + i] = n_samples[i];
    words[3 + 512 + 2 * i] = 255 * n_gradients[i];
  }
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_complete (g_bytes_new (words, sizeof words));
  return gst_gles_histogram_result_new_queued (&info, readback, NULL, NULL);
}

/* Three samples of luminance and red, all but one of which have changed. */
static inline GstGlesHistogramResult *
sample_flash (void)
{
  GstGlesHistogramInfo info = sample_histogram_info (1, 2, 1, 1);
  guint32 words[3 + 8] = { 3, 1, 0, 3 * 65535, 3 * 4000, 2, 1, 3, 1 };

  info.flash_offset = 3;
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_complete (g_bytes_new (words, sizeof words));
  return gst_gles_histogram_result_new_queued (&info, readback, NULL, NULL);
}

/* A border of 3 rows above, 1 below, and 2 columns on each side. */
static inline GstGlesHistogramResult *
sample_crop (void)
{
  GstGlesHistogramInfo info = sample_histogram_info (1, 2, 1, 1);
  const guint32 height = info.region_height, width = info.region_width;
  const guint32 words[3 + 4] = { 3, 1, 0, height - 3, height - 1, width - 2, width - 2 };

  info.crop_offset = 3;
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_complete (g_bytes_new (words, sizeof words));
  return gst_gles_histogram_result_new_queued (&info, readback, NULL, NULL);
}

/* Two repeated rows and five outliers. */
static inline GstGlesHistogramResult *
sample_outliers (void)
{
  GstGlesHistogramInfo info = sample_histogram_info (1, 2, 1, 1);
  const guint32 words[3 + 4] = { 3, 1, 0, 2, 5 };

  info.outliers_offset = 3;
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_complete (g_bytes_new (words, sizeof words));
  return gst_gles_histogram_result_new_queued (&info, readback, NULL, NULL);
}

static const GstGlesPoint sample_points_array[] = { { 1, 2, 3 }, { 65535, 4, G_MAXUINT },
  { 0, 479, 0 } };

static const GstGlesPointsInfo sample_points_info = {
  { 9, 1, 2, GST_CLOCK_TIME_NONE, 4, GST_CLOCK_TIME_NONE, 65536, 480, GST_VIDEO_FORMAT_BGRA,
      GST_VIDEO_COLOR_RANGE_16_235, GST_VIDEO_COLOR_MATRIX_BT709, GST_GLES_FIELD_NONE, NULL },
  5, 6, 7, 8, GST_GLES_POINTS_EDGE, GST_GLES_POINTS_LUMA, 10, G_MAXUINT, 12
};

/* @n of 10^10 + @n points. */
static inline GstGlesPointsResult *
sample_points (const GstGlesPointsInfo *info, guint n)
{
  const GstGlesResult counted = { n + G_GUINT64_CONSTANT (10000000000), n, 0 };
  g_autoptr (GstGlesReadback) readback = counted_readback (&counted, sample_points_array, 2 * n);

  return gst_gles_points_result_new_queued (info, readback, NULL, NULL);
}

/* 3 x 2 tiles of 16 x 16 over 40 x 30, with 5 of 77 entries. */
static const GstGlesTilesInfo sample_tiles_info = { { 9, 1, 2, 3, GST_CLOCK_TIME_NONE, 5, 40, 30,
                                                        GST_VIDEO_FORMAT_RGB },
  16, 16, 3, 2, GST_GLES_TILES_INPUT_SPLATS, GST_GLES_TILES_SORT_BY_VALUE, TRUE, 100 };
static const guint32 sample_offsets[7] = { 0, 0, 3, 3, 4, 5, 5 };
static const guint32 sample_indices[5] = { 7, 1, 2, 7, 0 };
static const guint32 sample_keys[5] = { 9, 8, 8, G_MAXUINT, 0 };

/* With @n of each array's words. */
static inline GstGlesTilesResult *
sample_tiles (guint n_offsets, guint n_indices, guint n_keys)
{
  const GstGlesResult counted = { 77, 5, 0 };
  g_autoptr (GstGlesReadback) a = counted_readback (&counted, sample_offsets, n_offsets);
  g_autoptr (GstGlesReadback) b = counted_readback (&counted, sample_indices, n_indices);
  g_autoptr (GstGlesReadback) c = counted_readback (&counted, sample_keys, n_keys);

  return gst_gles_tiles_result_new_queued (&sample_tiles_info,
      &(GstGlesTilesArrays){ .offsets_readback = a, .indices_readback = b, .keys_readback = c });
}

/* Two of 77 regions. */
static inline GstGlesRegionsResult *
sample_regions (const gchar *label)
{
  const GstGlesRegionsInfo info = {
    { 9, 1, 2, 3, GST_CLOCK_TIME_NONE, 5, 40, 30, GST_VIDEO_FORMAT_RGB }, 2, 3, 8, 1, 2, 100, label
  };
  const GstGlesRegion regions[] = {
    { .first = 3,
        .left = 1,
        .top = 2,
        .right = 5,
        .bottom = 2,
        .pixels = 4,
        .max_value = 9,
        .sum_x = 13,
        .sum_y = 8,
        .sum_value = 20 },
    { .first = 7,
        .left = 39,
        .top = 29,
        .right = 39,
        .bottom = 29,
        .pixels = 1,
        .max_value = G_MAXUINT,
        .sum_x = 39,
        .sum_y = 29,
        .sum_value = G_MAXUINT },
  };
  const GstGlesResult counted = { 77, 2, 0 };
  g_autoptr (GstGlesReadback) readback = counted_readback (&counted, regions, sizeof regions / 4);

  return gst_gles_regions_result_new_queued (&info, readback, NULL, NULL);
}

/* Two of 77 tracks, of different labels; @path positions are kept at most, one and three of them
 * are there if these are three. */
static inline GstGlesTracksResult *
sample_tracks (const gchar *label, guint path)
{
  const GstGlesTracksInfo info = {
    { 9, 1, 2, 3, GST_CLOCK_TIME_NONE, 5, 40, 30, GST_VIDEO_FORMAT_RGB }, 1.5, 3, 0, path
  };
  const gchar *const labels[] = { "car", label, NULL };
  const GstGlesTrack tracks[] = {
    { 3, 1, 2, 5, 2, 1, GST_GLES_TRACK_LOST, 9, 8, G_MAXUINT64, 40, -1.5, 2.25, 1e9 },
    { 4294967296, 39, 29, 1, 1, 0, GST_GLES_TRACK_NEW, 0, 1, 0, 0, 0, 0, 0 },
  };
  static const struct {
    guint32 ends[3];
    GstGlesTrackPosition positions[4];
  } paths = { { 0, 1, 4 }, { { -1.5f, 2 }, { 38, 28 }, { 38.5f, 28.5f }, { 39, 29 } } };
  g_autoptr (GBytes) bytes = g_bytes_new (tracks, sizeof tracks);
  g_autoptr (GBytes) positions = path > 0 ? g_bytes_new (&paths, sizeof paths) : NULL;

  return gst_gles_tracks_result_new_complete (&info, labels, bytes, positions, 77);
}

/* A zone with two members, and a line, of a picture of 40x30. */
static inline GstGlesZonesResult *
sample_zones (const gchar *label)
{
  static const GstGlesZone zones[] = {
    { GST_GLES_ZONE_AREA, 1, 0, 3, 0, 2, 5, 3 },
    { GST_GLES_ZONE_LINE, 0, 3, 2, 2, 0, 4294967296, 1 },
  };
  static const GstGlesZoneVertex vertices[] = { { 2560, 2560 }, { 7680, 2560 }, { 2560, 5120 },
    { -256, 128 }, { 12800, 128 } };
  static const GstGlesZoneMember members[] = { { 3, 40000000, 1, 0 }, { 4294967296, 0, 0, 0 } };
  const gchar *const names[] = { "yard", label, NULL };
  const gchar *const labels[] = { "car", label, NULL };
  const GstGlesZonesInfo info = {
    { 9, 1, 2, 3, GST_CLOCK_TIME_NONE, 5, 40, 30, GST_VIDEO_FORMAT_RGB }, .has_tracks = TRUE
  };
  g_autoptr (GBytes) zone_bytes = g_bytes_new (zones, sizeof zones);
  g_autoptr (GBytes) vertex_bytes = g_bytes_new (vertices, sizeof vertices);
  g_autoptr (GBytes) member_bytes = g_bytes_new (members, sizeof members);

  return gst_gles_zones_result_new_complete (
      &info, &(GstGlesZonesParts){ zone_bytes, vertex_bytes, member_bytes, names, labels });
}

#endif
