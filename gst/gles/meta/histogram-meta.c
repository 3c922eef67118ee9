/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/histogram.h>

#include <gst/gles/meta/serial-private.h>

GType
gst_gles_histogram_meta_api_get_type (void)
{
  /* converters, scalers and encoders keep a meta whose only tag is "video": a size, orientation or
   * colorspace tag would make one of them drop it */
  static const gchar *tags[] = { GST_META_TAG_VIDEO_STR, NULL };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, gst_meta_api_type_register ("GstGlesHistogramMetaAPI", tags));
  return type;
}

static gboolean
meta_init (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  ((GstGlesHistogramMeta *) meta)->result = NULL;
  return TRUE;
}

static void
meta_free (GstMeta *meta, GstBuffer *buffer)
{
  g_clear_pointer (&((GstGlesHistogramMeta *) meta)->result, gst_gles_histogram_result_unref);
}

static gboolean
has_result (GstBuffer *buffer, GstGlesHistogramResult *result)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_GLES_HISTOGRAM_META_API_TYPE)) != NULL) {
    if (((GstGlesHistogramMeta *) meta)->result == result)
      return TRUE;
  }
  return FALSE;
}

/* Shares the result, whatever happens to the picture: it tells of the picture that was analysed.
 * Some elements copy a buffer's metas twice (a base class and the element itself). */
static gboolean
meta_transform (GstBuffer *target, GstMeta *meta, GstBuffer *buffer, GQuark type, gpointer data)
{
  GstGlesHistogramResult *result = ((GstGlesHistogramMeta *) meta)->result;

  if (!has_result (target, result))
    gst_buffer_add_gles_histogram_meta (target, result);
  return TRUE;
}

#if GST_CHECK_VERSION(1, 24, 0)

static gboolean
meta_serialize (const GstMeta *meta, GstByteArrayInterface *data, guint8 *version)
{
  GstGlesHistogramResult *result = ((const GstGlesHistogramMeta *) meta)->result;
  guint8 *target;
  gsize size;

  if (!gst_gles_histogram_serial_get_size (result, &size))
    return FALSE;
  target = gst_byte_array_interface_append (data, size);
  if (target == NULL)
    return FALSE;
  gst_gles_histogram_serial_write (result, target);
  *version = GST_GLES_SERIAL_VERSION;
  return TRUE;
}

static GstMeta *
meta_deserialize (
    const GstMetaInfo *info, GstBuffer *buffer, const guint8 *data, gsize size, guint8 version)
{
  g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_serial_parse (data, size, version);

  return result != NULL ? (GstMeta *) gst_buffer_add_gles_histogram_meta (buffer, result) : NULL;
}

static const GstMetaInfo *
register_meta (void)
{
  GstMetaInfo *info = gst_meta_info_new (
      GST_GLES_HISTOGRAM_META_API_TYPE, "GstGlesHistogramMeta", sizeof (GstGlesHistogramMeta));

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
  return gst_meta_register (GST_GLES_HISTOGRAM_META_API_TYPE, "GstGlesHistogramMeta",
      sizeof (GstGlesHistogramMeta), meta_init, meta_free, meta_transform);
}

#endif

const GstMetaInfo *
gst_gles_histogram_meta_get_info (void)
{
  static const GstMetaInfo *info = NULL;

  if (g_once_init_enter (&info))
    g_once_init_leave ((GstMetaInfo **) &info, (GstMetaInfo *) register_meta ());
  return info;
}

GstGlesHistogramMeta *
gst_buffer_add_gles_histogram_meta (GstBuffer *buffer, GstGlesHistogramResult *result)
{
  GstGlesHistogramMeta *meta;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (result != NULL, NULL);

  meta = (GstGlesHistogramMeta *) gst_buffer_add_meta (buffer, GST_GLES_HISTOGRAM_META_INFO, NULL);
  meta->result = gst_gles_histogram_result_ref (result);
  return meta;
}

GstGlesHistogramMeta *
gst_buffer_get_gles_histogram_meta (GstBuffer *buffer)
{
  gpointer state = NULL;
  GstMeta *meta, *last = NULL;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_GLES_HISTOGRAM_META_API_TYPE)) != NULL)
    last = meta;
  return (GstGlesHistogramMeta *) last;
}

GstGlesHistogramResult *
gst_gles_histogram_result_from_buffer (GstBuffer *buffer)
{
  GstGlesHistogramMeta *meta;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);

  meta = gst_buffer_get_gles_histogram_meta (buffer);
  return meta != NULL ? gst_gles_histogram_result_ref (meta->result) : NULL;
}
