/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results made by hand, for the tests of what writes and draws them. */
#ifndef RESULTS_SAMPLES_H
#define RESULTS_SAMPLES_H

#include <gst/gles/core/types.h>
#include <gst/gles/gl/readback-info.h>
#include <gst/gles/meta/histogram-info.h>
#include <gst/gles/meta/points-info.h>
#include <gst/gles/meta/regions-info.h>
#include <gst/gles/meta/tiles-info.h>
#include <gst/gles/meta/tracks-info.h>
#include <gst/gles/meta/zones-info.h>

/* ---- histograms ---- */

/* One channel "Y" of the given depth over the whole of an 8x4 picture, all counters 0. Native
 * counts from word 0, then the difference, then the cells. */
static inline GstGlesHistogramInfo
sample_info (guint depth, guint bins, guint columns, guint rows)
{
  const GstGlesHistogramInfo info = {
    .frame = { .pts = GST_CLOCK_TIME_NONE,
        .duration = GST_CLOCK_TIME_NONE,
        .running_time = GST_CLOCK_TIME_NONE,
        .stream_time = GST_CLOCK_TIME_NONE,
        .utc = GST_CLOCK_TIME_NONE,
        .width = 8,
        .height = 4,
        .format = GST_VIDEO_FORMAT_GRAY8 },
    .region_width = 8,
    .region_height = 4,
    .columns = columns,
    .rows = rows,
    .bins = bins,
    .n_channels = 1,
    .channels = { { .name = "Y",
        .depth = depth,
        .difference_offset = 1u << depth,
        .cells_offset = (1u << depth) + 1 } },
  };

  return info;
}

/* @words: (transfer none) */
static inline GstGlesHistogramResult *
sample_result (const GstGlesHistogramInfo *info, const guint32 *words, gsize n_words)
{
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_complete (g_bytes_new (words, n_words * sizeof *words));

  return gst_gles_histogram_result_new_queued (info, readback, NULL, NULL);
}

/* Two channels of 2 bits: Y of 2, 0, 1, 1 and U of 0, 0, 0, 4 samples; all four times. */
static inline GstGlesHistogramResult *
sample_plain (void)
{
  static const guint32 words[] = { 2, 0, 1, 1, 4, 0, 0, 0, 4, 0 };
  GstGlesHistogramInfo info = sample_info (2, 4, 1, 1);

  info.frame.number = 12;
  info.frame.pts = 40000000;
  info.frame.duration = 20000000;
  info.frame.running_time = 50000000;
  info.frame.stream_time = 60000000;
  info.frame.width = 1920;
  info.frame.height = 1080;
  info.frame.format = GST_VIDEO_FORMAT_NV12;
  info.x = 10;
  info.y = 20;
  info.region_width = 2;
  info.region_height = 2;
  info.n_channels = 2;
  info.channels[1] = info.channels[0];
  info.channels[1].name = "U";
  info.channels[1].native_offset = 5;
  info.channels[1].difference_offset = 9;
  return sample_result (&info, words, G_N_ELEMENTS (words));
}

/* A grid of 2x2 cells of 3 bins. The 32 samples are 0 or 1; the difference is 5, the sum of the
 * distance 16, that of absolute differences 64, and from the frame
 * before 48. */
static inline GstGlesHistogramResult *
sample_grid (void)
{
  static const guint32 words[] = { 30, 2, 5, 8, 0, 0, 7, 1, 0, 8, 0, 0, 7, 1, 0, 16, 0, 64, 0, 48,
    0 };
  GstGlesHistogramInfo info = sample_info (1, 3, 2, 2);

  info.luma = TRUE;
  info.channels[0].name = "luma";
  info.channels[0].emd_offset = 15;
  info.channels[0].mad_offset = 17;
  return sample_result (&info, words, G_N_ELEMENTS (words));
}

/* No sample at all: a region between the samples of a subsampled component. */
static inline GstGlesHistogramResult *
sample_empty (GstVideoFormat format)
{
  static const guint32 words[] = { 0, 0, 0 };
  GstGlesHistogramInfo info = sample_info (1, 2, 1, 1);

  info.frame.format = format;
  return sample_result (&info, words, G_N_ELEMENTS (words));
}

/* ---- points, tiles and regions ---- */

#define SAMPLE_FRAME(w, h)                                                                         \
  .frame = { .number = 7,                                                                          \
    .pts = 40000000,                                                                               \
    .duration = GST_CLOCK_TIME_NONE,                                                               \
    .stream_time = GST_CLOCK_TIME_NONE,                                                            \
    .utc = GST_CLOCK_TIME_NONE,                                                                    \
    .width = w,                                                                                    \
    .height = h,                                                                                   \
    .format = GST_VIDEO_FORMAT_NV12 }

/* @n points of a picture of @width times @height, of which @total passed. */
static inline GstGlesPointsResult *
sample_points_new (guint width, guint height, const GstGlesPoint *points, guint n, guint64 total)
{
  const GstGlesPointsInfo info = {
    SAMPLE_FRAME (width, height),
    .region_width = width,
    .region_height = height,
    .predicate = GST_GLES_POINTS_MOTION,
    .channel = GST_GLES_POINTS_LUMA,
    .lower = 24,
    .upper = 255,
    .max_points = MAX (n, 1),
    .depth = 8,
  };
  const GstGlesResult counted = { total, n, 0 };
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_counted (&counted, g_bytes_new (points, n * sizeof *points));

  return gst_gles_points_result_new_queued (&info, readback, NULL, NULL);
}

