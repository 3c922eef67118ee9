/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/points-info.h>

#include <gst/gles/meta/result.h>

struct _GstGlesPointsResult {
  GstGlesResultBase base;
  GstGlesPointsInfo info;
};

GST_GLES_DEFINE_COUNTED_RESULT (Points, points)

GType
gst_gles_points_predicate_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    { GST_GLES_POINTS_THRESHOLD, "Value between lower and upper", "threshold" },
    { GST_GLES_POINTS_MOTION, "Change since the frame before between lower and upper", "motion" },
    { GST_GLES_POINTS_EDGE, "Sobel gradient between lower and upper", "edge" },
    { GST_GLES_POINTS_EXPRESSION, "Expression that is not 0", "expression" },
    { 0, NULL, NULL },
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstGlesPointsPredicate", values));
  return type;
}

/* ---- making a result ---- */

static void
result_free (GstMiniObject *object)
{
  gst_gles_result_free (object);
}

GstGlesPointsResult *
gst_gles_points_result_new_queued (const GstGlesPointsInfo *info, GstGlesReadback *readback,
    GstGlesBuffer *points, GstGlesBuffer *counts)
{
  const GstGlesResultArray array = { "points", .item_bytes = sizeof (GstGlesPoint),
    .readback = readback, .buffer = points };
  GstGlesPointsResult *result;

  g_return_val_if_fail (info->channel >= GST_GLES_POINTS_LUMA && info->channel < 4, NULL);
  g_return_val_if_fail ((points == NULL) == (counts == NULL), NULL);

  result = gst_gles_result_new (
      &(GstGlesResultType){ sizeof *result, GST_TYPE_GLES_POINTS_RESULT, result_free }, &array, 1,
      counts);
  gst_gles_result_set_info (result, &result->info, info, sizeof *info);
  return result;
}

gboolean
gst_gles_points_info_check (const GstGlesPointsInfo *info, const GstGlesPoint *points, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    if (points[i].x >= info->frame.width || points[i].y >= info->frame.height)
      return FALSE;
  }
  return TRUE;
}

GstGlesPointsResult *
gst_gles_points_result_new (
    const GstGlesFrameInfo *frame, GBytes *points, guint64 total, GError **error)
{
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autoptr (GBytes) bytes = NULL;
  GstGlesPointsInfo info = { .channel = GST_GLES_POINTS_LUMA, .upper = G_MAXUINT };
  gsize size_bytes, n;
  const GstGlesPoint *data;

  g_return_val_if_fail (frame != NULL && points != NULL, NULL);

  bytes = gst_gles_result_align (points);
  data = g_bytes_get_data (bytes, &size_bytes);
  n = size_bytes / sizeof *data;
  info.frame = *frame;
  info.region_width = frame->width;
  info.region_height = frame->height;
  info.max_points = (guint) MIN (n, G_MAXUINT);
  if (size_bytes % sizeof *data != 0 || n > MIN (total, G_MAXUINT) ||
      !gst_gles_points_info_check (&info, data, n)) {
    gst_gles_result_refuse (error,
        "%" G_GSIZE_FORMAT " bytes are not up to %" G_GUINT64_FORMAT
        " points of 8 bytes, all of them in %u x %u pixels",
        size_bytes, total, frame->width, frame->height);
    return NULL;
  }
  readback = gst_gles_readback_new_counted (
      &(GstGlesResult){ total, (guint32) n, 0 }, g_steal_pointer (&bytes));
  return gst_gles_points_result_new_queued (&info, readback, NULL, NULL);
}

/* ---- points ---- */

const GstGlesPoint *
gst_gles_points_result_get_points (GstGlesPointsResult *result, guint *n, GError **error)
{
  g_return_val_if_fail (n != NULL, NULL);
  *n = 0;
  g_return_val_if_fail (result != NULL, NULL);

  if (!gst_gles_result_wait (result, G_MAXUINT64, error))
    return NULL;
  *n = result->base.counted.count;
  return result->base.arrays[0].data;
}

GBytes *
gst_gles_points_result_get_bytes (GstGlesPointsResult *result, GError **error)
{
  guint n;
  const GstGlesPoint *points = gst_gles_points_result_get_points (result, &n, error);

  return points != NULL ? gst_gles_result_get_bytes (result, points, n * sizeof *points) : NULL;
}

gboolean
gst_gles_points_result_get_point (
    GstGlesPointsResult *result, guint index, guint *x, guint *y, guint *value, GError **error)
{
  guint n;
  const GstGlesPoint *points = gst_gles_points_result_get_points (result, &n, error);

  if (points == NULL)
    return FALSE;
  if (index >= n) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "Frame %" G_GUINT64_FORMAT " has %u points; there is none of index %u",
        result->info.frame.number, n, index);
    return FALSE;
  }
  gst_gles_result_tell (x, points[index].x);
  gst_gles_result_tell (y, points[index].y);
  gst_gles_result_tell (value, points[index].value);
  return TRUE;
}

/* ---- on the device ---- */

GstGlesBuffer *
gst_gles_points_result_get_device_buffer (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return gst_gles_result_get_buffer (result, 0);
}

GstGlesDevice *
gst_gles_points_result_get_device (GstGlesPointsResult *result)
{
  g_autoptr (GstGlesBuffer) buffer = gst_gles_points_result_get_device_buffer (result);

  return buffer != NULL ? gst_gles_buffer_get_device (buffer) : NULL;
}

void
gst_gles_points_result_release_device (GstGlesPointsResult *result)
{
  gst_gles_result_release_device (result);
}
