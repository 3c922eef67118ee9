/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The getters of time of day, origin and field, which all results have. */
#include <gst/gles/meta/histogram.h>
#include <gst/gles/meta/points.h>
#include <gst/gles/meta/regions.h>
#include <gst/gles/meta/tiles.h>

#define DEFINE_GETTERS(Name, name)                                                                 \
  GstClockTime gst_gles_##name##_result_get_utc (GstGles##Name##Result *result)                    \
  {                                                                                                \
    GstClockTime utc;                                                                              \
    g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);                                    \
    utc = gst_gles_##name##_result_get_info (result)->utc;                                         \
    return utc != 0 ? utc : GST_CLOCK_TIME_NONE;                                                   \
  }                                                                                                \
  GstGlesOrigin *gst_gles_##name##_result_get_origin (GstGles##Name##Result *result)               \
  {                                                                                                \
    g_return_val_if_fail (result != NULL, NULL);                                                   \
    return gst_gles_##name##_result_get_info (result)->origin;                                     \
  }                                                                                                \
  GstGlesField gst_gles_##name##_result_get_field (GstGles##Name##Result *result)                  \
  {                                                                                                \
    const GstGlesOrigin *origin = gst_gles_##name##_result_get_origin (result);                    \
    return origin != NULL ? origin->field : GST_GLES_FIELD_NONE;                                   \
  }

DEFINE_GETTERS (Histogram, histogram)
DEFINE_GETTERS (Points, points)
DEFINE_GETTERS (Regions, regions)
DEFINE_GETTERS (Tiles, tiles)
