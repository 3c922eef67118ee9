/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/points.h>

#include <string.h>

#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/result-private.h>

struct _GstGlesPointsResult {
  GstMiniObject parent;

  GstGlesPointsInfo info;
  GstGlesReadback *readback; /* nullable */

  const GstGlesPoint *points; /* atomic; NULL until the readback was there; owned by it */
  GstGlesResult counted;      /* valid with points */

  GMutex lock;           /* of what follows */
  GstGlesBuffer *buffer; /* nullable */
  GstGlesBuffer *counts;
};

GST_DEFINE_MINI_OBJECT_TYPE (GstGlesPointsResult, gst_gles_points_result);

GType
gst_gles_points_predicate_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    { GST_GLES_POINTS_THRESHOLD, "Value between lower and upper", "threshold" },
    { GST_GLES_POINTS_MOTION, "Change since the frame before between lower and upper", "motion" },
    { GST_GLES_POINTS_EDGE, "Sobel gradient between lower and upper", "edge" },
    { 0, NULL, NULL },
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstGlesPointsPredicate", values));
  return type;
}

static void
result_free (GstMiniObject *object)
{
  GstGlesPointsResult *result = (GstGlesPointsResult *) object;

  g_clear_pointer (&result->buffer, gst_gles_buffer_unref);
  g_clear_pointer (&result->counts, gst_gles_buffer_unref);
  g_clear_pointer (&result->readback, gst_gles_readback_unref);
  g_mutex_clear (&result->lock);
  gst_gles_origin_unref (result->info.origin);
  g_free (result);
}

GstGlesPointsResult *
gst_gles_points_result_new (const GstGlesPointsInfo *info, GstGlesReadback *readback,
    GstGlesBuffer *points, GstGlesBuffer *counts)
{
  GstGlesPointsResult *result;

  g_return_val_if_fail (info != NULL, NULL);
  g_return_val_if_fail (info->channel >= GST_GLES_POINTS_LUMA && info->channel < 4, NULL);
  g_return_val_if_fail ((points == NULL) == (counts == NULL), NULL);

  result = g_new0 (GstGlesPointsResult, 1);
  gst_mini_object_init (
      GST_MINI_OBJECT_CAST (result), 0, GST_TYPE_GLES_POINTS_RESULT, NULL, NULL, result_free);
  g_mutex_init (&result->lock);
  result->info = *info;
  if (info->origin != NULL)
    gst_gles_origin_ref (info->origin);
  if (readback != NULL)
    result->readback = gst_gles_readback_ref (readback);
  if (points != NULL) {
    result->buffer = gst_gles_buffer_ref (points);
    result->counts = gst_gles_buffer_ref (counts);
  }
  return result;
}

GstGlesPointsResult *
gst_gles_points_result_ref (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return (GstGlesPointsResult *) gst_mini_object_ref (GST_MINI_OBJECT_CAST (result));
}

void
gst_gles_points_result_unref (GstGlesPointsResult *result)
{
  if (result != NULL)
    gst_mini_object_unref (GST_MINI_OBJECT_CAST (result));
}

const GstGlesPointsInfo *
gst_gles_points_result_get_info (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return &result->info;
}

/* ---- waiting ---- */

gboolean
gst_gles_points_result_is_ready (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, FALSE);

  return g_atomic_pointer_get (&result->points) != NULL ||
      (result->readback != NULL && gst_gles_readback_is_ready (result->readback));
}

gboolean
gst_gles_points_result_wait (GstGlesPointsResult *result, guint64 timeout_ns, GError **error)
{
  gconstpointer points;
  GstGlesResult counted;
  gsize size_bytes = 0;

  g_return_val_if_fail (result != NULL, FALSE);

  if (g_atomic_pointer_get (&result->points) != NULL)
    return TRUE;
  points = gst_gles_result_wait (
      result->readback, "points", result->info.frame, timeout_ns, &size_bytes, error);
  if (points == NULL)
    return FALSE;
  gst_gles_readback_get_counted (result->readback, &counted);
  if (size_bytes / sizeof (GstGlesPoint) < counted.count) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
        "Frame %" G_GUINT64_FORMAT " came back with %" G_GSIZE_FORMAT " bytes for %u points",
        result->info.frame, size_bytes, counted.count);
    return FALSE;
  }
  g_mutex_lock (&result->lock);
  if (result->points == NULL) {
    result->counted = counted;
    g_atomic_pointer_set (&result->points, points);
  }
  g_mutex_unlock (&result->lock);
  return TRUE;
}

/* ---- points ---- */

const GstGlesPoint *
gst_gles_points_result_get_points (GstGlesPointsResult *result, guint *n, GError **error)
{
  g_return_val_if_fail (n != NULL, NULL);
  *n = 0;
  g_return_val_if_fail (result != NULL, NULL);

  if (!gst_gles_points_result_wait (result, G_MAXUINT64, error))
    return NULL;
  *n = result->counted.count;
  return result->points;
}

