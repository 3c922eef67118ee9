/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/regions-info.h>

#include <gst/gles/meta/result.h>

struct _GstGlesRegionsResult {
  GstGlesResultBase base;
  GstGlesRegionsInfo info;
  GstGlesRegionsFinishFunc finish; /* with the next two, nullable */
  gpointer finish_data;
  GstGlesRegion *finished; /* in place of those of the readback */
};

GST_GLES_DEFINE_COUNTED_RESULT (Regions, regions)

/* ---- making a result ---- */

static void
result_free (GstMiniObject *object)
{
  GstGlesRegionsResult *result = (GstGlesRegionsResult *) object;

  g_free ((gchar *) result->info.label);
  g_free (result->finish_data);
  g_free (result->finished);
  gst_gles_result_free (object);
}

GstGlesRegionsResult *
gst_gles_regions_result_new_queued (const GstGlesRegionsInfo *info, GstGlesReadback *readback,
    GstGlesBuffer *regions, GstGlesBuffer *counts)
{
  const GstGlesResultArray array = { "regions", .item_bytes = sizeof (GstGlesRegion),
    .readback = readback, .buffer = regions };
  GstGlesRegionsResult *result;

  g_return_val_if_fail (info->label != NULL, NULL);
  g_return_val_if_fail (info->frame.width > 0 && info->frame.height > 0, NULL);

  result = gst_gles_result_new (
      &(GstGlesResultType){ sizeof *result, GST_TYPE_GLES_REGIONS_RESULT, result_free }, &array, 1,
      counts);
  gst_gles_result_set_info (result, &result->info, info, sizeof *info);
  /* Not interned, which is for ever: labels may come from other processes. */
  result->info.label = g_strdup (info->label);
  return result;
}

static void
finish (gpointer object)
{
  GstGlesRegionsResult *result = object;
  GstGlesResultArray *array = &result->base.arrays[0];

  /* NULL where there are none */
  result->finished = g_memdup2 (array->data, result->base.counted.count * sizeof (GstGlesRegion));
  result->finish (result->finish_data, result->finished, &result->base.counted);
  array->data = result->finished;
}

void
gst_gles_regions_result_set_finish (
    GstGlesRegionsResult *result, GstGlesRegionsFinishFunc func, gpointer data)
{
  g_return_if_fail (result->finish == NULL && !result->base.ready);

  result->finish = func;
  result->finish_data = data;
  result->base.finish = finish;
}

static gboolean
check_region (const GstGlesRegion *region, const GstGlesFrameInfo *frame)
{
  const guint64 pixels = region->pixels;

  return pixels >= 1 && region->left <= region->right && region->right < frame->width &&
      region->top <= region->bottom && region->bottom < frame->height &&
      region->sum_x >= pixels * region->left && region->sum_x <= pixels * region->right &&
      region->sum_y >= pixels * region->top && region->sum_y <= pixels * region->bottom &&
      region->sum_value <= pixels * region->max_value;
}

gboolean
gst_gles_regions_info_check (const GstGlesRegionsInfo *info, const GstGlesRegion *regions, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    if (!check_region (&regions[i], &info->frame))
      return FALSE;
  }
  return TRUE;
}

GstGlesRegionsResult *
gst_gles_regions_result_new (const GstGlesFrameInfo *frame, const gchar *label, GBytes *regions,
    guint64 total, GError **error)
{
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autoptr (GBytes) bytes = NULL;
  GstGlesRegionsInfo info = { .cell_width = 1,
    .cell_height = 1,
    .connectivity = 8,
    .min_points = 1,
    .min_size = 1,
    .label = label };
  const GstGlesRegion *data;
  gsize size_bytes, n;

  g_return_val_if_fail (frame != NULL && label != NULL && regions != NULL, NULL);
  g_return_val_if_fail (frame->width > 0 && frame->height > 0, NULL);

  bytes = gst_gles_result_align (regions);
  data = g_bytes_get_data (bytes, &size_bytes);
  n = size_bytes / sizeof *data;
  info.frame = *frame;
  info.max_regions = (guint) MIN (n, G_MAXUINT);
  if (size_bytes % sizeof *data != 0 || n > MIN (total, G_MAXUINT) ||
      !gst_gles_regions_info_check (&info, data, n)) {
    gst_gles_result_refuse (error,
        "%" G_GSIZE_FORMAT " bytes are not up to %" G_GUINT64_FORMAT
        " regions of 64 bytes, each with pixels, inside of %u x %u pixels, and with sums that "
        "pixels in its box can have",
        size_bytes, total, frame->width, frame->height);
    return NULL;
  }
  readback = gst_gles_readback_new_counted (
      &(GstGlesResult){ total, (guint32) n, 0 }, g_steal_pointer (&bytes));
  return gst_gles_regions_result_new_queued (&info, readback, NULL, NULL);
}

/* ---- regions ---- */

const GstGlesRegion *
gst_gles_regions_result_get_region (GstGlesRegionsResult *result, guint index, GError **error)
{
  g_return_val_if_fail (result != NULL, NULL);

  if (!gst_gles_result_wait (result, G_MAXUINT64, error))
    return NULL;
  if (index < result->base.counted.count)
    return (const GstGlesRegion *) result->base.arrays[0].data + index;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "region %u of frame %" G_GUINT64_FORMAT ", which has %u", index, result->info.frame.number,
      result->base.counted.count);
  return NULL;
}

GBytes *
gst_gles_regions_result_get_bytes (GstGlesRegionsResult *result, GError **error)
{
  g_return_val_if_fail (result != NULL, NULL);

  if (!gst_gles_result_wait (result, G_MAXUINT64, error))
    return NULL;
  return gst_gles_result_get_bytes (
      result, result->base.arrays[0].data, result->base.counted.count * sizeof (GstGlesRegion));
}

GstGlesBuffer *
gst_gles_regions_result_get_device_buffer (GstGlesRegionsResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return gst_gles_result_get_buffer (result, 0);
}
