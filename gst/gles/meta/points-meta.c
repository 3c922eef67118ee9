/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/points.h>

#include <gst/video/gstvideometa.h>

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

/* Copies and scaled pictures share the result, which tells the size its coordinates are of. A
 * part of a buffer is no picture. Some elements copy a buffer's metas twice. */
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

static gboolean
meta_serialize (const GstMeta *meta, GstByteArrayInterface *data, guint8 *version)
{
  GstGlesPointsResult *result = ((const GstGlesPointsMeta *) meta)->result;
  guint8 *target;
  gsize size;

  if (!gst_gles_points_serial_get_size (result, &size))
    return FALSE;
  target = gst_byte_array_interface_append (data, size);
  if (target == NULL)
    return FALSE;
  gst_gles_points_serial_write (result, target);
  *version = GST_GLES_SERIAL_VERSION;
  return TRUE;
}

static GstMeta *
meta_deserialize (
    const GstMetaInfo *info, GstBuffer *buffer, const guint8 *data, gsize size, guint8 version)
{
  g_autoptr (GstGlesPointsResult) result = gst_gles_points_serial_parse (data, size, version);

  return result != NULL ? (GstMeta *) gst_buffer_add_gles_points_meta (buffer, result) : NULL;
}

static const GstMetaInfo *
register_meta (void)
{
  GstMetaInfo *info = gst_meta_info_new (
      GST_GLES_POINTS_META_API_TYPE, "GstGlesPointsMeta", sizeof (GstGlesPointsMeta));

  info->init_func = meta_init;
  info->free_func = meta_free;
  info->transform_func = meta_transform;
  info->serialize_func = meta_serialize;
  info->deserialize_func = meta_deserialize;
  return gst_meta_info_register (info);
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
