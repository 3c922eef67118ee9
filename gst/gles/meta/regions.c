/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/regions.h>

#include <gst/gles/core/error.h>
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/result-private.h>

struct _GstGlesRegionsResult {
  GstMiniObject parent;

  GstGlesRegionsInfo info;
  GstGlesReadback *readback; /* nullable */
  GstGlesBuffer *buffer, *counts;

  GMutex lock; /* of all that follows */
  /* atomic; set when the rest is, which does not change any more then */
  gint ready;
  GstGlesResult counted;
  const GstGlesRegion *regions; /* owned by the readback */
};

GST_DEFINE_MINI_OBJECT_TYPE (GstGlesRegionsResult, gst_gles_regions_result);

static void
result_free (GstMiniObject *object)
{
  GstGlesRegionsResult *result = (GstGlesRegionsResult *) object;

  gst_gles_buffer_unref (result->buffer);
  gst_gles_buffer_unref (result->counts);
  gst_gles_readback_unref (result->readback);
  g_mutex_clear (&result->lock);
  gst_gles_origin_unref (result->info.origin);
  g_free ((gchar *) result->info.label);
  g_free (result);
}

GstGlesRegionsResult *
gst_gles_regions_result_new (const GstGlesRegionsInfo *info, GstGlesBuffer *regions,
    GstGlesBuffer *counts, GstGlesReadback *readback)
{
  GstGlesRegionsResult *result;

  g_return_val_if_fail (info != NULL && info->label != NULL, NULL);
  g_return_val_if_fail (info->width > 0 && info->height > 0, NULL);

  result = g_new0 (GstGlesRegionsResult, 1);
  gst_mini_object_init (
      GST_MINI_OBJECT_CAST (result), 0, GST_TYPE_GLES_REGIONS_RESULT, NULL, NULL, result_free);
  g_mutex_init (&result->lock);
  result->info = *info;
  if (info->origin != NULL)
    gst_gles_origin_ref (info->origin);
  /* Not interned, which is for ever: labels may come from other processes. */
  result->info.label = g_strdup (info->label);
  if (regions != NULL)
    result->buffer = gst_gles_buffer_ref (regions);
  if (counts != NULL)
    result->counts = gst_gles_buffer_ref (counts);
  if (readback != NULL)
    result->readback = gst_gles_readback_ref (readback);
  return result;
}

GstGlesRegionsResult *
gst_gles_regions_result_ref (GstGlesRegionsResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return (GstGlesRegionsResult *) gst_mini_object_ref (GST_MINI_OBJECT_CAST (result));
}

void
gst_gles_regions_result_unref (GstGlesRegionsResult *result)
{
  if (result != NULL)
    gst_mini_object_unref (GST_MINI_OBJECT_CAST (result));
}

const GstGlesRegionsInfo *
gst_gles_regions_result_get_info (GstGlesRegionsResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return &result->info;
}

/* ---- waiting ---- */

gboolean
gst_gles_regions_result_is_ready (GstGlesRegionsResult *result)
{
  g_return_val_if_fail (result != NULL, FALSE);

  return result->readback != NULL && gst_gles_readback_is_ready (result->readback);
}

gboolean
gst_gles_regions_result_wait (GstGlesRegionsResult *result, guint64 timeout_ns, GError **error)
{
  GstGlesResult counted;
  gconstpointer regions;
  gsize size_bytes;

  g_return_val_if_fail (result != NULL, FALSE);

  if (g_atomic_int_get (&result->ready))
    return TRUE;
  regions = gst_gles_result_wait (
      result->readback, "regions", result->info.frame, timeout_ns, &size_bytes, error);
  if (regions == NULL)
    return FALSE;
  gst_gles_readback_get_counted (result->readback, &counted);
  if (size_bytes / sizeof (GstGlesRegion) < counted.count) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
        "Frame %" G_GUINT64_FORMAT " came back with %" G_GSIZE_FORMAT " bytes for %u regions",
        result->info.frame, size_bytes, counted.count);
    return FALSE;
  }
  g_mutex_lock (&result->lock);
  if (!result->ready) {
    result->counted = counted;
    result->regions = regions;
    g_atomic_int_set (&result->ready, TRUE);
  }
  g_mutex_unlock (&result->lock);
  return TRUE;
}

/* ---- regions ---- */

guint64
gst_gles_regions_result_get_total (GstGlesRegionsResult *result)
{
  g_return_val_if_fail (result != NULL, 0);

  return gst_gles_regions_result_wait (result, G_MAXUINT64, NULL) ? result->counted.total : 0;
}

guint
gst_gles_regions_result_get_count (GstGlesRegionsResult *result)
{
  g_return_val_if_fail (result != NULL, 0);

  return gst_gles_regions_result_wait (result, G_MAXUINT64, NULL) ? result->counted.count : 0;
}

gboolean
gst_gles_regions_result_is_truncated (GstGlesRegionsResult *result)
{
  g_return_val_if_fail (result != NULL, FALSE);

  return gst_gles_regions_result_wait (result, G_MAXUINT64, NULL) &&
      result->counted.total > result->counted.count;
}

const GstGlesRegion *
gst_gles_regions_result_get_region (GstGlesRegionsResult *result, guint index, GError **error)
{
  g_return_val_if_fail (result != NULL, NULL);

  if (!gst_gles_regions_result_wait (result, G_MAXUINT64, error))
    return NULL;
  if (index < result->counted.count)
    return &result->regions[index];
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "region %u of frame %" G_GUINT64_FORMAT ", which has %u", index, result->info.frame,
      result->counted.count);
  return NULL;
}

GBytes *
gst_gles_regions_result_get_bytes (GstGlesRegionsResult *result, GError **error)
{
  g_return_val_if_fail (result != NULL, NULL);

  if (!gst_gles_regions_result_wait (result, G_MAXUINT64, error))
    return NULL;
  return g_bytes_new_with_free_func (result->regions,
      result->counted.count * sizeof (GstGlesRegion),
      (GDestroyNotify) gst_gles_regions_result_unref, gst_gles_regions_result_ref (result));
}

/* ---- on the device ---- */

GstGlesBuffer *
gst_gles_regions_result_get_device_buffer (GstGlesRegionsResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return result->buffer != NULL ? gst_gles_buffer_ref (result->buffer) : NULL;
}

GstGlesBuffer *
gst_gles_regions_result_get_device_counts (GstGlesRegionsResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return result->counts != NULL ? gst_gles_buffer_ref (result->counts) : NULL;
}

/* ---- what was analysed ---- */

static void
set_pair (guint *first, guint a, guint *second, guint b)
{
  if (first != NULL)
    *first = a;
  if (second != NULL)
    *second = b;
}

void
gst_gles_regions_result_get_size (GstGlesRegionsResult *result, guint *width, guint *height)
{
  g_return_if_fail (result != NULL);

  set_pair (width, result->info.width, height, result->info.height);
}

void
gst_gles_regions_result_get_cell_size (GstGlesRegionsResult *result, guint *width, guint *height)
{
  g_return_if_fail (result != NULL);

  set_pair (width, result->info.cell_width, height, result->info.cell_height);
}

const gchar *
gst_gles_regions_result_get_label (GstGlesRegionsResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return result->info.label;
}

guint64
gst_gles_regions_result_get_frame_number (GstGlesRegionsResult *result)
{
  g_return_val_if_fail (result != NULL, 0);

  return result->info.frame;
}

GstClockTime
gst_gles_regions_result_get_pts (GstGlesRegionsResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return result->info.pts;
}

GstClockTime
gst_gles_regions_result_get_running_time (GstGlesRegionsResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return result->info.running_time;
}
