/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the metas of all results have in common: each is a GstMeta with a reference to a result. */
#ifndef GST_GLES_META_RESULT_META_H
#define GST_GLES_META_RESULT_META_H

#include <gst/video/gstvideometa.h>

G_BEGIN_DECLS

/* One kind of meta. The functions serialise its results; see serial-private.h. */
typedef struct {
  const gchar *name;
  const gchar *api_name;
  /* Results with coordinates are for the whole picture: a copy of part of a buffer drops them, and
   * so does a transformation other than scaling. Other results survive everything. */
  gboolean has_coordinates;
  gboolean (*get_size) (gpointer result, gsize *size);
  void (*write) (gpointer result, guint8 *target);
  gpointer (*parse) (const guint8 *data, gsize size, guint8 version);
} GstGlesResultMetaKind;

/* Registers the API type and the meta of @kind, which is static. Called once for each kind. */
GType gst_gles_result_meta_register_api (const GstGlesResultMetaKind *kind);
const GstMetaInfo *gst_gles_result_meta_register (const GstGlesResultMetaKind *kind, GType api);

/* Adds a meta that keeps a reference to @result. */
gpointer gst_gles_result_meta_add (GstBuffer *buffer, const GstMetaInfo *info, gpointer result);
/* Returns the meta of @buffer that was added last, or its result with a new reference; NULL if
 * there is none. */
gpointer gst_gles_result_meta_get_last (GstBuffer *buffer, GType api);
gpointer gst_gles_result_meta_ref_last_result (GstBuffer *buffer, GType api);

/* Defines the functions that the public header declares for the meta of GstGles##Name##Result. */
#define GST_GLES_DEFINE_RESULT_META(Name, name, coordinates)                                       \
  static gboolean get_size (gpointer result, gsize *size)                                          \
  {                                                                                                \
    return gst_gles_##name##_serial_get_size (result, size);                                       \
  }                                                                                                \
  static void write_result (gpointer result, guint8 *target)                                       \
  {                                                                                                \
    gst_gles_##name##_serial_write (result, target);                                               \
  }                                                                                                \
  static gpointer parse (const guint8 *data, gsize size, guint8 version)                           \
  {                                                                                                \
    return gst_gles_##name##_serial_parse (data, size, version);                                   \
  }                                                                                                \
  static const GstGlesResultMetaKind kind = { "GstGles" #Name "Meta", "GstGles" #Name "MetaAPI",   \
    coordinates, get_size, write_result, parse };                                                  \
                                                                                                   \
  GType gst_gles_##name##_meta_api_get_type (void)                                                 \
  {                                                                                                \
    static gsize type = 0;                                                                         \
    if (g_once_init_enter (&type))                                                                 \
      g_once_init_leave (&type, gst_gles_result_meta_register_api (&kind));                        \
    return type;                                                                                   \
  }                                                                                                \
  const GstMetaInfo *gst_gles_##name##_meta_get_info (void)                                        \
  {                                                                                                \
    static const GstMetaInfo *info = NULL;                                                         \
    if (g_once_init_enter (&info))                                                                 \
      g_once_init_leave ((GstMetaInfo **) &info,                                                   \
          (GstMetaInfo *) gst_gles_result_meta_register (                                          \
              &kind, gst_gles_##name##_meta_api_get_type ()));                                     \
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

G_END_DECLS

#endif
