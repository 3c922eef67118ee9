/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers of serialised metas: little-endian words of 32 bits. */
#ifndef GST_GLES_META_SERIAL_PRIVATE_H
#define GST_GLES_META_SERIAL_PRIVATE_H

#include <gst/gst.h>

#if GST_CHECK_VERSION(1, 24, 0)

G_BEGIN_DECLS

/* Registers a meta that can be serialised. */
static inline const GstMetaInfo *
gst_gles_serial_register (GType api, const gchar *implementation, gsize size,
    GstMetaInitFunction init, GstMetaFreeFunction free, GstMetaTransformFunction transform,
    GstMetaSerializeFunction serialize, GstMetaDeserializeFunction deserialize)
{
  GstMetaInfo *info = gst_meta_info_new (api, implementation, size);

  info->init_func = init;
  info->free_func = free;
  info->transform_func = transform;
  info->serialize_func = serialize;
  info->deserialize_func = deserialize;
  return gst_meta_info_register (info);
}

/* Of 64 bits: two words, the lower one first. */
static inline void
gst_gles_serial_put_64 (guint32 *words, guint64 value)
{
  words[0] = GUINT32_TO_LE ((guint32) value);
  words[1] = GUINT32_TO_LE ((guint32) (value >> 32));
}

static inline guint64
gst_gles_serial_get_64 (const guint32 *words)
{
  return GUINT32_FROM_LE (words[0]) | (guint64) GUINT32_FROM_LE (words[1]) << 32;
}

static inline gboolean
gst_gles_serial_append (GstByteArrayInterface *data, const guint32 *words, gsize n)
{
  guint8 *target = gst_byte_array_interface_append (data, n * 4);

  if (target == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    GST_WRITE_UINT32_LE (target + 4 * i, words[i]);
  return TRUE;
}

/* @n words from @bytes on, at any address: (transfer full) */
static inline GBytes *
gst_gles_serial_take (const guint8 *bytes, gsize n)
{
  guint32 *words = g_new (guint32, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    words[i] = GST_READ_UINT32_LE (bytes + 4 * i);
  return g_bytes_new_take (words, 4 * n);
}

G_END_DECLS

#endif

#endif
