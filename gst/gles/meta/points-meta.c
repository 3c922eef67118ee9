/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/points.h>

#include <gst/video/gstvideometa.h>
#include <string.h>

#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/serial-private.h>

GType
gst_gles_points_meta_api_get_type (void)
{
  /* whoever moves pixels knows by these tags that coordinates go wrong */
  static const gchar *tags[] = { GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
    GST_META_TAG_VIDEO_ORIENTATION_STR, NULL };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, gst_meta_api_type_register ("GstGlesPointsMetaAPI", tags));
  return type;
}

static gboolean
meta_init (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  ((GstGlesPointsMeta *) meta)->result = NULL;
  return TRUE;
}

static void
meta_free (GstMeta *meta, GstBuffer *buffer)
{
  g_clear_pointer (&((GstGlesPointsMeta *) meta)->result, gst_gles_points_result_unref);
}

static gboolean
has_result (GstBuffer *buffer, GstGlesPointsResult *result)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_GLES_POINTS_META_API_TYPE)) != NULL) {
    if (((GstGlesPointsMeta *) meta)->result == result)
      return TRUE;
  }
  return FALSE;
}

/* Copies and scaled pictures share the result, which tells the size its coordinates are of. A part of
 * a buffer is no picture. Some elements copy a buffer's metas twice. */
static gboolean
meta_transform (GstBuffer *target, GstMeta *meta, GstBuffer *buffer, GQuark type, gpointer data)
{
  GstGlesPointsResult *result = ((GstGlesPointsMeta *) meta)->result;

  if (GST_META_TRANSFORM_IS_COPY (type)) {
    if (((GstMetaTransformCopy *) data)->region)
      return FALSE;
  } else if (!GST_VIDEO_META_TRANSFORM_IS_SCALE (type)) {
    return FALSE;
  }
  if (!has_result (target, result))
    gst_buffer_add_gles_points_meta (target, result);
  return TRUE;
}

#if GST_CHECK_VERSION(1, 24, 0)

#define SERIAL_VERSION 1
#define SERIAL_WORDS 28 /* of 32 bits, little-endian, before the points */

static void
put_info (const GstGlesPointsInfo *info, guint64 total, guint32 count, guint32 *words)
{
  const guint32 rest[] = { info->width, info->height, info->format, info->range, info->x, info->y,
    info->region_width, info->region_height, info->predicate, (guint32) info->channel, info->lower,
    info->upper, info->max_points, count };

  gst_gles_serial_put_64 (words, info->frame);
  gst_gles_serial_put_64 (words + 2, info->pts);
  gst_gles_serial_put_64 (words + 4, info->duration);
  gst_gles_serial_put_64 (words + 6, info->running_time);
  gst_gles_serial_put_64 (words + 8, info->stream_time);
  gst_gles_serial_put_64 (words + 10, total);
  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    words[12 + i] = GUINT32_TO_LE (rest[i]);
  for (guint i = 12 + G_N_ELEMENTS (rest); i < SERIAL_WORDS; i++)
    words[i] = 0;
}

static void
get_info (const guint32 *words, GstGlesPointsInfo *info, GstGlesCounted *counted)
{
  guint32 rest[14];

  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    rest[i] = GUINT32_FROM_LE (words[12 + i]);
  *info = (GstGlesPointsInfo){ gst_gles_serial_get_64 (words), gst_gles_serial_get_64 (words + 2),
    gst_gles_serial_get_64 (words + 4), gst_gles_serial_get_64 (words + 6),
    gst_gles_serial_get_64 (words + 8), rest[0], rest[1], (GstVideoFormat) rest[2],
    (GstVideoColorRange) rest[3], rest[4], rest[5], rest[6], rest[7],
    (GstGlesPointsPredicate) rest[8], (gint) rest[9], rest[10], rest[11], rest[12] };
  *counted = (GstGlesCounted){ gst_gles_serial_get_64 (words + 10), rest[13], 0 };
}

