/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/points-info.h>
#include <gst/gles/meta/serial.h>

/* Behind the frame: the total, numbers of 32 bits, the points. */
#define N_WORDS 12

gboolean
gst_gles_points_serialize (GstGlesPointsResult *result, GstByteWriter *writer)
{
  const GstGlesPointsInfo *info = gst_gles_points_result_get_info (result);
  const guint64 total = gst_gles_points_result_get_total (result);
  guint n;
  const GstGlesPoint *points = gst_gles_points_result_get_points (result, &n, NULL);
  const guint32 head[N_WORDS] = { info->x, info->y, info->region_width, info->region_height,
    info->predicate, (guint32) info->channel, info->lower, info->upper, info->max_points, n,
    info->depth, info->adaptation };

  if (points == NULL)
    return FALSE;
  gst_gles_serial_put_frame (writer, &info->frame);
  gst_gles_serial_put (writer, &total, sizeof total);
  gst_gles_serial_put (writer, head, sizeof head);
  gst_gles_serial_put (writer, points, n * sizeof *points);
  return TRUE;
}

/* All behind the frame but the points. Coordinates have 16 bits. */
static gboolean
get_head (GstByteReader *reader, GstGlesPointsInfo *info, GstGlesResult *counted)
{
  guint32 head[N_WORDS];

  if (!gst_gles_serial_get (reader, &counted->total, sizeof counted->total) ||
      !gst_gles_serial_get (reader, head, sizeof head))
    return FALSE;
  info->x = head[0];
  info->y = head[1];
  info->region_width = head[2];
  info->region_height = head[3];
  info->predicate = (GstGlesPointsPredicate) head[4];
  info->channel = (gint) head[5];
  info->lower = head[6];
  info->upper = head[7];
  info->max_points = head[8];
  counted->count = head[9];
  info->depth = head[10];
  info->adaptation = head[11];
  return info->frame.width <= G_MAXUINT16 + 1 && info->frame.height <= G_MAXUINT16 + 1 &&
      gst_gles_serial_check_region (&info->frame, head) && head[4] <= GST_GLES_POINTS_EDGE &&
      info->channel >= GST_GLES_POINTS_LUMA && info->channel <= 3 && info->depth <= 16 &&
      counted->count <= counted->total;
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
