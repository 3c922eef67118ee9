/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Points made by hand, for the tests of what writes and draws them. */
#ifndef RESULTS_SAMPLES_H
#define RESULTS_SAMPLES_H

#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/points.h>

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
  };
  const GstGlesCounted counted = { total, n, 0 };
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

#endif
