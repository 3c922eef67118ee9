/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The order of values that are sorted, compared and summed: keys of 32 bits. */
#ifndef GST_GLES_CPU_KEY_H
#define GST_GLES_CPU_KEY_H

#include <gst/gles/core/types.h>
#include <array-layout.h>

G_BEGIN_DECLS

/* Words per value. */
static inline guint
gst_gles_cpu_type_words (GstGlesValueType type)
{
  return type == GST_GLES_VALUE_U64 ? 2 : 1;
}

/* Converts the word of a u32, i32 or f32 to a u32 with the same order, and back. */
static inline guint32
gst_gles_cpu_to_key (GstGlesValueType type, guint32 word)
{
  if (type == GST_GLES_VALUE_F32)
    return GST_GLES_F32_TO_KEY (word);
  return type == GST_GLES_VALUE_I32 ? GST_GLES_I32_TO_KEY (word) : word;
}

static inline guint32
gst_gles_cpu_from_key (GstGlesValueType type, guint32 key)
{
  if (type == GST_GLES_VALUE_F32)
    return GST_GLES_KEY_TO_F32 (key);
  return type == GST_GLES_VALUE_I32 ? GST_GLES_KEY_TO_I32 (key) : key;
}

/* Calls @function with @type, u32, i32 or f32, as a constant before the other arguments, so that
 * there is an inlined copy for each. */
#define GST_GLES_CPU_WITH_TYPE(type, function, ...)                                                \
  ((type) == GST_GLES_VALUE_F32          ? function (GST_GLES_VALUE_F32, __VA_ARGS__)              \
          : (type) == GST_GLES_VALUE_I32 ? function (GST_GLES_VALUE_I32, __VA_ARGS__)              \
                                         : function (GST_GLES_VALUE_U32, __VA_ARGS__))

G_END_DECLS

#endif