/* Waits for the points: another process cannot. */
static gboolean
meta_serialize (const GstMeta *meta, GstByteArrayInterface *data, guint8 *version)
{
  GstGlesPointsResult *result = ((const GstGlesPointsMeta *) meta)->result;
  guint32 words[SERIAL_WORDS], *target;
  const GstGlesPoint *points;
  guint n;

  points = gst_gles_points_result_get_points (result, &n, NULL);
  if (points == NULL)
    return FALSE;
  put_info (gst_gles_points_result_get_info (result), gst_gles_points_result_get_total (result), n,
      words);
  if (!gst_byte_array_interface_append_data (data, (const guint8 *) words, sizeof words))
    return FALSE;
  target = (guint32 *) (gpointer) gst_byte_array_interface_append (data, (gsize) n * 8);
  if (target == NULL)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    const guint32 words_of[2] = { GUINT32_TO_LE (points[i].x | (guint32) points[i].y << 16),
      GUINT32_TO_LE (points[i].value) };
    memcpy (target + 2 * (gsize) i, words_of, sizeof words_of);
  }
  *version = SERIAL_VERSION;
  return TRUE;
}

static GstMeta *
meta_deserialize (
    const GstMetaInfo *info, GstBuffer *buffer, const guint8 *data, gsize size, guint8 version)
{
  g_autoptr (GstGlesPointsResult) result = NULL;
  g_autoptr (GstGlesReadback) readback = NULL;
  guint32 words[SERIAL_WORDS];
  GstGlesPointsInfo described;
  GstGlesCounted counted;
  GstGlesPoint *points;

  if (version != SERIAL_VERSION || size < sizeof words)
    return NULL;
  memcpy (words, data, sizeof words);
  get_info (words, &described, &counted);
  if ((size - sizeof words) / 8 < counted.count || described.width == 0 || described.height == 0 ||
      described.channel < GST_GLES_POINTS_LUMA || described.channel > 3 ||
      described.predicate > GST_GLES_POINTS_EDGE)
    return NULL;
  points = g_new (GstGlesPoint, MAX (counted.count, 1));
  for (guint i = 0; i < counted.count; i++) {
    const guint8 *bytes = data + sizeof words + 8 * (gsize) i;
    points[i] = (GstGlesPoint){ GST_READ_UINT16_LE (bytes), GST_READ_UINT16_LE (bytes + 2),
      GST_READ_UINT32_LE (bytes + 4) };
  }
  readback = gst_gles_readback_new_counted (
      &counted, g_bytes_new_take (points, counted.count * sizeof (GstGlesPoint)));
  result = gst_gles_points_result_new (&described, readback, NULL, NULL);
  return (GstMeta *) gst_buffer_add_gles_points_meta (buffer, result);
}

static const GstMetaInfo *
register_meta (void)
{
  return gst_gles_serial_register (GST_GLES_POINTS_META_API_TYPE, "GstGlesPointsMeta",
      sizeof (GstGlesPointsMeta), meta_init, meta_free, meta_transform, meta_serialize,
      meta_deserialize);
}

#else

static const GstMetaInfo *
register_meta (void)
{
  return gst_meta_register (GST_GLES_POINTS_META_API_TYPE, "GstGlesPointsMeta",
      sizeof (GstGlesPointsMeta), meta_init, meta_free, meta_transform);
}

#endif

const GstMetaInfo *
gst_gles_points_meta_get_info (void)
{
  static const GstMetaInfo *info = NULL;

  if (g_once_init_enter (&info))
    g_once_init_leave ((GstMetaInfo **) &info, (GstMetaInfo *) register_meta ());
  return info;
}

GstGlesPointsMeta *
gst_buffer_add_gles_points_meta (GstBuffer *buffer, GstGlesPointsResult *result)
{
  GstGlesPointsMeta *meta;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (result != NULL, NULL);

  meta = (GstGlesPointsMeta *) gst_buffer_add_meta (buffer, GST_GLES_POINTS_META_INFO, NULL);
  meta->result = gst_gles_points_result_ref (result);
  return meta;
}

GstGlesPointsMeta *
gst_buffer_get_gles_points_meta (GstBuffer *buffer)
{
  gpointer state = NULL;
  GstMeta *meta, *last = NULL;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_GLES_POINTS_META_API_TYPE)) != NULL)
    last = meta;
  return (GstGlesPointsMeta *) last;
}

GstGlesPointsResult *
gst_gles_points_result_from_buffer (GstBuffer *buffer)
{
  GstGlesPointsMeta *meta;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  meta = gst_buffer_get_gles_points_meta (buffer);
  return meta != NULL ? gst_gles_points_result_ref (meta->result) : NULL;
}
