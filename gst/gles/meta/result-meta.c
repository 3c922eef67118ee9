/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/result-meta.h>

#include <gst/gles/meta/serial.h>

/* The beginning of every public meta of a result. Results are GstMiniObjects. */
typedef struct {
  GstMeta meta;
  GstMiniObject *result;
} ResultMeta;

static G_DEFINE_QUARK (gst - gles - result - meta - kind, kind)

/* The API type of a meta knows its kind. */
static const GstGlesResultMetaKind *
get_kind (const GstMetaInfo *info)
{
  return g_type_get_qdata (info->api, kind_quark ());
}

GType
gst_gles_result_meta_register_api (const GstGlesResultMetaKind *kind)
{
  /* Converters, scalers and encoders keep a meta whose only tag is "video". The other tags make
   * elements that move pixels drop it, or ask its transformation. */
  static const gchar *plain[] = { GST_META_TAG_VIDEO_STR, NULL };
  static const gchar *positional[] = { GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
    GST_META_TAG_VIDEO_ORIENTATION_STR, NULL };
  const GType api =
      gst_meta_api_type_register (kind->api_name, kind->has_coordinates ? positional : plain);

  g_type_set_qdata (api, kind_quark (), (gpointer) kind);
  return api;
}

static gboolean
meta_init (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  ((ResultMeta *) meta)->result = NULL;
  return TRUE;
}

static void
meta_free (GstMeta *meta, GstBuffer *buffer)
{
  g_clear_pointer (&((ResultMeta *) meta)->result, gst_mini_object_unref);
}

static gboolean
has_result (GstBuffer *buffer, GType api, GstMiniObject *result)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state, api)) != NULL) {
    if (((ResultMeta *) meta)->result == result)
      return TRUE;
  }
  return FALSE;
}

/* Copies share the result, which describes the picture that was analysed. Some elements copy a
 * buffer's metas twice (a base class and the element itself). */
static gboolean
meta_transform (GstBuffer *target, GstMeta *meta, GstBuffer *buffer, GQuark type, gpointer data)
{
  GstMiniObject *result = ((ResultMeta *) meta)->result;

  if (get_kind (meta->info)->has_coordinates) {
    if (GST_META_TRANSFORM_IS_COPY (type)) {
      if (((GstMetaTransformCopy *) data)->region)
        return FALSE;
    } else if (!GST_VIDEO_META_TRANSFORM_IS_SCALE (type)) {
      return FALSE;
    }
  }
  if (!has_result (target, meta->info->api, result))
    gst_gles_result_meta_add (target, meta->info, result);
  return TRUE;
}

#if GST_CHECK_VERSION(1, 24, 0)

static gboolean
meta_serialize (const GstMeta *meta, GstByteArrayInterface *data, guint8 *version)
{
  GstMiniObject *result = ((const ResultMeta *) meta)->result;
  GstByteWriter writer;
  gboolean done;

  gst_byte_writer_init (&writer);
  done = get_kind (meta->info)->serialize (result, &writer) &&
      gst_byte_array_interface_append_data (
          data, writer.parent.data, gst_byte_writer_get_pos (&writer));
  gst_byte_writer_reset (&writer);
  *version = GST_GLES_SERIAL_VERSION;
  return done;
}

static GstMeta *
meta_deserialize (
    const GstMetaInfo *info, GstBuffer *buffer, const guint8 *data, gsize size, guint8 version)
{
  GstMiniObject *result = NULL;
  GstByteReader reader;
  GstMeta *meta;

  gst_byte_reader_init (&reader, data, (guint) MIN (size, G_MAXUINT));
  if (version == GST_GLES_SERIAL_VERSION)
    result = get_kind (info)->parse (&reader);
  if (result == NULL)
    return NULL;
  meta = gst_gles_result_meta_add (buffer, info, result);
  gst_mini_object_unref (result);
  return meta;
}

#endif

const GstMetaInfo *
gst_gles_result_meta_register (const GstGlesResultMetaKind *kind, GType api)
{
#if GST_CHECK_VERSION(1, 24, 0)
  GstMetaInfo *info = gst_meta_info_new (api, kind->name, sizeof (ResultMeta));

  info->init_func = meta_init;
  info->free_func = meta_free;
  info->transform_func = meta_transform;
  info->serialize_func = meta_serialize;
  info->deserialize_func = meta_deserialize;
  return gst_meta_info_register (info);
#else
  return gst_meta_register (
      api, kind->name, sizeof (ResultMeta), meta_init, meta_free, meta_transform);
#endif
}

gpointer
gst_gles_result_meta_add (GstBuffer *buffer, const GstMetaInfo *info, gpointer result)
{
  ResultMeta *meta = (ResultMeta *) gst_buffer_add_meta (buffer, info, NULL);

  meta->result = gst_mini_object_ref (result);
  return meta;
}

gpointer
gst_gles_result_meta_get_last (GstBuffer *buffer, GType api)
{
  gpointer state = NULL;
  GstMeta *meta, *last = NULL;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state, api)) != NULL)
    last = meta;
  return last;
}

gpointer
gst_gles_result_meta_ref_last_result (GstBuffer *buffer, GType api)
{
  ResultMeta *meta = gst_gles_result_meta_get_last (buffer, api);

  return meta != NULL ? gst_mini_object_ref (meta->result) : NULL;
}
