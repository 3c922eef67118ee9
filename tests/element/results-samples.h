/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Points and tiles made by hand, for the tests of what writes and draws them. */
#ifndef RESULTS_SAMPLES_H
#define RESULTS_SAMPLES_H

#include <gst/gles/core/types.h>
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/points.h>
#include <gst/gles/meta/tiles.h>

/* @n points of a picture of @width times @height, of which @total passed. */
static inline GstGlesPointsResult *
sample_points_new (guint width, guint height, const GstGlesPoint *points, guint n, guint64 total)
{
  const GstGlesPointsInfo info = {
    .frame = 7,
    .pts = 40000000,
    .duration = GST_CLOCK_TIME_NONE,
    .running_time = 0,
    .stream_time = GST_CLOCK_TIME_NONE,
    .width = width,
    .height = height,
    .format = GST_VIDEO_FORMAT_NV12,
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

  return gst_gles_points_result_new (&info, readback, NULL, NULL);
}

/* Numbers of one to ten digits. */
static inline GstGlesPointsResult *
sample_points (void)
{
  static const GstGlesPoint points[] = { { 0, 0, 0 }, { 9, 10, 99 }, { 100, 999, 1000 },
    { 9999, 10000, 99999 }, { 65535, 65535, G_MAXUINT32 } };

  return sample_points_new (65536, 65536, points, G_N_ELEMENTS (points), 5);
}

/* Tiles of 16x16 over a picture of @width times @height: @offsets has one word more than there are
 * tiles, and its last one is the number of @indices. */
static inline GstGlesTilesResult *
sample_tiles_new (
    guint width, guint height, const guint32 *offsets, const guint32 *indices, guint64 total)
{
  const guint n_tiles = (width + 15) / 16 * ((height + 15) / 16);
  const GstGlesTilesInfo info = {
    .frame = 7,
    .pts = 40000000,
    .duration = GST_CLOCK_TIME_NONE,
    .running_time = 0,
    .stream_time = GST_CLOCK_TIME_NONE,
    .width = width,
    .height = height,
    .format = GST_VIDEO_FORMAT_NV12,
    .tile_width = 16,
    .tile_height = 16,
    .input = GST_GLES_TILES_INPUT_POINTS,
    .max_items = 1000,
  };
  const guint count = offsets[n_tiles];
  const GstGlesResult counted = { total, count,
    total > count ? GST_GLES_STATUS_TRUNCATED : GST_GLES_STATUS_OK };
  g_autoptr (GstGlesReadback) starts =
      gst_gles_readback_new_complete (g_bytes_new (offsets, (n_tiles + 1) * 4));
  g_autoptr (GstGlesReadback) entries =
      gst_gles_readback_new_counted (&counted, g_bytes_new (indices, count * 4));
  const GstGlesTilesArrays arrays = {
    .offsets_readback = starts,
    .indices_readback = entries,
    .keys_readback = entries,
  };

  return gst_gles_tiles_result_new (&info, &arrays);
}

/* 4x3 tiles of a picture of 64x48: the second has two entries, the last one. */
static inline GstGlesTilesResult *
sample_tiles (guint64 total)
{
  static const guint32 offsets[] = { 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3 };
  static const guint32 indices[] = { 5, 0, 4000000000 };

  return sample_tiles_new (64, 48, offsets, indices, total);
}

#endif
