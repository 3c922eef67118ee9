/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The types of values that are sorted, compared and summed, and their order. */
#ifndef GST_GLES_CPU_KEY_H
#define GST_GLES_CPU_KEY_H

#include <glib.h>
#include <layout.h>

G_BEGIN_DECLS

typedef enum {
  GST_GLES_CPU_U32,
  GST_GLES_CPU_I32,
  GST_GLES_CPU_F32, /* ordered by bits: -0 < +0; NaNs at either end, by their sign */
  GST_GLES_CPU_U64, /* two words, the low one first */
} GstGlesCpuType;

/* Words per value. */
static inline guint
gst_gles_cpu_type_words (GstGlesCpuType type)
{
  return type == GST_GLES_CPU_U64 ? 2 : 1;
}

/* Converts the word of a u32, i32 or f32 to a u32 with the same order, and back. */
static inline guint32
gst_gles_cpu_to_key (GstGlesCpuType type, guint32 word)
{
  if (type == GST_GLES_CPU_F32)
    return GST_GLES_F32_TO_KEY (word);
  return type == GST_GLES_CPU_I32 ? GST_GLES_I32_TO_KEY (word) : word;
}

static inline guint32
gst_gles_cpu_from_key (GstGlesCpuType type, guint32 key)
{
  if (type == GST_GLES_CPU_F32)
    return GST_GLES_KEY_TO_F32 (key);
  return type == GST_GLES_CPU_I32 ? GST_GLES_KEY_TO_I32 (key) : key;
}

G_END_DECLS

#endif
