/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/serial-private.h>

/* Before the points: six numbers of 64 bits, sixteen of 32. */
#define N_LONGS 6
#define N_WORDS 16
#define HEAD_BYTES (4 * 28)
#define POINT_BYTES 8

G_STATIC_ASSERT (8 * N_LONGS + 4 * N_WORDS <= HEAD_BYTES);

gboolean
gst_gles_points_serial_get_size (GstGlesPointsResult *result, gsize *size)
{
  const GstGlesPointsInfo *info = gst_gles_points_result_get_info (result);
  guint n;

  if (gst_gles_points_result_get_points (result, &n, NULL) == NULL)
    return FALSE;
  *size = gst_gles_origin_serial_get_size (info->origin) + HEAD_BYTES + n * (gsize) POINT_BYTES;
  return TRUE;
}

void
gst_gles_points_serial_write (GstGlesPointsResult *result, guint8 *target)
{
  const GstGlesPointsInfo *info = gst_gles_points_result_get_info (result);
  guint n;
  const GstGlesPoint *points = gst_gles_points_result_get_points (result, &n, NULL);
  const guint64 longs[N_LONGS] = { info->frame, info->pts, info->duration, info->running_time,
    info->stream_time, gst_gles_points_result_get_total (result) };
  const guint32 words[(HEAD_BYTES - 8 * N_LONGS) / 4] = { info->width, info->height, info->format,
    info->range, info->x, info->y, info->region_width, info->region_height, info->predicate,
    (guint32) info->channel, info->lower, info->upper, info->max_points, n, info->depth,
    info->adaptation };

  target = gst_gles_origin_serial_write (info->origin, info->utc, target);
  for (guint i = 0; i < N_LONGS; i++)
    gst_gles_serial_put_64 (target + 8 * i, longs[i]);
  target = gst_gles_serial_put (target + 8 * N_LONGS, words, G_N_ELEMENTS (words));
  for (gsize i = 0; i < n; i++) {
    const guint32 point[] = { points[i].x | (guint32) points[i].y << 16, points[i].value };

    target = gst_gles_serial_put (target, point, G_N_ELEMENTS (point));
  }
}

/* Coordinates have 16 bits. */
static gboolean
get_head (const guint8 *data, GstGlesPointsInfo *info, GstGlesResult *counted)
{
  guint32 words[N_WORDS];

  gst_gles_serial_get (data + 8 * N_LONGS, words, N_WORDS);
  *info = (GstGlesPointsInfo){ gst_gles_serial_get_64 (data), gst_gles_serial_get_64 (data + 8),
    gst_gles_serial_get_64 (data + 16), gst_gles_serial_get_64 (data + 24),
    gst_gles_serial_get_64 (data + 32), words[0], words[1], (GstVideoFormat) words[2],
    (GstVideoColorRange) words[3], words[4], words[5], words[6], words[7],
    (GstGlesPointsPredicate) words[8], (gint) words[9], words[10], words[11], words[12], words[14],
    words[15] };
  *counted = (GstGlesResult){ gst_gles_serial_get_64 (data + 40), words[13], 0 };
  return gst_gles_serial_check_picture (info->width, info->height, words[2]) &&
      info->width <= G_MAXUINT16 + 1 && info->height <= G_MAXUINT16 + 1 &&
      words[3] <= GST_VIDEO_COLOR_RANGE_16_235 &&
      gst_gles_serial_check_region (
          info->x, info->y, info->region_width, info->region_height, info->width, info->height) &&
      words[8] <= GST_GLES_POINTS_EDGE && info->channel >= GST_GLES_POINTS_LUMA &&
      info->channel <= 3 && info->depth <= 16 && counted->count <= counted->total;
}

/* The points, all of them in the picture: (transfer full) (nullable). */
static GBytes *
get_points (const guint8 *data, guint n, const GstGlesPointsInfo *info)
{
  GstGlesPoint *points = g_try_new (GstGlesPoint, MAX (n, 1));

  if (points == NULL)
    return NULL;
  for (gsize i = 0; i < n; i++) {
    guint32 point[2];

    gst_gles_serial_get (data + POINT_BYTES * i, point, G_N_ELEMENTS (point));
    points[i] = (GstGlesPoint){ (guint16) point[0], (guint16) (point[0] >> 16), point[1] };
    if (points[i].x >= info->width || points[i].y >= info->height) {
      g_free (points);
      return NULL;
    }
  }
  return g_bytes_new_take (points, n * sizeof (GstGlesPoint));
}

GstGlesPointsResult *
gst_gles_points_serial_parse (const guint8 *data, gsize size, guint8 version)
{
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autoptr (GstGlesOrigin) origin = NULL;
  GstGlesPointsInfo info;
  GstGlesResult counted;
  GstClockTime utc;
  GBytes *points;

  if (version != GST_GLES_SERIAL_VERSION ||
      !gst_gles_origin_serial_parse (&data, &size, &origin, &utc) || size < HEAD_BYTES ||
      !get_head (data, &info, &counted) || (size - HEAD_BYTES) / POINT_BYTES < counted.count)
    return NULL;
  info.utc = utc;
  info.origin = origin;
  points = get_points (data + HEAD_BYTES, counted.count, &info);
  if (points == NULL)
    return NULL;
  readback = gst_gles_readback_new_counted (&counted, points);
  return gst_gles_points_result_new (&info, readback, NULL, NULL);
}
