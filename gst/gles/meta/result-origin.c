/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The getters of time of day and origin, which all results have. */
#include <gst/gles/meta/histogram.h>
#include <gst/gles/meta/points.h>
#include <gst/gles/meta/regions.h>
#include <gst/gles/meta/tiles.h>

GstClockTime
gst_gles_histogram_result_get_utc (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return gst_gles_histogram_result_get_info (result)->utc != 0
      ? gst_gles_histogram_result_get_info (result)->utc
      : GST_CLOCK_TIME_NONE;
}

GstGlesOrigin *
gst_gles_histogram_result_get_origin (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return gst_gles_histogram_result_get_info (result)->origin;
}

GstClockTime
gst_gles_points_result_get_utc (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return gst_gles_points_result_get_info (result)->utc != 0
      ? gst_gles_points_result_get_info (result)->utc
      : GST_CLOCK_TIME_NONE;
}

GstGlesOrigin *
gst_gles_points_result_get_origin (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return gst_gles_points_result_get_info (result)->origin;
}

GstClockTime
gst_gles_regions_result_get_utc (GstGlesRegionsResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return gst_gles_regions_result_get_info (result)->utc != 0
      ? gst_gles_regions_result_get_info (result)->utc
      : GST_CLOCK_TIME_NONE;
}

GstGlesOrigin *
gst_gles_regions_result_get_origin (GstGlesRegionsResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return gst_gles_regions_result_get_info (result)->origin;
}

GstClockTime
gst_gles_tiles_result_get_utc (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return gst_gles_tiles_result_get_info (result)->utc != 0
      ? gst_gles_tiles_result_get_info (result)->utc
      : GST_CLOCK_TIME_NONE;
}

GstGlesOrigin *
gst_gles_tiles_result_get_origin (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return gst_gles_tiles_result_get_info (result)->origin;
}
