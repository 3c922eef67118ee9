/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The metas that carry results. */
#include <gst/gles/meta/result-meta.h>
#include <gst/gles/meta/serial.h>

/* Defines the functions that the public header declares for the meta of GstGles##Name##Result. */
#define DEFINE_META(Name, name, coordinates)                                                       \
  static gboolean serialize_##name (gpointer result, GstByteWriter *writer)                        \
  {                                                                                                \
    return gst_gles_##name##_serialize (result, writer);                                           \
  }                                                                                                \
  static gpointer parse_##name (GstByteReader *reader)                                             \
  {                                                                                                \
    return gst_gles_##name##_parse (reader);                                                       \
  }                                                                                                \
  static const GstGlesResultMetaKind name##_kind = { "GstGles" #Name "Meta",                       \
    "GstGles" #Name "MetaAPI", coordinates, serialize_##name, parse_##name };                      \
                                                                                                   \
  GType gst_gles_##name##_meta_api_get_type (void)                                                 \
  {                                                                                                \
    static gsize type = 0;                                                                         \
    if (g_once_init_enter (&type))                                                                 \
      g_once_init_leave (&type, gst_gles_result_meta_register_api (&name##_kind));                 \
    return type;                                                                                   \
  }                                                                                                \
  const GstMetaInfo *gst_gles_##name##_meta_get_info (void)                                        \
  {                                                                                                \
    static const GstMetaInfo *info = NULL;                                                         \
    if (g_once_init_enter (&info))                                                                 \
      g_once_init_leave ((GstMetaInfo **) &info,                                                   \
          (GstMetaInfo *) gst_gles_result_meta_register (                                          \
              &name##_kind, gst_gles_##name##_meta_api_get_type ()));                              \
    return info;                                                                                   \
  }                                                                                                \
  GstGles##Name##Meta *gst_buffer_add_gles_##name##_meta (                                         \
      GstBuffer *buffer, GstGles##Name##Result *result)                                            \
  {                                                                                                \
    g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);                                           \
    g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);                                  \
    g_return_val_if_fail (result != NULL, NULL);                                                   \
    return gst_gles_result_meta_add (buffer, gst_gles_##name##_meta_get_info (), result);          \
  }                                                                                                \
  GstGles##Name##Meta *gst_buffer_get_gles_##name##_meta (GstBuffer *buffer)                       \
  {                                                                                                \
    g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);                                           \
    return gst_gles_result_meta_get_last (buffer, gst_gles_##name##_meta_api_get_type ());         \
  }                                                                                                \
  GstGles##Name##Result *gst_gles_##name##_result_from_buffer (GstBuffer *buffer)                  \
  {                                                                                                \
    g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);                                           \
    return gst_gles_result_meta_ref_last_result (buffer, gst_gles_##name##_meta_api_get_type ());  \
  }

/* Histograms have no coordinates, so they survive every transformation of the picture. */
DEFINE_META (Histogram, histogram, FALSE)
DEFINE_META (Points, points, TRUE)
DEFINE_META (Regions, regions, TRUE)
DEFINE_META (Tiles, tiles, TRUE)
DEFINE_META (Tracks, tracks, TRUE)
DEFINE_META (Zones, zones, TRUE)
