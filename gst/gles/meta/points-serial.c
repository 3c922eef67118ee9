/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/points-info.h>
#include <gst/gles/meta/serial.h>

/* Behind the frame: the total, the description, the count, the points. */
#define MEMBERS(info) GST_GLES_SERIAL_MEMBERS (info, GstGlesPointsInfo, x, samples)

gboolean
gst_gles_points_serialize (GstGlesPointsResult *result, GstByteWriter *writer)
{
  const GstGlesPointsInfo *info = gst_gles_points_result_get_info (result);
  const guint64 total = gst_gles_points_result_get_total (result);
  guint n;
  const GstGlesPoint *points = gst_gles_points_result_get_points (result, &n, NULL);

  if (points == NULL)
    return FALSE;
  gst_gles_serial_put_frame (writer, &info->frame);
  gst_gles_serial_put (writer, &total, sizeof total);
  gst_gles_serial_put (writer, MEMBERS (info));
  gst_gles_serial_put (writer, &n, sizeof n);
  gst_gles_serial_put (writer, points, n * sizeof *points);
  return TRUE;
}

/* All behind the frame but the points. Coordinates have 16 bits. */
static gboolean
get_head (GstByteReader *reader, GstGlesPointsInfo *info, GstGlesResult *counted)
{
  return gst_gles_serial_get (reader, &counted->total, sizeof counted->total) &&
      gst_gles_serial_get (reader, MEMBERS (info)) &&
      gst_gles_serial_get (reader, &counted->count, sizeof counted->count) &&
      info->frame.width <= G_MAXUINT16 + 1 && info->frame.height <= G_MAXUINT16 + 1 &&
      gst_gles_serial_check_region (
          &info->frame, info->x, info->y, info->region_width, info->region_height) &&
      (guint) info->predicate <= GST_GLES_POINTS_EXPRESSION &&
      info->channel >= GST_GLES_POINTS_LUMA && info->channel <= 3 && info->depth <= 16 &&
      (guint) info->samples <= 1 && counted->count <= counted->total;
}

GstGlesPointsResult *
gst_gles_points_parse (GstByteReader *reader)
{
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autoptr (GstGlesOrigin) origin = NULL;
  GstGlesPointsInfo info = { 0 };
  GstGlesResult counted = { 0 };
  GBytes *points = NULL;

  if (!gst_gles_serial_get_frame (reader, &info.frame))
    return NULL;
  origin = info.frame.origin;
  if (get_head (reader, &info, &counted))
    points = gst_gles_serial_take (reader, counted.count * (guint64) sizeof (GstGlesPoint));
  if (points == NULL)
    return NULL;
  readback = gst_gles_readback_new_counted (&counted, points);
  if (!gst_gles_points_info_check (&info, g_bytes_get_data (points, NULL), counted.count))
    return NULL;
  return gst_gles_points_result_new_queued (&info, readback, NULL, NULL);
}