/* Numbers of one to ten digits. */
static inline GstGlesPointsResult *
sample_points (void)
{
  static const GstGlesPoint points[] = { { 0, 0, 0 }, { 9, 10, 99 }, { 100, 999, 1000 },
    { 9999, 10000, 99999 }, { 65535, 65535, G_MAXUINT32 } };

  return sample_points_new (65536, 65536, points, G_N_ELEMENTS (points), 5);
}

/* 4x3 tiles of a picture of 64x48: the second has two entries, the last one. @total: of the entries
 * that there would be without a limit. */
static inline GstGlesTilesResult *
sample_tiles (guint64 total)
{
  static const guint32 offsets[] = { 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3 };
  static const guint32 indices[] = { 5, 0, 4000000000 };
  const GstGlesTilesInfo info = {
    SAMPLE_FRAME (64, 48),
    .tile_width = 16,
    .tile_height = 16,
    .input = GST_GLES_TILES_INPUT_POINTS,
    .max_items = 1000,
  };
  const GstGlesResult counted = { total, 3,
    total > 3 ? GST_GLES_STATUS_TRUNCATED : GST_GLES_STATUS_OK };
  g_autoptr (GstGlesReadback) starts =
      gst_gles_readback_new_complete (g_bytes_new (offsets, sizeof offsets));
  g_autoptr (GstGlesReadback) entries =
      gst_gles_readback_new_counted (&counted, g_bytes_new (indices, sizeof indices));
  const GstGlesTilesArrays arrays = {
    .offsets_readback = starts,
    .indices_readback = entries,
    .keys_readback = entries,
  };

  return gst_gles_tiles_result_new_queued (&info, &arrays);
}

/* @n, up to 2, of the 3 regions of a picture of 128x96. */
static inline GstGlesRegionsResult *
sample_regions (guint n)
{
  static const GstGlesRegion regions[] = {
    { 0, 20, 24, 59, 63, 1000, 200, 0, 39500, 43250, 90125, 0 },
    { 0, 0, 1, 0, 1, 1, 255, 0, 0, 1, 255, 0 },
  };
  const GstGlesRegionsInfo info = { SAMPLE_FRAME (128, 96), .label = "car" };
  const GstGlesResult counted = { 3, n, 0 };
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_counted (&counted, g_bytes_new (regions, n * sizeof *regions));

  return gst_gles_regions_result_new_queued (&info, readback, NULL, NULL);
}

/* A confirmed track, number 7, a lost one and a new one, of a picture of 128x96. The confirmed one
 * has the box of the first region of sample_regions(). */
static inline GstGlesTracksResult *
sample_tracks (guint path)
{
  static const gchar *const labels[] = { "car", "bus", NULL };
  static const GstGlesTrack tracks[] = {
    { 7, 20, 24, 40, 40, 0, GST_GLES_TRACK_CONFIRMED, 12, 11, 480000000, 0, 25.5, -3, 12.25 },
    { 8, 90, 70, 20, 10, 1, GST_GLES_TRACK_LOST, 10, 8, 400000000, 80000000, 0, 0.125, 9 },
    { 4294967296, 0, 0, 9, 9, 0, GST_GLES_TRACK_NEW, 0, 1, 0, 0, 0, 0, 0 },
  };
  /* two positions of the first track, one of the second, none of the third */
  static const struct {
    guint32 ends[4];
    GstGlesTrackPosition positions[3];
  } paths = { { 0, 2, 3, 3 }, { { 39.5f, 44 }, { 40, 43.9375f }, { -2.5f, 75 } } };
  const GstGlesTracksInfo info = { SAMPLE_FRAME (128, 96), .track_lost = 1, .min_hits = 3,
    .path = path };
  g_autoptr (GBytes) bytes = g_bytes_new_static (tracks, sizeof tracks);
  g_autoptr (GBytes) positions = path > 0 ? g_bytes_new_static (&paths, sizeof paths) : NULL;

  return gst_gles_tracks_result_new_complete (&info, labels, bytes, positions, 4);
}

/* A zone with two members, and a line, of a picture of 128x96. */
static inline GstGlesZonesResult *
sample_zones (void)
{
  static const GstGlesZone zones[] = {
    { GST_GLES_ZONE_AREA, 1, 0, 3, 0, 2, 5, 3 },
    { GST_GLES_ZONE_LINE, 0, 3, 2, 2, 0, 4294967296, 1 },
  };
  static const GstGlesZoneVertex vertices[] = { { 2560, 2560 }, { 7680, 2560 }, { 2560, 5120 },
    { -256, 128 }, { 12800, 128 } };
  static const GstGlesZoneMember members[] = { { 3, 40000000, 1, 0 }, { 4294967296, 0, 0, 0 } };
  const gchar *const names[] = { "yard", "gate", NULL };
  const gchar *const labels[] = { "car", "bus", NULL };
  const GstGlesZonesInfo info = { SAMPLE_FRAME (128, 96), .has_tracks = TRUE };
  g_autoptr (GBytes) zone_bytes = g_bytes_new (zones, sizeof zones);
  g_autoptr (GBytes) vertex_bytes = g_bytes_new (vertices, sizeof vertices);
  g_autoptr (GBytes) member_bytes = g_bytes_new (members, sizeof members);

  return gst_gles_zones_result_new_complete (
      &info, &(GstGlesZonesParts){ zone_bytes, vertex_bytes, member_bytes, names, labels });
}

#endif