GBytes *
gst_gles_points_result_get_bytes (GstGlesPointsResult *result, GError **error)
{
  g_return_val_if_fail (result != NULL, NULL);

  if (!gst_gles_points_result_wait (result, G_MAXUINT64, error))
    return NULL;
  return g_bytes_new_with_free_func (result->points,
      (gsize) result->counted.count * sizeof (GstGlesPoint),
      (GDestroyNotify) gst_gles_points_result_unref, gst_gles_points_result_ref (result));
}

static void
set_if_asked (guint *target, guint value)
{
  if (target != NULL)
    *target = value;
}

gboolean
gst_gles_points_result_get_point (
    GstGlesPointsResult *result, guint index, guint *x, guint *y, guint *value, GError **error)
{
  const GstGlesPoint *point;

  g_return_val_if_fail (result != NULL, FALSE);

  if (!gst_gles_points_result_wait (result, G_MAXUINT64, error))
    return FALSE;
  if (index >= result->counted.count) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "Frame %" G_GUINT64_FORMAT " has %u points; there is none of index %u", result->info.frame,
        result->counted.count, index);
    return FALSE;
  }
  point = &result->points[index];
  set_if_asked (x, point->x);
  set_if_asked (y, point->y);
  set_if_asked (value, point->value);
  return TRUE;
}

guint
gst_gles_points_result_get_count (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, 0);

  return gst_gles_points_result_wait (result, G_MAXUINT64, NULL) ? result->counted.count : 0;
}

guint64
gst_gles_points_result_get_total (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, 0);

  return gst_gles_points_result_wait (result, G_MAXUINT64, NULL) ? result->counted.total : 0;
}

gboolean
gst_gles_points_result_is_truncated (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, FALSE);

  return gst_gles_points_result_wait (result, G_MAXUINT64, NULL) &&
      result->counted.total > result->counted.count;
}

/* ---- on the device ---- */

static GstGlesBuffer *
keep (GstGlesPointsResult *result, GstGlesBuffer **buffer)
{
  GstGlesBuffer *kept;

  g_mutex_lock (&result->lock);
  kept = *buffer != NULL ? gst_gles_buffer_ref (*buffer) : NULL;
  g_mutex_unlock (&result->lock);
  return kept;
}

GstGlesBuffer *
gst_gles_points_result_get_device_buffer (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return keep (result, &result->buffer);
}

GstGlesBuffer *
gst_gles_points_result_get_device_counts (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return keep (result, &result->counts);
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
  GstGlesBuffer *buffer, *counts;

  g_return_if_fail (result != NULL && result->readback != NULL);

  g_mutex_lock (&result->lock);
  buffer = g_steal_pointer (&result->buffer);
  counts = g_steal_pointer (&result->counts);
  g_mutex_unlock (&result->lock);
  gst_gles_buffer_unref (buffer);
  gst_gles_buffer_unref (counts);
}

/* ---- what was analysed ---- */

GstGlesPointsPredicate
gst_gles_points_result_get_predicate (GstGlesPointsResult *result, guint *lower, guint *upper)
{
  g_return_val_if_fail (result != NULL, GST_GLES_POINTS_THRESHOLD);

  set_if_asked (lower, result->info.lower);
  set_if_asked (upper, result->info.upper);
  return result->info.predicate;
}

gint
gst_gles_points_result_get_channel (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, GST_GLES_POINTS_LUMA);

  return result->info.channel;
}

guint
gst_gles_points_result_get_max_points (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, 0);

  return result->info.max_points;
}

void
gst_gles_points_result_get_region (
    GstGlesPointsResult *result, guint *x, guint *y, guint *width, guint *height)
{
  g_return_if_fail (result != NULL);

  set_if_asked (x, result->info.x);
  set_if_asked (y, result->info.y);
  set_if_asked (width, result->info.region_width);
  set_if_asked (height, result->info.region_height);
}

void
gst_gles_points_result_get_size (GstGlesPointsResult *result, guint *width, guint *height)
{
  g_return_if_fail (result != NULL);

  set_if_asked (width, result->info.width);
  set_if_asked (height, result->info.height);
}

GstVideoFormat
gst_gles_points_result_get_format (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, GST_VIDEO_FORMAT_UNKNOWN);

  return result->info.format;
}

GstVideoColorRange
gst_gles_points_result_get_range (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, GST_VIDEO_COLOR_RANGE_UNKNOWN);

  return result->info.range;
}

guint64
gst_gles_points_result_get_frame_number (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, 0);

  return result->info.frame;
}

GstClockTime
gst_gles_points_result_get_pts (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return result->info.pts;
}

GstClockTime
gst_gles_points_result_get_duration (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return result->info.duration;
}

GstClockTime
gst_gles_points_result_get_running_time (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return result->info.running_time;
}

GstClockTime
gst_gles_points_result_get_stream_time (GstGlesPointsResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return result->info.stream_time;
}
